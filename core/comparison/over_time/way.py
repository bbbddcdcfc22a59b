"""One way to run a plan over time: its phases, its end, its money day by day, and what follows a failed pilot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.comparison.over_time.gate import Gate, gate_of
from core.comparison.over_time.runs import Run, runs_of
from core.comparison.over_time.spread import Spread, range_of, share_of_draws
from core.comparison.questions.leaving import ExitBill, exit_parts
from core.comparison.result import ResultSet
from core.ranges import HIGH_PCT, LOW_PCT, Range
from core.throughput.types import Reason
from core.workload.phases import Phase, Platform

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Failed:
    """What follows when the pilot fails: the rest runs on another kind of chip.

    ``ask_by`` is the last day to order its chips so that the likely run still keeps the deadline, ``have_by`` the last
    day to have them; both are days of the plan, None without a deadline or where nothing is scaled.
    """

    way: Way
    ask_by: float | None
    have_by: float | None


@dataclass(frozen=True)
class Cash:
    """What has been spent by each day, shapes (n,)."""

    days: Array
    likely_usd: Array
    low_usd: Array
    high_usd: Array


@dataclass(frozen=True)
class Way:
    """Phases on their chips; days count from ``first_day``, as does ``deadline``, None without one."""

    title: str
    runs: tuple[Run, ...]
    first_day: date
    deadline: float | None
    fallback: Failed | None = None

    @cached_property
    def total_usd(self) -> Spread:
        """What all phases cost."""
        return np.asarray(sum(run.cost_usd for run in self.runs))

    @cached_property
    def total(self) -> Range:
        """The same with its 80 % range."""
        return range_of(self.total_usd)

    @cached_property
    def ready_day(self) -> Spread:
        """When the work is done that the deadline is about; without such work, when the service can start."""
        run = self.deciding
        return run.work_begins if run.phase.stage == "serve" else run.end

    @property
    def deciding(self) -> Run:
        """The last phase that is no service; the first service where there is no other."""
        return next((run for run in reversed(self.runs) if run.phase.stage != "serve"), self.runs[0])

    @cached_property
    def ready(self) -> Range:
        """The same with its 80 % range."""
        return range_of(self.ready_day)

    @cached_property
    def chance_in_time(self) -> float | None:
        """Share of draws that keep the deadline; None without one."""
        return None if self.deadline is None else share_of_draws(self.ready_day <= self.deadline)

    @cached_property
    def gates(self) -> tuple[Gate, ...]:
        """Of every pilot."""
        return tuple(gate_of(run, self._after(run)) for run in self.runs if run.phase.stage == "pilot")

    @property
    def gate(self) -> Gate | None:
        """The first pilot's."""
        return self.gates[0] if self.gates else None

    @property
    def priced_in_usd(self) -> float | None:
        """``p x likely total + (1 - p) x likely total of the failed path``; None where either is not known, or that
        path breaks a hard limit."""
        chance = self.gate.chance if self.gate else None
        if chance is None or self.fallback is None or self.fallback.way.broken:
            return None
        return chance * self.total.likely + (1.0 - chance) * self.fallback.way.total.likely

    @cached_property
    def porting_usd(self) -> Range:
        """What porting costs in all phases."""
        return range_of(np.asarray(sum(run.porting_usd for run in self.runs)))

    @cached_property
    def porting_days(self) -> Range:
        """Days of porting in all phases."""
        own = (run.working if run.phase.stage == "port" else run.porting for run in self.runs)
        return range_of(np.asarray(sum(own)))

    @property
    def moving_usd(self) -> float:
        """What moving data and weights costs."""
        return sum(run.moving_usd for run in self.runs)

    @cached_property
    def waiting_days(self) -> Range:
        """Days of waiting for capacity up to when the work is done."""
        runs = [run for run in self.runs if run.phase.stage != "serve"] or list(self.runs)
        return range_of(np.asarray(sum(run.waiting for run in runs)))

    @cached_property
    def flexibility(self) -> Range:
        """The score of the options held, 0..100, each by the likely days for which it is held."""
        held = self._on_chips
        days = np.array([max(float(run.working[0]), 1e-6) for run in held])
        scores = [run.held.result.flexibility.score for run in held]
        table = np.array([(one.low, one.likely, one.high) for one in scores])
        return Range(*np.average(table, axis=0, weights=days).tolist())

    @property
    def exit(self) -> ExitBill:
        """What leaving the chips held last would cost."""
        last = next((run for run in reversed(self.runs) if run.phase.works_on_chips), self.runs[-1])
        result = last.held.result
        return ExitBill(result.flexibility.exit_weeks, exit_parts(last.held.profile, result))

    @property
    def broken(self) -> tuple[Reason, ...]:
        """Hard limits of the workloads that some phase breaks, each once."""
        every = (reason for run in self._on_chips for reason in run.held.broken)
        return tuple({str(one.text): one for one in every}.values())

    @property
    def unproved(self) -> tuple[str, ...]:
        """Chips of which price, speed or that they can be had is not proved yet: ``8 × MI300X``."""
        return tuple(dict.fromkeys(run.held.name for run in self._on_chips if not run.held.result.is_firm))

    @property
    def _on_chips(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.phase.works_on_chips)

    @cached_property
    def cash(self) -> Cash:
        """Money by day: porting while it is ported, moves and hardware that is bought when work begins, what comes back
        for it when that ends, the rest evenly while chips are held."""
        days = _bends(self.runs)
        likely = sum(_spent(run, days, slice(0, 1)) for run in self.runs)
        draws = sum(_spent(run, days, slice(1, None, 10)) for run in self.runs)
        low, high = np.percentile(np.asarray(draws), (LOW_PCT, HIGH_PCT), axis=1)
        return Cash(days, np.asarray(likely)[:, 0], low, high)

    def _after(self, pilot: Run) -> Run | None:
        """The phase that a pilot decides about: the next one that scales."""
        at = self.runs.index(pilot)
        return next((run for run in self.runs[at + 1 :] if run.phase.stage == "scale"), None)


