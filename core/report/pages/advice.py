"""Common advice beside the numbers: which rules fired, and whether the result agrees."""

from __future__ import annotations

from core.comparison.advice.rules import agreement
from core.comparison.result import AdviceRule
from core.report.blocks import Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PageContext
from core.units import counted, noun

_SIDES = {"gpu": "GPU", "tpu": "TPU", "depends": "Neither"}


def advice_page(context: PageContext) -> Section | None:
    """Every rule that fired."""
    advice = context.results.advice
    if not advice:
        return None
    agree, sides = agreement(advice)
    intro = (
        "Common advice comes from published guides, told in our words; it never enters the ranking. "
        f"{agree} of the {counted(sides, 'rule')} that {noun(str(sides), 'takes', 'take')} a side "
        f"{noun(str(agree), 'agrees', 'agree')} with the computed result."
    )
    columns = (
        Column("Rule", weight=0.6),
        Column("Advice", weight=3),
        Column("Favours", weight=0.9),
        Column("Fired because", weight=3),
        Column("Numbers", weight=1.1),
    )
    return Section(
        "advice", "Common advice and the numbers", (Paragraph(intro), Table(columns, tuple(map(_row, advice))))
    )


def _row(rule: AdviceRule) -> tuple[Cell, ...]:
    verdict = {True: Cell("agree"), False: Cell("disagree", tone="warn"), None: Cell("take no side", tone="muted")}[
        rule.agrees
    ]
    return (
        Cell(rule.rule, tone="muted"),
        Cell(rule.title),
        Cell(_SIDES[rule.favours]),
        Cell(str(rule.fired_because)),
        verdict,
    )
