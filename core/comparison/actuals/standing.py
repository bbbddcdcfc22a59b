"""Where the work stands at its last entry, and where that leads: date and cost with 80 % ranges, and chances."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from statistics import NormalDist

from core.comparison.actuals.belief import Belief, Stretch, shrunk
from core.comparison.actuals.commitments import ahead_usd, due_usd, last_day, settled_usd
from core.comparison.actuals.invoices import invoiced_usd, still_due_share
from core.comparison.actuals.terms import Terms, owed_usd
from core.comparison.actuals.told import is_told, knows_spend, knows_work, paid_at_first, spend_of, work_of
from core.ranges import Z_OF_80_PCT, Range
from core.units import LONGEST_DAYS, day_after
from core.workload.actuals import Baseline, Entry, Tracked

N_RECENT = 6
"""So many of the last entries say how fast it goes now (our choice)."""
RUNNING = "running_usd"
_NORMAL = NormalDist()
_FAR, _HALVINGS = 8.0, 40
"""Deviations beyond which nothing is looked for, and steps of the search: to one in a thousand million."""


@dataclass(frozen=True, slots=True)
class Point:
    """All that was done and spent up to a day; ``days`` are those of the stretch before it, ``hardware_usd`` what its
    own bill holds for hardware, ``committed_usd`` what of all that was spent is for terms that chips are paid by, and
    ``is_ahead`` that its bill pays them ahead."""

    day: date
    done: float
    spend_usd: float
    days: float
    entry: Entry
    hardware_usd: float = 0.0
    committed_usd: float = 0.0
    is_ahead: bool = False

    @property
    def running_usd(self) -> float:
        """All that was spent for days of work."""
        return self.spend_usd - self.committed_usd

    @property
    def is_invoice(self) -> bool:
        """True where its bill is for hardware or for terms ahead, and says nothing of a day."""
        return self.hardware_usd > 0 or self.is_ahead


@dataclass(frozen=True)
class Forecast:
    """Where the rest of the work leads: ``days_left`` after ``from_day`` with ``waited`` certain ones before them,
    ``fixed_usd`` certain and ``left_usd`` still to come. What was paid for hardware is certain less its price, and what
    it loses of that price until the end is still to come: so its worth then comes back. ``terms`` are what chips are
    paid by and still owe, in whole ones; money and days err together."""

    from_day: date
    waited: float
    days_left: Belief
    fixed_usd: float
    left_usd: Belief
    terms: tuple[Terms, ...] = ()

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
        running = self.left_usd.range.shifted(self.fixed_usd)
        low, likely, high = (self.owed_at(z) for z in (-Z_OF_80_PCT, 0.0, Z_OF_80_PCT))
        return Range(running.low + low, running.likely + likely, running.high + high)

    @property
    def owed_usd(self) -> float:
        """What terms are still likely to cost."""
        return self.owed_at(0.0)

    def owed_at(self, z: float) -> float:
        """The same where all takes so many deviations longer than is likely."""
        return owed_usd(self.terms, self.waited + self.days_left.beyond(z), z)

    def chance_by(self, day: date | None) -> float | None:
        """The chance that it is done by a day; None without one. Days are whole: done within the day counts."""
        if day is None:
            return None
        return self.days_left.chance_below((day - self.from_day).days + 0.5 - self.waited)

    def chance_within(self, budget_usd: float | None) -> float | None:
        """The chance that it costs no more than so much; None without a limit."""
        if budget_usd is None:
            return None
        return self._chance_with_terms(budget_usd) if self.terms else self._chance_of_days(budget_usd)

    def _chance_of_days(self, budget_usd: float) -> float:
        return self.left_usd.chance_below(budget_usd - self.fixed_usd)

    def _chance_with_terms(self, budget_usd: float) -> float:
        """The share of outcomes up to the one that costs as much as the limit: cost grows with the days, and by steps
        where a further term begins."""
        low, high = -_FAR, _FAR
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            is_within = self.fixed_usd + self.left_usd.beyond(middle) + self.owed_at(middle) <= budget_usd
            low, high = (middle, high) if is_within else (low, middle)
        return _NORMAL.cdf(low)

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
    def terms(self) -> tuple[Terms, ...]:
        """What the chips are paid by and still owe. Of a price that bills have told nothing errs any more."""
        base, held = self.baseline, self.baseline.commitment
        if held is None:
            return ()
        paid = self.points[-1].committed_usd if self.points else 0.0
        spread, n_fixed = 0.0 if self.has_bills else self._plan_cost.spread, None if base.ends else held.n_terms
        return (Terms(held.months, held.term_usd, float((self.as_of - base.work_begins).days), paid, spread, n_fixed),)

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
    def owed_until(self) -> date | None:
        """The day until which the last term that the work is likely to touch is owed; None without terms."""
        return self._last_day_of(self.terms)

    @property
    def begun_until(self) -> date | None:
        """The day until which the term that has begun is owed, whatever the work does; None without terms."""
        return self._last_day_of(one.until(0.0) for one in self.terms)

    def _last_day_of(self, terms: Iterable[Terms]) -> date | None:
        days = self.forecast.end_days.likely
        return max((last_day(self.baseline, one.n_after(days)) for one in terms), default=None)

    @property
    def owed_after_usd(self) -> float:
        """What of the terms falls due after the work is done as it is forecast."""
        paid = sum(one.paid_usd for one in self.terms)
        until_then = max(due_usd(self.baseline, self.forecast.end) - paid, 0.0)
        return max(self.forecast.owed_usd - until_then, 0.0)

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
        return shrunk(planned.scaled(share / base.work_days), self._stretches(RUNNING))

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
        """The last entries from the first on with work done; where spend is asked, those that know it and are no
        invoice, which says nothing of a day."""
        began = next((n for n, one in enumerate(self.points) if one.done > 0), len(self.points))
        told, days = [], 0.0
        before = getattr(self.points[began - 1], name) if 0 < began < len(self.points) else self._first(name)
        for point in self.points[began:]:
            days += point.days
            if not self._knows(name, point.entry):
                continue
            if name != RUNNING or not point.is_invoice:
                told.append(Stretch(max(getattr(point, name) - before, 0.0), days))
            before, days = getattr(point, name), 0.0
        return tuple(told[-N_RECENT:])

    def _knows(self, name: str, entry: Entry) -> bool:
        return knows_spend(self.baseline, entry) if name == RUNNING else knows_work(entry)

    def _first(self, name: str) -> float:
        return self.baseline.upfront_usd if name == RUNNING else 0.0


def standing(tracked: Tracked) -> Standing:
    """Entries added up. A stretch is at least one day; the first begins with the work, or a day before its entry.

    What an entry tells covers all days since the last one that told the same, so that work and bills may come in
    entries of their own; days after the last that told a cost count at the plan's. Empty entries are left out.
    """
    base = tracked.baseline
    told = [one for one in tracked.entries if is_told(one)]
    bills, done, before, points = _Bills(base, paid_at_first(base, told)), 0.0, base.work_begins, []
    for entry in told:
        days = float(max((entry.day - before).days, 1))
        done, before = done + work_of(base, entry), entry.day
        points.append(bills.point(entry, done, days))
    return Standing(tracked, tuple(points))


@dataclass
class _Bills:
    """What bills have paid so far: of it for hardware, and for terms that chips are paid by, which are due by the
    calendar. Days that no bill covers yet count as planned."""

    base: Baseline
    billed_usd: float
    invoiced_usd: float = 0.0
    settled_usd: float = 0.0
    open_days: float = 0.0
    open_from: date | None = None

    def point(self, entry: Entry, done: float, days: float) -> Point:
        """All up to an entry that covers so many days."""
        self.open_days += days
        hardware, is_ahead = self._billed(entry) if knows_spend(self.base, entry) else (0.0, False)
        rent = self._open_rent_usd(entry.day)
        spent = self.billed_usd + self.open_days * self.base.usd_per_day + rent
        return Point(entry.day, done, spent, days, entry, hardware, self.settled_usd + rent, is_ahead)

    def _billed(self, entry: Entry) -> tuple[float, bool]:
        """What of a bill is for hardware, and whether it pays terms ahead."""
        base, spent = self.base, spend_of(self.base, entry)
        hardware = invoiced_usd(base, spent, self.open_days, self.invoiced_usd)
        bill = base, spent, entry.day, self.open_days, self.settled_usd
        is_ahead = ahead_usd(*bill) > 0
        self.settled_usd, self.billed_usd = settled_usd(*bill), self.billed_usd + spent
        self.invoiced_usd, self.open_days, self.open_from = self.invoiced_usd + hardware, 0.0, entry.day
        return hardware, is_ahead

    def _open_rent_usd(self, day: date) -> float:
        """Rent of terms that fell due since the last bill and was not paid ahead."""
        before = due_usd(self.base, self.open_from) if self.open_from else 0.0
        return max(due_usd(self.base, day) - max(before, self.settled_usd), 0.0)


def forecast_from(one: Standing, amount: float) -> Forecast:
    """So much work at the rate and the cost of a day that are believed: ``days = amount / rate``,
    ``cost = spent + days x running cost of a day``, whole terms still to be paid, and hardware still to be paid, less
    its worth then. A service goes on for its months whatever its traffic."""
    days = days_for(one, amount)
    return Forecast(one.as_of, 0.0, days, one.fixed_usd, days.times(one.usd_per_day).plus(one.lost_usd), one.terms)


def days_for(one: Standing, amount: float) -> Belief:
    """Days that so much work takes; of a service those to the end of its months."""
    if one.baseline.ends:
        return Belief(amount, 0.0).over(one.rate)
    return Belief(max(float((planned_end(one.baseline) - one.as_of).days), 0.0), 0.0)


def planned_share(baseline: Baseline, day: date) -> float:
    """Share of the work that was planned to be done by a day."""
    return min(max((day - baseline.work_begins).days / baseline.work_days, 0.0), 1.0)


def planned_usd(baseline: Baseline, day: date) -> float:
    """Money that was planned to be paid by a day: porting, hardware when the work begins, terms that chips are paid by
    as they fall due, and each day of work. What the hardware is worth at the end lowers the cost, not what was paid."""
    bought = baseline.hardware.bought_usd if day >= baseline.work_begins else 0.0
    rent = min(due_usd(baseline, day), baseline.committed_usd)
    return baseline.upfront_usd + bought + rent + planned_share(baseline, day) * baseline.running_usd


def planned_end(baseline: Baseline) -> date:
    """The day on which the plan had it done."""
    return day_after(baseline.work_begins, min(baseline.work_days, LONGEST_DAYS)) or date.max
