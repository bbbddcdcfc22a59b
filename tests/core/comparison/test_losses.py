"""What a run loses to starts, saved states and stops, and the advice on it."""

from __future__ import annotations

import dataclasses

import pytest

from core.comparison.advice.rules import advise
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult, ResultSet, RunLosses
from core.workload.jobs.kinds import OnlineServing, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Places, Profile

MODEL_70B = TransformerModel(name="Llama 3 70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)
LOSSES = RunLosses(0.95, 2.0, 36.0, 0.3, 0.1, 0.5)


def _run(catalogue, **job: object) -> ResultSet:
    places = Places(providers=("aws",), purchase_models=("on_demand",))
    return evaluate(
        Profile(
            job=PreTraining.model_validate({"n_tokens": 1e12} | job),
            model=MODEL_70B,
            places=places,
            limits=Limits(deadline_days=None),
        ),
        catalogue,
    )


def _same(results: ResultSet, other: ResultSet) -> list[tuple[CandidateResult, CandidateResult]]:
    pairs = [(one, other.by_id[one.id]) for one in results.results if one.feasible and one.id in other.by_id]
    assert pairs
    return pairs


def test_run_is_pure_work_over_goodput(catalogue) -> None:
    for result in _run(catalogue).results:
        if result.losses and result.throughput.fits:
            pure_h = 1e12 / result.throughput.tokens_per_s.likely / 3600
            assert result.run_h.likely == pytest.approx(pure_h / result.losses.goodput)
            assert 0.5 < result.losses.goodput < 1
            assert result.losses.start_h > 0


def test_saving_slower_lowers_goodput_and_lengthens_the_run(catalogue) -> None:
    quick = _run(catalogue)
    slow = _run(catalogue, checkpoint_mode="blocking", storage_gb_per_s=1.0)
    for one, other in _same(quick, slow):
        assert one.losses and other.losses
        assert other.losses.goodput < one.losses.goodput
        assert other.run_h.likely > one.run_h.likely
        assert other.cost.total.likely > one.cost.total.likely


def test_advice_names_a_better_interval(catalogue) -> None:
    found = _run(catalogue, checkpoint_mode="blocking", storage_gb_per_s=1.0, checkpoint_interval_h=0.5)
    assert any(rule.rule == "R25" and "would spare" in str(rule.fired_because) for rule in found.advice)
    assert not any("would spare" in str(rule.fired_because) for rule in _run(catalogue).advice)


def test_the_interval_advised_is_worth_what_it_says(profile, make_result) -> None:
    job = profile.job.model_copy(update={"checkpoint_interval_h": 10.0})
    result = dataclasses.replace(make_result(rank=1), losses=LOSSES)
    rule = next(r for r in advise(profile.model_copy(update={"job": job}), [result], []) if r.rule == "R25")
    spared = 36 / 3600 / 10 + 2 / 24 * 10 / 2 - (36 / 3600 / 0.5 + 2 / 24 * 0.5 / 2)
    assert f"{100 * spared:.2g}" in str(rule.fired_because)


def test_advice_repeats_what_the_chips_wait_for(profile, make_result) -> None:
    free = make_result(rank=1)
    speed = dataclasses.replace(free.throughput, bottleneck="input", notes=("Waits for storage: 5 come",))
    held = dataclasses.replace(free, throughput=speed)
    assert any(rule.fired_because == "Waits for storage: 5 come" for rule in advise(profile, [held], []))
    assert not any(rule.rule == "R15" for rule in advise(profile, [free], []))


def test_json_tells_losses_of_training_alone(catalogue) -> None:
    trained = to_json(_run(catalogue), top=1)["candidates"][0]
    assert set(trained["losses"]) == {field.name for field in dataclasses.fields(RunLosses)}
    served = evaluate(Profile(job=OnlineServing(peak_requests_per_s=20), model=MODEL_70B), catalogue)
    assert to_json(served, top=1)["candidates"][0]["losses"] is None
