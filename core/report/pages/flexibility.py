"""Flexibility: criteria with weights and evidence, and the bill for leaving."""

from __future__ import annotations

from core.comparison.recommendation.arguments import best_of_each
from core.comparison.result import CandidateResult
from core.report.blocks import Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PageContext, name_cell
from core.units import THIN, counted, plain, span, usd

_MOST = 5


def flexibility_page(context: PageContext) -> Section | None:
    """The criteria of the pick, the exit bill of each, and the chart."""
    best = best_of_each(context.feasible)[:_MOST]
    if not best:
        return None
    pick = context.pick or best[0]
    blocks = (
        Paragraph(
            "Score = 100 × sum of weight × value over the sum of weights. Formulas and weights are our proposal.",
            "note",
        ),
        Paragraph(f"Criteria of {pick.candidate.name}", "heading"),
        _criteria(pick),
        Paragraph("What leaving would cost", "heading"),
        _exits(best),
    )
    return Section("flexibility", "Flexibility", blocks)


def _criteria(pick: CandidateResult) -> Table:
    columns = (
        Column("Criterion", weight=2),
        Column("Value", "right", 1.2),
        Column("Weight", "right", 0.8),
        Column("Formula", weight=3),
        Column("Evidence", weight=2),
    )
    rows = tuple(
        (
            Cell(f"{c.id} {c.title}"),
            Cell(plain(100 * c.value.likely, 2), span(plain(100 * c.value.low, 2), plain(100 * c.value.high, 2))),
            Cell(plain(c.weight)),
            Cell(c.formula),
            Cell(c.evidence, "estimate" if c.estimate else "", below=True, tone="warn" if c.estimate else ""),
        )
        for c in pick.flexibility.criteria
    )
    return Table(columns, rows, is_small=True)


def _exits(best: list[CandidateResult]) -> Table:
    columns = (
        Column("Candidate", weight=3),
        Column("Score", "right"),
        Column("Exit bill", "right"),
        Column("Exit weeks", "right"),
    )
    rows = tuple(
        (
            name_cell(r),
            Cell(plain(r.flexibility.score.likely, 2)),
            Cell(usd(r.flexibility.exit_usd)),
            Cell(counted(r.flexibility.exit_weeks, "week", digits=2).replace(" ", THIN)),
        )
        for r in best
    )
    return Table(columns, rows)
