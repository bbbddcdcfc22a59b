"""Where one would go on leaving: a choice below the exit bills."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.comparison.exit_parts import targets
from core.comparison.result import ResultSet
from gui.forms.choice_editors import CalmCombo
from gui.panels.live import PAGE_SIDE_PX, label
from gui.theme.naming import named

COMBO_PX = 200


class ExitTarget(QWidget):
    """One target at a time; those that no candidate fits any more are taken out."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.combo = named(CalmCombo(), "exit-target", "Leave for")
        self.combo.setFixedWidth(COMBO_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(PAGE_SIDE_PX, 4, PAGE_SIDE_PX, 4)
        row.setSpacing(8)
        row.addWidget(label("Leave for", "ink2"))
        row.addWidget(self.combo)
        row.addStretch(1)
        self.combo.currentIndexChanged.connect(self._on_chosen)

    def show_targets(self, results: ResultSet) -> None:
        """Offers the targets of these results and keeps the one chosen, if it is still among them."""
        found, before = targets(results), self.combo.currentData()
        if [one.key for one in found] != [self.combo.itemData(n) for n in range(self.combo.count())]:
            with QSignalBlocker(self.combo):
                self.combo.clear()
                for one in found:
                    self.combo.addItem(one.title, one.key)
                self.combo.setCurrentIndex(max(self.combo.findData(before), 0))
            if before is not None and self.combo.currentData() != before:
                self.chosen.emit(str(self.combo.currentData()))
        self.setVisible(len(found) > 1)

    def _on_chosen(self) -> None:
        self.chosen.emit(str(self.combo.currentData()))
