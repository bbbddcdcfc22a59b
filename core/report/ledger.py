"""The plan's cash in whole units: whatever is summed on paper, the sum is that of the amounts printed.

Each part of a bill is rounded once, so that a reader's own sum from its formula agrees. A workload's total holds the
three digits that it has everywhere else; what these differ by from its parts stands as a part of its own, rounding. The
months of a group are differences of rounded running sums, so none is off by more than one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from core.comparison.together.due import COMMITTED, MOVING, UPKEEP, Payment, due_by_month, dues, is_committed
from core.comparison.together.plan_answer import PlanAnswer, added_up, as_printed
from core.comparison.together.ways import Picked
from core.units import MINUS, grouped, shown_money

Month = tuple[int, int]
"""Year and month, 1..12."""

CHIPS, BOUGHT, DATA, STAFF = "Chips", "Hardware", "Storage, transfer", "Own staff"
ROUNDING = "rounding"
"""By what the total, in three digits, differs from its parts."""
GROUPS = {
    CHIPS: ("compute", "idle", "commitment_waste", "interruptions"),
    BOUGHT: ("owning",),
    "Room and power": ("colocation", "energy"),
    DATA: ("storage", "egress"),
    STAFF: ("operations", "pipeline", "porting", "setting_up"),
    "Support": ("support",),
    "Waiting": ("waiting",),
    "Moving weights": (MOVING,),
    "Further software": (UPKEEP,),
    "Rounding": (ROUNDING,),
}
"""Parts of a bill that finance reads as one."""
OTHER = "Other"
_GROUP_OF = {part: group for group, parts in GROUPS.items() for part in parts}
_SCALES = ((1e9, 1e6, "million"), (1e5, 1e3, "thousand"))
"""From which total on amounts are told in which unit."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Whole units of one part of a bill that are due in a month; ``workload`` is its place among the picks, None for
    what workloads share."""

    workload: int | None
    part: str
    month: Month
    units: int

    @property
    def group(self) -> str:
        """What finance calls the part."""
        return _GROUP_OF.get(self.part, OTHER)


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

    def in_units(self, usd: float) -> int:
        """US dollars in whole units."""
        return round(usd * shown_money().per_usd / self.scale)

    @cached_property
    def months(self) -> tuple[Month, ...]:
        """Every month from the first to the last in which something is due."""
        present = sorted({one.month for one in self.entries})
        if not present:
            return ()
        first, last = (12 * year + month - 1 for year, month in (present[0], present[-1]))
        return tuple((number // 12, number % 12 + 1) for number in range(first, last + 1))

    @property
    def quarters(self) -> tuple[tuple[Month, ...], ...]:
        """The months by quarters of the calendar."""
        by_quarter: dict[tuple[int, int], list[Month]] = {}
        for year, month in self.months:
            by_quarter.setdefault((year, (month - 1) // 3), []).append((year, month))
        return tuple(map(tuple, by_quarter.values()))

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
    entries = [
        entry
        for workload, usd in totals.items()
        for entry in _entries([one for one in listed if one.workload == workload], usd, scale)
    ]
    return Ledger(answer.picks, scale, word, tuple(entries))


def ledger_of_pick(pick: Picked) -> Ledger:
    """The ledger of one workload alone, in units that suit its own total."""
    scale, word = scale_of(_total_usd(pick))
    return Ledger((pick,), scale, word, tuple(_entries(dues([pick], 0.0, 0.0), _total_usd(pick), scale)))


def units_text(units: int) -> str:
    """Whole units as read: ``1 288``, with a minus sign below 0."""
    return f"{MINUS}{grouped(-units)}" if units < 0 else grouped(units)


def quarter_name(month: Month) -> str:
    """``Q4 26``."""
    year, number = month
    return f"Q{(number + 2) // 3} {year % 100:02}"


def unit_words(word: str) -> str:
    """``$ thousand``; ``$`` for single ones."""
    return f"{shown_money().unit} {word}".strip()


def scale_of(total_usd: float) -> tuple[float, str]:
    """The unit in which a total is told whole, and its word."""
    shown = total_usd * shown_money().per_usd
    return next(((scale, word) for least, scale, word in _SCALES if shown >= least), (1.0, ""))


def _total_usd(pick: Picked) -> float:
    return as_printed(pick.pick.cost.total.likely)


def _entries(listed: Sequence[Payment], total_usd: float, scale: float) -> Iterator[Entry]:
    """One workload's entries, which add up to its total in whole units."""
    rate = shown_money().per_usd / scale
    by_group: dict[str, list[Payment]] = {}
    for due in listed:
        by_group.setdefault(_GROUP_OF.get(due.part, OTHER), []).append(due)
    for group in by_group.values():
        yield from _group_entries(group, rate)
    units = sum(round(usd * rate) for usd in _by_part(listed).values())
    rest = round(total_usd * rate) - units
    whole = Payment(listed[0].workload, ROUNDING, abs(rest) / rate, *_span(listed)) if rest else None
    if whole:
        yield from (replace(one, units=one.units if rest > 0 else -one.units) for one in _group_entries([whole], rate))


def _by_part(listed: Iterable[Payment]) -> dict[str, float]:
    """USD of each part, which may fall due in several payments."""
    usd: dict[str, float] = {}
    for one in listed:
        usd[one.part] = usd.get(one.part, 0.0) + one.usd
    return usd


def _span(listed: Sequence[Payment]) -> tuple[date, date]:
    """From the first day of some payments to the last."""
    return min(one.begins for one in listed), max(one.ends for one in listed)


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
                yield Entry(group[0].workload, part, month, taken)


def _whole_units(amounts: Sequence[float], total: int) -> list[int]:
    """Whole units that add up to a total, in proportion to amounts."""
    return [round(one) for one in added_up(amounts, total, 1.0)] if total else [0] * len(amounts)
