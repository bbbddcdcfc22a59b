"""Commitments, and what an early end loses: in whole units of the ledger, on the days on which the loss changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

from core.catalogue.providers import provider_name
from core.comparison.together.due import has_term, is_committed, is_prepaid, n_terms, owed_until
from core.comparison.together.ways import Picked
from core.report.blocks import Block, Cell, Column, Paragraph, Table
from core.report.ledger import BOUGHT, Ledger, units_text
from core.units import DASH, date_text

PREPAID_WORDS = "is paid whole when it is reserved and not paid back"
EARLY_END = "Commitments, and what an early end loses"
MOST_DAYS = 5
"""So many days stand as columns."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """Chips that are owed by the term, or a block that was paid ahead on a day: from their first day to the end of the
    last term, in whole units of the ledger."""

    name: str
    begins: date
    until: date
    term_days: float
    units: int
    paid_ahead_on: date | None = None

    @property
    def owed_from(self) -> date:
        """The day on which the first term, or the whole block, is owed."""
        return self.paid_ahead_on or self.begins

    def lost(self, day: date) -> int:
        """What is owed for nothing when all work ends on a day: the rest of the term that has begun."""
        if not self.owed_from <= day < self.until:
            return 0
        held = max((day - self.begins).days, 0)
        paid = max(ceil(held / self.term_days), 1) * self.term_days
        whole = (self.until - self.begins).days
        return round(self.units * (min(paid, whole) - held) / whole)


def commitments_of(ledger: Ledger) -> tuple[Commitment, ...]:
    """What the picks commit the plan to."""
    return tuple(_commitment(ledger, number, one) for number, one in enumerate(ledger.picks) if is_committed(one))


def _commitment(ledger: Ledger, number: int, one: Picked) -> Commitment:
    offer = one.pick.candidate.offer
    owed = ledger.owed(number)
    until = max(owed_until(one), one.begins + timedelta(days=1))
    name = f"{provider_name(offer.provider)}, {date_text(one.begins)} to {date_text(until)}"
    if is_prepaid(one):
        reserved = one.profile.limits.start_date
        return Commitment(f"{name}, paid ahead", one.begins, until, (until - one.begins).days, owed, reserved)
    return Commitment(name, one.begins, until, (until - one.begins).days / n_terms(one), owed)


def early_end_blocks(ledger: Ledger) -> tuple[Block, ...]:
    """What is committed to whom, and what of it is lost when all work ends on some day."""
    listed = commitments_of(ledger)
    heading = Paragraph(EARLY_END, "heading")
    if not listed:
        return heading, Paragraph(_bought(ledger) or "Nothing is committed: what ends early is not paid any longer.")
    days = _days(listed)
    columns = (
        Column(f"Lost when all work ends on, {ledger.unit}", weight=3),
        Column("Committed", "right"),
        *(Column(date_text(day), "right") for day in days),
    )
    rows = [_row(one.name, one.units, [one.lost(day) for day in days]) for one in listed]
    lost = [sum(one.lost(day) for one in listed) for day in days]
    sums = _row("Owed for nothing", sum(one.units for one in listed), lost, "strong")
    table = Table(columns, (*rows, *((sums,) if len(rows) > 1 else ())))
    return heading, table, Paragraph(_note(ledger), "note")


def _note(ledger: Ledger) -> str:
    kinds = [
        "A term is owed to its end once it has begun." if any(map(has_term, ledger.picks)) else "",
        f"A capacity block {PREPAID_WORDS}." if any(map(is_prepaid, ledger.picks)) else "",
        "Nothing is counted for passing it on. A dash: nothing is owed.",
    ]
    return " ".join(filter(None, (*kinds, _bought(ledger))))


def _bought(ledger: Ledger) -> str:
    """What of hardware remains; empty where none is bought."""
    units = sum(ledger.of(number, BOUGHT) for number in range(len(ledger.picks)))
    if not units:
        return ""
    bought = f"Hardware is bought for {units_text(units)} ({ledger.unit})"
    return f"{bought}: an early end leaves it to other work, or to be sold for what it is then worth."


def _days(listed: Sequence[Commitment]) -> list[date]:
    """The day from which each commitment is owed, its half and its last quarter; those of the dearest of many."""
    days: list[date] = []
    for one in sorted(listed, key=lambda one: -one.units):
        span = (one.until - one.begins).days
        later = [one.begins + timedelta(days=round(span * share)) for share in (0.5, 0.75)]
        new = list(dict.fromkeys([one.owed_from, *later]))
        days += [day for day in new if day not in days][: MOST_DAYS - len(days)]
    return sorted(days)


def _row(name: str, units: int, lost: Sequence[int], tone: str = "") -> tuple[Cell, ...]:
    cells = (Cell(units_text(one) if one else DASH, tone=tone) for one in lost)
    return Cell(name, tone=tone), Cell(units_text(units), tone=tone), *cells
