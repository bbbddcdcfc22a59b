"""Texts as the paper's typeface can print them: only letters that it has, and room to break in words without end."""

from __future__ import annotations

import re
from functools import cache

from PySide6.QtGui import QRawFont

from core import paths
from gui.theme.plain import as_text

INSTEAD = "\u25a1"
"""Stands for a letter that the typeface lacks: such a letter must not be on tagged paper at all."""

BREAK = "\u200b"
"""Where a word may go on in the next line."""

_ISOLATES = re.compile("[\u2066-\u2069]")
_UNSEEN = re.compile("[\u00ad\u034f\u200b-\u200d\u2060\ufe00-\ufe0f\U000e0000-\U000e0fff]")
"""Letters without a shape of their own."""
_LONG_WORD = re.compile(r"\S{25,}")
_PIECE = re.compile(r".{1,8}")
_SIZE_PX = 12.0
_MOST_CODE = 0x20000
"""Beyond it lie letters that no typeface of ours has."""


def printable(text: str) -> str:
    """The text with what the typeface lacks shown as :data:`INSTEAD`; line breaks stay."""
    calm = _UNSEEN.sub("", _ISOLATES.sub("", as_text(text)))
    if calm.isascii():
        return calm
    return "".join(letter if letter == "\n" or letter in _letters() else INSTEAD for letter in calm)


def breakable(text: str) -> str:
    """The printable text, with places to break in words that no column holds."""
    return _LONG_WORD.sub(lambda word: BREAK.join(_PIECE.findall(word[0])), printable(text))


@cache
def _letters() -> frozenset[str]:
    """All letters of the paper's typeface, read once: a raw font answers only in the thread that made it.

    Raises RuntimeError where Qt has not begun and so reads no font.
    """
    font = QRawFont(str(paths.resources() / "fonts" / "Inter-Regular.otf"), _SIZE_PX)
    if not font.isValid():
        raise RuntimeError("the paper's typeface cannot be read before Qt has begun")
    return frozenset(chr(code) for code in range(_MOST_CODE) if font.supportsCharacter(code))
