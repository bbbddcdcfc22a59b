"""The line at the bottom: problems, history and jobs as buttons; what the answer rests on; whether work is kept."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from core.units import counted
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.theme.naming import named
from gui.theme.plain import Label, tip
from gui.widgets.rule import rule

LABELS = ("calibrated", "kept")
TICK_MS = 5_000
ROOMY_PX = 1100
"""From this width on the typed rate is written out."""


class StatusStrip(QWidget):
    """Follows session and file. ``money_wanted`` asks for the currency, ``catalogue_wanted`` for the catalogue."""

    page_wanted = Signal(str)
    catalogue_wanted = Signal()
    money_wanted = Signal()

    def __init__(self, session: PlanSession, files: FileSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self.setFixedHeight(25)
        self._session, self._files = session, files
        self._buttons = {name: self._button(name) for name in ("problems", "history", "jobs")}
        self._labels = {name: named(Label(), f"status-{name}", kind="small") for name in LABELS}
        self._catalogue = named(QPushButton(), "status-catalogue", "Catalogue", "status")
        self._build()
        for signal in (session.problems_changed, session.results_changed, session.plan_changed):
            signal.connect(self.refresh)
        session.road.changed.connect(self._show_jobs)
        session.undo_stack.indexChanged.connect(self.refresh)
        files.changed.connect(self.refresh)
        files.kept.connect(self.refresh)
        ticking = QTimer(self, interval=TICK_MS)
        ticking.timeout.connect(self.refresh)
        ticking.start()
        self.refresh()

    def refresh(self) -> None:
        """Shows how things stand."""
        problems, steps = len(self._session.problems), self._session.undo_stack.count()
        self._buttons["problems"].setText(counted(problems, "problem") if problems else "No problems")
        self._buttons["history"].setText(f"History {steps}")
        self._show_jobs()
        self._catalogue.setEnabled(self._session.has_plan)
        self._catalogue.setText(f"Catalogue {self._session.catalogue.date}")
        plan = self._session.plan
        speeds, others = ({one.log_id for one in every if one.is_on} for every in (plan.calibrations, plan.lessons))
        logs = len(speeds | others)
        self._labels["calibrated"].setText(f"Calibrated on {counted(logs, 'log')}" if logs else "Not calibrated")
        self._labels["kept"].setText(self._kept_words())
        self._show_money()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The rate has its words only where there is room for them."""
        super().resizeEvent(event)
        self._show_money()

    def _show_jobs(self) -> None:
        jobs = len(self._session.road.listed)
        self._buttons["jobs"].setText(counted(jobs, "job") if jobs else "No jobs")

    def _show_money(self) -> None:
        money = self._session.plan.currency.money
        words = money.rate_words or money.code
        self._money.setText(words if self.width() >= ROOMY_PX else money.code)
        self._money.setToolTip(tip(f"{words}. What money is shown in; a rate is typed, never fetched"))

    def _kept_words(self) -> str:
        files = self._files
        if not self._session.has_plan:
            return "No plan"
        if files.is_dirty:
            kept_at_s = files.kept_at_s
            return "Unsaved changes" if kept_at_s is None else f"Autosaved {_ago(round(time.monotonic() - kept_at_s))}"
        if files.read_only:
            return "Read-only"
        if files.path is None:
            return "Not saved yet"
        return "Saved"

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 10, 0)
        row.setSpacing(4)
        for number, button in enumerate(self._buttons.values()):
            if number:
                row.addWidget(_divider())
            row.addWidget(button)
        row.addStretch(1)
        offline = Label("Offline")
        offline.setToolTip("Roofplan never reaches a network: nothing leaves this machine")
        self._money = named(QPushButton(), "status-money", "Currency", "status")
        self._money.clicked.connect(self.money_wanted)
        self._catalogue.setToolTip("Every chip, host and price, with source and date")
        self._catalogue.clicked.connect(self.catalogue_wanted)
        for label in (offline, self._catalogue, *self._labels.values()):
            if isinstance(label, QLabel):
                label.setProperty("kind", "small")
            row.addWidget(label)
            row.addSpacing(4)
            row.addWidget(_divider())
            row.addSpacing(4)
        row.addWidget(self._money)

    def _button(self, name: str) -> QPushButton:
        made = named(QPushButton(), f"status-{name}", name.capitalize(), "status")
        made.clicked.connect(self._on_button)
        return made

    def _on_button(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.page_wanted.emit(sender.objectName().removeprefix("status-"))


def _divider() -> QWidget:
    line = rule(vertical=True)
    line.setFixedHeight(14)
    return line


def _ago(seconds: int) -> str:
    if seconds < 60:
        return f"{seconds} s ago"
    return f"{seconds // 60} min ago"
