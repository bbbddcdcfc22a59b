"""Remembers what was worked out from a catalogue, as long as that very catalogue is in use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from core.catalogue.catalogue import Catalogue

T = TypeVar("T")
_MOST = 4


def per_catalogue(make: Callable[[Catalogue], T]) -> Callable[[Catalogue], T]:
    """``make`` asked once for each of the last few catalogues, told apart as objects, since comparing them is slow."""
    known: dict[int, tuple[Catalogue, T]] = {}

    @wraps(make)
    def answer(catalogue: Catalogue) -> T:
        kept = known.get(id(catalogue))
        if kept is None or kept[0] is not catalogue:
            kept = catalogue, make(catalogue)
            for old in list(known)[: max(0, len(known) - _MOST + 1)]:
                known.pop(old, None)
            known[id(catalogue)] = kept
        return kept[1]

    return answer
