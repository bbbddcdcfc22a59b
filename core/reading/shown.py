"""Values of a file as an error quotes them: short, whatever they hold."""

from __future__ import annotations

import reprlib

MOST_CHARS = 80

_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = MOST_CHARS


def shown(value: object) -> str:
    """The value as Python writes it, cut in the middle where it is long."""
    return _short.repr(value)
