"""Chips that a phase pays in whole terms, and what its workload's bill holds beside them."""

from __future__ import annotations

from dataclasses import dataclass

from core.comparison.questions.day_of_chips import held_hours, term_h
from core.comparison.result import CandidateResult
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH
from core.cost.registry import component_by_part
from core.workload.profile import Profile

SUPPORT, PORTING = "support", "porting"


@dataclass(frozen=True)
class Committed:
    """A number of chips of an ``offer``, which later phases may work on while its term of ``term_h`` runs.

    ``hours_per_day`` are those for which the bill holds chips in a day of work; trials hold them all day. An hour of a
    chip costs ``usd_per_chip_hour`` with the support plan's share of it; of hours that no phase uses the share
    ``owed_share``, as other work takes over the rest. ``usd_per_day`` is what the bill holds beside these and porting.
    """

    offer: str
    chips: int
    term_h: float
    hours_per_day: float
    usd_per_chip_hour: float
    owed_share: float
    usd_per_day: float

    @property
    def term_months(self) -> float:
        """Months of the calendar from the first day of a term to its end."""
        return self.term_h / HOURS_PER_MONTH


def committed_of(
    profile: Profile, point: CandidateResult, n_chips: int, run_days: float, is_rent_alone: bool
) -> Committed | None:
    """What a phase commits to in so many chips of a candidate whose whole work takes likely ``run_days``; None where
    its chips are not paid in whole terms."""
    offer, whole_h = point.candidate.offer, term_h(point)
    if not whole_h:
        return None
    rent, support, days = _rent_usd(point), 0.0 if is_rent_alone else point.cost.part(SUPPORT), max(run_days, 1e-6)
    beside = point.cost.total.likely - point.cost.part(PORTING) - rent - support
    return Committed(
        offer=offer.id,
        chips=n_chips,
        term_h=whole_h,
        hours_per_day=HOURS_PER_DAY if is_rent_alone else held_hours(profile, point) / days,
        usd_per_chip_hour=point.candidate.usd_per_chip_hour * (1.0 + support / max(rent, 1e-9)),
        owed_share=1.0 - profile.places.commitment_reuse_pct / 100.0,
        usd_per_day=0.0 if is_rent_alone else max(beside, 0.0) / days,
    )


def _rent_usd(point: CandidateResult) -> float:
    known = component_by_part()
    return sum(one.usd for one in point.cost.parts if known[one.id].is_rent)
