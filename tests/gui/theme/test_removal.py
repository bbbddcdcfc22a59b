"""What leaves the screen is gone before the next picture."""

from __future__ import annotations

import re

from core.paths import resources

GUI = resources().parent / "gui"
NEVER_PAINTED_AGAIN = {"menu", "box", "dialog", "palette", "self._panel", "self._recording"}
"""Menus and dialogs that closed themselves, the Why panel's stand-in, which is never shown, and what is no widget."""


def test_widgets_are_deleted_through_take_away() -> None:
    """Deleted later alone they would be painted under what takes their place, as half a frame."""
    texts = {path: path.read_text(encoding="utf-8") for path in GUI.rglob("*.py") if path.name != "removal.py"}
    called = {(path.name, one) for path, text in texts.items() for one in re.findall(r"(\S+)\.deleteLater\(\)", text)}
    assert {one for _, one in called} <= NEVER_PAINTED_AGAIN, called
