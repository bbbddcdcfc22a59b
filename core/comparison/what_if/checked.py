"""Flips told to the last digit that is printed, as evaluations of all options have them: what people sign."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from core.breath import breathe
from core.comparison.what_if.flips import Flip, FlipEnd
from core.comparison.what_if.inputs import Input, is_money, is_wish
from core.comparison.what_if.study import Study, Verdict
from core.units import rounded

CENTS_BELOW_USD = 100.0
"""Money below this is printed to the cent, weights whole, everything else to three digits."""
Ask = Callable[[float], Verdict]
Bracket = tuple[float, float]
"""A value at which the pick's chip stays, and one further from now at which it does not."""


def checked(study: Study, told: Iterable[Flip]) -> Iterator[Flip]:
    """Flips held against evaluations of all options: at either side of each, and at the ends of those that never flip
    where the pick leads by less than now. Where these say otherwise, they are asked until the flip is found.
    """
    for flip in told:
        one = flip.input
        ends = (_checked(study, one, flip.down, one.least), _checked(study, one, flip.up, one.most))
        yield Flip(one, *ends, is_checked=True)


def _checked(study: Study, one: Input, flip: FlipEnd | None, end: float) -> FlipEnd | None:
    def few(value: float) -> Verdict:
        return study.verdict((one, value))

    def everyone(value: float) -> Verdict:
        return study.verdict_of_all((one, value))

    chip, bracket = study.verdict().chip, None
    if flip is None and _leads_as_now(study.verdict(), few(end)):
        return None
    if flip is not None:
        bracket = _held(few, one, chip, (flip.before, flip.value), end)
        bracket = bracket and _to_the_digit(few, one, chip, bracket)
    bracket = _held(everyone, one, chip, bracket, end)
    if bracket is None:
        return None
    before, value = _to_the_digit(everyone, one, chip, bracket)
    return FlipEnd(value, before, everyone(value))


def _leads_as_now(now: Verdict, then: Verdict) -> bool:
    """True where the same candidate leads by no less: an input on that side does it no harm."""
    return then.pick == now.pick and then.lead_usd is not None and then.lead_usd >= (now.lead_usd or 0.0)


def _held(ask: Ask, one: Input, chip: str | None, told: Bracket | None, end: float) -> Bracket | None:
    """A bracket that holds, from the one told; None where the chip stays to the end."""
    stays, flips_at = told or (one.now, end)
    if ask(flips_at).chip == chip:
        return _further_out(ask, one, chip, flips_at, end)
    while stays != one.now and ask(stays).chip != chip:
        stays, flips_at = _beside(one, stays, one.now, abs(flips_at - stays)), stays
    return stays, flips_at


def _further_out(ask: Ask, one: Input, chip: str | None, stays: float, end: float) -> Bracket | None:
    step = _digit(one, stays)
    while stays != end:
        value = _beside(one, stays, end, step)
        if ask(value).chip != chip:
            return stays, value
        stays, step = value, 2 * abs(value - stays)
    return None


def _beside(one: Input, value: float, end: float, step: float) -> float:
    """The value two steps nearer to an end, which is the last."""
    step = 2 * max(step, _digit(one, value))
    return end if abs(end - value) <= step else as_printed(one, value + math.copysign(step, end - value))


def _to_the_digit(ask: Ask, one: Input, chip: str | None, bracket: Bracket) -> Bracket:
    """The bracket halved until no value that is printed lies within; such values are its ends, if they do alike."""
    stays, flips_at = bracket
    if ask(outward := _printed_beyond(one, flips_at)).chip != chip:
        flips_at = outward
    if ask(inward := _printed_before(one, stays)).chip == chip:
        stays = inward
    while min(stays, flips_at) < (middle := as_printed(one, (stays + flips_at) / 2)) < max(stays, flips_at):
        breathe()
        if ask(middle).chip == chip:
            stays = middle
        else:
            flips_at = middle
    return stays, flips_at


def as_printed(one: Input, value: float) -> float:
    """The nearest value that is told exactly."""
    digits = 0 if is_wish(one) else 2 if _is_in_cents(one, value) else None
    return one.settled(rounded(value) if digits is None else round(value, digits))


def _printed_beyond(one: Input, value: float) -> float:
    """The first value that is told exactly at a value or beyond it, as seen from now."""
    near, away = as_printed(one, value), math.copysign(1.0, value - one.now)
    return near if (near - value) * away >= 0 else as_printed(one, near + away * _digit(one, value))


def _printed_before(one: Input, value: float) -> float:
    """The last value that is told exactly at a value or before it, as seen from now; now where none lies between."""
    near, away = as_printed(one, value), math.copysign(1.0, value - one.now)
    before = near if (near - value) * away <= 0 else as_printed(one, near - away * _digit(one, near))
    return before if (before - one.now) * away > 0 else one.now


def _digit(one: Input, value: float) -> float:
    """How far values that are told exactly lie apart."""
    if _is_in_cents(one, value):
        return 0.01
    finest = 10.0 ** (math.floor(math.log10(abs(value))) - 2) if value else 0.01
    return max(finest, 1.0) if one.is_whole or is_wish(one) else finest


def _is_in_cents(one: Input, value: float) -> bool:
    return is_money(one) and abs(value) < CENTS_BELOW_USD
