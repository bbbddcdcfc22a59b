"""What a plan pays because its workloads run apart: weights that move, and a second kind of software to keep up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import software_family_of
from core.catalogue.cost_inputs import cost_input
from core.catalogue.providers import provider_name
from core.comparison.chance.errors import N_DRAWS, Draws, Errors, drawn
from core.comparison.result import CandidateResult
from core.constants import DAYS_PER_YEAR
from core.cost.bill.tiers import EGRESS, tiers
from core.ranges import Range
from core.workload.profile import Profile

GB = 1e9
BYTES_PER_WEIGHT = 2.0
"""Weights leave as BF16."""
CONVERSION_WEEKS = Range(0.2, 0.5, 2.0)
"""Engineer-weeks to convert weights for other software and to check that it gives the same answers (our estimate)."""
UPKEEP_WEEKS_PER_YEAR = Range(2.0, 4.0, 8.0)
"""Engineer-weeks a year for a further kind of software: images, drivers, tests, alarms (our estimate)."""
NOTHING = Range(0.0, 0.0, 0.0)
HOURS_OF_PEOPLE = (("hours of several kinds of software", 1.0),)


@dataclass(frozen=True, slots=True)
class Placed:
    """A workload on a candidate, and the days for which it holds the chips."""

    profile: Profile
    result: CandidateResult
    held_days: float

    @property
    def software(self) -> str:
        """The family whose software runs on the chip: ``NVIDIA GPU``."""
        return software_family_of(self.result.candidate.accelerator).name


@dataclass(frozen=True, slots=True)
class Moving:
    """Weights that leave the seller or the software which trains them for those which serve them; an estimate.

    ``egress_usd`` is what the seller asks for, ``conversion_usd`` people's work where the software is another.
    """

    model: str
    seller: str
    buyer: str
    gb: float
    egress_usd: float
    conversion_usd: Range = NOTHING

    @property
    def usd(self) -> float:
        """Likely cost of the move."""
        return self.egress_usd + self.conversion_usd.likely


@dataclass(frozen=True, slots=True)
class Upkeep:
    """A further kind of software that is kept up beside that which runs the longest; an estimate."""

    software: str
    beside: str
    days: float
    cost_usd: Range

    @property
    def usd(self) -> float:
        """Likely cost."""
        return self.cost_usd.likely


@dataclass(frozen=True)
class Apart:
    """What workloads pay together because they run apart."""

    moving: tuple[Moving, ...]
    upkeep: tuple[Upkeep, ...]

    @property
    def each_usd(self) -> tuple[float, ...]:
        """Likely costs of moves and of upkeep, each."""
        return (*(one.usd for one in self.moving), *(one.usd for one in self.upkeep))

    @property
    def likely_usd(self) -> float:
        """Their sum."""
        return sum(self.each_usd)

    @cached_property
    def cost_usd(self) -> Draws:
        """Moves and upkeep in each draw, shape (n draws,): people's work errs alike in all of it."""
        spans = [one.conversion_usd for one in self.moving] + [one.cost_usd for one in self.upkeep]
        fees = sum(one.egress_usd for one in self.moving)
        table = np.array([(one.low, one.likely, one.high) for one in spans]).reshape(-1, 3).sum(axis=0, keepdims=True)
        if not table.any():
            return np.full(N_DRAWS, fees, dtype=np.float32)
        return np.asarray(drawn(table, Errors([HOURS_OF_PEOPLE], N_DRAWS))[0] + np.float32(fees))


def apart_of(placed: Sequence[Placed], catalogue: Catalogue | None) -> Apart:
    """What some placed workloads pay because they run apart."""
    return Apart(movings(placed, catalogue), upkeeps(placed))


def movings(placed: Sequence[Placed], catalogue: Catalogue | None) -> tuple[Moving, ...]:
    """One for each workload that trains a model and each that runs the same model elsewhere or with other software."""
    if catalogue is None:
        return ()
    pairs = [(one, other) for one in placed if one.profile.job.trains for other in placed]
    told = (_moving(catalogue, one, other) for one, other in pairs if not other.profile.job.trains)
    return tuple(one for one in told if one is not None)


def _moving(catalogue: Catalogue, trained: Placed, served: Placed) -> Moving | None:
    model, first = trained.profile.model, trained.result.candidate.offer.provider
    last = served.result.candidate.offer.provider
    is_other_software = trained.software != served.software
    if model.name != served.profile.model.name or (first == last and not is_other_software):
        return None
    gb = model.n_params * BYTES_PER_WEIGHT / GB
    egress_usd = 0.0 if first == last else gb * _rate(catalogue, first, gb)
    rate = served.profile.team.engineer_usd_per_week
    conversion = CONVERSION_WEEKS.scaled(rate) if is_other_software and rate > 0 else NOTHING
    return Moving(model.name, provider_name(first), provider_name(last), gb, egress_usd, conversion)


def _rate(catalogue: Catalogue, provider: str, gb: float) -> float:
    """Mean USD of a GB that leaves a provider."""
    steps = tiers(EGRESS).get(provider)
    if steps is not None:
        return float(steps.rate(np.array(gb)))
    return cost_input(catalogue, "egress_internet", provider).typical or 0.0


def upkeeps(placed: Sequence[Placed]) -> tuple[Upkeep, ...]:
    """One for each kind of software but the one whose chips are held the longest, for the days of its own."""
    days: dict[str, float] = {}
    rates: dict[str, float] = {}
    for one in placed:
        days[one.software] = days.get(one.software, 0.0) + one.held_days
        rates[one.software] = max(rates.get(one.software, 0.0), one.profile.team.engineer_usd_per_week)
    first, *others = sorted(days, key=lambda name: -days[name]) or [""]
    return tuple(
        Upkeep(name, first, days[name], UPKEEP_WEEKS_PER_YEAR.scaled(rates[name] * days[name] / DAYS_PER_YEAR))
        for name in others
    )
