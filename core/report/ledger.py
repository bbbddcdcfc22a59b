"""The plan's cash in whole units: whatever is summed on paper, the sum is that of the amounts printed.

Each part of a bill is rounded once, so that a reader's own sum from its formula agrees. A workload's total holds the
three digits that it has everywhere else; what these differ by from its parts stands as a part of its own, rounding. The
months of a group are differences of rounded running sums, so none is off by more than one. Cost of capital is a part of
the total that no month holds, as it is due to nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from core.comparison.together.due import (
    CAPITAL,
    COMMITTED,
    MAINTENANCE,
    MOVING,
    PURCHASE,
    RESALE,
    UPKEEP,
    Payment,
    capital_usd,
    due_by_month,
    dues,
    is_committed,
)
from core.comparison.together.plan_answer import PlanAnswer, added_up, as_printed
from core.comparison.together.ways import Picked
from core.cost.parts.hardware import PART as HARDWARE
from core.months import Month, by_quarter, months_from
from core.units import MINUS, grouped, shown_money

CHIPS, BOUGHT, DATA, STAFF = "Chips", "Hardware", "Storage, transfer", "Own staff"
SOLD, TIED_UP = "Worth at the end", "Cost of capital"
ROUNDING = "rounding"
"""By what the total, in three digits, differs from its parts."""
GROUPS = {
    CHIPS: ("compute", "idle", "commitment_waste", "interruptions"),
    BOUGHT: (PURCHASE,),
    "Maintenance": (MAINTENANCE,),
    "Room and power": ("colocation", "energy"),
    DATA: ("storage", "egress"),
    STAFF: ("operations", "pipeline", "porting", "setting_up"),
    "Support": ("support",),
    "Waiting": ("waiting",),
    "Moving weights": (MOVING,),
    "Further software": (UPKEEP,),
    "Rounding": (ROUNDING,),
    SOLD: (RESALE,),
    TIED_UP: (CAPITAL,),
}
"""Parts of a bill, and of those that hardware is made of, that finance reads as one."""
OTHER = "Other"
_GROUP_OF = {part: group for group, parts in GROUPS.items() for part in parts}
_SCALES = ((1e9, 1e6, "million"), (1e5, 1e3, "thousand"))
"""From which total on amounts are told in which unit."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Whole units of one part of a bill that are due in a month; ``workload`` is its place among the picks, None for
    what workloads share. ``month`` is None for a cost that is due to nobody; ``item`` is that of the payment."""

    workload: int | None
    part: str
    month: Month | None
    units: int
    item: str = ""

    @property
    def group(self) -> str:
        """What finance calls the part."""
        return _group_of(self)


@dataclass(frozen=True)
class Ledger:
    """All that is due, in units of ``scale`` of the currency shown."""

    picks: tuple[Picked, ...]
    scale: float
    word: str
    entries: tuple[Entry, ...]

    @property
    def unit(self) -> str:
        """What heads a table: ``$ thousand``; ``$`` for single ones."""
        return unit_words(self.word)

    @property
    def total(self) -> int:
        """All of it."""
        return self.sum(self.entries)

    @property
    def total_due(self) -> int:
        """All that is due in some month: all but the cost of capital."""
        return self.due(self.months)

    @property
    def most_out(self) -> tuple[Month, int] | None:
        """The month by whose end most is paid, and how much, where that is more than all costs in the end: hardware is
        paid whole, and its worth comes back. None where it is not."""
        if not any(one.group == SOLD for one in self.entries):
            return None
        paid = zip(self.months, accumulate(self.due([month]) for month in self.months), strict=True)
        month, units = max(paid, key=lambda one: one[1])
        return (month, units) if units > self.total else None

    def in_units(self, usd: float) -> int:
        """US dollars in whole units."""
        return round(usd * shown_money().per_usd / self.scale)

    @cached_property
    def months(self) -> tuple[Month, ...]:
        """Every month from the first to the last in which something is due."""
        present = sorted({one.month for one in self.entries if one.month})
        if not present:
            return ()
        return months_from(present[0], present[-1])

    @property
    def quarters(self) -> tuple[tuple[Month, ...], ...]:
        """The months by quarters of the calendar."""
        return tuple(map(tuple, by_quarter(self.months).values()))

    def sum(self, entries: Iterable[Entry]) -> int:
        """Units of some entries together."""
        return sum(one.units for one in entries)

    def due(self, months: Sequence[Month]) -> int:
        """Units due in some months."""
        return self.sum(one for one in self.entries if one.month in months)

    def by_part(self, workload: int | None) -> dict[str, int]:
        """Units of each part of a workload's bill, or of what workloads share, in the order of the bill."""
        units: dict[str, int] = {}
        for one in self.entries:
            if one.workload == workload:
                units[one.part] = units.get(one.part, 0) + one.units
        return units

    def of(self, workload: int | None, *groups: str) -> int:
        """Units of a workload's groups, all of them where none is named."""
        return self.sum(one for one in self.entries if one.workload == workload and (not groups or one.group in groups))

    def owed(self, number: int) -> int:
        """Units that a workload's chips owe to the end of their term whatever becomes of the work; 0 without one."""
        if not is_committed(self.picks[number]):
            return 0
        return self.sum(one for one in self.entries if one.workload == number and one.part in COMMITTED)


