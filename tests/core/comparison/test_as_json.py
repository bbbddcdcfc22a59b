"""The object of ``compare --json``: names, sums, and values that JSON has."""

from __future__ import annotations

import dataclasses
import json
import math
from datetime import date

import pytest

from core.amounts import Sentence
from core.catalogue.entries import Offer
from core.catalogue.places.distance import RouteToUsers
from core.comparison.as_json import to_json
from core.comparison.json_values import cents, cents_or_none, cents_range, number, number_or_none, number_range
from core.comparison.recommendation.recommend import recommend
from core.comparison.result import AdviceRule, CandidateResult, ResultSet
from core.ranges import Range
from core.throughput.types import Reason
from core.workload.jobs.kinds import OnlineServing

CANDIDATE_KEYS = {
    "id",
    "accelerator",
    "kind",
    "vendor",
    "provider",
    "region",
    "purchase_model",
    "host",
    "n_hosts",
    "n_chips",
    "feasible",
    "reasons",
    "layout",
    "throughput",
    "step_time_s",
    "time_h",
    "mfu",
    "runs_in",
    "speed_notes",
    "bottleneck",
    "memory_gib",
    "latency",
    "cost_usd",
    "flexibility",
    "energy_kwh",
    "carbon_kg",
    "pareto",
    "rank",
    "round_trip_ms",
    "warnings",
}


@pytest.fixture
def results(profile, make_result) -> ResultSet:
    best = make_result("b200-sxm", 1_234_567.891, 36, 71, rank=1, porting_usd=1.005, waste_usd=33.333)
    late = make_result(
        "tpu-v6e", 9e5, 70, 40, reasons=(Reason("deadline", "10 d past the deadline.", "Fits with 80 chips"),)
    )
    advice = (AdviceRule("R01", "PyTorch", "gpu", "The code is written in PyTorch", True),)
    return ResultSet(
        profile, "2026-11-21", "none", (best, late), recommend(profile, [best], [late]), advice, "14 Oct 2026"
    )


def test_object_has_the_documented_keys(results) -> None:
    found = to_json(results)
    assert {"profile", "catalogue_date", "calibration", "candidates", "recommendation", "advice"} <= set(found)
    assert found["profile"] == {"id": "train-70b", "name": "Train 70B", "kind": "pretraining"}
    assert set(found["candidates"][0]) >= CANDIDATE_KEYS
    assert {"choice", "lean", "strength", "confidence", "reasons", "would_change_it"} <= set(found["recommendation"])
    assert {"rule", "favours", "fired_because", "agrees"} <= set(found["advice"][0])
    assert found["advice_conflicts"] == []


def test_advice_tells_its_origin_and_what_it_is_divided_about(results) -> None:
    rule = AdviceRule("R01", "PyTorch", "gpu", "So", True, "Framework fit", "Qovery", "undated", "Newer")
    divided = dataclasses.replace(results, advice=(rule,), advice_conflicts=(Sentence("{} says TPU", "One"),))
    found = to_json(divided)
    assert found["advice_conflicts"] == ["One says TPU"]
    told = [found["advice"][0][key] for key in ("name", "source", "as_of", "newer")]
    assert told == ["Framework fit", "Qovery", "undated", "Newer"]


def test_parts_sum_to_the_likely_cost_to_the_cent(results) -> None:
    for candidate in to_json(results)["candidates"]:
        cost = candidate["cost_usd"]
        assert round(sum(cost["parts"].values()), 2) == cost["likely"]
        assert cost["low"] <= cost["likely"] <= cost["high"]


def test_every_infeasible_row_says_why(results) -> None:
    rows = [candidate for candidate in to_json(results)["candidates"] if not candidate["feasible"]]
    assert rows and all(row["reasons"] and row["reasons"][0]["text"] for row in rows)
    assert rows[0]["reasons"][0] == {
        "code": "deadline",
        "text": "10 d past the deadline.",
        "nearest_change": "Fits with 80 chips",
    }


def test_training_has_no_latency_and_a_training_layout(results) -> None:
    candidate = to_json(results)["candidates"][0]
    assert candidate["latency"] is None
    assert set(candidate["layout"]) == {"dp", "fsdp", "tp", "pp", "cp", "ep", "micro_batch", "recompute"}
    assert candidate["memory_gib"]["capacity"] == 74.5


def test_serving_has_latency_and_a_serving_layout(results, make_result) -> None:
    served = make_result("h100-sxm", days=None, tpot_ms=20.0)
    profile = results.profile.model_copy(update={"job": OnlineServing()})
    candidate = to_json(dataclasses.replace(results, profile=profile, results=(served,)))["candidates"][0]
    assert set(candidate["layout"]) == {
        "tp",
        "pp",
        "ep",
        "replicas",
        "max_batch",
        "models",
        "prefill_replicas",
        "shared",
    }
    assert candidate["latency"]["tpot_ms"] == {"p50": 20.0, "p99": 40.0}
    assert candidate["days_to_finish"] is None


