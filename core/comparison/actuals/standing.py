"""Where the work stands at its last entry, and where that leads: date and cost with 80 % ranges, and chances."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from core.comparison.actuals.belief import Belief, Stretch, shrunk
from core.comparison.actuals.invoices import invoiced_usd, still_due_share
from core.comparison.actuals.told import is_told, knows_spend, knows_work, paid_at_first, spend_of, work_of
from core.ranges import Range
from core.units import LONGEST_DAYS, day_after
from core.workload.actuals import Baseline, Entry, Tracked

N_RECENT = 6
"""So many of the last entries say how fast it goes now (our choice)."""


@dataclass(frozen=True, slots=True)
class Point:
    """All that was done and spent up to a day; ``days`` are those of the stretch before it, ``hardware_usd`` what its
    own bill holds for hardware."""

    day: date
    done: float
    spend_usd: float
    days: float
    entry: Entry
    hardware_usd: float = 0.0


@dataclass(frozen=True)
class Forecast:
    """Where the rest of the work leads: ``days_left`` after ``from_day`` with ``waited`` certain ones before them,
    ``fixed_usd`` certain and ``left_usd`` still to come. What was paid for hardware is certain less its price, and what
    it loses of that price until the end is still to come: so its worth then comes back."""

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
        """All that was spent: porting as planned, and all payments as planned to date where no entry says any."""
        return self.points[-1].spend_usd if self.points else 0.0

    @property
    def has_bills(self) -> bool:
        """True where some entry says what was paid."""
        return any(knows_spend(self.baseline, point.entry) for point in self.points)

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
        """What was to be paid by the same day."""
        return planned_usd(self.baseline, self.as_of)

    @property
    def is_spend_known(self) -> bool:
        """True where the last entry says what it cost, in money or hours of rented chips: no day counts as planned."""
        return not self.points or knows_spend(self.baseline, self.points[-1].entry)

    @property
    def due_share(self) -> float:
        """Share of bought hardware that is still to be paid, 0..1; what no bill tells was paid as planned."""
        is_as_planned = bool(self.points) and not self.has_bills
        paid = sum(point.hardware_usd for point in self.points)
        return 0.0 if is_as_planned else still_due_share(self.baseline.hardware, paid)

    @property
    def fixed_usd(self) -> float:
        """What was spent, less the price of the hardware that was paid with it."""
        base = self.baseline
        spent = self.spend_usd if self.points else base.upfront_usd
        return spent - (1.0 - self.due_share) * base.hardware.price_usd

    @property
    def lost_usd(self) -> Belief:
        """What hardware has cost so far beside bills, of its price and in capital, and its installing where that is
        still to be paid."""
        base = self.baseline
        worn = base.hardware.price_usd - self._worth_after(self.days_worked)
        worn += self.days_worked * base.capital_usd_per_day
        return Belief(worn + self.due_share * base.hardware.installing_usd, self._plan_cost.spread)

    @property
    def days_worked(self) -> float:
        """Days since work began; those of a service at most."""
        days = max(float((self.as_of - self.baseline.work_begins).days), 0.0)
        return days if self.baseline.ends else min(days, self.baseline.work_days)

    @property
    def worth_usd(self) -> float:
        """Likely worth of bought hardware at the end as it is forecast."""
        return self._worth_after(self.days_worked + self.forecast.end_days.likely)

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
        """Cost of a day from now on: its bill, and what bought hardware loses of its worth and costs in capital."""
        most = self._worth_after(self.days_worked) / max(days_for(self, self.left).middle, 1.0)
        of_hardware = min(self.baseline.wear_usd_per_day, most) + self.baseline.capital_usd_per_day
        return self.running_usd_per_day.plus(Belief(of_hardware, self._plan_cost.spread))

    @cached_property
    def running_usd_per_day(self) -> Belief:
        """Running cost of a day from now on; the plan's where no entry says what was spent."""
        base, planned = self.baseline, self._plan_cost
        share = base.running_usd / planned.middle if planned.middle > 0 else 1.0
        return shrunk(planned.scaled(share / base.work_days), self._stretches("spend_usd"))

    @cached_property
    def _plan_cost(self) -> Belief:
        """The plan's cost without porting; each part of it errs as the whole does."""
        base, up = self.baseline, self.baseline.upfront_usd
        return Belief.of_range(base.cost_low_usd - up, base.cost_usd - up, base.cost_high_usd - up)

    def _worth_after(self, days: float) -> float:
        """Worth of bought hardware after days of work, never below 0."""
        return max(self.baseline.hardware.price_usd - days * self.baseline.wear_usd_per_day, 0.0)

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
        """The last entries from the first on with work done; where spend is asked, those that know it and hold no
        invoice for hardware, which says nothing of a day."""
        began = next((n for n, one in enumerate(self.points) if one.done > 0), len(self.points))
        told, days = [], 0.0
        before = getattr(self.points[began - 1], name) if 0 < began < len(self.points) else self._first(name)
        for point in self.points[began:]:
            days += point.days
            if not self._knows(name, point.entry):
                continue
            if name != "spend_usd" or not point.hardware_usd:
                told.append(Stretch(max(getattr(point, name) - before, 0.0), days))
            before, days = getattr(point, name), 0.0
        return tuple(told[-N_RECENT:])

    def _knows(self, name: str, entry: Entry) -> bool:
        return knows_spend(self.baseline, entry) if name == "spend_usd" else knows_work(entry)

    def _first(self, name: str) -> float:
        return self.baseline.upfront_usd if name == "spend_usd" else 0.0


