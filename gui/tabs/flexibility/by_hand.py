"""A criterion's score of the shown chip, set by hand: points, and a note without which nothing is set."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.errors import InputError
from core.flexibility.types import CriterionScore
from core.units import parse_number
from core.workload.freedom import ScoreOverride
from gui.forms.line_edit import UnitLineEdit
from gui.theme.naming import named
from gui.widgets.live import label

POINTS_PX = 124
MOST_POINTS = 100


class ByHand(QWidget):
    """``set_by_hand`` brings the override; ``taken_back`` chip and criterion."""

    set_by_hand = Signal(object)
    taken_back = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._of = ("", "")
        """Chip and criterion; nothing can be set before they are known."""
        self._typed = ""
        self.points = named(UnitLineEdit(), "by-hand-points", "Points set by hand")
        self.points.set_suffix("of 100")
        self.points.setFixedWidth(POINTS_PX)
        self.note = named(UnitLineEdit(), "by-hand-note", "Why it is set by hand")
        self.note.setPlaceholderText("Why (needed, printed)")
        self.apply = named(QPushButton("Set"), "by-hand-set", "Set the score by hand")
        self.remove = named(QPushButton("Take back"), "by-hand-remove", "Take the score by hand back", "link")
        self._title = label("Set by hand", "ink2")
        self.problem = label(f"Expected a number from 0 to {MOST_POINTS}", "err", "by-hand-problem", wraps=True)
        self._lay_out()
        self.remove.hide()
        self._tell_ready()
        for line in (self.points, self.note):
            line.textChanged.connect(self._tell_ready)
            line.returnPressed.connect(self._on_apply)
        self.apply.clicked.connect(self._on_apply)
        self.remove.clicked.connect(lambda: self.taken_back.emit(*self._of))

    def _lay_out(self) -> None:
        column, first = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._title)
        first.addWidget(self.points)
        first.addWidget(self.apply)
        first.addWidget(self.remove)
        first.addStretch(1)
        column.addLayout(first)
        column.addWidget(self.problem)
        column.addWidget(self.note)

    def show_criterion(self, accelerator_id: str, chip: str, criterion: CriterionScore) -> None:
        """Another criterion, chip or value: what was typed for another one goes."""
        typed = f"{100 * criterion.value.likely:g}" if criterion.note else ""
        if (accelerator_id, criterion.id, typed) == (*self._of, self._typed):
            return
        self._of, self._typed = (accelerator_id, criterion.id), typed
        self._title.setText(f"{criterion.title} of {chip} by hand")
        self.points.setText(typed)
        self.note.setText(criterion.note)
        self.remove.setVisible(bool(criterion.note))
        self._tell_ready()

    def _value(self) -> float | None:
        try:
            points = parse_number(self.points.text())
        except (ValueError, InputError):
            return None
        return points if 0 <= points <= MOST_POINTS else None

    def _tell_ready(self) -> None:
        is_bad = bool(self.points.text().strip()) and self._value() is None
        self.points.set_state("error" if is_bad else "")
        self.problem.setVisible(is_bad)
        self.apply.setEnabled(all(self._of) and self._value() is not None and bool(self.note.text().strip()))

    def _on_apply(self) -> None:
        points = self._value()
        if points is not None and self.apply.isEnabled():
            chip, criterion = self._of
            note = self.note.text().strip()
            self.set_by_hand.emit(ScoreOverride(accelerator_id=chip, criterion_id=criterion, points=points, note=note))
