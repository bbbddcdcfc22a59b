"""A plan over time as plain values, for ``roofplan compare PLAN --json``."""

from __future__ import annotations

from datetime import date
from typing import Any

from core.comparison.chance.errors import N_DRAWS
from core.comparison.json_values import cents, cents_or_none, cents_range, number, number_range
from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.gate import Gate, MeasureAnswer
from core.comparison.over_time.limits_words import reasons_words
from core.comparison.over_time.runs import Run
from core.comparison.over_time.spread import range_of
from core.comparison.over_time.way import Way
from core.ranges import Range
from core.units import LONGEST_DAYS, day_after


def over_time_json(answer: OverTime | None) -> dict[str, Any] | None:
    """One object; None without phases. Costs of phases add up to the likely total, to the cent."""
    if answer is None:
        return None
    return {
        "range_pct": 80,
        "draws": N_DRAWS,
        "fits_best": None if answer.best is None else answer.ways[answer.best].title,
        "ways": [_way(one) for one in answer.ways],
        "without_answer": dict(answer.lacking),
    }


def _way(way: Way) -> dict[str, Any]:
    phases = [_phase(run, way) for run in way.runs]
    likely = cents(sum(one["cost_usd"]["likely"] for one in phases))
    deadline = None if way.deadline is None else _day(way, way.deadline)
    failed = way.fallback
    return {
        "title": way.title,
        "total_usd": cents_range(way.total) | {"likely": likely},
        "ready": _days(way, way.ready),
        "deadline": deadline,
        "breaks_limits": _broken(way),
        "to_be_proved": list(way.unproved),
        "chance_in_time": _share(way.chance_in_time),
        "failed_pilot_priced_in_usd": cents_or_none(way.priced_in_usd),
        "if_the_pilot_fails": failed
        and {
            "total_usd": cents_range(failed.way.total),
            "ready": _days(failed.way, failed.way.ready),
            "breaks_limits": _broken(failed.way),
            "order_by": None if failed.ask_by is None else _day(way, failed.ask_by),
            "order_by_is_before_the_gate": None if failed.ask_by is None else failed.is_too_late,
            "have_by": None if failed.have_by is None else _day(way, failed.have_by),
        },
        "porting_usd": cents_range(way.porting_usd),
        "moving_usd": cents(way.moving_usd),
        "waiting_days": number_range(way.waiting_days),
        "flexibility": number_range(way.flexibility),
        "exit_usd": cents(way.exit.usd),
        "phases": phases,
        "gates": [_gate(gate, way) for gate in way.gates],
    }


def _broken(way: Way) -> list[dict[str, str]]:
    """Hard limits that the way breaks; one that does is never the best."""
    return [{"code": one.code, "text": str(one.text), "would_help": str(one.nearest_change)} for one in way.broken]


def _phase(run: Run, way: Way) -> dict[str, Any]:
    broken = run.held.broken if run.phase.works_on_chips else ()
    return {
        "id": run.phase.id,
        "name": run.phase.name,
        "stage": run.phase.stage,
        "workload": run.held.profile.id,
        "choice": run.held.result.id,
        "chips": run.held.n_chips if run.phase.works_on_chips else None,
        "begins": _day(way, float(run.begin[0])),
        "waiting_days": number(float(run.waiting[0])),
        "porting_days": number(float(run.porting[0])),
        "working_days": number(float(run.working[0])),
        "ends": _days(way, run.ends),
        "cost_usd": cents_range(run.cost),
        "note": "; ".join(str(one) for one in (run.held.note, reasons_words(broken)) if str(one)),
    } | (_owned(run) | _owed(run, way) if run.phase.works_on_chips else {})


def _owned(run: Run) -> dict[str, Any]:
    """Of hardware of one's own, parts of the cost: what is paid when it comes, and what comes back for it."""
    if run.held.owned is None:
        return {}
    owned = run.owned
    return {
        "bought_usd": cents_range(range_of(owned.bought)),
        "set_up_usd": cents_range(range_of(owned.once)),
        "worth_back_usd": cents_range(range_of(owned.worth)),
    }


def _owed(run: Run, way: Way) -> dict[str, Any]:
    """Of committed chips, a part of the cost: what they cost after it while no phase holds them, and to when."""
    if run.held.committed is None:
        return {}
    last = max((float(one.until[0]) for one in run.owed if one.usd[0] > 0), default=None)
    return {"owed_usd": cents_range(range_of(run.owed_usd)), "owed_to": None if last is None else _day(way, last)}


def _gate(gate: Gate, way: Way) -> dict[str, Any]:
    return {
        "phase": gate.run.phase.id,
        "day": _day(way, float(gate.run.end[0])),
        "chance": _share(gate.chance),
        "chance_is": "share of draws in which all measures hold whose chance is known",
        "open": [one.quantity for one in gate.open],
        "measures": [_measure(one) for one in gate.measures],
    }


def _measure(one: MeasureAnswer) -> dict[str, Any]:
    predicted = None if one.predicted is None else number_range(one.predicted)
    own = {"quantity": one.measure.quantity, "limit": one.measure.threshold, "predicted": predicted}
    return own | {"chance": _share(one.chance), "typed": not one.measure.is_drawn}


def _day(way: Way, days: float) -> str:
    return (day_after(way.first_day, min(days, LONGEST_DAYS)) or date.max).isoformat()


def _days(way: Way, span: Range) -> dict[str, str]:
    return {"low": _day(way, span.low), "likely": _day(way, span.likely), "high": _day(way, span.high)}


def _share(share: float | None) -> float | None:
    return None if share is None else round(share, 4)
