"""Chips, days and cost: one bar a number of chips in which the selected offer can be had."""

from __future__ import annotations

from dataclasses import replace

from core.comparison.cost_words import over_term
from core.comparison.questions.number_of_chips import (
    CountCurve,
    chips_text,
    count_curve,
    curve_sentences,
    fewest_words,
)
from core.comparison.result import CandidateResult, ResultSet
from core.units import counted, days_span, days_text, grouped
from core.workload.profile import Profile
from gui.charts.figure.figure import Axis, Bar, Figure, Limit, Row, left_room, right_room
from gui.charts.figure.kind import ChartKind, Question, Stand
from gui.charts.figure.shown import colour_key, empty_sentence, subject
from gui.charts.figure.texts import MoneyScale, money_scale

TITLE = "Chips, days and cost"
FINER = 10.0
"""Amounts lie close together here, so they are told with a digit more than elsewhere."""

NOTE_ROOM = 1.3
"""The axis ends so far beyond the longest whisker that a note finds room."""


def count_bars(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The bars as a figure, fewest chips first; the cheapest and the fewest that fit are named."""
    shown = subject(results, selected_id)
    return curve_figure(results, shown, count_curve(results, shown)) if shown else _no_figure(results)


def _no_figure(results: ResultSet) -> Figure:
    sentence = "No number of chips of this offer holds the model; select another candidate"
    return Figure(TITLE, empty=empty_sentence(results) or sentence)


def curve_figure(results: ResultSet, shown: CandidateResult, curve: CountCurve) -> Figure:
    """The figure of a curve that is known."""
    if not curve.points:
        return _no_figure(results)
    largest = max(point.cost.total.high for point in curve.points)
    scale = _finer(largest)
    rows = tuple(_row(point, curve, results.profile, scale) for point in curve.points)
    return Figure(
        TITLE,
        " ".join(curve_sentences(results, curve)),
        f"{shown.candidate.accelerator.short_name}, {shown.candidate.place}",
        x=Axis(f"Total cost{over_term(results.profile)}, {scale.words}", 0.0, largest * NOTE_ROOM, scale=scale.divisor),
        rows=rows,
        bars=tuple(_bar(point, number) for number, point in enumerate(curve.points)),
        limits=_budget(results, largest),
        table=_table(curve),
        left_px=left_room(rows),
        right_px=right_room(rows),
        whisker_below=True,
    )


def _finer(largest_usd: float) -> MoneyScale:
    """Thousands where others tell millions, without digits that are not known."""
    scale = money_scale(largest_usd / FINER)
    return replace(scale, decimals=max(scale.decimals - 1, 0))


def tags(point: CandidateResult, curve: CountCurve, profile: Profile) -> tuple[str, ...]:
    """What a number of chips is known for: cheapest, fewest in time, soonest."""
    fewest = fewest_words(profile).lower()
    known = [("cheapest", curve.cheapest), (fewest, curve.fewest)]
    known += [("soonest", curve.soonest)] if point.days_to_finish else []
    return tuple(word for word, best in known if best is point)


def _row(point: CandidateResult, curve: CountCurve, profile: Profile, scale: MoneyScale) -> Row:
    total, key = point.cost.total, "ink" if point.feasible else "ink3"
    note = ", ".join(tags(point, curve, profile)).capitalize() if point.feasible else _first_reason(point)
    days = point.days_to_finish
    texts = [(f"{days_text(days.likely)} d", key), (days_span(days.low, days.high), "ink3")] if days else []
    if load := point.throughput.load:
        texts = [(counted(load.replicas, "replica"), key)]
    money = [(scale.text(total.likely), key), (scale.range_text(total), "ink3")]
    return Row(
        point.id,
        chips_text(point),
        hollow=not point.feasible,
        right=(*texts, *money),
        note=note,
        note_at=max(total.likely, total.high),
        range=(total.low, total.high),
        tip=f"{chips_text(point)}\n{note}".strip(),
    )


def _first_reason(point: CandidateResult) -> str:
    return str(point.reasons[0].text) if point.reasons else ""


def _bar(point: CandidateResult, number: int) -> Bar:
    key = colour_key(point.candidate.accelerator) if point.feasible else "line2"
    return Bar(number, 0.0, point.cost.total.likely, key, chips_text(point))


def _budget(results: ResultSet, largest: float) -> tuple[Limit, ...]:
    budget = results.profile.limits.budget_usd
    return (Limit("budget", "x", budget, "Budget", past=False),) if budget and budget < 1.03 * largest else ()


def _table(curve: CountCurve) -> tuple[tuple[str, ...], ...]:
    header = ("chips", "fits", "days", "days_low", "days_high", "cost_usd", "cost_low_usd", "cost_high_usd")
    rows = []
    for point in curve.points:
        days, total = point.days_to_finish, point.cost.total
        told = [f"{value:.2f}" for value in (days.likely, days.low, days.high)] if days else ["", "", ""]
        money = [f"{value:.2f}" for value in (total.likely, total.low, total.high)]
        rows.append((grouped(point.candidate.n_chips), "yes" if point.feasible else "no", *told, *money))
    return (header, *rows)


CHART = ChartKind(
    "chips-days-cost",
    TITLE,
    count_bars,
    (Stand("cost", "Chips", 60),),
    has_rows=True,
    question=Question(count_curve, curve_figure, curve_sentences, "Working out every number of chips of this offer…"),
)
