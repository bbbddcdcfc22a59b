"""Calendar time around a run: waiting for capacity, restarts, porting, and what they leave of the days."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core import paths
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.comparison.search.pool import Kinds
from core.constants import DAYS_PER_WEEK, HOURS_PER_MONTH
from core.errors import InputError
from core.flexibility.porting import porting_weeks
from core.ranges import Range
from core.workload.profile import Profile

Array = NDArray[np.float64]
FILE = "comparison/time_inputs.csv"


@dataclass(frozen=True, slots=True)
class TimeInput:
    """One assumption with its span; ``estimate`` is true where no source backs it."""

    name: str
    scope: str
    value: Range
    unit: str
    source: str
    as_of: str
    estimate: bool
    note: str


@lru_cache(maxsize=1)
def time_inputs() -> dict[tuple[str, str], TimeInput]:
    """All assumptions by (name, scope); InputError when the shipped file is damaged."""
    return {(row.name, row.scope): row for row in read_time_inputs(paths.resources() / FILE)}


def read_time_inputs(path: Path) -> list[TimeInput]:
    """The rows of one file; InputError names file, row and what was expected."""
    with path.open(encoding="utf-8", newline="") as file:
        return [_row(path, number, row) for number, row in enumerate(csv.DictReader(file), start=2)]


def _row(path: Path, number: int, row: dict[str, str]) -> TimeInput:
    try:
        span = Range(float(row["low"]), float(row["typical"]), float(row["high"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path.name}, row {number}", str(error), "numbers low, typical and high") from error
    if not 0 <= span.low <= span.likely <= span.high:
        raise InputError(
            f"{path.name}, row {number}", f"{span.low}, {span.likely}, {span.high}", "0 <= low <= typical <= high"
        )
    return TimeInput(
        row["name"], row["scope"], span, row["unit"], row["source"], row["as_of"], row["estimate"] == "yes", row["note"]
    )


MOST_AT_ONCE = 4


def porting_efforts(profile: Profile, catalogue: Catalogue, accelerator_ids: Iterable[str]) -> dict[str, Range]:
    """Engineer-weeks of porting for each of the chips."""
    chips = catalogue.accelerator_by_id
    return {chip: porting_weeks(profile, catalogue, chips[chip]) for chip in accelerator_ids}


def calendar_days(engineer_weeks: Range, engineers: int) -> Range:
    """Engineer-weeks as calendar days, shared by the team; at most four people work on one port at once."""
    return engineer_weeks.scaled(DAYS_PER_WEEK / min(engineers, MOST_AT_ONCE))


def days_before(kinds: Kinds, porting: dict[str, Range]) -> Array:
    """Days of porting, by chip, and of waiting for one host of each option, before a run can start, shape (n,)."""
    chips, chip_of = kinds.chips
    ports = np.array([porting[chip].likely for chip in chips], dtype=np.float64)
    waiting = kinds.waiting_days(np.arange(len(chip_of)), kinds.chips_per_host)[:, 1]
    return np.asarray(ports[chip_of] + waiting)


def days_left(profile: Profile, before_days: float) -> float | None:
    """Days of the deadline that what comes before leaves for the run; None without a deadline.

    Where nothing is left, the whole deadline is told: the option is late in any case, but its size should be sensible.
    """
    deadline = profile.limits.deadline_days
    if deadline is None:
        return None
    return deadline - before_days if before_days < deadline else deadline


@lru_cache(maxsize=64)
def longest_days(purchase_model: str) -> float:
    """Days after which a way to pay ends; inf for one that does not."""
    row = time_inputs().get(("longest", purchase_model))
    return row.value.likely if row else math.inf


def longest_use_days(profile: Profile, offer: Offer) -> float:
    """Days after which an offer ends: its way to pay, or the reservation of it that the user has."""
    longest = longest_days(offer.purchase_model)
    return longest if offer.held_until is None else float((offer.held_until - profile.limits.start_date).days)


def term_h(profile: Profile, run_h: Array) -> Array:
    """Hours for which chips are held under one way to pay: the run, or all months in service, shape (n,)."""
    months = profile.job.months_in_service
    return run_h if months is None else np.full(len(run_h), months * HOURS_PER_MONTH)
