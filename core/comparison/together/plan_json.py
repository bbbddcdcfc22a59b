"""The plan's answer as plain values, for ``roofplan compare PLAN --json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.comparison.together.moving import Alternative
from core.comparison.together.plan_answer import PlanAnswer, added_up
from core.ranges import Range


def plan_json(answer: PlanAnswer | None, alternatives: Sequence[Alternative]) -> dict[str, Any] | None:
    """One object; None where no workload has a pick. Quarters and parts add up to the likely total, to the cent."""
    if answer is None:
        return None
    costs = [one.pick.cost.total for one in answer.picks]
    likely = round(sum(round(one.likely, 2) for one in costs) + sum(round(one.usd, 2) for one in answer.moving), 2)
    return {
        "total_usd": _range(answer.total_usd) | {"likely": likely, "ranges": answer.combined},
        "cash_by_quarter": _quarters(answer, likely),
        "done": answer.done.isoformat(),
        "chance_in_limits": round(answer.chance_in_limits, 4),
        "chance_is": "product of the picks' own",
        "picks": [
            {
                "workload": one.profile.id,
                "choice": one.pick.id,
                "cost_usd": _range(cost),
                "begins": one.begins.isoformat(),
                "ready": one.ready.isoformat(),
                "ends": one.ends.isoformat(),
            }
            for one, cost in zip(answer.picks, costs, strict=True)
        ],
        "without_pick": list(answer.unanswered),
        "moving": [
            {"model": one.model, "from": one.seller, "to": one.buyer, "gb": round(one.gb, 1), "usd": round(one.usd, 2)}
            for one in answer.moving
        ],
        "alternatives": [
            {"title": one.title, "choices": [pick.id for pick in one.picks], "total_usd": round(one.usd, 2)}
            for one in alternatives
        ],
    }


def _quarters(answer: PlanAnswer, likely_usd: float) -> list[dict[str, Any]]:
    cents = added_up([one.usd for one in answer.cash_by_quarter], likely_usd, 0.01)
    return [
        {"quarter": f"{one.year}-Q{one.number}", "usd": round(usd, 2)}
        for one, usd in zip(answer.cash_by_quarter, cents, strict=True)
    ]


def _range(span: Range) -> dict[str, Any]:
    return {"low": round(span.low, 2), "likely": round(span.likely, 2), "high": round(span.high, 2)}
