"""Where the work stands at its last entry, and where that leads: date and cost with 80 % ranges, and chances."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from core.comparison.actuals.belief import Belief, Stretch, shrunk
from core.ranges import Range
from core.units import LONGEST_DAYS, day_after
from core.workload.actuals import Baseline, Entry, Tracked

N_RECENT = 6
"""So many of the last entries say how fast it goes now (our choice)."""


@dataclass(frozen=True, slots=True)
class Point:
    """All that was done and spent up to a day; ``days`` are those of the stretch before it."""

    day: date
    done: float
    spend_usd: float
    days: float
    entry: Entry


@dataclass(frozen=True)
class Forecast:
    """Where the rest of the work leads: ``days_left`` after ``from_day`` with ``waited`` certain ones before them,
    ``fixed_usd`` certain and ``left_usd`` still to be paid."""

    from_day: date
    waited: float
    days_left: Belief
    fixed_usd: float
    left_usd: Belief

    @property
    def end_days(self) -> Range:
        """Days after ``from_day`` until all is done, with 80 %."""
        return self.days_left.range.shifted(self.waited)

    @property
    def end(self) -> date:
        """The likely day."""
        return self.day_at(self.end_days.likely)

    @property
    def end_range(self) -> tuple[date, date]:
        """First and last day of 80 %."""
        return self.day_at(self.end_days.low), self.day_at(self.end_days.high)

    @property
    def cost(self) -> Range:
        """All that is paid in the end, with 80 %."""
        return self.left_usd.range.shifted(self.fixed_usd)

    def chance_by(self, day: date | None) -> float | None:
        """The chance that it is done by a day; None without one. Days are whole: done within the day counts."""
        if day is None:
            return None
        return self.days_left.chance_below((day - self.from_day).days + 0.5 - self.waited)

    def chance_within(self, budget_usd: float | None) -> float | None:
        """The chance that it costs no more than so much; None without a limit."""
        return None if budget_usd is None else self.left_usd.chance_below(budget_usd - self.fixed_usd)

    def day_at(self, days: float) -> date:
        """So many days on."""
        return day_after(self.from_day, min(days, LONGEST_DAYS)) or date.max


@dataclass(frozen=True)
class Standing:
    """A tracked workload at its last entry. Shares are 0..1 of all the work."""

    tracked: Tracked
    points: tuple[Point, ...]

    @property
    def baseline(self) -> Baseline:
        """The plan as it was."""
        return self.tracked.baseline

    @property
    def as_of(self) -> date:
        """Day of the last entry that tells work, else of the last; the day on which work begins before any."""
        days = [one.day for one in self.points if knows_work(one.entry)] or [one.day for one in self.points]
        return days[-1] if days else self.baseline.work_begins

    @property
    def done(self) -> float:
        """All that was done, in the plan's unit."""
        return self.points[-1].done if self.points else 0.0

    @property
    def spend_usd(self) -> float:
        """All that was spent; porting as planned where no entry says what was spent."""
        return self.points[-1].spend_usd if self.points else 0.0

    @property
    def left(self) -> float:
        """Work that is left; a service goes on to the end of its months."""
        return max(self.baseline.amount - self.done, 0.0)

    @property
    def done_share(self) -> float:
        """Share of the work that is done."""
        return self.done / self.baseline.amount

    @property
    def planned_share(self) -> float:
        """Share planned by the same day: ``days since work begins / days of work``."""
        return planned_share(self.baseline, self.as_of)

    @property
    def planned_usd(self) -> float:
        """What was to be spent by the same day."""
        return planned_usd(self.baseline, self.as_of)

    @property
    def is_spend_known(self) -> bool:
        """True where the last entry says what it cost, in money or chip hours, so that no day counts as planned."""
        return not self.points or knows_spend(self.points[-1].entry)

    @property
    def target(self) -> date:
        """The deadline, else the planned end."""
        return self.baseline.deadline or planned_end(self.baseline)

    @cached_property
    def rate(self) -> Belief:
        """Work a day from now on."""
        base = self.baseline
        return shrunk(Belief.of_range(base.rate_low, base.rate, base.rate_high), self._stretches("done"))

    @cached_property
    def usd_per_day(self) -> Belief:
        """Cost of a day from now on; the plan's where no entry says what was spent."""
        base, up = self.baseline, self.baseline.upfront_usd
        own = Belief.of_range(base.cost_low_usd - up, base.cost_usd - up, base.cost_high_usd - up)
        return shrunk(own.scaled(1.0 / base.work_days), self._stretches("spend_usd"))

    @cached_property
    def rate_of_entries(self) -> float | None:
        """Work a day over the last entries alone; None without any."""
        last = self._stretches("done")
        return sum(one.amount for one in last) / sum(one.days for one in last) if last else None

    @cached_property
    def forecast(self) -> Forecast:
        """At this rate and this cost of a day."""
        return forecast_from(self, self.left)

    def _stretches(self, name: str) -> tuple[Stretch, ...]:
        """The last entries from the first on with work done; where spend is asked, those that know it."""
        began = next((n for n, one in enumerate(self.points) if one.done > 0), len(self.points))
        knows, told, days = knows_spend if name == "spend_usd" else knows_work, [], 0.0
        before = getattr(self.points[began - 1], name) if 0 < began < len(self.points) else self._first(name)
        for point in self.points[began:]:
            days += point.days
            if knows(point.entry):
                told.append(Stretch(max(getattr(point, name) - before, 0.0), days))
                before, days = getattr(point, name), 0.0
        return tuple(told[-N_RECENT:])

    def _first(self, name: str) -> float:
        return self.baseline.upfront_usd if name == "spend_usd" else 0.0


