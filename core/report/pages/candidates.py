"""Candidates with their chances, the decision map, and the rejected ones with their limits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from core.comparison.cost_words import cost_told, cost_words
from core.comparison.questions.day_of_chips import further_usd, term_h
from core.comparison.result import CandidateResult
from core.report.blocks import Cell, Column, Figure, Paragraph, Section, Table
from core.report.having_words import caution_words, lead_lines, shares_of_limits
from core.report.pages.context import PageContext, evidence_cell, mark_of, name_cell, usd_range
from core.report.time_words import time_words, with_days
from core.units import DASH, NO_BREAK, THIN, counted, grouped, hundredth, in_hundred, plain, span, usd
from core.workload.profile import Profile

MOST_LEADS = 2
MOST_ROWS, MOST_WITH_MAP = 12, 6
"""So many candidates stand in the table of a workload."""
MAP_SHARES = (0.6, 0.5, 0.4)
"""Shares of the page that the map of a workload takes where it has room."""
CHANCE_TITLE = f"Chance best, of{NO_BREAK}100"
_NOTE = (
    "Chance best: in how many of 100 draws it is the best of those that can be had at a proved price; a dash for one "
    "that takes no part. Attested: a source tells machine, network and this size. "
    "Plausible: the seller sells such, this size is not stated. On paper: ask first."
)


def candidates_page(context: PageContext, number: int = 1, of: int = 1, with_map: bool = False) -> Section | None:
    """A workload's own page: the best of each accelerator that meets every limit, with what each costs and how often it
    is the best, the map, and the risk in a sentence. ``number`` is its place among ``of`` workloads."""
    best = context.results.best_feasible
    if not best:
        return None
    shown = context.results.shown_feasible(MOST_WITH_MAP if with_map else MOST_ROWS)
    weights = context.profile.weights
    intro = (
        f"Best of each accelerator that meets every limit, ranked on {caution_words(weights.worst_pct)} by "
        f"cost {plain(weights.cost)}, {'speed' if context.is_serving else 'time'} {plain(weights.time)}, "
        f"flexibility {plain(weights.flexibility)}. Ranges hold 80{THIN}% of outcomes."
    )
    cost = _cost_title(context)
    time = f"{context.profile.unit_word.capitalize()}/s" if context.is_serving else "Days"
    columns = (
        Column("Candidate", weight=4.2),
        Column(f"Can be{NO_BREAK}had", weight=1.3),
        Column(cost, "right", 1.6),
        Column(time, "right", 1.6),
        Column("Flexibility", "right", 1.2),
        Column(CHANCE_TITLE, "right", 1.2),
        Column("Evidence", weight=2.6),
    )
    rows = (*(_row(context, result) for result in shown), *_together(best, shown))
    eyebrow = f"Workload {number} of {of}: {context.profile.name}" if of > 1 else f"Workload: {context.profile.name}"
    figures = (map_figure(context, 0.3, MAP_SHARES),) if with_map else ()
    blocks = (
        Paragraph(eyebrow, "eyebrow"),
        Paragraph(intro),
        Table(columns, rows),
        Paragraph(_NOTE, "note"),
        *_leads(context, 1 if with_map else MOST_LEADS),
        *figures,
        *(Paragraph(line) for line in (risk_words(context),) if line),
    )
    return Section("candidates", page_title(context), blocks)


def page_title(context: PageContext) -> str:
    """``256 × B200 trains on time in 97 of 100 draws, for $1.35 M``: the pick's chance and cost."""
    pick = context.pick
    if pick is None:
        return "Candidates"
    chance, does = pick.chance, f"{context.profile.job.words.deed}s"
    words = " on time" if chance and [*shares_of_limits(chance)] == ["the deadline"] else " within its limits"
    kept = f"{words} in {in_hundred(chance.in_limits)} draws," if chance and chance.has_limits else ""
    return f"{pick.candidate.name} {does}{kept} for {cost_words(context.profile, pick.cost)}"


def risk_words(context: PageContext) -> str:
    """``The risk: the deadline is missed in 17 of 100 draws, and the budget in 3; each further day costs $82 k.``"""
    pick = context.pick
    chance = pick.chance if pick else None
    if pick is None or chance is None:
        return ""
    missed = [f"{words} in {in_hundred(1 - share)} draws" for words, share in shares_of_limits(chance).items()]
    told = f"The risk: misses {', '.join(missed)}." if missed else "No limit is set that draws could miss."
    return f"{told} {_further_day(context.profile, pick)}".rstrip() if context.profile.job.trains else told


def _further_day(profile: Profile, pick: CandidateResult) -> str:
    """Empty where chips are there and cost nothing."""
    a_day = further_usd(profile, pick)
    if a_day > 0:
        return f"A further day of its chips costs {usd(a_day)}."
    return "A further day of its chips costs nothing: their term is paid whole." if term_h(pick) else ""


