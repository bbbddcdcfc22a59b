"""Going through a long file, counted and timed: whoever waits may stop it now and then, and sees how far it is."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from core.breath import breathe, tell_share
from core.errors import InputError
from core.reading.limits import MOST_CELLS, MOST_SECONDS
from core.units import grouped

_OFTEN = 512


class TooMuchError(InputError):
    """A file goes beyond a limit, which is named."""


def too_many(where: str, most: int, noun: str) -> TooMuchError:
    """The error of a file with more than ``most`` of something: ``more than 250 000 rows``."""
    return TooMuchError(where, f"more than {grouped(most)} {noun}", f"at most {grouped(most)}")


class Pace:
    """One for a file, or for all tables of one. ``share`` says how much of it is done, from 0 to 1."""

    def __init__(self, where: str, noun: str, most: int, share: Callable[[], float] | None = None) -> None:
        self.where, self.noun, self.most, self.share = where, noun, most, share
        self._n = self._n_cells = self._next = 0
        self._began = monotonic()

    def count(self, n: int = 1, n_cells: int = 0) -> None:
        """So many more. Raises TooMuchError beyond a limit of number or time, and whatever ends the work."""
        self._n, self._n_cells = self._n + n, self._n_cells + n_cells
        if self._n > self.most:
            raise too_many(self.where, self.most, self.noun)
        if self._n_cells > MOST_CELLS:
            raise too_many(self.where, MOST_CELLS, "cells")
        if self._n > self._next:
            self._next = self._n + _OFTEN
            self._rest()

    def _rest(self) -> None:
        breathe()
        if self.share is not None:
            tell_share(self.share())
        if monotonic() - self._began > MOST_SECONDS:
            words = f"a file that takes longer than {MOST_SECONDS:.0f} s to read"
            raise TooMuchError(self.where, words, "a shorter one")
