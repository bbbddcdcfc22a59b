"""C6, cash over time: what each way to pay for the same cluster has cost by each month, and when buying wins."""

from __future__ import annotations

import numpy as np

from core.comparison.questions.cash import CashLine, CashPlan, cash_plan
from core.comparison.questions.cash_words import (
    EXPLAINS,
    LEFT_OUT,
    cash_sentences,
    npv_text,
    way_marks,
    way_name,
    way_words,
)
from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.hours import PAY_PER_USE
from core.cost.cash.cash import cumulative_usd, settled_usd
from core.units import counted, plain
from gui.charts.figure.figure import Axis, Curve, Figure, Limit, Note
from gui.charts.figure.kind import ChartKind, Drag, Stand
from gui.charts.figure.shown import colour_key, empty_sentence, subject
from gui.charts.figure.texts import money_scale

TITLE = "Cash over time"
SOLD, _SOLD_WORDS = "sold", "buy, if sold that month"
LEAST_MONTHS, MOST_MONTHS = 3, 120
_COLOURS = {"commit_3y": "part:storage", "dedicated_monthly": "part:egress", "owned": "ink"}
"""Lines of one chip part by colour here; on demand and one year keep the chip's own."""


def cumulative_cash(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The lines as a figure; the horizon can be dragged."""
    shown = subject(results, selected_id)
    plan = cash_plan(results, shown) if shown else None
    if shown is None or plan is None or not plan.lines:
        return Figure(TITLE, empty=_why_empty(results, shown))
    largest = max(float(plan.paid_usd(flow).max()) for line in plan.lines for flow in (line.flow, line.high))
    scale = money_scale(largest)
    horizon = plan.terms.horizon_months
    return Figure(
        TITLE,
        " ".join(cash_sentences(results, shown)),
        f"{shown.candidate.name}; at the horizon terms are settled and hardware is sold",
        x=Axis("Months", 0.0, max(1.12 * horizon, horizon + 3.0)),
        y=Axis(f"Paid so far, {scale.words}", -0.08 * largest, 1.06 * largest, scale=scale.divisor, money=True),
        curves=_curves(plan, colour_key(shown.candidate.accelerator)),
        limits=_limits(plan),
        notes=(*_break_evens(plan), *_end_of_plan(plan, largest)),
        table=_table(plan),
        left_px=64,
        right_px=240,
    )


def _why_empty(results: ResultSet, shown: CandidateResult | None) -> str:
    if shown is None:
        return empty_sentence(results) or "Select a candidate to see ways to pay for it"
    if not shown.throughput.fits:
        return "This candidate does not hold the model; select one that does"
    return "No prices of this chip are known in this number; select another candidate"


def _curves(plan: CashPlan, colour: str) -> tuple[Curve, ...]:
    lines = [_curve(plan, line, _COLOURS.get(line.model, colour)) for line in plan.lines]
    return (*lines, *([_sold(plan, plan.buy)] if plan.buy else []))


def _curve(plan: CashPlan, line: CashLine, colour: str) -> Curve:
    xs = (*plan.months.tolist(), float(plan.terms.horizon_months))
    low, high = (tuple(plan.paid_usd(flow).tolist()) for flow in (line.low, line.high))
    has_range = line.low != line.high
    name, marks = way_name(line), way_marks(line)
    return Curve(
        xs,
        tuple(plan.paid_usd(line.flow).tolist()),
        colour,
        line.model,
        line.model in PAY_PER_USE,
        low if has_range else (),
        high if has_range else (),
        (name, *([marks] if marks else []), f"NPV {npv_text(plan, line)}"),
        tip=way_words(line),
        explains=EXPLAINS.key(line.model),
    )


def _sold(plan: CashPlan, buy: CashLine) -> Curve:
    """What buying has cost if the hardware is sold that month: a thin line under that of cash."""
    months = plan.months
    ys = tuple(settled_usd(buy.flow, months).tolist())
    key = EXPLAINS.key(buy.model)
    return Curve(tuple(months.tolist()), ys, "ink", SOLD, True, width_px=1.0, tip=_SOLD_WORDS, explains=key)


def _limits(plan: CashPlan) -> tuple[Limit, ...]:
    horizon = plan.terms.horizon_months
    drag = Limit("horizon", "x", float(horizon), counted(horizon, "month"), draggable=True, solid=True, past=False)
    return (drag, Limit("plan", "x", plan.plan_months, "", past=False)) if _ends_inside(plan) else (drag,)


def _ends_inside(plan: CashPlan) -> bool:
    return 0 < plan.plan_months < 0.85 * plan.terms.horizon_months


def _end_of_plan(plan: CashPlan, top: float) -> tuple[Note, ...]:
    """Words on top of the line, clear of the places where lines meet."""
    return (Note(plan.plan_months, top, "This plan ends", dx_px=8.0),) if _ends_inside(plan) else ()


def _break_evens(plan: CashPlan) -> tuple[Note, ...]:
    """Where buying has cost no more than renting: as if sold then, and by cash alone."""
    if plan.rent is None:
        return ()
    notes = []
    for sold, words in ((True, "if sold then"), (False, "by cash")):
        month = plan.break_even_month(sold)
        if month is not None:
            paid = float(cumulative_usd(plan.rent.flow, np.array([month]))[0])
            text = f"Even {words}, month {plain(month, 2)}"
            right = month > 0.5 * plan.terms.horizon_months
            notes.append(_note(month, paid, text, right))
    return tuple(notes)


def _note(month: float, paid: float, text: str, right: bool) -> Note:
    if right:
        return Note(month, paid, text, "ink", "right", -10.0, -12.0, strong=True, dot=True)
    return Note(month, paid, text, "ink", "left", 14.0, 12.0, strong=True, dot=True)


def _table(plan: CashPlan) -> tuple[tuple[str, ...], ...]:
    header = ("month", *(f"{line.model}_usd" for line in plan.lines))
    columns = [plan.paid_usd(line.flow) for line in plan.lines]
    months = [*(f"{month:.0f}" for month in plan.months), "settled"]
    rows = [(month, *(f"{column[n]:.2f}" for column in columns)) for n, month in enumerate(months)]
    return (header, *rows)


def _words(results: ResultSet, shown: CandidateResult) -> tuple[str, ...]:
    told = cash_sentences(results, shown)
    return (*told, LEFT_OUT) if told else ()


def _whole_months(value: float) -> int:
    return min(max(round(value), LEAST_MONTHS), MOST_MONTHS)


CHART = ChartKind(
    "cumulative-cash",
    TITLE,
    cumulative_cash,
    (Stand("cost", "Cash", 30),),
    words=_words,
    drags=(Drag("horizon", "outlook.horizon_months", "Drag horizon", _whole_months),),
)
