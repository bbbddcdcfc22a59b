"""Phases one after the other: when each waits, ports and works, in the likely case and in every draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial

import numpy as np

from core.comparison.judge.calendar import MOST_AT_ONCE, calendar_days
from core.comparison.over_time.held import NOTHING, Held, held_by, why_none
from core.comparison.over_time.payments import FREE, Payment, Use, payments
from core.comparison.over_time.sizing import sized
from core.comparison.over_time.spread import Spread, fixed, range_of, spread_of
from core.comparison.questions.leaving import exit_parts
from core.comparison.result import ResultSet
from core.comparison.together.moving import Placed, movings
from core.constants import DAYS_PER_WEEK
from core.errors import InputError
from core.ranges import Range
from core.workload.phases import LEAST_DAYS, Phase


@dataclass(frozen=True)
class Run:
    """One phase with its days and its cost; spreads of days count from the first day of the plan.

    It begins, waits for capacity, ports what is not ported yet, and works; ``porting_usd``, ``moving_usd`` and what is
    ``owned`` and paid at once are parts of the cost beside what is paid by the day.
    """

    phase: Phase
    held: Held
    begin: Spread
    waiting: Spread
    porting: Spread
    working: Spread
    by_day_usd: Spread
    porting_usd: Spread
    moving_usd: float
    owned: Payment = FREE

    @property
    def work_begins(self) -> Spread:
        """When chips are there and the code runs on them."""
        return self.begin + self.waiting + self.porting

    @cached_property
    def end(self) -> Spread:
        """When the phase is over."""
        return self.work_begins + self.working

    @cached_property
    def cost_usd(self) -> Spread:
        """All it costs."""
        return self.by_day_usd + self.porting_usd + self.moving_usd + self.owned.at_once

    @cached_property
    def cost(self) -> Range:
        """The cost with its 80 % range."""
        return range_of(self.cost_usd)

    @cached_property
    def ends(self) -> Range:
        """The day of its end with its 80 % range."""
        return range_of(self.end)


def runs_of(
    phases: Sequence[Phase], results: Mapping[str, ResultSet], first_day: date, deadline: float | None = None
) -> tuple[Run, ...]:
    """The phases in their order, from a first day; a phase that scales takes chips for its own end, else for the
    ``deadline``, a day of the plan.

    ``begin = max(ends of all before, start typed)``; a port with a start of its own goes on beside what is before it.
    Chips that the phase before holds, or that were bought before, are not waited for again; code is ported once for
    each workload and kind of software. A port that nothing needs is left out. Raises InputError naming a phase that no
    option can run.
    """
    ported: set[tuple[str, str]] = set()
    told: list[Run] = []
    for phase in phases:
        known = _known(phase, results)
        held = _held(phase, known)
        begin = _begin(phase, told, first_day)
        day = None if phase.end is None else float((phase.end - first_day).days)
        begins = partial(_likely_work_begins, phase, float(begin[0]), ported, told)
        held = sized(known, phase, held, begins, deadline if day is None else day)
        if phase.stage == "port":
            run = _port(phase, held, begin, day)
        else:
            run = _on_chips(phase, held, begin, day, ported, told)
        ported.add(_code(held))
        if phase.stage != "port" or run.working[0] > 0:
            told.append(run)
    return _paid(told)


def _paid(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs, with what hardware of one's own costs in each: that hangs on all phases that work on it."""
    uses = {
        place: Use(run.held.owned, run.waiting, run.work_begins, run.end)
        for place, run in enumerate(runs)
        if run.held.owned is not None and run.phase.works_on_chips
    }
    paid = dict(zip(uses, payments(tuple(uses.values())), strict=True))
    return tuple(
        replace(run, by_day_usd=paid[place].by_day, owned=paid[place]) if place in paid else run
        for place, run in enumerate(runs)
    )


def _known(phase: Phase, results: Mapping[str, ResultSet]) -> ResultSet:
    known = results.get(phase.workload) or next(iter(results.values()), None)
    if known is None or (phase.workload and phase.workload not in results):
        raise InputError(f"Phase {phase.name}", "no answer for its workload", "a workload with an answer")
    return known


def _held(phase: Phase, known: ResultSet) -> Held:
    held = held_by(known, phase)
    if held is None:
        raise InputError(f"Phase {phase.name}", *why_none(known, phase))
    return held


