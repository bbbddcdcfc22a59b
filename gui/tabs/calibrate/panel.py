"""The Calibrate tab: own logs, their steady window, predictions before and after; and what others have published."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from core.calibration.accepted import AcceptedCalibration
from core.calibration.log_window import steady_window
from core.calibration.measured.system import measured_system
from core.calibration.speed_factors import propose
from core.catalogue.entries import Accelerator
from core.errors import InputError, RoofplanError
from core.logs.read import read_log
from core.logs.record import LogRecord
from core.plan.imports import kept, next_log_id, record_of, with_log, without_log
from core.plan.plan import ImportedLog
from gui.session.plan_session import PlanSession
from gui.session.road import Priority, StoppedError, stoppable, whole
from gui.tabs.calibrate.before_after import CalibrateEffect, CalibrateFooter
from gui.tabs.calibrate.log_facts import CalibrateFacts
from gui.tabs.calibrate.published import CalibratePublished
from gui.tabs.calibrate.start import CalibrateStart
from gui.tabs.calibrate.timeline import CalibrateTimeline
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.widgets.rule import rule

OWN, PUBLISHED = 0, 1
LOG_FILES = "Logs (*.csv *.log *.txt *.out *.md *.gz);;All files (*)"


class CalibratePanel(QWidget):
    """One log at a time; ``show_log`` chooses which of the plan's.

    ``proposal`` is the calibration that the choices on screen give, None until it is there. ``proposed``: it is, or
    it is told why there is none.
    """

    proposed = Signal()

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("calibrate")
        self.setAcceptDrops(True)
        self._session = session
        self._themes = themes
        self._log: ImportedLog | None = None
        self._record: LogRecord | None = None
        self._window_s = (0.0, 0.0)
        self._reading = 0
        self.proposal: AcceptedCalibration | None = None
        self._build()
        self._connect()
        self._on_plan()

    def import_file(self, path: Path) -> None:
        """Reads a log off the GUI thread; it then becomes part of the plan as one undo step."""
        self.start.say("")
        self.start.set_busy(path.name)
        work = self._session.road.start(None, stoppable(partial(read_log, path)), f"Reading {path.name}")
        self._reading = work.number
        work.progressed.connect(self.start.show_share)
        work.done.connect(self._on_read)
        work.refused.connect(self._on_refused)
        work.crashed.connect(self._on_crashed)

    def ask_and_import(self) -> None:
        """Asks for a log file."""
        name, _ = QFileDialog.getOpenFileName(self, "Import log", "", LOG_FILES)
        if name:
            self.import_file(Path(name))

    def show_log(self, log_id: str) -> None:
        """Shows one of the plan's logs with the window and choices that it was calibrated with, if it was."""
        log = next((log for log in self._session.plan.logs if log.id == log_id), None)
        self._log = log
        if log is not None:
            self.kinds.setCurrentIndex(OWN)
        if log is None:
            self._pages.setCurrentWidget(self.start)
            return
        self._record = record_of(log, frozenset(self._session.catalogue.accelerator_by_id))
        accepted = self._accepted()
        self._window_s = accepted.window_s if accepted else steady_window(self._record)
        profiles = self._session.shown_plan.profiles
        index = next((i for i, p in enumerate(profiles) if accepted and p.id == accepted.profile_id), None)
        self.facts.show_log(log, profiles, self._session.profile_index if index is None else index)
        self._pages.setCurrentWidget(self._log_page)
        self.footer.show_wait()
        self._refresh()

    def accept(self) -> None:
        """Takes the proposal into the plan: predictions of that chip move. One undo step."""
        taken, plan = self.proposal, self._session.plan
        if taken is None:
            return
        others = tuple(c for c in plan.calibrations if (c.log_id, c.profile_id) != (taken.log_id, taken.profile_id))
        self._session.replace_plan(
            plan.model_copy(update={"calibrations": (*others, taken)}), f"Accept calibration from {self._log_name()}"
        )

    def discard(self) -> None:
        """Takes the log and what came from it out of the plan. One undo step."""
        if self._log is not None:
            self._session.replace_plan(without_log(self._session.plan, self._log.id), f"Discard {self._log_name()}")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Imports what was dropped."""
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self.import_file(Path(url.toLocalFile()))

    def close_panel(self) -> None:
        """Wants no answer any more."""
        self._session.road.cancel(self)
        self.published.close_panel()

    def _build(self) -> None:
        self.start = CalibrateStart(self)
        self.facts = CalibrateFacts(self._session.catalogue, self)
        self.timeline = CalibrateTimeline(self._themes, self)
        self.effect = CalibrateEffect(self._session, self._themes, self)
        self.footer = CalibrateFooter(self)
        self._log_page = QWidget(self)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.timeline, 5)
        middle.addWidget(rule(vertical=True))
        middle.addWidget(self.effect, 3)
        column = QVBoxLayout(self._log_page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.facts)
        column.addWidget(rule())
        column.addLayout(middle, 1)
        column.addWidget(rule())
        column.addWidget(self.footer)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.start)
        self._pages.addWidget(self._log_page)
        self._add_kinds()

    def _add_kinds(self) -> None:
        """Two kinds of evidence, one at a time: the user's logs, and what others have published."""
        self.published = CalibratePublished(self._session, self._themes, self)
        self.kinds = named(QTabBar(), "calibrate-kinds", "Kind of evidence")
        self.kinds.setDrawBase(False)
        self.kinds.addTab("Your logs")
        self.kinds.addTab("Published rows")
        both = QStackedWidget(self)
        both.addWidget(self._pages)
        both.addWidget(self.published)
        self.kinds.currentChanged.connect(both.setCurrentIndex)
        head = QHBoxLayout()
        head.setContentsMargins(8, 0, 0, 0)
        head.addWidget(self.kinds)
        head.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(rule())
        whole.addWidget(both, 1)

    def _connect(self) -> None:
        self.start.import_wanted.connect(self.ask_and_import)
        self.start.stop_wanted.connect(self._stop_reading)
        self.facts.changed.connect(self._refresh)
        self.timeline.window_moved.connect(self._on_window)
        self.footer.accepted.connect(self.accept)
        self.footer.discarded.connect(self.discard)
        self.footer.another_wanted.connect(self.ask_and_import)
        self._session.plan_changed.connect(self._on_plan)
        self._themes.changed.connect(self._refresh)

    def _on_read(self, record: LogRecord) -> None:
        self.start.set_busy("")
        plan = self._session.plan
        log = kept(record, next_log_id(plan), datetime.now().astimezone())
        self._session.replace_plan(with_log(plan, log), f"Import {record.file}")
        self.show_log(log.id)

    def _stop_reading(self) -> None:
        self._session.road.give_up(self._reading)

    def _on_refused(self, error: RoofplanError) -> None:
        self.start.set_busy("")
        if isinstance(error, StoppedError):
            self.start.say("Reading was stopped.")
            return
        reason = str(error)
        self.start.say(reason)
        self.footer.show_problem(reason)
        self._session.report("logs", reason, "warning")

    def _on_crashed(self, error: object) -> None:
        self.start.set_busy("")
        self._session.crashed.emit(error)

    def _on_plan(self) -> None:
        """The plan changed, perhaps by undo: a log that is gone gives way to the last one there is."""
        logs = self._session.plan.logs
        if self._log is None or self._log.id not in {log.id for log in logs}:
            self.show_log(logs[-1].id if logs else "")
        else:
            self._refresh()

    def _on_window(self, start_s: float, end_s: float) -> None:
        self._window_s = (min(start_s, end_s), max(start_s, end_s))
        self._refresh()

    def _refresh(self) -> None:
        """Shows the log at once; the proposal follows from the road, and the one before can be taken no more."""
        self._session.road.cancel(self)
        self.proposal = None
        if self._log is None or self._record is None:
            return
        self.timeline.show_record(self._record, self._window_s, self._chip)
        self.footer.accept.setEnabled(False)
        try:
            ask = self._question(self._log, self._record)
        except InputError as error:
            self._on_no_proposal(error)
            return
        work = self._session.road.start(self, whole(ask), priority=Priority.NOW)
        work.done.connect(self._on_proposal)
        work.refused.connect(self._on_no_proposal)
        work.crashed.connect(self._session.crashed)

    def _question(self, log: ImportedLog, record: LogRecord) -> Callable[[], AcceptedCalibration]:
        """What the choices on screen ask of the engine. Raises InputError when they ask for nothing."""
        if not self.facts.accelerator_id:
            raise InputError("Chip", "none recognised in the log", "the chip that the log was made on")
        system = measured_system(self._session.catalogue, self.facts.accelerator_id, self.facts.n_chips)
        profile = self._session.shown_plan.profiles[self.facts.workload.currentIndex()]
        return partial(propose, record, log.id, profile, system, self._window_s, self.facts.typed_tokens_per_s)

    def _on_proposal(self, proposal: AcceptedCalibration) -> None:
        self.proposal = proposal
        self.effect.show_proposal(proposal)
        self.footer.show_proposal(proposal, self._chip, is_accepted=proposal == self._accepted())
        self.proposed.emit()

    def _on_no_proposal(self, error: RoofplanError) -> None:
        self.effect.show_proposal(None)
        words = str(error)
        if isinstance(error, InputError):
            words = f"{error.where}: {error.found}. Expected {error.expected}."
        self.footer.show_problem(words)
        self.proposed.emit()

    @property
    def _chip(self) -> Accelerator | None:
        return self._session.catalogue.accelerator_by_id.get(self.facts.accelerator_id)

    def _accepted(self) -> AcceptedCalibration | None:
        log_id = self._log.id if self._log else ""
        return next((c for c in self._session.plan.calibrations if c.log_id == log_id), None)

    def _log_name(self) -> str:
        return self._log.file_name if self._log else "log"
