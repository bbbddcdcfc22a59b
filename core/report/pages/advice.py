"""Common advice beside the numbers: which rules fired, and whether the result agrees."""

from __future__ import annotations

from collections.abc import Set

from core.comparison.advice.rules import agreement
from core.comparison.result import AdviceRule
from core.report.blocks import Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PageContext, PlanContext
from core.report.time_words import with_days
from core.units import counted

_SIDES = {"gpu": "GPU", "tpu": "TPU", "mixed": "Both", "depends": "Neither"}


def advice_pages(context: PlanContext) -> list[tuple[PageContext, Section | None]]:
    """Of each workload; what newer facts say of a rule stands under the first that it applies to."""
    newer: set[str] = set()
    pages = []
    for one in context.workloads:
        pages.append((one, advice_page(one, newer)))
        newer.update(rule.newer for rule in one.results.advice)
    return pages


def advice_page(context: PageContext, told_newer: Set[str] = frozenset()) -> Section | None:
    """Every rule that fired; those on which the numbers have no say by name alone."""
    advice = context.results.advice
    if not advice:
        return None
    agree, sides = agreement(advice)
    of_all = (
        "Common advice comes from published guides, told in our words; it never enters the ranking. "
        f"Sources are {with_days(advice[0].as_of)}; newer facts are told where they are known."
    )
    agreed = f"The numbers have a say on {counted(sides, 'rule')} and agree with {agree}."
    columns = (
        Column("Rule", weight=1.7),
        Column("Advice, and why it applies", weight=5),
        Column("Favours", weight=0.8),
        Column("Numbers", weight=0.9),
        Column("Source", weight=1.5),
    )
    rows = tuple(_row(rule, told_newer) for rule in advice if rule.agrees is not None)
    told = {rule.rule for rule in advice if rule.agrees is not None}
    untold = [rule for rule in advice if rule.rule not in told]
    silent = ", ".join(dict.fromkeys(f"{rule.rule} {rule.name}" for rule in untold))
    rest = (Paragraph(f"Apply too, and the numbers do not tell: {silent}.", "note"),) if silent else ()
    table = (Table(columns, rows, is_small=True),) if rows else ()
    return Section(
        "advice",
        "Common advice and the numbers",
        (Paragraph(of_all, once=True), *_banner(context, agreed), *table, *rest),
    )


def _banner(context: PageContext, agreed: str) -> tuple[Paragraph, ...]:
    """How many rules the numbers agree with, and below it those that take different sides with what decided."""
    divided = (f"Advice is divided. {with_days(str(text))}." for text in context.results.advice_conflicts)
    return Paragraph(agreed), *(Paragraph(words, "lead") for words in divided)


def _row(rule: AdviceRule, told_newer: Set[str]) -> tuple[Cell, ...]:
    newer = "" if rule.newer in told_newer else rule.newer
    verdict = Cell("agree") if rule.agrees else Cell("disagree", tone="warn")
    return (
        Cell(rule.name, rule.rule, below=True, tone="muted"),
        Cell(rule.title, with_days(". ".join(filter(None, (str(rule.fired_because), newer)))), below=True),
        Cell(_SIDES[rule.favours]),
        verdict,
        Cell(rule.source, tone="muted"),
    )
