"""How it adds up: every part of each pick's bill with its formula, in the whole units of the ledger."""

from __future__ import annotations

from core.comparison.together.due import MOVING, UPKEEP
from core.cost.bill.types import CostPart
from core.cost.registry import title_of
from core.report.blocks import Cell, Column, Paragraph, Section, Table
from core.report.ledger import ROUNDING, Ledger, ledger_of_pick, units_text
from core.report.pages.context import PlanContext
from core.report.pages.finance.due import month_blocks
from core.report.time_words import with_days
from core.units import NO_BREAK

LEAST_UNITS = 100
"""A workload of fewer of the plan's units is told in its own."""
_SHARED = {MOVING: "Moving weights", UPKEEP: "Further software"}


def sums_page(context: PlanContext) -> list[Section]:
    """A table for each pick, what the whole plan comes to, and months that found no room; none without a pick."""
    ledger = context.ledger
    if ledger is None:
        return []
    names = [one.name for one in ledger.picks]
    blocks = [block for number, name in enumerate(names) for block in _workload(ledger, number, name)]
    return [Section("sums", "How it adds up", (*blocks, *_whole(ledger), *month_blocks(ledger)))]


def _workload(plan: Ledger, number: int, name: str) -> tuple[Paragraph, Table]:
    ledger, place = _suited(plan, number)
    pick, units = plan.picks[number].pick, ledger.by_part(place)
    rows = [
        (
            Cell(title_of(part.id)),
            Cell(part.formula, "; ".join(f"{name} {value}" for name, value in part.inputs), below=True),
            source_cell(part),
            Cell(units_text(units.get(part.id, 0))),
        )
        for part in pick.cost.parts
        if part.usd
    ]
    if ROUNDING in units:
        rows.append((Cell("Rounding"), Cell("The total has three digits"), Cell(""), Cell(units_text(units[ROUNDING]))))
    total = Cell("Sum", tone="strong"), Cell(""), Cell(""), Cell(units_text(ledger.of(place)), tone="strong")
    columns = (
        Column("Part", weight=1),
        Column("Formula, with its inputs", weight=6.6, keeps_width=True),
        Column("Source", weight=2.2),
        Column(ledger.unit.replace(" ", NO_BREAK), "right", 0.9),
    )
    return Paragraph(f"{name}: {pick.candidate.name}", "heading"), Table(columns, (*rows, total), is_small=True)


def source_cell(part: CostPart) -> Cell:
    """Where the figures of a part are from, and that they are an estimate where they are."""
    told = with_days(part.source)
    mark = "estimate" if part.estimate and "estimate" not in told else ""
    return Cell(told, mark, below=True, tone="warn" if part.estimate else "muted")


def _suited(plan: Ledger, number: int) -> tuple[Ledger, int]:
    """The plan's ledger with the workload's place in it; its own for one that is too small for the plan's units."""
    if abs(plan.of(number)) >= LEAST_UNITS:
        return plan, number
    return ledger_of_pick(plan.picks[number]), 0


def _whole(ledger: Ledger) -> tuple[Table, ...]:
    """The workloads and what they share; nothing for a single one."""
    if len(ledger.picks) < 2:
        return ()
    rows = [(Cell(one.name), Cell(units_text(ledger.of(number)))) for number, one in enumerate(ledger.picks)]
    shared = ledger.by_part(None).items()
    rows += [(Cell(_SHARED.get(part, part)), Cell(units_text(units))) for part, units in shared]
    rows.append((Cell("Plan", tone="strong"), Cell(units_text(ledger.total), tone="strong")))
    return (Table((Column("Whole plan", weight=7), Column(ledger.unit, "right")), tuple(rows), is_small=True),)
