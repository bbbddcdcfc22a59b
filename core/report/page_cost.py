"""Cost by part and unit cost against use."""

from __future__ import annotations

from core.comparison.arguments import best_of_each
from core.comparison.result import CandidateResult
from core.cost.types import PART_ORDER, PART_WORDS
from core.report.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table
from core.report.page_context import PageContext, name_cell
from core.units import usd

_MOST = 8


def cost_page(context: PageContext) -> Section | None:
    """Bars by part with their values below, the formulas of the pick, and unit cost against use."""
    best = best_of_each(context.feasible)[:_MOST]
    if not best:
        return None
    pick = context.pick or best[0]
    blocks: list[Block] = [
        Figure(
            "cost-by-part", context.results, pick.id, "Total cost by part, sorted by likely total.", _alt(best), 0.36
        ),
        _values(best),
        Paragraph(f"How the cost of {pick.candidate.name} is made", "heading"),
        _formulas(pick),
        Figure(
            "unit-cost",
            context.results,
            pick.id,
            f"Cost per {pick.cost.unit} against use.",
            "Unit cost falls with use; crossovers are marked.",
            0.34,
        ),
    ]
    return Section("cost", "Cost", tuple(blocks))


def _values(best: list[CandidateResult]) -> Table:
    parts = [part for part in PART_ORDER if any(result.cost.part(part) for result in best)]
    columns = (
        Column("Candidate", weight=2.6),
        *(Column(PART_WORDS[part], "right") for part in parts),
        Column("Total", "right"),
    )
    rows = tuple(
        (
            name_cell(result),
            *(Cell(usd(result.cost.part(part), 2)) for part in parts),
            Cell(usd(result.cost.total.likely), tone="strong"),
        )
        for result in best
    )
    return Table(columns, rows)


def _formulas(pick: CandidateResult) -> Table:
    columns = (
        Column("Part", weight=1.2),
        Column("Likely", "right", 0.9),
        Column("Formula", weight=2.6),
        Column("Inputs", weight=3),
        Column("Source", weight=1.4),
    )
    rows = tuple(
        (
            Cell(PART_WORDS.get(part.id, part.id)),
            Cell(usd(part.usd)),
            Cell(part.formula),
            Cell("; ".join(f"{name} {value}" for name, value in part.inputs)),
            Cell(
                part.source, "estimate" if part.estimate else "", below=True, tone="warn" if part.estimate else "muted"
            ),
        )
        for part in pick.cost.parts
        if part.usd
    )
    return Table(columns, rows)


def _alt(best: list[CandidateResult]) -> str:
    return "; ".join(f"{result.candidate.name} {usd(result.cost.total.likely)}" for result in best)