def _bends(runs: Sequence[Run]) -> Array:
    """Likely days on which spending begins, ends or changes; where money moves at once also the moment before, and the
    days between which it may."""
    days = {0.0}
    for run in runs:
        days |= {float((run.begin + run.waiting)[0]), float(run.work_begins[0]), float(run.end[0])}
    last = max(days)
    for day in (day for run in runs for day, usd in _at_once(run) if usd[0]):
        may = range_of(day)
        days |= {float(np.nextafter(may.likely, 0.0)), min(may.low, last), min(may.high, last)}
    return np.array(sorted(days))


def _at_once(run: Run) -> tuple[tuple[Spread, Spread], ...]:
    """Days on which hardware of one's own is set up, paid and given up, each with what is paid then."""
    owned = run.owned
    return (run.begin, owned.once), (run.work_begins, owned.bought), (run.end, -owned.worth)


def _spent(run: Run, days: Array, draws: slice) -> Array:
    """What was paid for a phase by each day in some draws, shape (n days, n draws): its cost in the end, but for the
    cost of capital."""
    begins, ends = run.work_begins[draws], run.end[draws]
    ported, begun = (run.begin + run.waiting)[draws], run.phase.stage == "port"
    by_day = (run.by_day_usd - run.owned.capital)[draws] * _share(days, begins, ends)
    porting = run.porting_usd[draws] * _share(days, ported, ends if begun else begins)
    at_once = sum(usd[draws] * (days[:, None] >= day[draws]) for day, usd in _at_once(run))
    return np.asarray(by_day + porting + run.moving_usd * (days[:, None] >= begins) + at_once)


def _share(days: Array, begins: Spread, ends: Spread) -> Array:
    length = np.maximum(ends - begins, 1e-9)
    return np.asarray(np.clip((days[:, None] - begins) / length, 0.0, 1.0))


def way_of(
    title: str, phases: Sequence[Phase], results: Mapping[str, ResultSet], first_day: date, deadline: date | None
) -> Way:
    """The phases as they are, with the path that follows a failed pilot. Raises InputError as :func:`runs_of`."""
    days = None if deadline is None else float((deadline - first_day).days)
    way = Way(title, runs_of(phases, results, first_day, days), first_day, days)
    return replace(way, fallback=_failed(way, phases, results))


def on_kind(own: Way, phases: Sequence[Phase], kind: Platform) -> tuple[Phase, ...]:
    """The plan's phases on one kind of chip: those that are there stay as they are, others take the best of it in its
    own number of chips, and what must be ported is ported first."""
    there = {run.phase.id for run in own.runs if run.held.kind == kind}
    moved = _as_long(own, [one if one.id in there else _moved(one, kind) for one in phases])
    ports = [one for one in moved if not one.works_on_chips]
    if kind == "gpu" or not ports:
        return tuple(moved)
    return (*(one.model_copy(update={"start": None}) for one in ports), *(one for one in moved if one.works_on_chips))


def _as_long(own: Way, phases: Sequence[Phase]) -> list[Phase]:
    """Services that end on a typed day serve as many days as in the plan, else late ways would look cheap."""
    days = {run.phase.id: float(run.working[0]) for run in own.runs if run.phase.stage == "serve"}
    return [
        one.model_copy(update={"end": None, "days": days[one.id]}) if one.end and one.id in days else one
        for one in phases
    ]


def _moved(phase: Phase, kind: Platform) -> Phase:
    chips = phase.chips if phase.stage == "explore" else None
    return phase.model_copy(update={"platform": kind, "candidate": "", "chips": chips})


def _failed(way: Way, phases: Sequence[Phase], results: Mapping[str, ResultSet]) -> Failed | None:
    """The phases after the first pilot on GPU; none where the pilot runs there already."""
    pilot = next((run for run in way.runs if run.phase.stage == "pilot"), None)
    if pilot is None or not pilot.phase.measures or pilot.held.kind == "gpu":
        return None
    at = [one.id for one in phases].index(pilot.phase.id)
    moved = (_moved(one, "gpu") for one in phases[at + 1 :] if one.works_on_chips)
    path = _as_long(way, (*phases[: at + 1], *moved))
    runs = runs_of(path, results, way.first_day, way.deadline)
    other = Way("The pilot fails", runs, way.first_day, way.deadline)
    scale = next((run for run in runs[::-1] if run.phase.stage == "scale"), None)
    if scale is None or way.deadline is None:
        return Failed(other, None, None)
    have_by = way.deadline - float((scale.porting + scale.working)[0])
    return Failed(other, have_by - float(scale.waiting[0]), have_by)
