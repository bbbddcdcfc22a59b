"""Actuals on paper: what was done and spent against the plan as it was, where it leads, and ways on."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.actuals.answer import ActualsAnswer, actuals_answers
from core.comparison.actuals.words import figures, headline, notes, option_figures, options_line
from core.report.blocks import Block, Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PageContext

TITLE = "Actuals"
_ABOUT = (
    "Share done and spend are those of the last entry, beside what the plan had by that day. Rate and cost of a day "
    "are the plan's own ranges moved towards the last entries by how much these say; ranges hold 80 %."
)
_TONES = {"": "", "err": "bad"}


def actuals_pages(contexts: Sequence[PageContext]) -> tuple[Section, ...]:
    """The page of a plan with actuals; none without any."""
    plan = contexts[0].plan if contexts else None
    if plan is None or not plan.actuals:
        return ()
    answers = actuals_answers(plan.actuals, {one.profile.id: one.results for one in contexts})
    blocks = [block for one in answers for block in _blocks(one, len(answers) > 1)]
    return (Section("actuals", TITLE, (*blocks, Paragraph(_ABOUT, "note"))),) if blocks else ()


def _blocks(answer: ActualsAnswer, is_named: bool) -> tuple[Block, ...]:
    one = answer.standing
    lead = f"{answer.name}: {headline(one)}" if is_named else str(headline(one))
    ways = (_ways(answer),) if answer.options else ()
    told = [Paragraph(str(line), "note") for line in notes(one, answer.drift)]
    return (Paragraph(lead, "lead"), _figures(answer), *ways, *told)


def _figures(answer: ActualsAnswer) -> Table:
    columns = (Column("", weight=1.4), Column("Now", "right", 1.8), Column("Planned", "right", 1.2))
    rows = [
        (Cell(row.title), Cell(str(row.now), str(row.range), below=True, tone=_TONES[row.tone]), Cell(str(row.planned)))
        for row in figures(answer.standing)
    ]
    return Table(columns, tuple(rows), f"As of {answer.standing.as_of.isoformat()}")


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