def ledger_of(answer: PlanAnswer) -> Ledger:
    """The ledger of a plan's picks, moves and further software."""
    scale, word = scale_of(answer.printed_usd)
    moving, upkeep = (sum(as_printed(one.usd) for one in listed) for listed in (answer.moving, answer.upkeep))
    listed = dues(answer.picks, moving, upkeep)
    totals: dict[int | None, float] = {number: _total_usd(one) for number, one in enumerate(answer.picks)}
    totals[None] = moving + upkeep
    tied_up: dict[int | None, float] = {number: capital_usd(one) for number, one in enumerate(answer.picks)}
    tied_up[None] = 0.0
    entries = [
        entry
        for workload, usd in totals.items()
        for entry in _entries([one for one in listed if one.workload == workload], tied_up[workload], usd, scale)
    ]
    return Ledger(answer.picks, scale, word, tuple(entries))


def ledger_of_pick(pick: Picked) -> Ledger:
    """The ledger of one workload alone, in units that suit its own total."""
    scale, word = scale_of(_total_usd(pick))
    entries = _entries(dues([pick], 0.0, 0.0), capital_usd(pick), _total_usd(pick), scale)
    return Ledger((pick,), scale, word, tuple(entries))


def units_text(units: int) -> str:
    """Whole units as read: ``1 288``, with a minus sign below 0."""
    return f"{MINUS}{grouped(-units)}" if units < 0 else grouped(units)


def unit_words(word: str) -> str:
    """``$ thousand``; ``$`` for single ones."""
    return f"{shown_money().unit} {word}".strip()


def scale_of(total_usd: float) -> tuple[float, str]:
    """The unit in which a total is told whole, and its word."""
    shown = total_usd * shown_money().per_usd
    return next(((scale, word) for least, scale, word in _SCALES if shown >= least), (1.0, ""))


def _total_usd(pick: Picked) -> float:
    return as_printed(pick.pick.cost.total.likely)


def _entries(listed: Sequence[Payment], tied_up_usd: float, total_usd: float, scale: float) -> Iterator[Entry]:
    """One workload's entries, which add up to its total in whole units."""
    rate = shown_money().per_usd / scale
    by_group: dict[str, list[Payment]] = {}
    for due in listed:
        by_group.setdefault(_group_of(due), []).append(due)
    paid = [entry for group in by_group.values() for entry in _group_entries(group, rate)]
    entries = [*paid, *_capital_entry(listed, paid, tied_up_usd, rate)]
    rest = round(total_usd * rate) - sum(one.units for one in entries)
    yield from (*entries, *_rounding_entries(listed, paid, rest))


def _group_of(one: Payment | Entry) -> str:
    return _GROUP_OF.get(one.item or one.part, OTHER)


def _capital_entry(
    listed: Sequence[Payment], paid: Sequence[Entry], tied_up_usd: float, rate: float
) -> Iterator[Entry]:
    """Cost of capital: what the payments leave of the whole units of hardware, by which it may be off by two."""
    if not tied_up_usd:
        return
    usd = tied_up_usd + sum(one.usd for one in listed if one.part == HARDWARE)
    units = round(usd * rate) - sum(one.units for one in paid if one.part == HARDWARE)
    yield Entry(listed[0].workload, HARDWARE, None, units, CAPITAL)


def _rounding_entries(listed: Sequence[Payment], paid: Sequence[Entry], units: int) -> Iterator[Entry]:
    """Rounding by days from the first payment to the last, in the months in which something is due all the same."""
    if not units:
        return
    span = min(one.begins for one in listed), max(one.ends for one in listed)
    days = dict(due_by_month(Payment(None, ROUNDING, 1.0, *span)))
    known = {one.month for one in paid} or set(days)
    kept = {month: share for month, share in days.items() if month in known}
    for month, own in zip(kept, _whole_units(tuple(kept.values()), abs(units)), strict=True):
        if own:
            yield Entry(listed[0].workload, ROUNDING, month, own if units > 0 else -own)


def _by_part(listed: Iterable[Payment]) -> dict[str, float]:
    """USD of each part, which may fall due in several payments."""
    usd: dict[str, float] = {}
    for one in listed:
        usd[one.part] = usd.get(one.part, 0.0) + one.usd
    return usd


def _group_entries(group: Sequence[Payment], rate: float) -> Iterator[Entry]:
    """Entries of parts that are read as one: whole units of each part, and of each month of all of them."""
    by_month: dict[Month, float] = {}
    for due in group:
        for month, usd in due_by_month(due):
            by_month[month] = by_month.get(month, 0.0) + usd
    months = dict(sorted(by_month.items()))
    units = {part: round(usd * rate) for part, usd in _by_part(group).items()}
    free = dict(zip(months, _whole_units(tuple(months.values()), sum(units.values())), strict=True))
    for part, left in units.items():
        for month in months:
            taken = free[month] if len(units) == 1 else min(left, free[month])
            left, free[month] = left - taken, free[month] - taken
            if taken:
                yield Entry(group[0].workload, part, month, taken, group[0].item)


def _whole_units(amounts: Sequence[float], total: int) -> list[int]:
    """Whole units that add up to a total, in proportion to amounts; both below 0 where money comes back."""
    sign = -1 if total < 0 else 1
    kept = [sign * one for one in amounts]
    return [sign * round(one) for one in added_up(kept, sign * total, 1.0)] if total else [0] * len(amounts)
