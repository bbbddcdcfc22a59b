"""Moments of a long computation at which whoever started it may hold it for a while, or end it.

The window answers to a key before an evaluation goes on, and a newer edit ends an older one. What is worked out knows
nothing of either: it only breathes, often enough that nobody has to wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Breath = Callable[[], None]
Ear = Callable[[float], None]
_OFTEN = 256


def _free() -> None:
    """Nobody holds it."""


def _nobody(share: float) -> None:
    """Nobody listens."""


_breath: ContextVar[Breath] = ContextVar("breath", default=_free)
_ear: ContextVar[Ear] = ContextVar("ear", default=_nobody)


def breathe() -> None:
    """Returns when the computation may go on. Raises whatever ends it, which nothing on the way may catch."""
    _breath.get()()


def tell_share(share: float) -> None:
    """Tells whoever waits what share of the work is done, from 0 to 1."""
    _ear.get()(share)


@contextmanager
def heard_by(ear: Ear) -> Iterator[None]:
    """What is done inside, in this thread, tells ``ear`` its shares."""
    token = _ear.set(ear)
    try:
        yield
    finally:
        _ear.reset(token)


@contextmanager
def part_of(number: int, n_parts: int) -> Iterator[None]:
    """What is done inside is one of so many equal parts, counted from 0: its shares are told as those of the whole."""
    whole = _ear.get()
    with heard_by(lambda share: whole((number + share) / n_parts)):
        yield


def unhurried(items: Iterable[T]) -> Iterator[T]:
    """The items in turn, with a breath now and then: for long loops of small steps."""
    for number, item in enumerate(items):
        if number % _OFTEN == 0:
            breathe()
        yield item


@contextmanager
def breathing(breath: Breath) -> Iterator[None]:
    """What is computed inside, in this thread, calls ``breath`` at each such moment."""
    token = _breath.set(breath)
    try:
        yield
    finally:
        _breath.reset(token)
