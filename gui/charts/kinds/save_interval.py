"""How often to save the state of a run on spot: expected days against the interval, with the best one marked."""

from __future__ import annotations

import numpy as np

from core.comparison.questions.spot import EXPLAINS, INTERVALS_H, SpotRisk, expected_here_h, rate_text, spot_risk
from core.comparison.result import CandidateResult, ResultSet
from core.units import THIN, days_text, duration
from gui.charts.figure.figure import Axis, Curve, Figure, Limit, Note, log10_of
from gui.charts.figure.kind import ChartKind, Drag, Stand
from gui.charts.figure.shown import colour_key, subject
from gui.charts.kinds.spot_risk import why_no_spot

TITLE = "How often to save the state"
MOST_STRETCH = 1.6
"""The axis of days ends at so many times the least, or a little above the interval of the plan."""


def interval_figure(results: ResultSet, selected_id: str | None = None) -> Figure:
    """Expected days of the run at the catalogue's rate; the line of the plan's interval can be dragged."""
    shown = subject(results, selected_id)
    risk = spot_risk(results, shown) if shown else None
    if shown is None or risk is None:
        return Figure(TITLE, empty=why_no_spot(results, shown))
    days = risk.by_interval_h(INTERVALS_H) / 24
    best = expected_here_h(risk, risk.best_interval_h) / 24
    now = expected_here_h(risk, risk.interval_h) / 24 if risk.interval_h else best
    low, high = risk.pure_h / 24 * 0.97, max(MOST_STRETCH * best, min(1.15 * now, 4 * best))
    return Figure(
        f"{TITLE} on spot of {risk.spot.place}",
        _summary(risk, shown, best, now),
        f"Interrupted {rate_text(risk.rate_per_h)}",
        x=Axis("Hours between saved states", log10_of(float(INTERVALS_H[0])), 2.5, log=True),
        y=Axis("Expected days", low, high),
        curves=(_curve(days, high, colour_key(shown.candidate.accelerator)),),
        limits=_now(risk, now),
        notes=(_best(risk, best),),
        table=_table(days),
        right_px=24,
    )


def _curve(days: np.typing.NDArray[np.float64], high: float, colour: str) -> Curve:
    ys = np.minimum(days, 1.05 * high)
    xs, explains = tuple(np.log10(INTERVALS_H).tolist()), EXPLAINS.key("interval")
    return Curve(xs, tuple(ys.tolist()), colour, "interval", tip="Expected days to finish", explains=explains)


def _now(risk: SpotRisk, days: float) -> tuple[Limit, ...]:
    """The plan's interval; where nothing is saved, the line waits at the right end."""
    at = log10_of(risk.interval_h or float(INTERVALS_H[-1]))
    words = f"Plan: {duration(risk.interval_h)}, {_days(days)}" if risk.interval_h else "Plan: nothing saved"
    return (Limit("interval", "x", at, words, draggable=True, solid=True, past=False),)


def _best(risk: SpotRisk, days: float) -> Note:
    text = f"Least lost: every {duration(risk.best_interval_h)}, {_days(days)}"
    return Note(log10_of(risk.best_interval_h), days, text, "ink", "centre", 0.0, -16.0, strong=True, dot=True)


def _days(days: float) -> str:
    return f"{days_text(days, 3)}{THIN}d"


def _summary(risk: SpotRisk, shown: CandidateResult, best: float, now: float) -> str:
    plan = f"every {duration(risk.interval_h)}: {_days(now)}" if risk.interval_h else "nothing saved"
    least = f"{duration(risk.best_interval_h)}: {_days(best)}"
    return f"{shown.candidate.name} on spot. Least is lost with a state saved every {least}. The plan: {plan}."


def _table(days: np.typing.NDArray[np.float64]) -> tuple[tuple[str, ...], ...]:
    rows = zip(INTERVALS_H[::10], days[::10], strict=True)
    return (("interval_h", "expected_days"), *(tuple(f"{value:.5g}" for value in row) for row in rows))


CHART = ChartKind(
    "save-interval",
    TITLE,
    interval_figure,
    (Stand("cost", "Spot", 50),),
    drags=(Drag("interval", "job.checkpoint_interval_h", "Drag interval"),),
)
