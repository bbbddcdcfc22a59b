"""C4, cost by part: one stacked bar an option, cheapest first, those that miss a limit last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.comparison.cost_words import over_term
from core.comparison.questions.bill_parts import EXPLAINS, OTHER, large_parts, part_explanation, small_parts
from core.comparison.result import CandidateResult, ResultSet
from core.cost.registry import part_ids, title_of, unused_parts
from core.units import usd
from gui.charts.figure.figure import Axis, Bar, Figure, LegendEntry, Limit, Row, left_room, right_room
from gui.charts.figure.kind import ChartKind, Drag, Stand, rounded_usd
from gui.charts.figure.shown import candidate_row, empty_sentence, shown_results
from gui.charts.figure.texts import MoneyScale, money_scale, reason_text

TITLE = "Cost by part"
_OTHER_COLOUR = "other_parts"
BUDGET, NAME_SHARE = "Budget", 0.1
"""The budget's name, and so much of the axis as it takes beside its line."""


def cost_bars(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The bars as a figure."""
    whole = (r for r in shown_results(results, selected_id) if r.cost.total.likely > 0 and r.throughput.fits)
    shown = sorted(whole, key=_order)
    if not shown:
        sentence = empty_sentence(results) or "No option has a cost yet"
        return Figure(TITLE, empty=sentence)
    largest = _largest(results, shown)
    scale = money_scale(largest)
    rows = tuple(_row(r, scale) for r in shown)
    bars = tuple(bar for number, r in enumerate(shown) for bar in _bars(r, number))
    limits = _budget(results, shown, largest)
    return Figure(
        TITLE,
        _summary(shown),
        x=Axis(f"Total cost{over_term(results.profile)}, {scale.words}", 0.0, largest * 1.03, scale=scale.divisor),
        rows=rows,
        bars=bars,
        limits=limits,
        legend=_legend(shown, limits),
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
    row = candidate_row(result, texts, f"{candidate.name}, {candidate.place}\n{note}".strip())
    return replace(row, note=note, note_at=max(total.likely, total.high), range=(total.low, total.high))


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
    colour = _OTHER_COLOUR if part == OTHER else f"part:{part}"
    return Bar(number, at, at + amount, colour, tip, part in unused_parts(), part, EXPLAINS.key(part))


def _tip(result: CandidateResult, part: str, amount: float) -> str:
    """Part, amount and share; the parts within, where several stand together; the mark of an estimate."""
    words = "Other parts" if part == OTHER else title_of(part)
    share = 100 * amount / result.cost.total.likely
    behind = part_explanation(result, part)
    lines = [f"{words} {usd(amount)}, {share:.0f} % of {result.candidate.name}"]
    lines += [f"{name} {text}" for name, text in behind.inputs] if behind and part == OTHER else []
    lines += ["Rests on an estimate"] if behind and behind.estimate else []
    return "\n".join([*lines, "Click for the formula"])


def _budget(results: ResultSet, shown: Sequence[CandidateResult], largest: float) -> tuple[Limit, ...]:
    budget = results.profile.limits.budget_usd
    if not budget or budget > largest * 1.03:
        return ()
    words = "" if _is_struck(shown, budget, largest) else BUDGET
    return (Limit("budget", "x", budget, words, draggable=True, past=False),)


def _is_struck(shown: Sequence[CandidateResult], budget: float, largest: float) -> bool:
    """True where the name of the budget's line, which stands beside its top, would lie on the first bar."""
    return shown[0].cost.total.likely > budget - NAME_SHARE * largest


def _legend(shown: Sequence[CandidateResult], limits: Sequence[Limit]) -> tuple[LegendEntry, ...]:
    """The parts that have a segment somewhere, the rest together, and the budget where its line bears no name."""
    seen = {part.id for r in shown for part in large_parts(r)}
    legend = [part_entry(part, title_of(part)) for part in part_ids() if part in seen]
    rest = [LegendEntry("Other", _OTHER_COLOUR, "box")] if any(small_parts(r) for r in shown) else []
    budget = [LegendEntry(BUDGET, "ink2", "dash") for limit in limits if not limit.label]
    return (*legend, *rest, *budget)


def part_entry(part: str, words: str) -> LegendEntry:
    """A part of the bill in a legend; hatched where nothing is had for the money."""
    return LegendEntry(words, f"part:{part}", "hatch" if part in unused_parts() else "box")


def _summary(shown: Sequence[CandidateResult]) -> str:
    lines = [f"{r.candidate.name}: {usd(r.cost.total.likely)}, mostly {_main_part(r)}." for r in shown[:4]]
    return "Cheapest first. " + " ".join(lines)


def _main_part(result: CandidateResult) -> str:
    return title_of(max(part_ids(), key=result.cost.part)).lower()


def _table(shown: Sequence[CandidateResult]) -> tuple[tuple[str, ...], ...]:
    header = ("candidate", "place", "fits", *(f"{part}_usd" for part in part_ids()), "total_usd", "low_usd", "high_usd")
    rows = [header]
    for r in shown:
        parts = [f"{r.cost.part(part):.2f}" for part in part_ids()]
        totals = [f"{value:.2f}" for value in (r.cost.total.likely, r.cost.total.low, r.cost.total.high)]
        rows.append((r.candidate.name, r.candidate.place, "yes" if r.feasible else "no", *parts, *totals))
    return tuple(rows)


CHART = ChartKind(
    "cost-by-part",
    TITLE,
    cost_bars,
    (Stand("cost", "By part", 10),),
    drags=(Drag("budget", "limits.budget_usd", "Drag budget", rounded_usd),),
    has_rows=True,
)
