"""Moments of a long computation at which whoever started it may hold it for a while, or end it.

The window answers to a key before an evaluation goes on, and a newer edit ends an older one. What is worked out knows
nothing of either: it only breathes, often enough that nobody has to wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Breath = Callable[[], None]


def _free() -> None:
    """Nobody holds it."""


_breath: ContextVar[Breath] = ContextVar("breath", default=_free)


def breathe() -> None:
    """Returns when the computation may go on. Raises whatever ends it, which nothing on the way may catch."""
    _breath.get()()


@contextmanager
def breathing(breath: Breath) -> Iterator[None]:
    """What is computed inside, in this thread, calls ``breath`` at each such moment."""
    token = _breath.set(breath)
    try:
        yield
    finally:
        _breath.reset(token)
