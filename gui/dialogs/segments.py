"""A row of buttons of which one is pressed: pages of a dialog, or places to choose between."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from gui.theme.naming import named


def segments(
    owner: QWidget, choices: Mapping[str, str], prefix: str, title: str = "", width_px: int = 0
) -> tuple[QButtonGroup, QHBoxLayout]:
    """Buttons numbered in the order of ``choices``; ``title`` tells screen readers what is chosen."""
    group, row = QButtonGroup(owner), QHBoxLayout()
    group.setExclusive(True)
    row.setSpacing(0)
    for number, (key, words) in enumerate(choices.items()):
        button = named(QPushButton(words), f"{prefix}-{key}", f"{title}: {words}" if title else words, "segment")
        button.setCheckable(True)
        button.setAutoDefault(False)
        button.setMinimumWidth(width_px)
        button.setProperty("place", {0: "first", len(choices) - 1: "last"}.get(number, ""))
        group.addButton(button, number)
        row.addWidget(button)
    return group, row
