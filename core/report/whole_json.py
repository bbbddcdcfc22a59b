"""A whole plan as plain values: what ``roofplan compare PLAN --json`` prints."""

from __future__ import annotations

from typing import Any

from core.comparison.actuals.actuals_json import actuals_json
from core.comparison.actuals.answer import actuals_answers
from core.comparison.as_json import to_json
from core.comparison.json_units import UNITS
from core.comparison.over_time.answer import over_time
from core.comparison.over_time.over_time_json import over_time_json
from core.comparison.portfolio.answer import portfolio_answer
from core.comparison.portfolio.portfolio_json import portfolio_json
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import answer_of
from core.comparison.together.plan_json import plan_json
from core.errors import InputError
from core.plan.plan import Plan
from core.report.choice_words import choice_json
from core.report.currency import currency_json
from core.report.masking import HandedOut
from core.report.plan_words import plan_line, verdict_words
from core.report.price_notes import missing_book


def whole_json(out: HandedOut, top: int | None, old_price_days: int) -> dict[str, Any]:
    """The plan's answer, its workloads, phases, actuals and portfolio, what people wrote of it, and what it lacks."""
    plan, result_sets = out.plan, tuple(out.results.values())
    answer = answer_of(result_sets)
    words = {"line": plan_line(answer), "verdict": verdict_words(answer)} if answer else {}
    followed = actuals_json(actuals_answers(plan.actuals, out.results, plan.phases))
    return {
        "plan": words | (plan_json(answer) or {}) or None,
        "comment": plan.note or None,
        "units": UNITS,
        "currency": currency_json(plan),
        "price_book_missing": missing_book(plan, out.catalogue) or None,
        "workloads": [_workload(plan, one, top, old_price_days) for one in result_sets],
        "phases": _phases(out),
        **({"actuals": followed} if followed else {}),
        **({"actuals_left_out": True} if out.leaves_out_actuals else {}),
        **({"portfolio": shared} if (shared := _portfolio(out)) else {}),
    }


def _workload(plan: Plan, results: ResultSet, top: int | None, old_price_days: int) -> dict[str, Any]:
    """A workload's answer, and what a person chose for it."""
    chosen = {"chosen_by_hand": choice_json(plan, results.profile.id)}
    told = to_json(results, top, old_price_days=old_price_days)
    del told["units"]  # told once for all workloads
    return told | chosen


def _phases(out: HandedOut) -> dict[str, Any] | None:
    """The plan over time; why there is none where a phase cannot run."""
    try:
        return over_time_json(over_time(out.plan.phases, out.results, out.plan.phases_deadline))
    except InputError as error:
        return {"without_answer": {error.where: str(error)}}


def _portfolio(out: HandedOut) -> dict[str, Any] | None:
    """The portfolio; why there is none where no pool can stand."""
    try:
        return portfolio_json(portfolio_answer(out.plan.portfolio, out.results, out.plan.phases))
    except InputError as error:
        return {"without_answer": {error.where: str(error)}}
