"""What a log teaches beside speed: a box for each figure with what it takes the place of, and why others stay."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from core.calibration.accepted import AcceptedLesson
from core.calibration.lessons import NOTHING_TAUGHT, Taught
from core.throughput.measured import TERM_WORDS, Term
from core.units import counted
from gui.theme.naming import named
from gui.theme.plain import Label, caption, tip
from gui.widgets.rule import rule


class CalibrateAlsoMeasured(QWidget):
    """``changed``: another choice of figures. Boxes are made once and shown where a log has something for them."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("also-measured")
        self._taught = NOTHING_TAUGHT
        self._rows: Mapping[Term, tuple[QCheckBox, QLabel]] = {term: self._made(term) for term in TERM_WORDS}
        self.lacking = named(Label(), "not-measured", kind="small")
        head = named(Label("taken → measured"), "also-measured-head", kind="small")
        grid = QGridLayout()
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        grid.addWidget(named(Label("Also measured"), "also-measured-title", kind="section"), 0, 0)
        grid.addWidget(head, 0, 1, Qt.AlignmentFlag.AlignRight)
        for number, (box, values) in enumerate(self._rows.values(), start=1):
            grid.addWidget(box, number, 0)
            grid.addWidget(values, number, 1, Qt.AlignmentFlag.AlignRight)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(grid)
        column.addWidget(self.lacking)
        column.addWidget(rule())
        self.show_taught(self._taught)

    def show_taught(self, taught: Taught, ticked: Collection[Term] | None = None) -> None:
        """Shows what a log teaches; all of it is ticked unless some is accepted already."""
        self._taught = taught
        lessons = {one.term: one for one in taught.lessons}
        for term, (box, values) in self._rows.items():
            lesson = lessons.get(term)
            box.setVisible(lesson is not None)
            values.setVisible(lesson is not None)
            box.blockSignals(True)
            box.setChecked(lesson is not None and (ticked is None or term in ticked))
            box.blockSignals(False)
            if lesson is not None:
                values.setText(_values(lesson))
                box.setToolTip(tip(f"{lesson.how}. Factor {lesson.factor:.3g}"))
        self._show_lacking(taught)

    @property
    def chosen(self) -> tuple[AcceptedLesson, ...]:
        """What is ticked."""
        return tuple(one for one in self._taught.lessons if self._rows[one.term][0].isChecked())

    def _made(self, term: Term) -> tuple[QCheckBox, QLabel]:
        title = TERM_WORDS[term].title
        box = named(QCheckBox(caption(title), self), f"take-{term.replace('_', '-')}", f"Take {title.lower()}")
        box.toggled.connect(self.changed)
        return box, named(Label(parent=self), f"values-{term.replace('_', '-')}", kind="strong")

    def _show_lacking(self, taught: Taught) -> None:
        """How many figures are left as they are, and why, each in a line of the tip; nothing where none was asked."""
        self.setVisible(bool(taught.lessons or taught.reasons))
        self.lacking.setVisible(bool(taught.reasons))
        n_reasons = len(taught.reasons)
        self.lacking.setText(f"{counted(n_reasons, 'figure')} as before; point here for why")
        lines = [f"{TERM_WORDS[term].title}: {reason}" for term, reason in taught.reasons.items()]
        self.lacking.setToolTip(tip("\n".join(lines)))
        self.lacking.setAccessibleDescription(". ".join(lines))


def _values(lesson: AcceptedLesson) -> str:
    """``595 → 412 W``."""
    words = TERM_WORDS[lesson.term]
    return f"{words.number(lesson.predicted)} → {words.amount(lesson.measured)}"