def _begin(phase: Phase, before: Sequence[Run], first_day: date) -> Spread:
    typed = None if phase.start is None else float((phase.start - first_day).days)
    if typed is not None and (phase.stage == "port" or not before):
        return fixed(max(typed, 0.0))
    begin = fixed(0.0 if typed is None else max(typed, 0.0))
    for run in before:
        begin = np.maximum(begin, run.end)
    return begin


def _port(phase: Phase, held: Held, begin: Spread, end_day: float | None) -> Run:
    """People's work alone: ``weeks x 7 / people`` days; days typed, or up to a day, are paid for by the people."""
    team = held.profile.team
    people = min(phase.people or team.engineers, MOST_AT_ONCE)
    weeks = spread_of(held.porting_weeks, held.causes.porting)
    if end_day is not None:
        weeks = _until(end_day, begin) * people / DAYS_PER_WEEK
    elif phase.days is not None:
        weeks = fixed(phase.days * people / DAYS_PER_WEEK)
    usd, nothing = weeks * team.engineer_usd_per_week, fixed(0.0)
    return Run(phase, held, begin, nothing, nothing, weeks * DAYS_PER_WEEK / people, nothing, usd, 0.0)


def _on_chips(
    phase: Phase,
    held: Held,
    begin: Spread,
    end_day: float | None,
    ported: set[tuple[str, str]],
    before: Sequence[Run],
) -> Run:
    causes, team = held.causes, held.profile.team
    weeks = _weeks(held, ported)
    waiting = fixed(0.0) if _is_there(held, before) else spread_of(held.waiting_days, causes.waiting)
    porting = spread_of(calendar_days(weeks, phase.people or team.engineers), causes.porting)
    working = _working(phase, held) if end_day is None else _until(end_day, begin + waiting + porting)
    return Run(
        phase,
        held,
        begin,
        waiting,
        porting,
        working,
        held.usd_per_day * working * spread_of(held.cost_factor, causes.price),
        spread_of(weeks, causes.porting) * team.engineer_usd_per_week,
        _moving_usd(held, before),
    )


def _weeks(held: Held, ported: set[tuple[str, str]]) -> Range:
    return NOTHING if _code(held) in ported else held.porting_weeks


def _likely_work_begins(
    phase: Phase, begin: float, ported: set[tuple[str, str]], before: Sequence[Run], held: Held
) -> float:
    """The likely day, as :func:`_on_chips` counts it."""
    waiting = 0.0 if _is_there(held, before) else held.waiting_days.likely
    people = phase.people or held.profile.team.engineers
    return begin + waiting + calendar_days(_weeks(held, ported), people).likely


def _code(held: Held) -> tuple[str, str]:
    return held.profile.id, held.software


def _is_there(held: Held, before: Sequence[Run]) -> bool:
    """True where the phase before holds as many chips of the same offer; of what is bought, any before: it is kept."""
    last = [run.held for run in (before if held.owned else before[-1:]) if run.phase.works_on_chips]
    same = (one for one in last if one.result.candidate.offer.id == held.result.candidate.offer.id)
    return any(one.n_chips >= held.n_chips for one in same)


def _until(end_day: float, begins: Spread) -> Spread:
    """Days of work up to a day, at least one."""
    return np.maximum(end_day - begins, LEAST_DAYS)


def _working(phase: Phase, held: Held) -> Spread:
    """Days typed, else those of its share of the work, in proportion where it runs on other than the option's chips."""
    if phase.days is not None:
        return fixed(phase.days)
    share = 1.0 if phase.stage == "serve" else phase.share_pct / 100
    fewer = held.result.candidate.n_chips / held.n_chips if held.profile.job.ends else 1.0
    return spread_of(held.run_days.scaled(share * fewer), held.causes.speed)


def _moving_usd(held: Held, before: Sequence[Run]) -> float:
    """What leaves another seller: the data set for the same workload, the trained weights for a service."""
    last = next((run.held for run in reversed(before) if run.phase.works_on_chips), None)
    if last is None:
        return 0.0
    if last.profile.id == held.profile.id:
        is_other = last.result.candidate.offer.provider != held.result.candidate.offer.provider
        return exit_parts(last.profile, last.result)["egress"] if is_other else 0.0
    placed = [Placed(one.profile, one.result, 0.0) for one in (last, held)]
    return sum(one.usd for one in movings(placed, held.catalogue))
