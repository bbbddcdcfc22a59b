"""Actuals on paper: what was done and spent against the plan as it was, where it leads, and ways on."""

from __future__ import annotations

from datetime import date

from core.comparison.actuals.answer import ActualsAnswer, actuals_answers
from core.comparison.actuals.standing import Standing
from core.comparison.actuals.words import (
    CHARTS,
    figures,
    headline,
    notes,
    option_figures,
    options_line,
)
from core.report.blocks import AnswerFigure, Block, Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PlanContext
from core.units import date_text

TITLE = "Actuals"
_ABOUT = (
    "Share done and spend are those of the last entry, beside what the plan had by that day. Rate and cost of a day "
    "are the plan's own ranges moved towards the last entries by how much these say; ranges hold 80 %."
)
_TONES = {"": "", "err": "bad"}


LEFT_OUT = (
    "What was done and spent so far is not on this paper: with it, a reader could work out private prices. The plan "
    "itself still has it."
)


def actuals_pages(context: PlanContext) -> tuple[Section, ...]:
    """The page of a plan with actuals; none without any, and a sentence where they may not leave."""
    if context.leaves_out_actuals:
        return (Section("actuals", TITLE, (Paragraph(LEFT_OUT),)),)
    results = {one.profile.id: one.results for one in context.workloads}
    answers = actuals_answers(context.plan.actuals, results, context.plan.phases)
    blocks = [block for one in answers for block in _blocks(one, len(answers) > 1, context.today)]
    return (Section("actuals", TITLE, (*blocks, Paragraph(_ABOUT, "note"))),) if blocks else ()


def _blocks(answer: ActualsAnswer, is_named: bool, today: date) -> tuple[Block, ...]:
    one = answer.standing
    lead = f"{answer.name}: {headline(one)}" if is_named else str(headline(one))
    ways = (_ways(answer),) if answer.options else _no_ways(one)
    told = [Paragraph(str(line), "note") for line in notes(one, answer.drift)]
    return (Paragraph(lead, "lead"), *_charts(answer, today), _figures(answer), *ways, *told)


def _charts(answer: ActualsAnswer, today: date) -> tuple[AnswerFigure, ...]:
    """Work and spend over days; none before the first entry."""
    one = answer.standing
    if not one.points:
        return ()
    return tuple(AnswerFigure(chart, one, today, "", str(headline(one))) for chart in CHARTS)


def _figures(answer: ActualsAnswer) -> Table:
    columns = (Column("", weight=1.4), Column("Now", "right", 1.8), Column("Planned", "right", 1.2))
    rows = [
        (Cell(row.title), Cell(str(row.now), str(row.range), below=True, tone=_TONES[row.tone]), Cell(str(row.planned)))
        for row in figures(answer.standing, answer.phases)
    ]
    return Table(columns, tuple(rows), f"As of {date_text(answer.standing.as_of)}")


def _no_ways(one: Standing) -> tuple[Paragraph, ...]:
    line = str(options_line(one, ()))
    return (Paragraph(line),) if line else ()


def _ways(answer: ActualsAnswer) -> Table:
    columns = (
        Column("What to do", weight=2.0),
        Column("Cost", "right", 1.2),
        Column("Done on", "right", 1.4),
        Column("Chance", "right", 1.2),
    )
    rows = [
        (
            Cell(str(one.title), str(one.detail), below=True),
            *(Cell(str(text), str(beside), below=True) for text, beside in option_figures(one)),
        )
        for one in answer.options
    ]
    return Table(columns, tuple(rows), str(options_line(answer.standing, answer.options)))
