"""Candidates with their chances, the decision map, and the rejected ones with their limits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from core.comparison.cost_words import cost_told, cost_words
from core.comparison.recommendation.arguments import best_of_each
from core.comparison.recommendation.confidence import hundredth
from core.comparison.result import CandidateResult
from core.report.blocks import Cell, Column, Figure, Paragraph, Section, Table
from core.report.having_words import caution_words, lead_lines
from core.report.pages.context import PageContext, evidence_cell, name_cell, usd_range
from core.report.price_notes import price_cell
from core.report.time_words import time_words
from core.units import DASH, counted, grouped, noun, plain, span, usd
from core.workload.profile import Profile

_MOST_REJECTED = 40
CHANCE_TITLE = "Chance best, of 100"
_NOTE = (
    "Chance best: in how many of 100 draws it is the best of those that can be had at a proved price; a dash for one "
    "that takes no part. Attested: a source tells machine, network and this size. "
    "Plausible: the seller sells such, this size is not stated. On paper: ask first."
)


def candidates_page(context: PageContext) -> Section | None:
    """The best of each accelerator that meets every limit, with what each costs and how often it is the best."""
    best = best_of_each(context.feasible)
    if not best:
        return None
    weights = context.profile.weights
    intro = (
        f"Best of each accelerator that meets every limit, ranked on {caution_words(weights.worst_pct)} by "
        f"cost {plain(weights.cost)}, {'speed' if context.is_serving else 'time'} {plain(weights.time)}, "
        f"flexibility {plain(weights.flexibility)}. Ranges hold 80 % of outcomes."
    )
    cost = _cost_title(context)
    time = f"{context.profile.unit_word.capitalize()}/s" if context.is_serving else "Days"
    columns = (
        Column("Candidate", weight=2.5),
        Column("Can be had", weight=1.45),
        Column(cost, "right", 2.2),
        Column(time, "right", 2.1),
        Column("Flexibility", "right", 1.45),
        Column(CHANCE_TITLE, "right", 1.35),
        Column("Evidence", weight=2.05),
        Column("Price of", weight=1.5),
    )
    rows = (*(_row(context, result) for result in best), *_together(best))
    told = (*_leads(context), Paragraph(_NOTE, "note"))
    return Section("candidates", "Candidates", (Paragraph(intro), Table(columns, rows), *told))


def _together(shown: Sequence[CandidateResult]) -> tuple[tuple[Cell, ...], ...]:
    """The sum of the chances, where all options that are compared are shown."""
    bests = [result.chance.best for result in shown if result.chance and result.chance.best is not None]
    if len(bests) < 2 or not math.isclose(sum(bests), 1.0, abs_tol=1e-6):
        return ()
    empty = Cell("")
    return ((Cell("All together", tone="muted"), *[empty] * 4, Cell("100", tone="muted"), empty, empty),)


def chance_cell(result: CandidateResult, is_pick: bool) -> Cell:
    """In how many of 100 draws an option is the best; a dash for one that takes no part."""
    best = result.chance.best if result.chance else None
    return Cell(DASH) if best is None else Cell(hundredth(best), tone="strong" if is_pick else "")


def _leads(context: PageContext) -> tuple[Paragraph, ...]:
    """What would be better than the pick if it holds."""
    lines = lead_lines(context.results)
    return tuple(Paragraph(line) for line in (("Leads, better if they hold:", *lines) if lines else ()))


def having_cell(result: CandidateResult) -> Cell:
    """Attested, plausible or on paper."""
    status = result.obtainable.status
    return Cell(status.capitalize(), tone="bad" if status == "on paper" else "")


def map_page(context: PageContext) -> Section | None:
    """The decision map."""
    if not context.results.results:
        return None
    on_line = sum(result.pareto for result in context.feasible)
    lie = f"{counted(on_line, 'option')} {noun(str(on_line), 'lies', 'lie')}"
    caption = f"Lower left is better. {lie} on the Pareto line: each is the cheapest for its time."
    pick = context.pick
    figure = Figure("decision-map", context.results, pick.id if pick else None, caption, _map_alt(context), 0.6)
    return Section("map", "Decision map", (figure,))


def rejected_page(context: PageContext) -> Section | None:
    """Every limit that ruled options out, with the nearest change that would admit them."""
    rejected = context.rejected
    if not rejected:
        return None
    counts = Counter(result.reasons[0].code for result in rejected)
    first: dict[tuple[str, str, str], CandidateResult] = {}
    for result in rejected:
        first.setdefault(
            (result.candidate.accelerator.id, result.candidate.offer.provider, result.reasons[0].code), result
        )
    shown = list(first.values())[:_MOST_REJECTED]
    summary = ", ".join(f"{code.replace('_', ' ')} {number}" for code, number in counts.most_common())
    columns = (
        Column("Candidate", weight=3),
        Column(_cost_title(context), "right", 1.2),
        Column("Limit missed", weight=3.5),
        Column("Nearest change", weight=2.8),
    )
    intro = Paragraph(
        f"{grouped(len(rejected))} options miss a limit ({summary}). The first of each accelerator, seller and limit:"
    )
    return Section(
        "rejected",
        "Rejected options and why",
        (intro, Table(columns, tuple(_rejected_row(context.profile, result) for result in shown))),
    )


def _row(context: PageContext, result: CandidateResult) -> tuple[Cell, ...]:
    score, offer = result.flexibility.score, result.candidate.offer
    cost = cost_told(context.profile, result.cost)
    return (
        name_cell(result),
        having_cell(result),
        Cell(usd(cost.likely), usd_range(cost)),
        Cell(*time_words(result)),
        Cell(plain(score.likely, 2), span(plain(score.low, 2), plain(score.high, 2))),
        chance_cell(result, context.pick is not None and result.id == context.pick.id),
        evidence_cell(result),
        price_cell(offer, context.today, context.plan.old_price_days),
    )


def _cost_title(context: PageContext) -> str:
    return "Cost" if context.profile.job.months_in_service is None else "Cost per month"


def _rejected_row(profile: Profile, result: CandidateResult) -> tuple[Cell, ...]:
    reason = result.reasons[0]
    cost = usd(cost_told(profile, result.cost).likely) if result.cost.total.likely > 0 else ""
    return (
        name_cell(result),
        Cell(cost, tone="muted"),
        Cell(str(reason.text), tone="bad"),
        Cell(str(reason.nearest_change), tone="muted"),
    )


def _map_alt(context: PageContext) -> str:
    pick = context.pick
    fit = f"{len(context.feasible)} options fit, {len(context.rejected)} miss a limit."
    return f"Cost against time. {fit}" + (
        f" The pick is {pick.candidate.name} at {cost_words(context.profile, pick.cost)}." if pick else ""
    )
