"""A service over the day in whole evaluations: bills that follow the replicas held, and what JSON tells."""

from __future__ import annotations

import pytest

from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.workload.doubts import doubts
from core.workload.jobs.kinds import OnlineServing
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Places, Profile

MODEL_8B = TransformerModel(name="Llama 3 8B")
OWN = " ".join(["1"] * 18 + ["10"] * 6)


def _serve(catalogue, **job: object) -> ResultSet:
    job = {"peak_requests_per_s": 400, "mean_load_pct": 40} | job
    places = Places(providers=("aws", "gcp"), purchase_models=("on_demand", "commit_1y"))
    return evaluate(Profile(job=OnlineServing.model_validate(job), model=MODEL_8B, places=places), catalogue)


def _paired(one: ResultSet, other: ResultSet, purchase_model: str):
    pairs = [
        (result, other.by_id[result.id])
        for result in one.results
        if result.feasible and result.candidate.offer.purchase_model == purchase_model and result.id in other.by_id
    ]
    assert pairs
    return pairs


def test_giving_back_idle_chips_lowers_the_bill_of_those_paid_by_use(catalogue) -> None:
    kept, scaled = _serve(catalogue, traffic="office"), _serve(catalogue, traffic="office", autoscale=True)
    for fixed, moving in _paired(kept, scaled, "on_demand"):
        assert moving.cost.part("idle") <= fixed.cost.part("idle")
        day = moving.day(scaled.profile.job)
        assert day is not None
        held = day.chip_hours / (24 * moving.candidate.n_chips)  # of a plan with room less than the mean load's share
        assert moving.cost.part("compute") == pytest.approx(min(1.0, held / 0.4) * fixed.cost.part("compute"), rel=1e-6)
    assert any(m.cost.part("idle") < 0.7 * f.cost.part("idle") for f, m in _paired(kept, scaled, "on_demand"))
    for fixed, moving in _paired(kept, scaled, "commit_1y"):
        assert moving.cost.total.likely == pytest.approx(fixed.cost.total.likely)


def test_idle_is_what_is_held_beyond_the_load(catalogue) -> None:
    found = _serve(catalogue, traffic="day_night", autoscale=True)
    job = found.profile.job
    assert isinstance(job, OnlineServing)
    checked = 0
    for result in found.results:
        day = result.day(job)
        if not result.feasible or day is None or result.candidate.offer.purchase_model != "on_demand":
            continue
        held = day.chip_hours / (24 * result.candidate.n_chips)
        if 0.4 < held < 1:
            ratio = result.cost.part("idle") / result.cost.part("compute")
            assert ratio == pytest.approx((held - 0.4) / 0.4, rel=1e-3)
            checked += 1
    assert checked


def test_json_tells_the_day(catalogue) -> None:
    load = to_json(_serve(catalogue, traffic="office", autoscale=True), top=1)["candidates"][0]["load"]
    assert load["max_requests_per_s"] >= 400
    assert sum(load["requests_per_s_by_hour"]) == pytest.approx(24 * 400 * 0.4, rel=1e-4)
    assert len(load["replicas_by_hour"]) == 24 and max(load["replicas_by_hour"]) <= load["replicas"]


def test_own_hours_that_disagree_with_the_mean_are_doubted_with_a_repair() -> None:
    mean_pct = 100 * (18 * 1 + 6 * 10) / 24 / 10
    profile = Profile(job=OnlineServing(traffic="own", load_by_hour=OWN, mean_load_pct=60))
    doubt = next(d for d in doubts(profile) if d.path == "job.mean_load_pct")
    assert doubt.repair == pytest.approx(mean_pct, abs=0.1)
    settled = Profile(job=OnlineServing(traffic="own", load_by_hour=OWN, mean_load_pct=doubt.repair))
    assert not any(d.path == "job.mean_load_pct" for d in doubts(settled))
    assert any(d.path == "job.load_by_hour" for d in doubts(Profile(job=OnlineServing(traffic="own"))))
