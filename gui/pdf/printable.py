"""Texts as the paper's typefaces can print them: only letters that one of them has, and room to break in words without
end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from unicodedata import category

from core.units import NO_BREAK, TIMES
from gui.pdf.typefaces import FAMILIES, OWN, letters
from gui.theme.plain import as_text

INSTEAD = "\u25a1"
"""Stands for a letter that all typefaces lack: such a letter must not be on tagged paper at all."""

BREAK = "\u200b"
"""Where a word may go on in the next line."""

_UNSEEN = re.compile("[\u00ad\u034f\u200b\u2060\ufe00-\ufe0e\U000e0000-\U000e0fff]")
"""Letters without a shape of their own that change nothing on paper."""
_JOINING = "\u200c\u200d\ufe0f"
"""Letters without a shape of their own that choose that of their neighbours."""
_SHAPELESS = frozenset(map(ord, f"\n\u2066\u2067\u2068\u2069{_JOINING}"))
_LONG_WORD = re.compile(r"\S{25,}")
_PIECE = 8
_OPTION = re.compile(rf"(\d) {TIMES} ([A-Z]\S)")
_UNIT = re.compile(r"(, \S{1,4}) (thousand|million)\b")
_ONE_UNIT = rf"\1{NO_BREAK}\2"
"""The unit of a table in its head, ``Cost, $ thousand``."""
_ONE_WORD = rf"\1{NO_BREAK}{TIMES}{NO_BREAK}\2"
"""How many of which chip: a number at the end of a line and its chip on the next read badly."""


def printable(text: str) -> str:
    """The text with what all typefaces lack shown as :data:`INSTEAD`; line breaks stay."""
    calm = _UNSEEN.sub("", as_text(text))
    if calm.isascii() or _known().issuperset(map(ord, calm)):
        return calm
    return "".join(map(_shown, _clusters(calm)))


def breakable(text: str) -> str:
    """The printable text, with places to break in words that no column holds; ``512 × B200`` is one word."""
    whole = _UNIT.sub(_ONE_UNIT, _OPTION.sub(_ONE_WORD, printable(text)))
    return _LONG_WORD.sub(lambda word: BREAK.join(_pieces(word[0])), whole)


def _pieces(word: str) -> Iterator[str]:
    clusters = list(_clusters(word))
    return ("".join(clusters[begin : begin + _PIECE]) for begin in range(0, len(clusters), _PIECE))


def _clusters(text: str) -> Iterator[str]:
    """Letters with the marks that belong to each, which one typeface must show together."""
    begin = 0
    for place, letter in enumerate(text):
        if place > begin and not _is_joined(letter):
            yield text[begin:place]
            begin = place
    yield text[begin:]


def _is_joined(letter: str) -> bool:
    return letter in _JOINING or category(letter).startswith("M")


@lru_cache(4096)
def _shown(cluster: str) -> str:
    """The letter with its marks; without these where no typeface has all."""
    wanted = frozenset(map(ord, cluster)) - _SHAPELESS
    if any(wanted <= letters(family) for family in FAMILIES):
        return cluster
    return INSTEAD if len(cluster) == 1 else _shown(cluster[0]) + INSTEAD


@cache
def _known() -> frozenset[int]:
    """Letters of which most texts consist."""
    return letters(OWN) | _SHAPELESS
