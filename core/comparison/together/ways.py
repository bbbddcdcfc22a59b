"""Ways to run a whole plan, each a candidate for every workload: what they come to in each draw, and which is best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.catalogue.providers import provider_name
from core.comparison.chance.contest import EVEN, share_above
from core.comparison.result import CandidateResult
from core.comparison.together.moving import Apart, Placed, apart_of
from core.comparison.together.part import PlanPart, Taken
from core.months import DAYS_PER_MONTH
from core.ranges import HIGH_PCT, LOW_PCT, Range
from core.units import LONGEST_DAYS, day_after
from core.workload.profile import Profile

KIND_WORDS = {"gpu": "GPU", "tpu": "TPU", "other": "other chips"}
MAIN_KINDS = ("gpu", "tpu")
"""Kinds of chip of which everybody asks; ways on others are told where they are proved."""


@dataclass(frozen=True, slots=True)
class Picked:
    """A workload's candidate with its days: chips are held from ``begins`` to ``ends``; ``ready`` is when a run is
    done, or when a service can start."""

    profile: Profile
    pick: CandidateResult
    begins: date
    ends: date
    ready: date

    @property
    def name(self) -> str:
        """The workload's name."""
        return self.profile.name


def picked(profile: Profile, pick: CandidateResult) -> Picked:
    """Chips are held from when they are there: after waiting and porting, to the end of the run or of the service."""
    terms, start = pick.time_terms_days, profile.limits.start_date
    before, months = terms.get("waiting", 0.0) + terms.get("porting", 0.0), profile.job.months_in_service
    begins, ends = min(_day(start, before), _LAST), _day(start, before + held_days(profile, pick))
    return Picked(profile, pick, begins, max(ends, begins + timedelta(days=1)), ends if months is None else begins)


def held_days(profile: Profile, pick: CandidateResult) -> float:
    """Days for which a run or a service holds its chips."""
    months = profile.job.months_in_service
    return pick.time_terms_days.get("run", 0.0) if months is None else months * DAYS_PER_MONTH


_LAST = date.max - timedelta(days=1)
"""No chips are held from later on: a day of holding them must still follow."""


def _day(start: date, days: float) -> date:
    return day_after(start, min(days, LONGEST_DAYS)) or date.max


@dataclass(frozen=True)
class Way:
    """One way to run all workloads that have a pick; figures of draws have shape (n draws,)."""

    title: str
    parts: tuple[PlanPart, ...]
    taken: tuple[Taken, ...]
    catalogue: Catalogue | None

    @cached_property
    def picks(self) -> tuple[Picked, ...]:
        """The candidates with their days."""
        return tuple(picked(part.profile, one.result) for part, one in zip(self.parts, self.taken, strict=True))

    @cached_property
    def apart(self) -> Apart:
        """Weights that move, and further kinds of software that are kept up."""
        placed = [Placed(one.profile, one.pick, held_days(one.profile, one.pick)) for one in self.picks]
        return apart_of(placed, self.catalogue)

    @property
    def is_proved(self) -> bool:
        """True where each candidate is among those from which its workload's pick is taken."""
        return all(one.is_proved for one in self.taken)

    @property
    def is_of_main_kinds(self) -> bool:
        """True where all chips are of the kinds of which everybody asks."""
        return all(one.result.candidate.accelerator.kind in MAIN_KINDS for one in self.taken)

    @property
    def likely_usd(self) -> float:
        """Likely costs of all candidates, moves and upkeep."""
        return sum(one.pick.cost.total.likely for one in self.picks) + self.apart.likely_usd

    @property
    def ready(self) -> date:
        """When the last run is done or the last service can start."""
        return max(one.ready for one in self.picks)

    @cached_property
    def cost_usd(self) -> NDArray[np.float64]:
        """The whole cost in each draw."""
        whole = self.apart.cost_usd.astype(np.float64)
        for one in self.taken:
            whole += one.drawn.cost_usd
        return whole

    @cached_property
    def total(self) -> Range:
        """The likely cost, with the ends of 80 % of the draws; a single workload's range is that of its bill."""
        likely = self.likely_usd
        if len(self.taken) == 1:
            return self.taken[0].result.cost.total
        low, high = np.percentile(self.cost_usd, (LOW_PCT, HIGH_PCT)).tolist()
        return Range(min(low, likely), likely, max(high, likely))

    @cached_property
    def chance_in_limits(self) -> float | None:
        """Share of draws that keep the limits of all workloads together; None where none sets any."""
        kept = [one.drawn.keeps for one in self.taken if one.drawn.keeps is not None]
        return float(np.logical_and.reduce(kept).mean()) if kept else None

    def chance_of(self, limit: str) -> float | None:
        """Share of draws in which every workload that sets such a limit keeps it; None where none does."""
        kept = [one.drawn.kept[limit] for one in self.taken if limit in one.drawn.kept]
        return float(np.logical_and.reduce(kept).mean()) if kept else None

    def worth_usd(self, per_goodness: Sequence[float]) -> NDArray[np.float64]:
        """What the way is worth in each draw by what the users say matters: goodness in USD, a rate a workload, less
        moves and upkeep."""
        worth = -self.apart.cost_usd.astype(np.float64)
        for one, rate in zip(self.taken, per_goodness, strict=True):
            worth += rate * one.drawn.goodness
        return worth


