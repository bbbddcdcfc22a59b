"""The Calibrate tab: own logs and what they change, all calibrations, and what others have published."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from core.calibration.accepted import AcceptedCalibration
from core.units import counted
from gui.session.plan_session import PlanSession
from gui.tabs.calibrate.calibrations import CalibrationList
from gui.tabs.calibrate.importing import LogImport
from gui.tabs.calibrate.log_page import LogPage
from gui.tabs.calibrate.published import CalibratePublished
from gui.tabs.calibrate.start import CalibrateStart
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label
from gui.widgets.rule import rule

OWN, ACCEPTED, PUBLISHED = 0, 1, 2


class CalibratePanel(QWidget):
    """One log at a time; ``show_log`` chooses which of the plan's. Its signals are those of the log's page."""

    proposed = Signal()
    taught = Signal()
    weighed = Signal()

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("calibrate")
        self.setAcceptDrops(True)
        self._session = session
        self._themes = themes
        self._build()
        self._connect()
        self._on_plan()

    @property
    def proposal(self) -> AcceptedCalibration | None:
        """The calibration that the choices on screen give."""
        return self.log_page.proposal

    def show_log(self, log_id: str) -> None:
        """Shows one of the plan's logs; what to do first where it has none of this id."""
        log = next((log for log in self._session.plan.logs if log.id == log_id), None)
        if log is None:
            self.log_page.show_log(None)
            self._pages.setCurrentWidget(self.start)
            return
        self.kinds.setCurrentIndex(OWN)
        self._pages.setCurrentWidget(self.log_page)
        self.log_page.show_log(log)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Imports what was dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            self.importing.files(paths)

    def close_panel(self) -> None:
        """Wants no answer any more."""
        self.log_page.close_page()
        self.published.close_panel()

    def _build(self) -> None:
        self.start = CalibrateStart(self)
        self.importing = LogImport(self._session, self.start, self)
        self.log_page = LogPage(self._session, self._themes, self)
        page = self.log_page
        self.form, self.timeline, self.summary, self.footer = page.form, page.timeline, page.summary, page.footer
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.start)
        self._pages.addWidget(self.log_page)
        self._add_kinds()

    def _add_kinds(self) -> None:
        """One at a time: the user's logs, what was accepted of them, and what others have published."""
        self.calibrations = CalibrationList(self._session, self._themes, self)
        self.published = CalibratePublished(self._session, self._themes, self)
        self.kinds = named(QTabBar(), "calibrate-kinds", "Kind of evidence")
        self.kinds.setDrawBase(False)
        self.kinds.addTab("Your logs")
        self.kinds.addTab("Calibrations")
        self.kinds.addTab("Published rows")
        both = QStackedWidget(self)
        both.addWidget(self._pages)
        both.addWidget(self.calibrations)
        both.addWidget(self.published)
        self.kinds.currentChanged.connect(both.setCurrentIndex)
        head = QHBoxLayout()
        head.setContentsMargins(8, 0, 0, 0)
        head.addWidget(self.kinds)
        head.addStretch(1)
        self.count = named(Label(), "log-count", kind="small")
        head.addWidget(self.count)
        head.addSpacing(20)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(rule())
        whole.addWidget(both, 1)

    def _connect(self) -> None:
        self.log_page.proposed.connect(self.proposed)
        self.log_page.taught.connect(self.taught)
        self.log_page.weighed.connect(self.weighed)
        self.importing.begun.connect(lambda: QTimer.singleShot(0, self.log_page, self.log_page.prepare))
        self.importing.imported.connect(self._on_imported)
        self.importing.begun.connect(self.log_page.problem.hide)
        self.importing.refused.connect(self.log_page.problem.say)
        self.timeline.card.recording_wanted.connect(self.importing.record)
        self._session.plan_changed.connect(self._on_plan)

    def _on_imported(self, log_id: str) -> None:
        shown = self.log_page.log
        if shown is None or shown.id != log_id:  # the last one is shown already
            self.show_log(log_id)

    def _on_plan(self) -> None:
        """The plan changed, perhaps by undo: a log that is gone gives way to the last one there is."""
        plan = self._session.plan
        taken = {one.log_id for one in plan.calibrations} | {one.log_id for one in plan.lessons}
        waiting = len({log.id for log in plan.logs} - taken)
        self.count.setText(f"{counted(len(plan.logs), 'log')}, {waiting} not yet accepted" if plan.logs else "")
        shown = self.log_page.log
        same = next((log for log in plan.logs if shown is not None and log.id == shown.id), None)
        if same is None:
            self.show_log(plan.logs[-1].id if plan.logs else "")
        else:
            self.log_page.on_plan(same)
