"""How far one input must move before the pick is another: the nearest value down and up, or never."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from core.breath import breathe
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Study, Verdict

N_STOPS = 4
"""Values looked at between the end of an input's range and that of what may be asked about."""
N_HALVINGS = 7


@dataclass(frozen=True, slots=True)
class FlipEnd:
    """The pick is ``new`` at ``value`` and is still the old one at ``before``, a little nearer to now."""

    value: float
    before: float
    new: Verdict


@dataclass(frozen=True, slots=True)
class Flip:
    """Where an input changes the pick on the way down and on the way up; None: no value that may be asked about does,
    of those that were looked at."""

    input: Input
    down: FlipEnd | None
    up: FlipEnd | None

    @property
    def nearest(self) -> FlipEnd | None:
        """The one fewer lengths of the input's range away, None for never."""
        ends = [end for end in (self.down, self.up) if end is not None]
        return min(ends, key=lambda end: abs(in_ranges(self.input, end.value)), default=None)


def in_ranges(one: Input, value: float) -> float:
    """How far a value is from now, below 0 on the way down: 1 is the end of the 80 % range on that side."""
    side = one.high - one.now if value >= one.now else one.now - one.low
    whole = side or (one.most - one.now if value >= one.now else one.now - one.least) or 1.0
    return (value - one.now) / whole


def flips(study: Study, inputs: Iterable[Input]) -> Iterator[Flip]:
    """Where each input changes the pick's chip, as soon as it is known, in their order."""
    for one in inputs:
        yield Flip(one, flip_towards(study, one, one.least), flip_towards(study, one, one.most))


def flip_towards(study: Study, one: Input, end: float) -> FlipEnd | None:
    """The first value on the way to an end at which another chip is picked, or nothing fits any more."""
    now = study.verdict()
    before = one.now
    for value in stops(one, end):
        breathe()
        if study.verdict((one, value)).chip != now.chip:
            return _halved_in(study, one, before, value, now.chip)
        before = value
    return None


def stops(one: Input, end: float) -> list[float]:
    """Values to look at on the way from now to an end: that of the 80 % range, then further out."""
    if end == one.now:
        return []
    near = one.low if end < one.now else one.high
    is_open = min(one.now, near, end) > 0
    way = np.geomspace if is_open else np.linspace
    start = near if near != one.now else one.now
    values = [start, *way(start, end, N_STOPS + 1)[1:].tolist()]
    settled = dict.fromkeys(one.settled(value) for value in values)
    return [value for value in settled if value != one.now]


def _halved_in(study: Study, one: Input, stays: float, flips_at: float, chip: str | None) -> FlipEnd:
    for _ in range(N_HALVINGS):
        middle = one.settled((stays + flips_at) / 2)
        if middle in (stays, flips_at):
            break
        breathe()
        if study.verdict((one, middle)).chip == chip:
            stays = middle
        else:
            flips_at = middle
    return FlipEnd(flips_at, stays, study.verdict((one, flips_at)))
