"""Day two: the plan as it stood when tracking began, and what was done and spent since."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from core.workload.field_description import Described, described

Source = Literal["typed", "log"]
MOST_ENTRIES = 2000
_ENTRY, _PLAN = "Actuals", "The plan as it was"


class Entry(Described):
    """What one stretch of days brought, up to ``day``: from the entry before, or from when the work began.

    ``done`` is in the unit of its plan; ``steps`` count where it is empty. ``sha256`` is that of the log it is from.
    """

    day: date = described(..., title="Up to", help="Last day of the stretch", group=_ENTRY)
    done: float | None = described(
        None, title="Done", help="Since the entry before", group=_ENTRY, ge=0, le=1e18, empty="Not known"
    )
    steps: float | None = described(
        None,
        title="Steps",
        help="Optimiser steps since the entry before",
        group=_ENTRY,
        ge=0,
        le=1e12,
        empty="Not known",
    )
    spend_usd: float | None = described(
        None, title="Spent", help="Since the entry before", group=_ENTRY, unit="USD", ge=0, le=1e12, empty="Not known"
    )
    chip_hours: float | None = described(
        None,
        title="Chip hours",
        help="Since the entry before",
        group=_ENTRY,
        unit="hours",
        ge=0,
        le=1e12,
        empty="Not known",
    )
    phase: str = described("", title="Phase", help="Its id; empty: of none", group=_ENTRY, max_length=60)
    source: Source = described("typed", title="From", help="", group=_ENTRY, choices={"typed": "typed", "log": "a log"})
    file_name: str = described("", title="Log", help="Name of its file", group=_ENTRY, max_length=400)
    sha256: str = described("", title="SHA-256", help="Of the log", group=_ENTRY, max_length=64)


class OwnHardware(Described):
    """Chips of one's own: price and installing are paid when the work begins, the worth comes back at its end, and the
    money tied up costs capital that no bill asks for.

    All of it is 0 where the chips are there and paid for.
    """

    price_usd: float = described(0.0, title="Price", help="Of all servers", group=_PLAN, unit="USD", ge=0)
    installing_usd: float = described(
        0.0, title="Network and installing", help="No sale brings it back", group=_PLAN, unit="USD", ge=0
    )
    worth_usd: float = described(0.0, title="Worth at the planned end", help="", group=_PLAN, unit="USD", ge=0)
    capital_usd: float = described(0.0, title="Cost of capital", help="Due to nobody", group=_PLAN, unit="USD", ge=0)

    @property
    def bought_usd(self) -> float:
        """Paid when it comes."""
        return self.price_usd + self.installing_usd


class Commitment(Described):
    """Chips that are paid by whole terms of so many months from when the work begins, whatever the work does.

    ``term_usd`` is the rent of one term with its share of the support plan; ``n_terms`` are those that the plan pays.
    """

    months: int = described(..., title="Months of a term", help="", group=_PLAN, unit="months", ge=1)
    term_usd: float = described(..., title="Rent of a term", help="Of all chips", group=_PLAN, unit="USD", ge=0)
    n_terms: int = described(..., title="Terms", help="That the plan pays", group=_PLAN, ge=1)

    @property
    def planned_usd(self) -> float:
        """Rent of all terms that the plan pays."""
        return self.n_terms * self.term_usd


def _is_none(one: OwnHardware | Commitment | None) -> bool:
    return one is None


class Baseline(Described):
    """A workload's plan, frozen: later prices, measurements and edits do not move it.

    ``amount`` is all the work in ``unit``; of a service the requests of all its months. Ranges hold 80 %: ``rate_low``
    to ``rate_high`` of it a day, ``cost_low_usd`` to ``cost_high_usd``. ``upfront_usd`` (porting) is part of the cost,
    and so is ``own`` less its worth; None for rented chips, and in plans frozen before it was kept. The terms of a
    ``commitment`` are part of it too; None for chips that are paid by use, and in plans frozen before it was kept.
    """

    frozen_on: date = described(..., title="Frozen on", help="", group=_PLAN)
    candidate: str = described(..., title="Option", help="Its id in the comparison", group=_PLAN)
    name: str = described(..., title="Chips", help="", group=_PLAN)
    place: str = described(..., title="Seller", help="", group=_PLAN)
    n_chips: int = described(..., title="Number of chips", help="", group=_PLAN, ge=1)
    usd_per_chip_hour: float = described(..., title="Price", help="Of a chip", group=_PLAN, unit="USD/hour", ge=0)
    unit: str = described("tokens", title="Counted in", help="", group=_PLAN)
    per_step: float | None = described(None, title="A step", help="In that unit", group=_PLAN, gt=0)
    amount: float = described(..., title="All the work", help="", group=_PLAN, gt=0)
    ends: bool = described(True, title="Ends", help="False for a service", group=_PLAN)
    work_begins: date = described(..., title="Work begins", help="After waiting and porting", group=_PLAN)
    work_days: float = described(..., title="Days of work", help="", group=_PLAN, gt=0)
    rate_low: float = described(..., title="Rate, low", help="A day", group=_PLAN, gt=0)
    rate_high: float = described(..., title="Rate, high", help="A day", group=_PLAN, gt=0)
    upfront_usd: float = described(0.0, title="Porting", help="", group=_PLAN, unit="USD", ge=0)
    cost_usd: float = described(..., title="Cost", help="", group=_PLAN, unit="USD", ge=0)
    cost_low_usd: float = described(..., title="Cost, low", help="", group=_PLAN, unit="USD", ge=0)
    cost_high_usd: float = described(..., title="Cost, high", help="", group=_PLAN, unit="USD", ge=0)
    deadline: date | None = described(None, title="Deadline", help="", group=_PLAN)
    budget_usd: float | None = described(None, title="Budget", help="", group=_PLAN, unit="USD", ge=0)
    own: OwnHardware | None = Field(None, exclude_if=_is_none)  # files and fingerprints of rented plans stay
    commitment: Commitment | None = Field(None, exclude_if=_is_none)  # and those of plans that are paid by use

    @property
    def rate(self) -> float:
        """Likely work a day."""
        return self.amount / self.work_days

    @property
    def hardware(self) -> OwnHardware:
        """That of one's own; all 0 where the chips are rented."""
        return self.own or OwnHardware()

    @property
    def running_usd(self) -> float:
        """Likely bills of all days of work: all but porting, what hardware costs, and terms that chips are paid by."""
        hardware = self.hardware.bought_usd - self.hardware.worth_usd + self.hardware.capital_usd
        return max(self.cost_usd - self.upfront_usd - hardware - self.committed_usd, 0.0)

    @property
    def committed_usd(self) -> float:
        """Rent of the terms that the plan pays; 0 where chips are paid by use."""
        return self.commitment.planned_usd if self.commitment else 0.0

    @property
    def bills_hours(self) -> bool:
        """True where hours of chips are money: neither bought nor paid by the term, used or not."""
        return self.own is None and self.commitment is None

    @property
    def usd_per_day(self) -> float:
        """Likely bill of a day of work, without the rent of a term."""
        return self.running_usd / self.work_days

    @property
    def capital_usd_per_day(self) -> float:
        """What the money tied up in hardware costs in a day of work."""
        return self.hardware.capital_usd / self.work_days

    @property
    def wear_usd_per_day(self) -> float:
        """What hardware loses of its worth in a day of work: a straight line from its price to its worth at the end."""
        return max(self.hardware.price_usd - self.hardware.worth_usd, 0.0) / self.work_days


class Tracked(Described):
    """A workload that is tracked: its plan as it was, and entries by their days."""

    workload: str = described(..., title="Workload", help="Its id", group=_PLAN)
    baseline: Baseline
    entries: tuple[Entry, ...] = Field(default=(), max_length=MOST_ENTRIES)


def with_entries(tracked: Tracked, entries: tuple[Entry, ...]) -> Tracked:
    """The same with other entries, put in the order of their days."""
    return tracked.model_copy(update={"entries": tuple(sorted(entries, key=lambda one: one.day))})


def with_tracked(actuals: tuple[Tracked, ...], new: Tracked) -> tuple[Tracked, ...]:
    """All that is tracked with one in the place of that of its workload, or at the end."""
    if any(one.workload == new.workload for one in actuals):
        return tuple(new if one.workload == new.workload else one for one in actuals)
    return (*actuals, new)
