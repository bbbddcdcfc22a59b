"""Where one would go on leaving: another seller or chip, or one of the families that fit."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.comparison.questions.leaving import targets
from core.comparison.result import ResultSet
from gui.forms.choice_editors import NoWheelComboBox
from gui.theme.naming import named
from gui.theme.plain import as_text
from gui.widgets.live import PAGE_SIDE_PX, label

COMBO_PX = 200


class ExitTarget(QWidget):
    """One target at a time; those that no candidate fits any more are taken out."""

    chosen = Signal(str)

    def __init__(self, side_px: int = PAGE_SIDE_PX) -> None:
        super().__init__()
        self.combo = named(NoWheelComboBox(), "exit-target", "Leave for")
        self.combo.setFixedWidth(COMBO_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(side_px, 4, side_px, 4)
        row.setSpacing(8)
        row.addWidget(label("Leave for", "ink2"))
        row.addWidget(self.combo)
        row.addStretch(1)
        self.combo.currentIndexChanged.connect(self._on_chosen)

    def show_targets(self, results: ResultSet) -> None:
        """Offers the targets of these results and keeps the one chosen, if it is still among them."""
        goals, before = targets(results), self.combo.currentData()
        if [one.key for one in goals] != [self.combo.itemData(n) for n in range(self.combo.count())]:
            with QSignalBlocker(self.combo):
                self.combo.clear()
                for one in goals:
                    self.combo.addItem(as_text(one.title), one.key)
                self.combo.setCurrentIndex(max(self.combo.findData(before), 0))
            if before is not None and self.combo.currentData() != before:
                self.chosen.emit(str(self.combo.currentData()))
        self.setVisible(len(goals) > 1)

    def _on_chosen(self) -> None:
        self.chosen.emit(str(self.combo.currentData()))
