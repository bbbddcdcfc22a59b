"""Cash of a scheme as it is printed: rounded so that parts add up to quarters, and quarters to the total."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from core.comparison.portfolio.result import Quarter, Scheme
from core.comparison.together.plan_answer import added_up, as_printed, last_digit

PARTS = ("Base in use", "Idle", "Above the base", "All else")
"""What the cash of a quarter is for, in the order of a row."""
Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PrintedCash:
    """USD of each quarter by :data:`PARTS`, with sums of what is printed."""

    quarters: tuple[tuple[str, Row], ...]

    @property
    def of_parts(self) -> Row:
        """Sum of each part."""
        return tuple(sum(column) for column in zip(*(row for _, row in self.quarters), strict=True))

    @property
    def of_quarters(self) -> Row:
        """Sum of each quarter."""
        return tuple(sum(row) for _, row in self.quarters)

    @property
    def total(self) -> float:
        """Of all."""
        return sum(self.of_quarters)


def printed_cash(scheme: Scheme) -> PrintedCash:
    """In steps of the last of three digits of the total: sums of rounded cells are the total as printed."""
    total = as_printed(scheme.total.likely)
    return _in_steps(scheme.quarters, total, last_digit(total))


def cash_in_cents(scheme: Scheme, total_usd: float) -> PrintedCash:
    """The same to the cent, as JSON tells it."""
    return _in_steps(scheme.quarters, total_usd, 0.01)


def _in_steps(quarters: tuple[Quarter, ...], total: float, step: float) -> PrintedCash:
    rows = [(one.base_used_usd, one.idle_usd, one.burst_usd, one.other_usd) for one in quarters]
    cells = added_up(list(chain.from_iterable(rows)), total, step)
    of_quarter = (cells[4 * at : 4 * at + 4] for at in range(len(rows)))
    return PrintedCash(tuple((one.name, row) for one, row in zip(quarters, of_quarter, strict=True)))
