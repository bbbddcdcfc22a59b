"""The plan's answer as plain values, for ``roofplan compare PLAN --json``."""

from __future__ import annotations

from typing import Any

from core.comparison.chance.errors import N_DRAWS
from core.comparison.json_values import cents, cents_range
from core.comparison.together.moving import Moving, Upkeep
from core.comparison.together.plan_answer import PlanAnswer, added_up
from core.comparison.together.ways import Beside
from core.months import quarter_code


def plan_json(answer: PlanAnswer | None) -> dict[str, Any] | None:
    """One object; None where no workload has a pick. Parts add up to the likely total, to the cent, and
    so do quarters with the cost of capital, which is due in none."""
    if answer is None:
        return None
    costs = [one.pick.cost.total for one in answer.picks]
    likely = cents(sum(cents(usd) for usd in (*(one.likely for one in costs), *answer.way.apart.each_usd)))
    capital = cents(answer.capital_usd)
    return {
        "total_usd": cents_range(answer.total_usd) | {"likely": likely, "range_pct": 80, "draws": N_DRAWS},
        "per_month_usd": cents(answer.per_month_usd),
        "cash_by_quarter": _quarters(answer, cents(likely - capital)),
        "cost_of_capital_usd": capital,
        "done": answer.done.isoformat(),
        "chance_in_limits": _share(answer.chance_in_limits),
        "chance_is": "share of draws that keep all limits of all workloads together",
        "workloads": answer.n_workloads,
        "picks": [
            {
                "workload": one.profile.id,
                "choice": one.pick.id,
                "cost_usd": cents_range(cost),
                "begins": one.begins.isoformat(),
                "ready": one.ready.isoformat(),
                "ends": one.ends.isoformat(),
            }
            for one, cost in zip(answer.picks, costs, strict=True)
        ],
        "without_pick": [name for name, _ in answer.unanswered],
        "without_pick_because": dict(answer.unanswered),
        "moving": [_moving(one) for one in answer.moving],
        "further_software": [_upkeep(one) for one in answer.upkeep],
        "better_as_a_whole": [one.way.title for one in answer.rivals if one.call == "better"],
        "too_close_to_call": [one.way.title for one in answer.rivals if one.call == "close"],
        "alternatives": [_beside(one) for one in answer.others],
    }


def _beside(one: Beside) -> dict[str, Any]:
    return {
        "title": one.way.title,
        "choices": [taken.result.id for taken in one.way.taken],
        "proved": one.way.is_proved,
        "total_usd": cents_range(one.way.total),
        "more_usd": cents_range(one.more_usd),
        "cheaper_in": _share(one.cheaper),
        "better_in": _share(one.better),
        "call": one.call,
        "chance_in_limits": _share(one.way.chance_in_limits),
        "done": one.way.ready.isoformat(),
    }


def _moving(one: Moving) -> dict[str, Any]:
    ends = {"model": one.model, "from": one.seller, "to": one.buyer, "gb": round(one.gb, 1)}
    return ends | {"usd": cents(one.usd), "conversion_usd": cents_range(one.conversion_usd), "estimate": True}


def _upkeep(one: Upkeep) -> dict[str, Any]:
    what = {"software": one.software, "beside": one.beside, "days": round(one.days, 1)}
    return what | {"usd": cents(one.usd), "range_usd": cents_range(one.cost_usd), "estimate": True}


def _quarters(answer: PlanAnswer, due_usd: float) -> list[dict[str, Any]]:
    told = added_up([one.usd for one in answer.cash_by_quarter], due_usd, 0.01)
    return [
        {"quarter": quarter_code((one.year, one.number)), "usd": cents(usd)}
        for one, usd in zip(answer.cash_by_quarter, told, strict=True)
    ]


def _share(share: float | None) -> float | None:
    return None if share is None else round(share, 4)
