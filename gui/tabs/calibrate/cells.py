"""A grid of short texts, made anew when they change."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from gui.theme.plain import Label
from gui.widgets.share_bar import ShareBar


class Cells(QWidget):
    """Texts in rows; the first column takes the room there is, the others stand at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(5)
        self._grid.setHorizontalSpacing(8)
        self._grid.setColumnStretch(0, 1)
        self._labels: dict[tuple[int, int], QLabel] = {}
        self.bars: list[ShareBar] = []

    def show_rows(self, rows: Sequence[Sequence[str]], kinds: Sequence[str], shares: Sequence[float] = ()) -> None:
        """Shows other texts, each column in the look of its kind; labels that are there are used again.

        ``shares`` are drawn as bars beside the first column.
        """
        self._show_bars(shares)
        n_columns = len(kinds)
        for key, label in self._labels.items():
            label.setVisible(key[0] < len(rows) and key[1] < n_columns)
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                self._show(row, column, text, kinds[column])

    def _show_bars(self, shares: Sequence[float]) -> None:
        for row in range(len(self.bars), len(shares)):
            self.bars.append(ShareBar(self))
            self._grid.addWidget(self.bars[row], row, 1, Qt.AlignmentFlag.AlignVCenter)
        for bar, share in zip_longest(self.bars, shares):
            bar.setVisible(share is not None)
            bar.show_share(share or 0.0)

    def _show(self, row: int, column: int, text: str, kind: str) -> None:
        label = self._labels.get((row, column))
        if label is None:
            label = self._labels[row, column] = Label(parent=self)
            self._grid.addWidget(label, row, column + (column > 0))
            if column:
                label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            label.show()
        label.setText(text)
        if label.property("kind") != kind:
            label.setProperty("kind", kind)
            label.style().unpolish(label)
            label.style().polish(label)