Call = Literal["worse", "close", "better"]


@dataclass(frozen=True)
class Beside:
    """Another way beside the picks: by how much it costs more (below 0: less) with its 80 % range, in which share of
    draws it costs less, and in which it is better by what matters; ``call`` says what follows."""

    way: Way
    more_usd: Range
    cheaper: float
    better: float
    call: Call


def ways_beside(picks: Way, parts: Sequence[PlanPart], catalogue: Catalogue | None) -> tuple[Beside, ...]:
    """The ways of one kind of chip, of two kinds, and of the cheapest single seller, cheapest first; what is the same
    as the picks, or as another one, is left out."""
    seen = {_ids(picks)}
    told = []
    for way in (*_of_kinds(parts, catalogue), *_of_one_seller(parts, catalogue)):
        breathe()
        if _ids(way) not in seen and (way.is_proved or way.is_of_main_kinds):
            seen.add(_ids(way))
            told.append(beside(picks, way))
    return tuple(sorted(told, key=lambda one: one.way.likely_usd))


def beside(picks: Way, way: Way) -> Beside:
    """A way beside the picks over the same draws."""
    more = way.cost_usd - picks.cost_usd
    low, high = np.percentile(more, (LOW_PCT, HIGH_PCT)).tolist()
    likely = way.likely_usd - picks.likely_usd
    rates = [one.drawn.usd_per_goodness for one in picks.taken]
    better = share_above(way.worth_usd(rates), picks.worth_usd(rates))
    call: Call = "worse" if better < EVEN[0] else "better" if better > EVEN[1] else "close"
    return Beside(way, Range(min(low, likely), likely, max(high, likely)), float(np.mean(more < 0)), better, call)


def _ids(way: Way) -> tuple[str, ...]:
    return tuple(one.result.id for one in way.taken)


def _of_kinds(parts: Sequence[PlanPart], catalogue: Catalogue | None) -> Iterator[Way]:
    """All on one kind; and where some train and others do not, each of the two on a kind of its own."""
    kinds = sorted({kind for part in parts for kind in part.of_kind})
    is_split = len({part.profile.job.trains for part in parts}) > 1
    for train, run in [(one, other) for one in kinds for other in kinds if one == other or is_split]:
        wanted = [train if part.profile.job.trains else run for part in parts]
        if all(kind in part.of_kind for kind, part in zip(wanted, parts, strict=True)):
            title = f"All on {KIND_WORDS[train]}" if train == run else _split_title(train, run, parts)
            chosen = tuple(part.of_kind[kind] for kind, part in zip(wanted, parts, strict=True))
            yield Way(title, tuple(parts), chosen, catalogue)


def _split_title(train: str, run: str, parts: Sequence[PlanPart]) -> str:
    serves = all(part.profile.job.answers_users for part in parts if not part.profile.job.trains)
    return f"Train on {KIND_WORDS[train]}, {'serve' if serves else 'run the rest'} on {KIND_WORDS[run]}"


def _of_one_seller(parts: Sequence[PlanPart], catalogue: Catalogue | None) -> list[Way]:
    """The cheapest way at a single seller."""
    shared = set.intersection(*(set(part.of_seller) for part in parts))
    ways = [
        Way(f"All at {provider_name(one)}", tuple(parts), tuple(part.of_seller[one] for part in parts), catalogue)
        for one in sorted(shared)
    ]
    return sorted(ways, key=lambda way: way.likely_usd)[:1]
