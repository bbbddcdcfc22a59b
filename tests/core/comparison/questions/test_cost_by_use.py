"""Unit cost against use: what opens behind a line."""

from dataclasses import replace

import pytest

from core.comparison.questions.cost_by_use import plan_use_of
from core.comparison.questions.explain import explanation
from core.comparison.recommendation.recommend import recommend
from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.types import Cost, CostPart
from core.ranges import Range
from core.units import THIN
from core.workload.jobs.kinds import OnlineServing


def billed(result: CandidateResult, **usd: float) -> CandidateResult:
    parts = tuple(CostPart(name, amount, "", (), "X", False) for name, amount in usd.items())
    total = sum(usd.values())
    cost = Cost(Range(0.9 * total, total, 1.2 * total), parts, total / 1e3, "1M tokens", total, total)
    return replace(result, cost=cost)


@pytest.fixture
def results_of(profile):
    def made(result: CandidateResult) -> ResultSet:
        return ResultSet(profile, "2026-11-21", "none", (result,), recommend(profile, [result], []), (), "")

    return made


def test_a_committed_line_keeps_its_rent_when_less_is_used(results_of, make_result) -> None:
    """Of 1 000 USD all but 100 of egress stays: 90 %; 600 of 800 USD of rent works: 75 %."""
    bill = {"compute": 600.0, "commitment_waste": 200.0, "operations": 100.0, "egress": 100.0}
    result = billed(make_result(purchase_model="commit_1y", rank=1), **bill)
    found = explanation(results_of(result), result, "unit:cost")
    assert found is not None
    told = {name: str(text) for name, text in found.inputs}
    assert told["Share of the bill that stays"] == f"90{THIN}%" and told["Use in this plan"] == f"75{THIN}%"
    assert told["Paid"] == "busy or idle" and str(found.value) == "$1.00"
    assert "$0.90–1.20" in str(found.note)


def test_paid_by_the_hour_only_the_rest_stays(results_of, make_result) -> None:
    result = billed(make_result(purchase_model="on_demand", rank=1), compute=700.0, idle=100.0, operations=200.0)
    found = explanation(results_of(result), result, "unit:cost")
    assert found is not None and str(dict(found.inputs)["Share of the bill that stays"]) == f"20{THIN}%"


def test_use_of_a_service_is_its_mean_load(results_of, make_result, profile) -> None:
    result = make_result(days=None, rank=1)
    served = profile.model_copy(update={"job": OnlineServing(mean_load_pct=35)})
    assert plan_use_of(replace(results_of(result), profile=served), result) == pytest.approx(0.35)
    low = profile.model_copy(update={"job": OnlineServing(mean_load_pct=1)})
    assert plan_use_of(replace(results_of(result), profile=low), result) == pytest.approx(0.1)


def test_without_units_there_is_nothing_to_explain(results_of, make_result) -> None:
    result = billed(make_result(rank=1), compute=10.0)
    none = replace(result, cost=replace(result.cost, unit_usd=0.0))
    assert explanation(results_of(none), none, "unit:cost") is None