def standing(tracked: Tracked) -> Standing:
    """Entries added up. A stretch is at least one day; the first begins with the work, or a day before its entry.

    What an entry tells covers all days since the last one that told the same, so that work and bills may come in
    entries of their own; days after the last that told a cost count at the plan's. Empty entries are left out.
    """
    base = tracked.baseline
    told = [one for one in tracked.entries if knows_work(one) or knows_spend(one)]
    day, done, billed, open_days = base.work_begins, 0.0, base.upfront_usd if told else 0.0, 0.0
    points = []
    for entry in told:
        days = float(max((entry.day - day).days, 1))
        done += work_of(base, entry)
        open_days = 0.0 if knows_spend(entry) else open_days + days
        billed += spend_of(base, entry)
        points.append(Point(entry.day, done, billed + open_days * base.usd_per_day, days, entry))
        day = entry.day
    return Standing(tracked, tuple(points))


def work_of(baseline: Baseline, entry: Entry) -> float:
    """What an entry did, in the plan's unit; steps count by what one of them takes."""
    if entry.done is not None:
        return entry.done
    return (entry.steps or 0.0) * (baseline.per_step or 0.0)


def knows_work(entry: Entry) -> bool:
    """True where an entry says what was done."""
    return entry.done is not None or entry.steps is not None


def knows_spend(entry: Entry) -> bool:
    """True where an entry says what it cost."""
    return entry.spend_usd is not None or entry.chip_hours is not None


def spend_of(baseline: Baseline, entry: Entry) -> float:
    """What an entry says it cost: as typed, else chip hours at the price as it was frozen; 0 where it does not say."""
    if entry.spend_usd is not None:
        return entry.spend_usd
    return (entry.chip_hours or 0.0) * baseline.usd_per_chip_hour


def forecast_from(one: Standing, amount: float) -> Forecast:
    """So much work at the rate and the cost of a day that are believed: ``days = amount / rate``,
    ``cost = spent + days x cost of a day``; a service goes on for its months whatever its traffic."""
    if one.baseline.ends:
        days = Belief(amount, 0.0).over(one.rate)
    else:
        last = (planned_end(one.baseline) - one.as_of).days
        days = Belief(max(float(last), 0.0), 0.0)
    spent = one.spend_usd if one.points else one.baseline.upfront_usd
    return Forecast(one.as_of, 0.0, days, spent, days.times(one.usd_per_day))


def planned_share(baseline: Baseline, day: date) -> float:
    """Share of the work that was planned to be done by a day."""
    return min(max((day - baseline.work_begins).days / baseline.work_days, 0.0), 1.0)


def planned_usd(baseline: Baseline, day: date) -> float:
    """Money that was planned to be spent by a day: porting, and each day of work."""
    return baseline.upfront_usd + planned_share(baseline, day) * (baseline.cost_usd - baseline.upfront_usd)


def planned_end(baseline: Baseline) -> date:
    """The day on which the plan had it done."""
    return day_after(baseline.work_begins, min(baseline.work_days, LONGEST_DAYS)) or date.max