def _together(every: Sequence[CandidateResult], shown: Sequence[CandidateResult]) -> tuple[tuple[Cell, ...], ...]:
    """Chips that are not shown as one row, and the sum of the chances, where all options that are compared are here."""
    ids = {result.id for result in shown}
    more = [result for result in every if result.id not in ids]
    rest = sum(_best(result) for result in more)
    rows = [_sum_row(counted(len(more), "more chip that fits", "more chips that fit"), hundredth(rest))] if more else []
    compared = [result for result in every if result.chance and result.chance.best is not None]
    if len(compared) >= 2 and math.isclose(sum(map(_best, compared)), 1.0, abs_tol=1e-6):
        rows.append(_sum_row("All together", "100"))
    return tuple(rows)


def _best(result: CandidateResult) -> float:
    return (result.chance.best if result.chance else None) or 0.0


def _sum_row(name: str, chance: str) -> tuple[Cell, ...]:
    return Cell(name, tone="muted"), *[Cell("")] * 4, Cell(chance, tone="muted"), Cell("")


def chance_cell(result: CandidateResult, is_pick: bool) -> Cell:
    """In how many of 100 draws an option is the best; a dash for one that takes no part."""
    best = result.chance.best if result.chance else None
    return Cell(DASH) if best is None else Cell(hundredth(best), tone="strong" if is_pick else "")


def _leads(context: PageContext, most: int) -> tuple[Paragraph, ...]:
    """What would be better than the pick if it holds."""
    lines = lead_lines(context.results)[:most]
    return tuple(Paragraph(line, "note") for line in (("Leads, better if they hold:", *lines) if lines else ()))


def having_cell(result: CandidateResult) -> Cell:
    """Attested, plausible or on paper."""
    status = result.obtainable.status
    return Cell(status.capitalize(), tone="bad" if status == "on paper" else "")


def map_page(context: PageContext) -> Section | None:
    """The decision map alone."""
    return Section("map", "Decision map", (map_figure(context, 0.6),)) if context.results.results else None


def map_figure(context: PageContext, height_share: float, larger: tuple[float, ...] = ()) -> Figure:
    """The decision map."""
    caption = "Lower left is better. The dark line joins the options shown that none beats in both cost and time."
    pick = context.pick
    chosen = pick.id if pick else None
    return Figure("decision-map", context.results, chosen, caption, _map_alt(context), height_share, larger)


def rejected_page(context: PageContext) -> Section | None:
    """The limits that rule options out, the most frequent first, each with how many and the one nearest to fitting."""
    columns, n_feasible = context.results.columns, context.results.n_feasible
    first: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for row in range(n_feasible, columns.n):
        code = columns.codes[row][0]
        counts[code] += 1
        first.setdefault(code, row)
    if not counts:
        return None
    rows = tuple(_group_row(context, code, count, first[code]) for code, count in counts.most_common())
    total = (Cell("Rejected", tone="strong"), Cell(grouped(counts.total()), tone="strong"), *[Cell("")] * 3)
    heads = (
        Column("Limit missed", weight=1.2),
        Column("Options", "right", 0.8),
        Column("First of them", weight=1.7),
        Column("What it misses", weight=3.2),
        Column("What would admit it", weight=2.4),
    )
    intro = Paragraph(
        "Each option counts once, under the first limit that it misses; the first of them ranks first.", once=True
    )
    return Section("rejected", "Rejected options by reason", (intro, Table(heads, (*rows, total), is_small=True)))


def _group_row(context: PageContext, code: str, count: int, row: int) -> tuple[Cell, ...]:
    result = context.results.results[row]
    reason = result.reasons[0]
    words = code.replace("_", " ")
    return (
        Cell(f"{words[:1].upper()}{words[1:]}"),
        Cell(grouped(count)),
        Cell(result.candidate.name, mark=mark_of(result)),
        Cell(with_days(str(reason.text)).rstrip(".")),
        Cell(str(reason.nearest_change), tone="muted"),
    )


def _row(context: PageContext, result: CandidateResult) -> tuple[Cell, ...]:
    score = result.flexibility.score
    cost = cost_told(context.profile, result.cost)
    return (
        name_cell(result),
        having_cell(result),
        Cell(usd(cost.likely), usd_range(cost), below=True),
        Cell(*time_words(result), below=True),
        Cell(plain(score.likely, 2), span(plain(score.low, 2), plain(score.high, 2)), below=True),
        chance_cell(result, context.pick is not None and result.id == context.pick.id),
        evidence_cell(result),
    )


def _cost_title(context: PageContext) -> str:
    return "Cost" if context.profile.job.months_in_service is None else "Cost per month"


def _map_alt(context: PageContext) -> str:
    pick = context.pick
    n_fit, n_all = context.results.n_feasible, len(context.results.results)
    fit = f"{n_fit} options fit, {n_all - n_fit} miss a limit."
    return f"Cost against time. {fit}" + (
        f" The pick is {pick.candidate.name} at {cost_words(context.profile, pick.cost)}." if pick else ""
    )
