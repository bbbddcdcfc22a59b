"""Unit cost against use in words: how busy the plan keeps its chips, and the formula behind a line."""

from __future__ import annotations

from core.amounts import USD, Amount, Sentence, UsdSpan, whole
from core.comparison.questions.explanation import Explains, Explanation
from core.comparison.result import CandidateResult, ResultSet
from core.cost.utilisation import fixed_share, is_committed, use_in_plan

LEAST_USE = 0.1
"""Below this share of use unit costs run away and are not told."""


def plan_use_of(results: ResultSet, result: CandidateResult) -> float:
    """Use of the chips in this plan: the mean load when serving, else what the bill pays for and works."""
    job = results.profile.job
    share = job.mean_load_share if job.answers_users else use_in_plan(result.cost)
    return min(max(share, LEAST_USE), 1.0)


def unit_explanation(results: ResultSet, result: CandidateResult, _: str) -> Explanation | None:
    """What stands behind a candidate's line: which share of its bill stays when the chips are used less."""
    cost = result.cost
    if cost.unit_usd <= 0:
        return None
    committed, use = is_committed(result.candidate.offer.purchase_model), plan_use_of(results, result)
    value, factor = Amount(cost.unit_usd, USD), cost.unit_usd / cost.total.likely
    ends = UsdSpan(cost.total.low * factor, cost.total.high * factor)
    stays = fixed_share(cost, committed)
    inputs = (
        ("Bill of the plan", Amount(cost.total.likely, USD)),
        (f"Per {cost.unit} in this plan", value),
        ("Use in this plan", _percent(use)),
        ("Share of the bill that stays", _percent(stays)),
        ("Paid", "busy or idle" if committed else "by the hour"),
    )
    formula = "unit cost of the plan × (share that stays × use in the plan ÷ use + the rest)"
    note = Sentence("At {} use, {} range {}", _percent(use), whole(80, "%"), ends)
    return Explanation(f"Per {cost.unit}", value, note, formula, inputs, "the bill, part by part", False)


def _percent(share: float) -> Amount:
    return whole(100 * share, "%")


EXPLAINS = Explains("unit", unit_explanation)
