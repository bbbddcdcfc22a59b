"""Rows under their headings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from gui.forms.row import DOT_PX, FieldRow

Group = tuple[str, Sequence[FieldRow]]


class RowList(QWidget):
    """Groups of rows one below the other. Rows that stay are not rebuilt, so they keep focus and cursor."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._headings: list[QWidget] = []

    def set_groups(self, groups: Sequence[Group]) -> None:
        """Shows these groups in place of what was there."""
        while self._column.count():
            self._column.takeAt(0)
        for heading in self._headings:
            heading.deleteLater()
        self._headings = []
        for title, rows in groups:
            self._add_heading(title)
            for row in rows:
                self._column.addWidget(row)
                row.show()

    def _add_heading(self, title: str) -> None:
        heading = QLabel(title)
        heading.setProperty("kind", "section")
        heading.setContentsMargins(DOT_PX, 16 if self._headings else 4, 0, 4)
        line = QFrame()
        line.setProperty("kind", "rule")
        holder = QWidget()
        box = QVBoxLayout(holder)
        box.setContentsMargins(DOT_PX, 0, 0, 5)
        box.addWidget(line)
        for widget in (heading, holder):
            self._column.addWidget(widget)
            self._headings.append(widget)
