"""What the verdict strip says while the plan over time is on screen: what the phases come to, as they stand."""

from __future__ import annotations

from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.way import Way
from core.comparison.over_time.words import as_planned, chance_words, day_words, days_words
from core.units import THIN, counted, in_hundred, plain, span, usd, whole_days
from gui.charts.figure.texts import money_scale
from gui.frame.verdict_text import Kpi, Verdict


def phases_verdict(answer: OverTime) -> Verdict:
    """The strip for the plan's own way; a figure without a deadline is left out."""
    own = answer.own
    return Verdict(str(as_planned(answer)), _facts(own), _kpis(own), brief=f"{own.title}, as planned")


def _facts(way: Way) -> tuple[tuple[str, str], ...]:
    gates = tuple((f"{gate.run.phase.name}: {chance_words(gate)}", "") for gate in way.gates)
    return ("Plan over time,", counted(len(way.runs), "phase")), *gates


def _kpis(way: Way) -> tuple[Kpi, ...]:
    score = way.flexibility
    cost = f"{money_scale(way.total.likely).range_text(way.total)}, 80{THIN}% range"
    ends = f"{span(plain(score.low, 2), plain(score.high, 2))} of 100"
    return (
        Kpi("cost", "Cost", usd(way.total.likely), cost),
        Kpi("finish", "Work done", day_words(way, way.ready.likely), days_words(way, way.ready), _spare(way)),
        *_kept(way),
        Kpi("chance-best", "Flexibility", plain(score.likely, 2), ends),
    )


def _spare(way: Way) -> str:
    days = -1 if way.deadline is None else whole_days(way.deadline - way.ready.likely)
    return f", {counted(days, 'day')} spare" if days >= 0 else ""


def _kept(way: Way) -> tuple[Kpi, ...]:
    if way.deadline is None or way.chance_in_time is None:
        return ()
    value, _, rest = in_hundred(way.chance_in_time).partition(" of ")
    return (Kpi("in-limits", f"Keeps {day_words(way, way.deadline)}", value, f"of {rest} draws"),)
