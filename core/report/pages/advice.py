"""Common advice beside the numbers: which rules fired, and whether the result agrees."""

from __future__ import annotations

from core.comparison.advice.rules import agreement
from core.comparison.result import AdviceRule
from core.report.blocks import Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PageContext
from core.report.time_words import with_days
from core.units import counted

_SIDES = {"gpu": "GPU", "tpu": "TPU", "mixed": "Both", "depends": "Neither"}


def advice_page(context: PageContext) -> Section | None:
    """Every rule that fired; those on which the numbers have no say by name alone."""
    advice = context.results.advice
    if not advice:
        return None
    agree, sides = agreement(advice)
    intro = (
        "Common advice comes from published guides, told in our words; it never enters the ranking. "
        f"The numbers have a say on {counted(sides, 'rule')} and agree with {agree}. "
        f"Sources are {with_days(advice[0].as_of)}; newer facts are told where they are known."
    )
    columns = (
        Column("Rule", weight=1.7),
        Column("Advice, and why it applies", weight=4.4),
        Column("Favours", weight=0.8),
        Column("Numbers", weight=1),
        Column("Source", weight=2),
    )
    rows = tuple(_row(rule) for rule in advice if rule.agrees is not None)
    told = {rule.rule for rule in advice if rule.agrees is not None}
    untold = [rule for rule in advice if rule.rule not in told]
    silent = ", ".join(dict.fromkeys(f"{rule.rule} {rule.name}" for rule in untold))
    rest = (Paragraph(f"Apply too, and the numbers do not tell: {silent}.", "note"),) if silent else ()
    table = (Table(columns, rows, is_small=True),) if rows else ()
    return Section("advice", "Common advice and the numbers", (Paragraph(intro), *_banner(context), *table, *rest))


def _banner(context: PageContext) -> tuple[Paragraph, ...]:
    """Rules that take different sides, and what decided; empty where all are of one mind."""
    return tuple(
        Paragraph(f"Advice is divided. {with_days(str(text))}.", "lead") for text in context.results.advice_conflicts
    )


def _row(rule: AdviceRule) -> tuple[Cell, ...]:
    verdict = Cell("agree") if rule.agrees else Cell("disagree", tone="warn")
    return (
        Cell(rule.name, rule.rule, below=True, tone="muted"),
        Cell(rule.title, with_days(". ".join(filter(None, (str(rule.fired_because), rule.newer)))), below=True),
        Cell(_SIDES[rule.favours]),
        verdict,
        Cell(rule.source, tone="muted"),
    )