def test_top_keeps_the_first(results) -> None:
    assert [c["rank"] for c in to_json(results, top=1)["candidates"]] == [1]


def test_what_json_has_no_number_for_becomes_null(results) -> None:
    endless = dataclasses.replace(results.results[0], run_h=Range(1.0, math.inf, math.inf))
    text = json.dumps(to_json(dataclasses.replace(results, results=(endless,))), allow_nan=False)
    assert json.loads(text)["candidates"][0]["time_h"] == {"low": 1.0, "likely": None, "high": None}


def test_the_age_of_a_price_is_told_by_the_days_asked(results: ResultSet) -> None:
    result = results.results[0]
    dated = dataclasses.replace(
        result, candidate=dataclasses.replace(result.candidate, offer=_offer_of(result, "2026-10-01"))
    )
    undated = dataclasses.replace(
        result, candidate=dataclasses.replace(result.candidate, offer=_offer_of(result, "undated"))
    )
    both = dataclasses.replace(results, results=(dated, undated))
    strict, loose = (to_json(both, today=date(2026, 11, 21), old_price_days=days) for days in (30, 90))
    assert strict["old_price_days"] == 30
    assert [one["price"]["old"] for one in strict["candidates"]] == [True, None]
    assert [one["price"]["old"] for one in loose["candidates"]] == [False, None]
    assert [one["price"]["age_days"] for one in loose["candidates"]] == [51, None]
    codes = [[warning["code"] for warning in one["warnings"]] for one in strict["candidates"]]
    assert "price_old" in codes[0]
    assert "price_undated" in codes[1]


def _offer_of(result: CandidateResult, as_of: str) -> Offer:
    return result.candidate.offer.model_copy(update={"as_of": as_of})


def test_the_way_to_users_is_told_only_where_it_is_known(results: ResultSet) -> None:
    route = RouteToUsers(Range(30.0, 40.0, 60.0), Range(50.0, 70.0, 90.0), "Hong Kong")
    served = dataclasses.replace(results, results=(dataclasses.replace(results.results[0], route=route),))
    assert to_json(results)["candidates"][0]["round_trip_ms"] is None
    found = to_json(served)["candidates"][0]["round_trip_ms"]
    assert (found["low"], found["likely"], found["high"], found["estimate"]) == (30.0, 40.0, 60.0, True)
    assert found["farthest"] == {"place": "Hong Kong", "low": 50.0, "likely": 70.0, "high": 90.0}


def test_the_bill_is_told_in_every_way_people_ask(results) -> None:
    trained, rest = to_json(results)["candidates"]
    assert {"per_unit", "per_month", "per_run", "per_year", "per_epoch", "per_experiment"} <= set(trained["cost_usd"])
    assert trained["cost_usd"]["per_year"] == pytest.approx(results.results[0].cost.per_year_usd, abs=0.01)
    assert trained["cost_usd"]["per_epoch"] is None, "the bill of this example knows no epochs"
    assert isinstance(rest["warnings"], list)


def test_warnings_stand_beside_the_reasons(profile, make_result) -> None:
    pick = make_result("b200-sxm", cost=1.2e6, rank=1)
    many = make_result(cost=1.5e6, n_chips=256, rank=2)
    few = make_result(cost=1.0e6, n_chips=128, rank=3)
    ranked = [pick, many, few]
    results = ResultSet(profile, "2026-11-21", "none", tuple(ranked), recommend(profile, ranked, []), (), "")
    _, first, second = to_json(results)["candidates"]
    told = {warning["code"]: warning for warning in first["warnings"]}
    assert told["over_provisioned"]["nearest_change"] == "Take 128 chips"
    assert "over_provisioned" not in {warning["code"] for warning in second["warnings"]}


@pytest.mark.parametrize(("usd", "told"), [(1_234_567.891, 1_234_567.89), (0.004, 0.0), (-12.345678, -12.35), (7, 7.0)])
def test_money_is_told_to_the_cent_however_much_it_is(usd: float, told: float) -> None:
    assert cents(usd) == cents_or_none(usd) == told
    assert cents_range(Range(usd, usd, usd)) == {"low": told, "likely": told, "high": told}


@pytest.mark.parametrize(
    ("value", "told"), [(1_234_567.891, 1_234_570.0), (0.00123456789, 0.00123457), (math.inf, None), (math.nan, None)]
)
def test_other_figures_have_six_digits_and_none_is_no_number(value: float, told: float | None) -> None:
    assert number(value) == number_or_none(value) == told
    assert number_range(Range(value, value, value)) == {"low": told, "likely": told, "high": told}


def test_what_is_not_there_stays_so() -> None:
    assert cents_or_none(None) is None and number_or_none(None) is None
