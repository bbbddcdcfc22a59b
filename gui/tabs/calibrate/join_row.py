"""Which log tells what the chips of a run did, and where its readings begin on the run's clock."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from core.calibration.own_logs.joined import Joined
from core.constants import SECONDS_PER_HOUR
from core.plan.imports import log_names
from core.plan.joined_logs import chips_logs, guessed_begin
from core.plan.plan import ImportedLog, Plan
from core.units import duration, parse_number, plain
from gui.forms.choice_editors import NoWheelComboBox
from gui.theme.naming import named
from gui.theme.plain import Label, as_text
from gui.widgets.elided import ElidedLabel

_LEAST_LEFT_S = 1.0


class JoinRow(QWidget):
    """``chosen``: the id of a log of the chips, "" for none, and when its readings begin, in seconds."""

    chosen = Signal(str, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._log: ImportedLog | None = None
        self._others: dict[str, ImportedLog] = {}
        self.chips = named(NoWheelComboBox(), "join-chips", "Log of the chips that this run was on")
        self.begins = named(QLineEdit(), "join-begins", "Seconds after the run's start at which its readings begin")
        self.note = named(ElidedLabel(), "join-note", kind="small")
        self.chips.setFixedWidth(260)
        self.begins.setFixedWidth(84)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 4, 20, 4)
        row.setSpacing(8)
        for title, field in (("Its chips seen in", self.chips), ("begins at, s", self.begins)):
            label = named(Label(title), f"{field.objectName()}-caption", kind="small")
            label.setBuddy(field)
            row.addWidget(label)
            row.addWidget(field)
        row.addWidget(self.note, 1)
        self.chips.activated.connect(self._on_chips)
        self.begins.editingFinished.connect(self._on_begins)

    def show_log(self, plan: Plan, log: ImportedLog, both: Joined | None) -> None:
        """Lists the logs of chips that the plan has; nothing is shown where there are none, or the log is of no run."""
        self._log, self._others = log, {one.id: one for one in chips_logs(plan, log)}
        self.setVisible(bool(self._others))
        self.chips.clear()
        self.chips.addItem("No log of its chips", "")
        names = log_names(plan)
        for one in self._others:
            self.chips.addItem(as_text(names[one]), one)
        self.chips.setCurrentIndex(max(0, self.chips.findData(log.chips_log_id)))
        self.begins.setEnabled(both is not None)
        self.begins.setText(plain(log.chips_begin_s, 6) if both else "")
        self.note.setText(self._words(both))

    def _words(self, both: Joined | None) -> str:
        """How the place was found, and how much of the run the readings cover."""
        other = self._others.get(self._log.chips_log_id) if self._log else None
        if both is None or self._log is None or other is None:
            return "A log of the chips beside this one adds their use, power and memory, step by step."
        if both.share <= 0.0:
            return "Its readings do not meet the run: enter when they begin on the run's clock."
        guess = guessed_begin(self._log, other)
        how = guess.why if plain(guess.begins_s, 6) == plain(self._log.chips_begin_s, 6) else "Entered by you."
        covered = f"Covers {plain(100 * both.share, 2)} % of the run" if both.share < 0.995 else "Covers the run"
        left = [
            f"{duration(seconds / SECONDS_PER_HOUR)} {where} it"
            for seconds, where in ((both.before_s, "before"), (both.after_s, "after"))
            if seconds >= _LEAST_LEFT_S
        ]
        outside = f"; {' and '.join(left)} left out" if left else ""
        return f"{how} {covered}{outside}."

    def _on_chips(self, index: int) -> None:
        """A log was chosen: it begins where both logs tell, until something else is entered."""
        chips_id = str(self.chips.itemData(index) or "")
        if self._log is None or chips_id == self._log.chips_log_id:
            return
        other = self._others.get(chips_id)
        self.chosen.emit(chips_id, guessed_begin(self._log, other).begins_s if other else 0.0)

    def _on_begins(self) -> None:
        if self._log is None or not self._log.chips_log_id:
            return
        try:
            seconds = parse_number(self.begins.text())
        except ValueError:
            seconds = self._log.chips_begin_s
            self.begins.setText(plain(seconds, 6))
        if plain(seconds, 6) != plain(self._log.chips_begin_s, 6):
            self.chosen.emit(self._log.chips_log_id, seconds)
