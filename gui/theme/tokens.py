"""The design tokens as their file says, and which theme a choice means: quick to import, for the first picture."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from core import paths

Choice = Literal["light", "dark", "system"]


@cache
def tokens() -> dict[str, Any]:
    """All tokens. The file is shipped: KeyError for a name that it does not have is a fault of ours."""
    text = (paths.resources() / "theme" / "tokens.json").read_text(encoding="utf-8")
    known: dict[str, Any] = json.loads(text)
    return known


def choice_of(text: str) -> Choice:
    """What the settings say; as the system for any other text."""
    return "light" if text == "light" else "dark" if text == "dark" else "system"


def chosen(choice: Choice) -> str:
    """``light`` or ``dark``: the choice, or what the system shows. Needs a QGuiApplication."""
    is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return choice if choice != "system" else ("dark" if is_dark else "light")
