"""The object of ``compare --json``: names, sums, and values that JSON has."""

from __future__ import annotations

import dataclasses
import json
import math

import pytest

from core.comparison.as_json import to_json
from core.comparison.recommend import recommend
from core.comparison.result import AdviceRule, ResultSet
from core.ranges import Range
from core.throughput.types import Reason
from core.workload.job import OnlineServing

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
    "bottleneck",
    "memory_gib",
    "latency",
    "cost_usd",
    "flexibility",
    "energy_kwh",
    "carbon_kg",
    "pareto",
    "rank",
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
    assert set(candidate["layout"]) == {"tp", "pp", "ep", "replicas", "max_batch"}
    assert candidate["latency"]["tpot_ms"] == {"p50": 20.0, "p99": 40.0}
    assert candidate["days_to_finish"] is None


def test_top_keeps_the_first(results) -> None:
    assert [c["rank"] for c in to_json(results, top=1)["candidates"]] == [1]


def test_what_json_has_no_number_for_becomes_null(results) -> None:
    endless = dataclasses.replace(results.results[0], run_h=Range(1.0, math.inf, math.inf))
    text = json.dumps(to_json(dataclasses.replace(results, results=(endless,))), allow_nan=False)
    assert json.loads(text)["candidates"][0]["time_h"] == {"low": 1.0, "likely": None, "high": None}
