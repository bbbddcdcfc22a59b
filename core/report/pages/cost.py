"""Cost by part and unit cost against use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.comparison.cost_words import over_term
from core.comparison.questions.cost_answers import Answer, answers
from core.comparison.questions.number_of_chips import count_curve, curve_sentences
from core.comparison.recommendation.warnings import warnings_on
from core.comparison.result import CandidateResult
from core.comparison.together.plan_answer import as_printed
from core.cost.registry import part_ids, title_of
from core.report.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table
from core.report.ledger import scale_of, unit_words, units_text
from core.report.pages.context import PageContext, name_cell, usd_range
from core.report.pages.sums import source_cell
from core.units import shown_money, usd

_MOST = 5
_MOST_PARTS = 6
"""Parts with a column of their own; the smaller ones stand together, and the formulas of the pick name each."""


def cost_page(context: PageContext, with_formulas: bool = True) -> Section | None:
    """Bars by part with their values below, the pick's bill in other words, its formulas unless they stand elsewhere,
    unit cost against use."""
    best = context.results.shown_feasible(_MOST)
    if not best:
        return None
    pick = context.pick or best[0]
    blocks: list[Block] = [
        Figure("cost-by-part", context.results, pick.id, "", _alt(best), 0.36),
        _values(context, best),
        Paragraph(f"What {pick.candidate.name} costs, asked in other ways", "heading"),
        _answers(context, pick),
        Paragraph(" ".join(curve_sentences(context.results, count_curve(context.results, pick)))),
        *_warnings(context, pick),
        *(_formulas(pick) if with_formulas else ()),
        Figure("unit-cost", context.results, pick.id, "", "Unit cost falls with use; crossovers are marked.", 0.34),
    ]
    return Section("cost", "Cost", tuple(blocks))


def _values(context: PageContext, best: Sequence[CandidateResult]) -> Table:
    """Whole units of each part, and what the total, in three digits, differs from them by."""
    parts, rest = _columns(best)
    scale, word = scale_of(min(as_printed(result.cost.total.likely) for result in best))
    in_units = partial(_units, scale=scale)
    rows = []
    for result in best:
        units = [in_units(result.cost.part(part)) for part in parts]
        units += [sum(in_units(result.cost.part(part)) for part in rest)] if rest else []
        total = in_units(as_printed(result.cost.total.likely))
        rows.append((result, [*units, total - sum(units)], total))
    is_rounded = any(units[-1] for _, units, _ in rows)
    shown = slice(None) if is_rounded else slice(-1)
    columns = (
        Column(f"Candidate, {unit_words(word)}", weight=2.6),
        *(Column(title_of(part), "right") for part in parts),
        *((Column("Other", "right"),) if rest else ()),
        *((Column("Rounding", "right"),) if is_rounded else ()),
        Column(f"Total{over_term(context.profile)}", "right"),
    )
    words = ", ".join(title_of(part).lower() for part in rest)
    notes = [f"Other: {words}."] if rest else []
    cells = tuple(
        (name_cell(result), *(Cell(units_text(one)) for one in units[shown]), Cell(units_text(total), tone="strong"))
        for result, units, total in rows
    )
    return Table(columns, cells, " ".join([*notes, *_guessed(best)]))


def _units(usd_amount: float, scale: float) -> int:
    return round(usd_amount * shown_money().per_usd / scale)


def _guessed(best: Sequence[CandidateResult]) -> list[str]:
    """Which parts rest on estimates, in the order of the bill."""
    estimated = {part.id for result in best for part in result.cost.parts if part.estimate and part.usd}
    names = ", ".join(title_of(part).lower() for part in part_ids() if part in estimated)
    return [f"Rests on estimates: {names}."] if names else []


def _columns(best: Sequence[CandidateResult]) -> tuple[list[str], list[str]]:
    """Parts that have a column, in the order of the bill, and those that stand together (none, or at least two)."""
    sums = {part: sum(result.cost.part(part) for result in best) for part in part_ids()}
    present = [part for part in part_ids() if sums[part] > 0]
    if len(present) <= _MOST_PARTS + 1:
        return present, []
    large = sorted(present, key=lambda part: -sums[part])[:_MOST_PARTS]
    return [part for part in present if part in large], [part for part in present if part not in large]


def _answers(context: PageContext, pick: CandidateResult) -> Table:
    columns = (Column("Question", weight=1.6), Column("Likely", "right", 1.0), Column("80 % range", weight=2.4))
    rows = tuple(
        (Cell(one.title), Cell(one.text, tone="strong"), Cell(usd_range(one.amount), tone="muted"))
        for one in _told_once(answers(context.profile, pick))
        if one.amount
    )
    return Table(columns, rows)


def _told_once(every: Sequence[Answer]) -> list[Answer]:
    """Each amount under the first of its titles: of a run of two weeks, what a month or a year costs is the whole."""
    return list({one.amount: one for one in reversed(every)}.values())[::-1]


def _warnings(context: PageContext, pick: CandidateResult) -> tuple[Block, ...]:
    """What to check before deciding; nothing where there is nothing to warn of."""
    warned = warnings_on(context.results, pick, context.today, context.plan.old_price_days)
    if not warned:
        return ()
    rows = tuple((Cell(str(one.text).rstrip("."), tone="warn"), Cell(str(one.nearest_change))) for one in warned)
    table = Table((Column("Warning", weight=3), Column("What helps", weight=1.6)), rows)
    return (Paragraph("Check before deciding", "heading"), table)


def _formulas(pick: CandidateResult) -> tuple[Block, ...]:
    columns = (
        Column("Part", weight=1.2),
        Column("Likely", "right", 0.9),
        Column("Formula", weight=2.6),
        Column("Inputs", weight=3),
        Column("Source", weight=1.4),
    )
    rows = tuple(
        (
            Cell(title_of(part.id)),
            Cell(usd(part.usd)),
            Cell(part.formula),
            Cell("; ".join(f"{name} {value}" for name, value in part.inputs)),
            source_cell(part),
        )
        for part in pick.cost.parts
        if part.usd
    )
    return Paragraph(f"How the cost of {pick.candidate.name} is made", "heading"), Table(columns, rows)


def _alt(best: Sequence[CandidateResult]) -> str:
    return "; ".join(f"{result.candidate.name} {usd(result.cost.total.likely)}" for result in best)
