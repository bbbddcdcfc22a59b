"""A fixed budget: the tokens that it trains on the selected offer and on the best ones, within every limit."""

from __future__ import annotations

from core.comparison.questions.budget_reach import BudgetReach, Reach, budget_reach, reach_sentences
from core.comparison.result import CandidateResult, ResultSet
from core.units import days_text, scaled, usd
from gui.charts.figure.figure import Axis, Bar, Figure, Row, left_room, right_room
from gui.charts.figure.kind import ChartKind, Question, Stand
from gui.charts.figure.shown import colour_key, empty_sentence, subject

TITLE = "What the budget trains"
NO_RUN = "A service has no last token; how far a budget gets is asked of training runs"
NOTHING_FITS = "The budget trains nothing within the limits"


def budget_bars(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The bars as a figure, most tokens first."""
    shown = subject(results, selected_id)
    return reach_figure(results, shown, budget_reach(results, shown)) if shown else _no_figure(results, NO_RUN)


def _no_figure(results: ResultSet, why: str) -> Figure:
    return Figure(TITLE, empty=empty_sentence(results) or why)


def reach_figure(results: ResultSet, _: CandidateResult, reach: BudgetReach) -> Figure:
    """The figure of a reach that is known."""
    if not reach.reaches:
        return _no_figure(results, NO_RUN if results.profile.job.training is None else NOTHING_FITS)
    rows = tuple(_row(one) for one in reach.reaches)
    divisor, words = _scale(reach.reaches[0].n_tokens)
    most = reach.reaches[0].n_tokens
    return Figure(
        TITLE,
        " ".join(map(str, reach_sentences(results, reach))),
        f"Budget {usd(reach.budget_usd)}",
        x=Axis(f"{words} {reach.reaches[0].unit}", 0.0, most * 1.05, scale=divisor),
        rows=rows,
        bars=tuple(_bar(one, number) for number, one in enumerate(reach.reaches)),
        table=_table(reach),
        left_px=left_room(rows),
        right_px=right_room(rows),
    )


def _scale(most: float) -> tuple[float, str]:
    steps = ((1e12, "Trillion"), (1e9, "Billion"), (1e6, "Million"), (1e3, "Thousand"))
    return next(((size, word) for size, word in steps if most >= size), (1.0, "Training"))


def _row(reach: Reach) -> Row:
    result, days = reach.result, reach.result.days_to_finish
    texts = [(scaled(reach.n_tokens, 3), "ink")]
    texts += [(f"{days_text(days.likely)} d", "ink3")] if days else []
    texts.append((usd(result.cost.total.likely), "ink3"))
    tip = f"{result.candidate.name}, {result.candidate.place}"
    return Row(result.id, result.candidate.name, right=tuple(texts), tip=tip)


def _bar(reach: Reach, number: int) -> Bar:
    chip = reach.result.candidate.accelerator
    return Bar(number, 0.0, reach.n_tokens, colour_key(chip), reach.result.candidate.name)


def _table(reach: BudgetReach) -> tuple[tuple[str, ...], ...]:
    rows = [("candidate", "tokens", "days", "cost_usd")]
    for one in reach.reaches:
        days = one.result.days_to_finish
        told = f"{days.likely:.2f}" if days else ""
        rows.append((one.result.id, f"{one.n_tokens:.4g}", told, f"{one.result.cost.total.likely:.2f}"))
    return tuple(rows)


def _words(results: ResultSet, reach: BudgetReach) -> tuple[str, ...]:
    return tuple(map(str, reach_sentences(results, reach)))


CHART = ChartKind(
    "budget-reach",
    TITLE,
    budget_bars,
    (Stand("cost", "Budget", 70),),
    has_rows=True,
    question=Question(budget_reach, reach_figure, _words, "Working out how far the budget gets…"),
)
