"""Common advice beside the numbers: which rules fired, and whether the result agrees."""

from __future__ import annotations

from core.comparison.advice.rules import agreement
from core.comparison.result import AdviceRule
from core.report.blocks import Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PageContext
from core.units import counted

_SIDES = {"gpu": "GPU", "tpu": "TPU", "mixed": "Both", "depends": "Neither"}


def advice_page(context: PageContext) -> Section | None:
    """Every rule that fired."""
    advice = context.results.advice
    if not advice:
        return None
    agree, sides = agreement(advice)
    intro = (
        "Common advice comes from published guides, told in our words; it never enters the ranking. "
        f"The numbers have a say on {counted(sides, 'rule')} and agree with {agree}. "
        f"Sources are {advice[0].as_of}; newer facts are told where they are known."
    )
    columns = (
        Column("Rule", weight=0.6),
        Column("Advice", weight=3),
        Column("Favours", weight=0.9),
        Column("Fired because", weight=3),
        Column("Numbers", weight=1.1),
    )
    return Section(
        "advice",
        "Common advice and the numbers",
        (Paragraph(intro), *_banner(context), Table(columns, tuple(map(_row, advice)))),
    )


def _banner(context: PageContext) -> tuple[Paragraph, ...]:
    """Rules that take different sides, and what decided; empty where all are of one mind."""
    return tuple(Paragraph(f"Advice is divided. {text}.", "lead") for text in context.results.advice_conflicts)


def _origin(rule: AdviceRule) -> str:
    return f"{rule.source}. {rule.newer}" if rule.newer else rule.source


def _row(rule: AdviceRule) -> tuple[Cell, ...]:
    verdict = {True: Cell("agree"), False: Cell("disagree", tone="warn"), None: Cell("do not tell", tone="muted")}[
        rule.agrees
    ]
    return (
        Cell(rule.rule, rule.name, tone="muted", below=True),
        Cell(rule.title, _origin(rule), below=True),
        Cell(_SIDES[rule.favours]),
        Cell(str(rule.fired_because)),
        verdict,
    )
