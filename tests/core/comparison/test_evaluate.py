"""Whole evaluations: what every answer must keep to, and scenarios that decide between GPU and TPU."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from core.amounts import lower_first
from core.comparison.as_json import to_json
from core.comparison.evaluate import Cancelled, evaluate
from core.comparison.result import ResultSet
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Places, Profile, Stack, Team, Weights

MODEL_8B = TransformerModel(name="Llama 3 8B")
MODEL_70B = TransformerModel(name="Llama 3 70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)

PROFILES = {
    "pretraining": Profile(id="pre", job=PreTraining(n_tokens=1e12), model=MODEL_70B),
    "finetuning": Profile(id="fine", job=FineTuning(n_tokens=1e9), model=MODEL_70B),
    "batch": Profile(id="batch", job=BatchInference(requests_per_batch=1e6), model=MODEL_8B),
    "serving": Profile(id="serve", job=OnlineServing(peak_requests_per_s=20), model=MODEL_70B),
}


@pytest.fixture(scope="module")
def answers(catalogue) -> dict[str, ResultSet]:
    return {name: evaluate(profile, catalogue) for name, profile in PROFILES.items()}


@pytest.mark.parametrize("name", PROFILES)
class TestEveryAnswer:
    def test_ids_are_unique(self, answers, name) -> None:
        ids = [result.id for result in answers[name].results]
        assert [one for one, count in Counter(ids).items() if count > 1] == []

    def test_feasible_come_first_and_are_numbered(self, answers, name) -> None:
        results = answers[name].results
        n_feasible = sum(result.feasible for result in results)
        assert n_feasible > 10
        assert [result.rank for result in results] == [*range(1, n_feasible + 1), *[0] * (len(results) - n_feasible)]

    def test_utility_falls_but_for_the_pick(self, answers, name) -> None:
        """The pick stands before the others that can be had, though one may be better when things go badly."""
        pick = answers[name].recommendation.choice
        utilities = [r.utility for r in answers[name].results if r.feasible and r.id != pick]
        assert utilities == sorted(utilities, reverse=True)

    def test_rejected_say_why_and_feasible_keep_the_limits(self, answers, name) -> None:
        limits = answers[name].profile.limits
        for result in answers[name].results:
            assert result.feasible is not bool(result.reasons)
            if result.feasible:
                assert result.throughput.fits
                assert result.candidate.n_chips <= limits.max_chips
                assert result.days_to_finish is None or result.days_to_finish.likely <= limits.deadline_days

    def test_only_training_that_fits_has_a_day_of_finishing(self, answers, name) -> None:
        for result in answers[name].results:
            ends = name in ("pretraining", "finetuning") and result.throughput.fits
            assert (result.days_to_finish is not None) is ends

    def test_rejected_are_one_of_a_kind(self, answers, name) -> None:
        rejected = [result for result in answers[name].results if not result.feasible]
        kinds = Counter(
            (
                r.candidate.accelerator.id,
                r.candidate.offer.provider,
                r.candidate.offer.purchase_model,
                r.reasons[0].code,
            )
            for r in rejected
        )
        assert max(kinds.values(), default=0) <= 1

    def test_parts_sum_to_the_cent(self, answers, name) -> None:
        for result in answers[name].results:
            assert abs(sum(part.usd for part in result.cost.parts) - result.cost.total.likely) < 0.01

    def test_ranges_are_in_order(self, answers, name) -> None:
        for result in answers[name].results:
            spans = [
                result.run_h,
                result.cost.total,
                result.flexibility.score,
                result.throughput.tokens_per_s,
                result.energy_kwh,
            ]
            spans += [result.days_to_finish] if result.days_to_finish else []
            assert all(span.low <= span.likely <= span.high for span in spans), result.id

    def test_the_same_again(self, answers, catalogue, name) -> None:
        again = evaluate(PROFILES[name], catalogue)
        assert to_json(again) == to_json(answers[name])

    def test_json_is_valid(self, answers, name) -> None:
        assert json.loads(json.dumps(to_json(answers[name]), allow_nan=False))["candidates"]


def test_days_are_porting_waiting_and_run(answers) -> None:
    for result in answers["pretraining"].results:
        if result.days_to_finish is not None:
            assert sum(result.time_terms_days.values()) == pytest.approx(result.days_to_finish.likely)


def test_serving_carries_the_peak_within_the_latency(answers) -> None:
    job = PROFILES["serving"].job
    for result in answers["serving"].results:
        if result.feasible:
            assert result.throughput.tokens_per_s.likely >= job.peak_requests_per_s * job.output_tokens * 0.999
            assert result.throughput.latency.ttft_p50_ms <= job.ttft_limit_ms
            assert result.throughput.latency.tpot_p50_ms <= job.tpot_limit_ms


def test_a_batch_ends_within_its_window(answers) -> None:
    for result in answers["batch"].results:
        if result.feasible:
            assert result.run_h.likely <= PROFILES["batch"].job.window_h * 1.001


def test_both_families_are_predicted(answers) -> None:
    for found in answers.values():
        assert {"gpu", "tpu"} <= {r.candidate.accelerator.kind for r in found.results if r.throughput.fits}


def test_nothing_is_ranked_before_the_essentials_are_there(catalogue) -> None:
    found = evaluate(Profile(), catalogue)
    assert found.results == () and found.recommendation.choice is None
    assert found.missing == ("Model", "Tokens")
    assert found.recommendation.confidence == "low"
    assert evaluate(Profile(job=PreTraining(n_tokens=1e9)), catalogue).missing == ("Model",)
    assert evaluate(Profile(job=OnlineServing(), model=MODEL_8B), catalogue).missing == ("Peak requests",)


def test_cancelling_stops_between_steps(catalogue) -> None:
    calls = []

    def cancelled() -> bool:
        calls.append(None)
        return len(calls) >= 2

    with pytest.raises(Cancelled):
        evaluate(PROFILES["pretraining"], catalogue, cancelled=cancelled)
    assert len(calls) == 2


def test_more_weight_on_cost_never_picks_a_dearer_option(catalogue) -> None:
    costs = []
    for weight in (0, 25, 50, 100):
        profile = PROFILES["pretraining"].model_copy(update={"weights": Weights(cost=weight, time=50, flexibility=50)})
        costs.append(evaluate(profile, catalogue).choice.cost.total.likely)
    assert costs == sorted(costs, reverse=True)


class TestScenarios:
    """The guides' cases that a profile can express; what is computed must not contradict hard facts."""

    def _kinds(self, found: ResultSet) -> set[str]:
        return {result.candidate.accelerator.kind for result in found.results if result.feasible}

    def test_no_google_means_no_tpu(self, catalogue) -> None:
        profile = Profile(
            job=PreTraining(n_tokens=1e12),
            model=MODEL_70B,
            stack=Stack(framework="jax"),
            places=Places(providers=("aws", "azure")),
        )
        found = evaluate(profile, catalogue)
        assert "tpu" not in self._kinds(found)
        assert (found.recommendation.lean, found.recommendation.strength) == ("gpu", "hard")
        assert all(r.reasons for r in found.results if r.candidate.accelerator.kind == "tpu")
        opened = profile.model_copy(update={"places": Places(providers=("gcp",))})
        assert "tpu" in self._kinds(evaluate(opened, catalogue))

    def test_on_premises_rules_every_cloud_offer_out(self, catalogue) -> None:
        profile = Profile(job=PreTraining(n_tokens=1e12), model=MODEL_70B, places=Places(must_be_on_prem=True))
        found = evaluate(profile, catalogue)
        assert not any(r.feasible for r in found.results if r.candidate.offer.purchase_model != "owned")
        assert found.results

    def test_a_port_longer_than_the_deadline_leaves_gpus(self, catalogue) -> None:
        profile = Profile(
            job=PreTraining(n_tokens=1e11),
            model=MODEL_8B,
            limits=Limits(deadline_days=12),
            stack=Stack(custom_kernels=5),
            team=Team(xla_experience="none", engineers=1),
        )
        found = evaluate(profile, catalogue)
        assert self._kinds(found) == {"gpu"}
        late = [r for r in found.results if r.candidate.accelerator.kind == "tpu" and r.throughput.fits]
        assert any(reason.code == "deadline" for r in late for reason in r.reasons)
        assert found.recommendation.lean == "gpu"

    def test_porting_dearer_than_the_job_leans_to_gpu(self, catalogue) -> None:
        profile = Profile(
            job=FineTuning(n_tokens=3e9),
            model=MODEL_8B,
            stack=Stack(custom_kernels=2),
            team=Team(xla_experience="none", engineers=2),
            limits=Limits(deadline_days=None),
        )
        found = evaluate(profile, catalogue)
        assert found.recommendation.lean == "gpu"
        assert "R16" in {rule.rule for rule in found.advice}

    def test_too_few_chips_for_the_memory_says_so(self, catalogue) -> None:
        profile = Profile(job=FineTuning(n_tokens=1e9), model=MODEL_70B, limits=Limits(max_chips=8, deadline_days=None))
        found = evaluate(profile, catalogue)
        unfit = [r for r in found.results if not r.throughput.fits and r.candidate.accelerator.id == "tpu-v5e"]
        assert unfit and all("memory" in {reason.code for reason in r.reasons} for r in unfit)

    def test_a_frozen_jax_run_by_experts_keeps_tpus_in_the_game(self, catalogue) -> None:
        profile = Profile(
            job=PreTraining(n_tokens=1e12),
            model=MODEL_70B,
            stack=Stack(framework="jax", maturity="frozen"),
            team=Team(xla_experience="expert"),
            places=Places(providers=("gcp",)),
            weights=Weights(cost=60, time=40, flexibility=0),
        )
        found = evaluate(profile, catalogue)
        best = found.results[0].utility
        tpu = max(r.utility for r in found.results if r.candidate.accelerator.kind == "tpu")
        assert tpu >= 0.8 * best

    def test_graphics_on_the_same_chips_rules_tpus_out(self, catalogue) -> None:
        profile = Profile(job=PreTraining(n_tokens=1e12), model=MODEL_70B, stack=Stack(non_ml_use=True))
        found = evaluate(profile, catalogue)
        assert "tpu" not in self._kinds(found)
        assert "R08" in {rule.rule for rule in found.advice}

    def test_same_chip_at_several_sellers_gives_several_totals(self, catalogue) -> None:
        found = evaluate(PROFILES["pretraining"], catalogue)
        h100 = [r for r in found.results if r.candidate.accelerator.id == "h100-sxm" and r.throughput.fits]
        assert len({r.candidate.offer.provider for r in h100}) >= 3
        assert len({round(r.cost.total.likely) for r in h100}) >= 3


def test_where_nothing_fits_the_nearest_of_all_is_told_and_few_are_put_together(catalogue) -> None:
    """Each digit of a deadline that is typed may leave nothing; hundreds of results would be a pause of their own."""
    results = evaluate(PROFILES["pretraining"].model_copy(update={"limits": Limits(deadline_days=0.5)}), catalogue)
    assert results.choice is None
    assert results.results.n_made < len(results.results) / 4
    firm = [one for one in results.results if one.is_firm and [reason.code for reason in one.reasons] == ["deadline"]]
    soonest = min(firm, key=lambda result: result.days_to_finish.likely)
    nearest = soonest.reasons[0].nearest_change
    assert str(lower_first(nearest)) in str(results.recommendation.headline)


def test_of_the_rejected_only_those_that_decide_something_are_put_together(catalogue) -> None:
    results = evaluate(PROFILES["pretraining"], catalogue)
    assert results.n_feasible and results.columns.n - results.n_feasible > 30
    made = [row for row in range(results.columns.n) if results.results.is_made(row)]
    assert sum(row >= results.n_feasible for row in made) < 10
    assert {results.columns.accelerators[row].kind for row in made if row >= results.n_feasible} <= {"tpu"}
