"""How far one input must move before the pick is another: the nearest value down and up, or never."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.breath import breathe
from core.comparison.chance.contest import SAME_GOODNESS
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Study, Verdict

LEAD_KEPT = 0.5
"""Share of the present lead with which a pick is taken to lead all the way (our limit)."""
N_HALVINGS, MOST_EACH = 4, 6
"""How often a bracket of a flip is halved: to a 16th of it, of which the digits are left to whoever checks; of how many
whole numbers each is looked at."""
N_BETWEEN, DEPTH = 4, 2
"""At how many values between now and a flip a closer look is taken, and how often a part between two of these is halved
that is not clear."""


@dataclass(frozen=True, slots=True)
class FlipEnd:
    """The pick is ``new`` at ``value`` and is still the old one at ``before``, a little nearer to now."""

    value: float
    before: float
    new: Verdict


@dataclass(frozen=True, slots=True)
class Flip:
    """Where an input changes the pick on the way down and on the way up; None: no value that may be asked about does,
    of those that were looked at. ``is_checked``: evaluations of all options say so."""

    input: Input
    down: FlipEnd | None
    up: FlipEnd | None
    is_checked: bool = False

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
    """Where each input changes the pick's chip, as soon as it is known, in their order: a first look, at the ends of
    ranges."""
    for one in inputs:
        yield Flip(one, flip_towards(study, one, one.least), flip_towards(study, one, one.most))


def nearest_of(study: Study, told: Flip) -> Flip:
    """The same flip, or one nearer to now: values between now and what is told are looked at, too, which takes twice as
    long again. What lies between two of them may still be missed."""
    one = told.input
    return Flip(one, _nearer(study, one, told.down, one.least), _nearer(study, one, told.up, one.most))


def _nearer(study: Study, one: Input, told: FlipEnd | None, end: float) -> FlipEnd | None:
    chip, before, last = study.verdict().chip, one.now, told.before if told else end
    shares = (number / (N_BETWEEN + 1) for number in range(1, N_BETWEEN + 1))
    for value in dict.fromkeys(one.settled(one.now + share * (last - one.now)) for share in shares):
        if bracket := _first_change(study, one, before, value, chip, DEPTH):
            return _halved_in(study, one, *bracket, chip)
        before = value
    return told


def flip_towards(study: Study, one: Input, end: float) -> FlipEnd | None:
    """The first value on the way to an end at which another chip is picked, or nothing fits any more, of those that are
    looked at: the end of the 80 % range and the last value."""
    chip, before = study.verdict().chip, one.now
    for value in _stops(one, end):
        breathe()
        if study.verdict((one, value)).chip != chip:
            return _halved_in(study, one, before, value, chip)
        before = value
    return None


def _stops(one: Input, end: float) -> list[float]:
    if one.is_whole and abs(end - one.now) <= MOST_EACH:
        step = 1.0 if end > one.now else -1.0
        return [one.now + step * n for n in range(1, round(abs(end - one.now)) + 1)]
    near = one.low if end < one.now else one.high
    return [value for value in dict.fromkeys(map(one.settled, (near, end))) if value != one.now]


def _first_change(
    study: Study, one: Input, before: float, value: float, chip: str | None, depth: int
) -> tuple[float, float] | None:
    """Two values on the way, the nearest to now of those looked at, between which the chip changes."""
    breathe()
    if study.verdict((one, value)).chip != chip:
        return before, value
    if depth == 0 or _is_clear(study, one, before, value):
        return None
    middle = one.settled(_between(before, value))
    if middle in (before, value):
        return None
    near = _first_change(study, one, before, middle, chip, depth - 1)
    return near or _first_change(study, one, middle, value, chip, depth - 1)


def _is_clear(study: Study, one: Input, *values: float) -> bool:
    """True where the same candidate is picked at two values, and leads by enough: what lies between is as they are. One
    that is ahead when things go badly stays so; a pick that is behind in regret for that is no further behind than by
    half as much again."""
    now, verdicts = study.verdict(), [study.verdict((one, value)) for value in values]
    if len({verdict.pick for verdict in verdicts}) > 1:
        return False
    is_ahead = now.lead_at_worst is not None and now.lead_at_worst > SAME_GOODNESS
    if is_ahead and not _is_kept(now.lead_at_worst, [verdict.lead_at_worst for verdict in verdicts]):
        return False
    return _is_kept(now.lead_usd, [verdict.lead_usd for verdict in verdicts])


def _is_kept(now: float | None, leads: Sequence[float | None]) -> bool:
    """True where leads are at least :data:`LEAD_KEPT` of that of now."""
    if now is None or None in leads:
        return set(leads) == {None}
    least = now - (1 - LEAD_KEPT) * abs(now)
    return all(lead is not None and lead >= least for lead in leads)


def _between(one: float, other: float) -> float:
    """The middle, of values above 0 the geometric one: spans reach over decades."""
    return math.sqrt(one * other) if min(one, other) > 0 else (one + other) / 2


def _halved_in(study: Study, one: Input, stays: float, flips_at: float, chip: str | None) -> FlipEnd:
    """The bracket made a 16th as wide: by halves, which meet a change that is nearer to now, and once it is a quarter
    faster, by where the goodness of both chips should meet."""
    least, last, across, before = abs(flips_at - stays) / 2**N_HALVINGS, flips_at, stays, stays
    while abs(last - across) > least:
        breathe()
        is_wide = abs(last - across) > 2 ** (N_HALVINGS - 2) * least
        share = 0.5 if is_wide else _meeting(study, one, chip, (last, across, before))
        inner = min(0.75 * least / abs(last - across), 0.5)
        value = one.settled(last + (across - last) * min(max(share, inner), 1 - inner))
        if value in (last, across):
            value = one.settled((last + across) / 2)
        if value in (last, across):
            break
        is_same_side = (study.verdict((one, value)).chip == chip) == (study.verdict((one, last)).chip == chip)
        last, across, before = (value, across, last) if is_same_side else (value, last, across)
    stays, flips_at = (last, across) if study.verdict((one, last)).chip == chip else (across, last)
    return FlipEnd(flips_at, stays, study.verdict((one, flips_at)))


def _meeting(study: Study, one: Input, chip: str | None, values: tuple[float, float, float]) -> float:
    """Where from the last value towards the one across a chip is as good as that which takes its place, as a share of
    the way: by a parabola through these and the one before where it bends little, else the middle (T. R. Chandrupatla,
    1997)."""
    verdicts = [study.verdict((one, value)) for value in values]
    other = next((verdict.chip for verdict in verdicts[:2] if verdict.chip != chip), None)
    last, across, before = (verdict.ahead(chip, other) for verdict in verdicts)
    if last is None or across is None or before is None or last * across >= 0:
        return 0.5
    if before in (last, across):
        return last / (last - across)
    part, rise = (values[0] - values[1]) / (values[2] - values[1]), (last - across) / (before - across)
    if not (rise**2 < part and (1 - rise) ** 2 < 1 - part):
        return 0.5
    bent = (values[2] - values[0]) / (values[1] - values[0]) * last / (before - last) * across / (before - across)
    return last / (across - last) * before / (across - before) + bent
