"""Thin rules, which part areas in place of boxes."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame


def rule(vertical: bool = False) -> QFrame:
    """A line of 1 px, horizontal unless asked otherwise."""
    line = QFrame()
    line.setProperty("kind", "vrule" if vertical else "rule")
    return line
