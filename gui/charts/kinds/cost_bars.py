"""C4, cost by part: one stacked bar an option, cheapest first, those that miss a limit last."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.questions.bill_parts import OTHER, large_parts, part_explanation, small_parts
from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.types import PART_ORDER, PART_WORDS
from core.units import usd
from gui.charts.figure.figure import Axis, Bar, Figure, LegendEntry, Limit, Row, left_room, right_room
from gui.charts.figure.shown import (
    MoneyScale,
    colour_key,
    empty_sentence,
    money_scale,
    reason_text,
    shape_of,
    shown_results,
)
from gui.charts.view.chart_view import ChartView

UNUSED = ("commitment_waste", "idle", "interruptions", "waiting")
"""Paid for without work done: hatched."""


def cost_bars(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The bars as a figure."""
    shown = sorted((r for r in shown_results(results, selected_id) if r.cost.total.likely > 0), key=_order)
    if not shown:
        sentence = empty_sentence(results) or "No option has a cost yet"
        return Figure("Cost by part", empty=sentence)
    largest = _largest(results, shown)
    scale = money_scale(largest)
    rows = tuple(_row(r, scale) for r in shown)
    bars = tuple(bar for number, r in enumerate(shown) for bar in _bars(r, number))
    return Figure(
        "Cost by part",
        _summary(shown),
        x=Axis(f"Total cost, {scale.words}", 0.0, largest * 1.03, scale=scale.divisor),
        rows=rows,
        bars=bars,
        limits=_budget(results, largest),
        legend=_legend(shown),
        table=_table(shown),
        left_px=left_room(rows),
        right_px=right_room(rows),
        whisker_below=True,
    )


def _order(result: CandidateResult) -> tuple[bool, float]:
    return not result.feasible, result.cost.total.likely


def _largest(results: ResultSet, shown: Sequence[CandidateResult]) -> float:
    fits = [r for r in shown if r.feasible] or shown
    largest = max(r.cost.total.high for r in fits)
    near = [r.cost.total.high for r in shown if r.cost.total.high < 1.6 * largest]
    budget = results.profile.limits.budget_usd or 0.0
    return max([*near, budget if budget < 2 * largest else 0.0])


def _row(result: CandidateResult, scale: MoneyScale) -> Row:
    total, candidate = result.cost.total, result.candidate
    note = "" if result.feasible else reason_text(result)
    texts = ((scale.text(total.likely), "ink" if result.feasible else "ink3"), (scale.range_text(total), "ink3"))
    return Row(
        result.id,
        candidate.name,
        shape_of(candidate.accelerator),
        colour_key(candidate.accelerator),
        not result.feasible,
        texts,
        note,
        max(total.likely, total.high),
        (total.low, total.high),
        tip=f"{candidate.name}, {candidate.place}\n{note}".strip(),
    )


def _bars(result: CandidateResult, number: int) -> list[Bar]:
    """Segments in the order of the bill; parts too thin to see stand together at the end."""
    at, bars = 0.0, []
    for part in large_parts(result):
        bars.append(_bar(result, number, at, part.id, part.usd))
        at += part.usd
    if small := small_parts(result):
        bars.append(_bar(result, number, at, OTHER, sum(part.usd for part in small)))
    return bars


def _bar(result: CandidateResult, number: int, at: float, part: str, amount: float) -> Bar:
    tip = _tip(result, part, amount)
    return Bar(number, at, at + amount, f"part:{part}", tip, part in UNUSED, part)


def _tip(result: CandidateResult, part: str, amount: float) -> str:
    """Part, amount and share; the parts within, where several stand together; the mark of an estimate."""
    words = PART_WORDS.get(part, "Other parts")
    share = 100 * amount / result.cost.total.likely
    found = part_explanation(result, part)
    lines = [f"{words} {usd(amount)}, {share:.0f} % of {result.candidate.name}"]
    lines += [f"{name} {text}" for name, text in found.inputs] if found and part == OTHER else []
    lines += ["Rests on an estimate"] if found and found.estimate else []
    return "\n".join([*lines, "Click for the formula"])


def _budget(results: ResultSet, largest: float) -> tuple[Limit, ...]:
    budget = results.profile.limits.budget_usd
    if not budget or budget > largest * 1.03:
        return ()
    return (Limit("budget", "x", budget, "Budget", draggable=True, past=False),)


def _legend(shown: Sequence[CandidateResult]) -> tuple[LegendEntry, ...]:
    """The parts that have a segment somewhere, and the rest together."""
    seen = {part.id for r in shown for part in large_parts(r)}
    legend = [
        LegendEntry(PART_WORDS[p], f"part:{p}", "hatch" if p in UNUSED else "box") for p in PART_ORDER if p in seen
    ]
    rest = [LegendEntry("Other", f"part:{OTHER}", "box")] if any(small_parts(r) for r in shown) else []
    return (*legend, *rest)


def _summary(shown: Sequence[CandidateResult]) -> str:
    lines = [f"{r.candidate.name}: {usd(r.cost.total.likely)}, mostly {_main_part(r)}." for r in shown[:4]]
    return "Cheapest first. " + " ".join(lines)


def _main_part(result: CandidateResult) -> str:
    return PART_WORDS[max(PART_ORDER, key=result.cost.part)].lower()


def _table(shown: Sequence[CandidateResult]) -> tuple[tuple[str, ...], ...]:
    header = ("candidate", "place", "fits", *(f"{part}_usd" for part in PART_ORDER), "total_usd", "low_usd", "high_usd")
    rows = [header]
    for r in shown:
        parts = [f"{r.cost.part(part):.2f}" for part in PART_ORDER]
        totals = [f"{value:.2f}" for value in (r.cost.total.likely, r.cost.total.low, r.cost.total.high)]
        rows.append((r.candidate.name, r.candidate.place, "yes" if r.feasible else "no", *parts, *totals))
    return tuple(rows)


class CostBars(ChartView):
    """Cost by part as a widget."""

    series_name = "cost-by-part"

    def build(self, results: ResultSet, selected_id: str | None) -> Figure:
        """See :func:`cost_bars`."""
        return cost_bars(results, selected_id)
