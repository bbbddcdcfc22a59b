"""Actuals as plain values, for ``roofplan compare PLAN --json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.comparison.actuals.answer import ActualsAnswer
from core.comparison.actuals.by_phase import PhaseSpend, by_phase
from core.comparison.actuals.commitments import last_day
from core.comparison.actuals.options import Option, nothing_helps
from core.comparison.actuals.standing import Forecast, Standing, planned_end
from core.comparison.actuals.words import headline
from core.comparison.json_values import cents, cents_or_none, cents_range, number_range


def actuals_json(answers: Sequence[ActualsAnswer]) -> list[dict[str, Any]]:
    """One object for each workload that is tracked."""
    return [_answer(one) for one in answers]


def _answer(answer: ActualsAnswer) -> dict[str, Any]:
    one = answer.standing
    base = one.baseline
    return {
        "workload": answer.workload,
        "words": str(headline(one)),
        "frozen_on": base.frozen_on.isoformat(),
        "planned": {
            "candidate": base.candidate,
            "unit": base.unit,
            "amount": base.amount,
            "rate_per_day": base.rate,
            "ends": planned_end(base).isoformat(),
            "cost_usd": cents(base.cost_usd),
            "deadline": base.deadline and base.deadline.isoformat(),
            "budget_usd": cents_or_none(base.budget_usd),
        },
        "as_of": one.as_of.isoformat(),
        "done": one.done,
        "done_share": one.done_share,
        "planned_share": one.planned_share,
        "spend_usd": cents(one.spend_usd),
        "planned_usd": cents(one.planned_usd),
        **_hardware(one),
        **_commitment(one),
        "by_phase": [_phase(part) for part in by_phase(one, answer.phases)],
        "rate_per_day": number_range(one.rate.range),
        "forecast": _forecast(one.forecast),
        "chance_in_time": one.forecast.chance_by(one.target) if base.ends else None,
        "chance_in_budget": one.forecast.chance_within(base.budget_usd),
        "options": [_option(option) for option in answer.options],
        "nothing_helps": nothing_helps(answer.options),
        "differs_today": str(answer.drift),
    }


def _hardware(one: Standing) -> dict[str, Any]:
    """What hardware of one's own takes and leaves; nothing of rented chips."""
    base = one.baseline
    if base.own is None:
        return {}
    told = {
        "planned_usd": base.hardware.bought_usd,
        "due_usd": one.due_share * base.hardware.bought_usd,
        "planned_worth_usd": base.hardware.worth_usd,
        "worth_usd": one.worth_usd,
    }
    is_as_planned = bool(one.points) and not one.has_bills
    return {"hardware": {name: cents(usd) for name, usd in told.items()} | {"spend_as_planned": is_as_planned}}


def _commitment(one: Standing) -> dict[str, Any]:
    """What chips that are paid by the term owe; nothing of chips that are paid by use."""
    held, begun, until = one.baseline.commitment, one.begun_until, one.owed_until
    if held is None or begun is None or until is None:
        return {}
    told = {"term_usd": held.term_usd, "planned_usd": held.planned_usd, "still_owed_usd": one.forecast.owed_usd}
    told["owed_after_work_usd"] = one.owed_after_usd
    ends = {"planned_until": last_day(one.baseline, held.n_terms), "begun_until": begun, "owed_until": until}
    days = {name: day.isoformat() for name, day in ends.items()}
    is_as_planned = bool(one.points) and not one.has_bills
    money = {name: cents(usd) for name, usd in told.items()}
    return {"commitment": {"term_months": held.months} | days | money | {"spend_as_planned": is_as_planned}}


def _phase(part: PhaseSpend) -> dict[str, Any]:
    return {"phase": part.phase, "name": part.name, "done": part.done, "spend_usd": cents(part.spend_usd)}


def _forecast(forecast: Forecast) -> dict[str, Any]:
    low, high = forecast.end_range
    days = {"low": low.isoformat(), "likely": forecast.end.isoformat(), "high": high.isoformat()}
    return {"range_pct": 80, "ends": days, "cost_usd": cents_range(forecast.cost)}


def _option(option: Option) -> dict[str, Any]:
    return {
        "kind": option.kind,
        "title": str(option.title),
        "detail": str(option.detail),
        **_forecast(option.forecast),
        "more_usd": cents(option.more_usd),
        "chance_in_time": option.chance_date,
        "chance_in_budget": option.chance_budget,
        "changes": dict(option.changes),
    }
