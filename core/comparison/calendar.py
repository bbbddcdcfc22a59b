"""Porting effort as calendar time, and how long that leaves for a run."""

from __future__ import annotations

from collections.abc import Iterable

from core.catalogue.catalogue import Catalogue
from core.comparison.options import Option
from core.comparison.time_inputs import waiting_days
from core.flexibility.porting import porting_weeks
from core.ranges import Range
from core.workload.profile import Profile

DAYS_PER_WEEK = 7.0
MOST_AT_ONCE = 4


def porting_efforts(profile: Profile, catalogue: Catalogue, accelerator_ids: Iterable[str]) -> dict[str, Range]:
    """Engineer-weeks of porting for each of the chips."""
    chips = catalogue.accelerator_by_id
    return {chip: porting_weeks(profile, catalogue, chips[chip]) for chip in accelerator_ids}


def calendar_days(engineer_weeks: Range, engineers: int) -> Range:
    """Engineer-weeks as calendar days, shared by the team; at most four people work on one port at once."""
    return engineer_weeks.scaled(DAYS_PER_WEEK / min(engineers, MOST_AT_ONCE))


def days_left(profile: Profile, porting: dict[str, Range], option: Option) -> float | None:
    """Days of the deadline that porting and waiting leave for the run; None without a deadline.

    Where nothing is left, the whole deadline is told: the option is late in any case, but its size should be sensible.
    """
    deadline = profile.limits.deadline_days
    if deadline is None:
        return None
    before = porting[option.accelerator.id].likely + waiting_days(option.offer.purchase_model).value.likely
    return deadline - before if before < deadline else deadline
