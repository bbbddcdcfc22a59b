"""Cash of a scheme as it is printed: rounded so that parts add up to quarters, and quarters to the total."""

from __future__ import annotations

from dataclasses import dataclass

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
    """Each part rounded over all quarters first, so that its sum is off by a step at most, then its quarters."""
    columns = list(zip(*((q.base_used_usd, q.idle_usd, q.burst_usd, q.other_usd) for q in quarters), strict=True))
    wholes = added_up([sum(column) for column in columns], total, step)
    rounded = [_column(column, usd, step) for column, usd in zip(columns, wholes, strict=True)]
    rows = zip(*rounded, strict=True)
    return PrintedCash(tuple((one.name, tuple(row)) for one, row in zip(quarters, rows, strict=True)))


def _column(usd: Row, whole: float, step: float) -> Row:
    return added_up(usd, whole, step) if whole > 0 else (0.0,) * len(usd)
