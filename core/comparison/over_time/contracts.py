"""Phases on committed chips: whole terms, which go on from phase to phase, and are owed to the end of the last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from core.comparison.over_time.committed import Committed
from core.comparison.over_time.layers import layers
from core.comparison.over_time.spread import Spread, fixed
from core.constants import HOURS_PER_DAY
from core.cost.bill.batch import Array
from core.cost.parts.commitment import committed_h
from core.months import DAYS_PER_MONTH

ROUNDING_H = 1e-6
"""Hours that are no time at all."""


@dataclass(frozen=True)
class Stay:
    """A phase on committed chips: the days of the plan on which its work begins and ends; ``off`` is what all that it
    pays is multiplied with, in the likely case and in every draw."""

    committed: Committed
    begins: Spread
    ends: Spread
    off: Spread


@dataclass(frozen=True)
class Owed:
    """USD for so many ``chips`` that no phase uses, evenly from the end of a phase to ``until``, a day of the plan: the
    end of the term, or, where this ``waits`` for the next phase on them, its begin."""

    chips: int
    usd: Spread
    until: Spread
    waits: bool


@dataclass(frozen=True)
class Rent:
    """What a phase pays: ``by_day`` evenly over its work, and what is ``owed`` after it."""

    by_day: Spread
    owed: tuple[Owed, ...] = ()


def rents(stays: Sequence[Stay]) -> tuple[Rent, ...]:
    """What each of the phases on committed chips pays.

    A contract begins with the work of the first phase that needs its chips, and goes on, term by term, while phases
    that do follow before its end: more chips are a further contract. The hours that a phase holds its chips are its
    own; those from its end to the next phase on them, or to the end of the term, are owed by it. So all phases together
    come to whole terms, and one that is the whole work to its bill.
    """
    by_day = [_work_usd(stay) for stay in stays]
    owed: list[list[Owed]] = [[] for _ in stays]
    for chips, places in layers([(stay.committed.offer, stay.committed.chips) for stay in stays]):
        for place, one in zip(places, _unused(chips, [stays[place] for place in places]), strict=True):
            owed[place] += [one] if one.usd.any() else []
    return tuple(Rent(usd, tuple(each)) for usd, each in zip(by_day, owed, strict=True))


def under_contract(stays: Sequence[Stay], day: float) -> Mapping[str, int]:
    """How many chips of each offer are still paid for on a day after all these phases, in the likely case."""
    chips: dict[str, int] = {}
    for stay, rent in zip(stays, rents(stays), strict=True):
        kept = sum(one.chips for one in rent.owed if not one.waits and one.until[0] > day)
        chips[stay.committed.offer] = chips.get(stay.committed.offer, 0) + kept
    return chips


def _work_usd(stay: Stay) -> Spread:
    one = stay.committed
    usd_per_day = one.chips * one.hours_per_day * one.usd_per_chip_hour + one.usd_per_day
    return np.asarray(usd_per_day * (stay.ends - stay.begins) * stay.off)


def _unused(chips: int, stays: Sequence[Stay]) -> Iterator[Owed]:
    """What so many chips cost after each of the phases that need them.

    Hours of the bill count while a phase works, those of the calendar between two. ``left_h`` are what is left of the
    terms that were begun; without any, the next phase begins a contract.
    """
    left_h, terms, begun = fixed(0.0), fixed(0.0), stays[0].begins
    for stay, after in zip_longest(stays, stays[1:]):
        one, held_h, is_new = stay.committed, _held_h(stay), left_h <= ROUNDING_H
        more = _more_terms(held_h - left_h, one.term_h)
        begun, terms = np.where(is_new, stay.begins, begun), np.where(is_new, 0.0, terms) + more
        left_h = np.maximum(left_h + more * one.term_h - held_h, 0.0)
        until = np.maximum(begun + terms * one.term_months * DAYS_PER_MONTH, stay.ends)
        unused_h, waits = left_h, False
        if after is not None:
            unused_h = np.minimum(left_h, HOURS_PER_DAY * (after.begins - stay.ends))
            until = np.minimum(until, after.begins)
            waits = bool(left_h[0] - unused_h[0] > ROUNDING_H)
        left_h = left_h - unused_h
        usd = chips * unused_h * one.usd_per_chip_hour * one.owed_share * stay.off
        yield Owed(chips, np.asarray(usd), np.asarray(until), waits)


def _held_h(stay: Stay) -> Spread:
    return np.asarray(stay.committed.hours_per_day * (stay.ends - stay.begins))


def _more_terms(short_h: Spread, term_h: float) -> Array:
    """Whole terms for the hours that those begun do not cover; none where they do."""
    return np.where(short_h > ROUNDING_H, committed_h(short_h, np.array(term_h)) / term_h, 0.0)
