"""A plan over time beside the same phases on one kind of chip alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from core.breath import breathe
from core.comparison.chance.cautious import mean_of_worst
from core.comparison.chance.goodness import MISSED
from core.comparison.over_time.way import Way, on_kind, way_of
from core.comparison.result import AdviceRule, ResultSet
from core.errors import InputError
from core.units import day_after
from core.workload.phases import Phase, Platform
from core.workload.profile import Profile

KINDS: tuple[tuple[Platform, str], ...] = (("tpu", "All-TPU"), ("gpu", "All-GPU"))
MIXED = "Mixed"


@dataclass(frozen=True)
class OverTime:
    """The plan's own way first, then others; ``lacking`` says of others why there is none. ``best`` is the place of the
    one that fits best: by the weights of the main workload, when things go badly, of those that break no hard limit;
    None where each breaks one. ``advice``: the rules of the guides that fire for each workload."""

    ways: tuple[Way, ...]
    lacking: tuple[tuple[str, str], ...]
    best: int | None
    advice: Mapping[str, tuple[AdviceRule, ...]]

    @property
    def own(self) -> Way:
        """The phases as they stand in the plan."""
        return self.ways[0]

    @property
    def rivals(self) -> tuple[Way, ...]:
        """The ways beside the plan's own that break no hard limit."""
        return tuple(way for way in self.ways[1:] if not way.broken)

    @property
    def breaking(self) -> tuple[Way, ...]:
        """The ways that do: they cannot be signed, whatever they cost."""
        return tuple(way for way in self.ways if way.broken)


def over_time(
    phases: Sequence[Phase], results: Mapping[str, ResultSet], deadline: date | None = None
) -> OverTime | None:
    """The answer for phases, with results of their workloads by id; None without phases or without any results.

    Serving lasts equally long in every way. The deadline is the one typed, else that of the workload that is scaled.
    Raises InputError where the plan's own phases cannot run.
    """
    if not phases or not results:
        return None
    main = main_workload(phases, results)
    first_day = phases[0].start or main.limits.start_date
    deadline = deadline or own_deadline(main)
    own = way_of(MIXED, phases, results, first_day, deadline)
    ways, lacking = [_titled(own)], []
    for kind, title in KINDS:
        breathe()
        try:
            way = way_of(title, on_kind(own, phases, kind), results, first_day, deadline)
        except InputError as error:
            lacking.append((title, error.found))
            continue
        if _kinds(way) == {kind} and title != ways[0].title:
            ways.append(way)
    advice = {name: one.advice for name, one in results.items()}
    return OverTime(tuple(ways), tuple(lacking), _place_of_best(ways, main), advice)


def main_workload(phases: Sequence[Phase], results: Mapping[str, ResultSet]) -> Profile:
    """The workload that is scaled, else that of the last phase that is no service, else the first."""
    ids = [one.workload for one in phases if one.stage == "scale"]
    ids += [one.workload for one in reversed(phases) if one.stage != "serve"]
    known = next((results[one] for one in ids if one in results), next(iter(results.values())))
    return known.profile


def own_deadline(profile: Profile) -> date | None:
    """The day of a workload's own deadline."""
    days = profile.limits.deadline_days
    return None if days is None else day_after(profile.limits.start_date, days)


def _kinds(way: Way) -> set[str]:
    return {run.held.kind for run in way.runs if run.phase.works_on_chips}


def _titled(own: Way) -> Way:
    """A plan on one kind of chip is called by it."""
    kinds = _kinds(own)
    titles = [title for kind, title in KINDS if kinds == {kind}]
    return Way(titles[0], own.runs, own.first_day, own.deadline, own.fallback) if titles else own


def _place_of_best(ways: Sequence[Way], main: Profile) -> int | None:
    kept = [place for place, way in enumerate(ways) if not way.broken]
    return kept[_best([ways[place] for place in kept], main)] if kept else None


def _best(ways: Sequence[Way], main: Profile) -> int:
    """``w_cost x best / cost + w_time x best / days + w_flex x score``, less :data:`MISSED` where the deadline is
    missed, in each draw; the mean of each one's worst draws decides."""
    weights = np.array([main.weights.cost, main.weights.time, main.weights.flexibility])
    weights = weights / max(float(weights.sum()), 1e-9)
    least_usd = min(way.total.likely for way in ways)
    least_days = max(min(way.ready.likely for way in ways), 1.0)
    rows = []
    for way in ways:
        good = weights[0] * least_usd / way.total_usd[1:] + weights[1] * least_days / np.maximum(way.ready_day[1:], 1.0)
        late = 0.0 if way.deadline is None else MISSED * (way.ready_day[1:] > way.deadline)
        rows.append(good + weights[2] * way.flexibility.likely / 100 - late)
    return int(np.argmax(mean_of_worst(np.array(rows, dtype=np.float32), main.weights.worst_pct)))
