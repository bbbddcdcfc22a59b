"""Scenarios: the inputs in which they differ and the answers to each, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from core.plan.plan import Plan
from core.report.blocks import Block, Cell, Column, Paragraph, Section, Table
from core.report.pages.context import mark_of
from core.report.scenarios.answers import AnswerCell, ScenarioAnswer, answer_rows
from core.report.scenarios.head import head_words
from core.report.scenarios.inputs import InputCell, differing_inputs
from core.units import counted

MOST_COLUMNS = 5
"""Scenarios beside each other on a page, the base among them."""
_LABEL_WEIGHT = 1.4
_NOTE = "Differences to the first column. All scenarios are judged on the same draws; {} of {} in all."


def scenarios_page(plan: Plan, profile_index: int, answers: Sequence[ScenarioAnswer]) -> Section | None:
    """The scenarios of one workload, the base first; none where there is no other. Answers that are not known yet, and
    those beyond five, are left out."""
    shown = [one for one in answers if one.results or one.problem][:MOST_COLUMNS]
    if len(shown) < 2:
        return None
    columns = (Column("", weight=_LABEL_WEIGHT), *(Column(one.name, weight=1.5) for one in shown))
    inputs = differing_inputs(plan, profile_index, [one.id for one in shown])
    blocks: tuple[Block, ...] = (
        Paragraph(f"{head_words(shown)}.", "lead"),
        Paragraph(f"Inputs that differ, {len(inputs.rows)} of {counted(inputs.n_in_all, 'input')}", "heading"),
        Table(columns, tuple((Cell(row.info.title), *map(_input, row.cells)) for row in inputs.rows)),
        Paragraph("Answers", "heading"),
        Table(columns, tuple((Cell(row.title), *map(_answer, row.cells)) for row in answer_rows(shown))),
        Paragraph(_NOTE.format(len(shown), len(answers)), "note"),
    )
    return Section("scenarios", "Scenarios", blocks)


def _input(cell: InputCell) -> Cell:
    return Cell(cell.text, tone="strong" if cell.is_changed else "muted")


def _answer(cell: AnswerCell) -> Cell:
    more = ", ".join(words for words in (cell.second, cell.difference) if words)
    return Cell(cell.text, more, below=True, mark=mark_of(cell.mark) if cell.mark else "", tone=cell.tone)