def standing(tracked: Tracked) -> Standing:
    """Entries added up. A stretch is at least one day; the first begins with the work, or a day before its entry.

    What an entry tells covers all days since the last one that told the same, so that work and bills may come in
    entries of their own; days after the last that told a cost count at the plan's. Empty entries are left out.
    """
    base = tracked.baseline
    told = [one for one in tracked.entries if is_told(one)]
    day, done, billed, open_days, invoiced = base.work_begins, 0.0, paid_at_first(base, told), 0.0, 0.0
    points = []
    for entry in told:
        days = float(max((entry.day - day).days, 1))
        done, open_days, hardware = done + work_of(base, entry), open_days + days, 0.0
        if knows_spend(base, entry):
            spent = spend_of(base, entry)
            hardware = invoiced_usd(base, spent, open_days, invoiced)
            billed, open_days, invoiced = billed + spent, 0.0, invoiced + hardware
        points.append(Point(entry.day, done, billed + open_days * base.usd_per_day, days, entry, hardware))
        day = entry.day
    return Standing(tracked, tuple(points))


def forecast_from(one: Standing, amount: float) -> Forecast:
    """So much work at the rate and the cost of a day that are believed: ``days = amount / rate``,
    ``cost = spent + days x running cost of a day``, and hardware still to be paid, less its worth then. A service goes
    on for its months whatever its traffic."""
    days = days_for(one, amount)
    return Forecast(one.as_of, 0.0, days, one.fixed_usd, days.times(one.usd_per_day).plus(one.lost_usd))


def days_for(one: Standing, amount: float) -> Belief:
    """Days that so much work takes; of a service those to the end of its months."""
    if one.baseline.ends:
        return Belief(amount, 0.0).over(one.rate)
    return Belief(max(float((planned_end(one.baseline) - one.as_of).days), 0.0), 0.0)


def planned_share(baseline: Baseline, day: date) -> float:
    """Share of the work that was planned to be done by a day."""
    return min(max((day - baseline.work_begins).days / baseline.work_days, 0.0), 1.0)


def planned_usd(baseline: Baseline, day: date) -> float:
    """Money that was planned to be paid by a day: porting, hardware when the work begins, and each day of work. What
    the hardware is worth at the end lowers the cost, not what was paid."""
    bought = baseline.hardware.bought_usd if day >= baseline.work_begins else 0.0
    return baseline.upfront_usd + bought + planned_share(baseline, day) * baseline.running_usd


def planned_end(baseline: Baseline) -> date:
    """The day on which the plan had it done."""
    return day_after(baseline.work_begins, min(baseline.work_days, LONGEST_DAYS)) or date.max
