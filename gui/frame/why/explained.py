"""The figure that was asked for, on top of Why: value, formula, live inputs, source, and the mark of an estimate."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QWidget

from core.comparison.questions.explain import explanation
from core.comparison.questions.explanation import Explanation
from core.comparison.result import CandidateResult, ResultSet
from gui.theme.naming import named
from gui.widgets.live import label

MOST_LETTERS = 12
"""Values up to this length find room beside their name."""

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop


def explained(results: ResultSet, shown: CandidateResult, key: str, close: Callable[[], None]) -> QWidget | None:
    """The section for a key such as ``part:idle``; None when nothing was asked or the figure is no more."""
    told = explanation(results, shown, key) if key else None
    return _section(told, close) if told else None


def _section(told: Explanation, close: Callable[[], None]) -> QWidget:
    box = named(QWidget(), "why-explained", f"{told.title}: {told.value}")
    box.setProperty("surface", "explained")
    box.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    grid = QGridLayout(box)
    grid.setContentsMargins(12, 10, 12, 10)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(4)
    grid.addLayout(_title(told, close), 0, 0, 1, 2)
    grid.addWidget(label(str(told.value), "kpi", "explained-value"), 1, 0, 1, 2)
    grid.addWidget(label(str(told.note), "small", "explained-note", wraps=True), 2, 0, 1, 2)
    grid.addWidget(label(f"= {told.formula}", "", "explained-formula", wraps=True), 3, 0, 1, 2)
    for number, (name, text) in enumerate(told.inputs, start=1):
        _add_input(grid, number, name, str(text))
    last = 4 + 2 * len(told.inputs)
    grid.addWidget(label(f"Source: {told.source}", "small", "explained-source", wraps=True), last, 0, 1, 2)
    if told.estimate:
        grid.addWidget(label("Rests on an estimate", "warn", "explained-estimate"), last + 1, 0, 1, 2)
    grid.setColumnStretch(0, 1)
    return box


def _add_input(grid: QGridLayout, number: int, name: str, text: str) -> None:
    """Name at left, value at right; one too long for that stands below its name."""
    row = 2 + 2 * number
    grid.addWidget(label(name, "ink2", f"explained-input-{number}", wraps=True), row, 0)
    value = label(text, "", f"explained-input-{number}-value", wraps=len(text) > MOST_LETTERS)
    if len(text) > MOST_LETTERS:
        grid.addWidget(value, row + 1, 0, 1, 2)
    else:
        grid.addWidget(value, row, 1, RIGHT)


def _title(told: Explanation, close: Callable[[], None]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(label(told.title, "section", "explained-title"), 1)
    button = named(QPushButton("Close"), "explained-close", f"Close {told.title}")
    button.setProperty("kind", "link")
    button.clicked.connect(close)
    row.addWidget(button)
    return row
