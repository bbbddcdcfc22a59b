"""Software that answers, scores and trains in one loop: on which chips it runs, and what would admit the others."""

from __future__ import annotations

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult
from core.flexibility.limits import chip_limits
from core.workload.jobs.kinds import FineTuning, ReinforcementLearning
from core.workload.library import more_profiles
from core.workload.profile import Profile, Stack

CATALOGUE = load_catalogue()


PAIRS = ReinforcementLearning(algorithm="dpo")


def codes(
    job: ReinforcementLearning | FineTuning, framework: str, chip: str, libraries: tuple[str, ...] = ()
) -> dict[str, str]:
    profile = Profile(job=job, stack=Stack.model_validate({"framework": framework, "libraries": libraries}))
    return {reason.code: reason.words for reason in chip_limits(profile, CATALOGUE, CATALOGUE.accelerator_by_id[chip])}


@pytest.mark.parametrize(
    ("framework", "chip", "runs"),
    [
        ("pytorch", "h100-sxm", True),
        ("pytorch", "mi300x", True),
        ("pytorch", "tpu-v6e", False),
        ("jax", "tpu-v6e", True),
        ("pytorch", "gaudi3", False),
        ("pytorch", "trn2", False),
    ],
)
def test_where_the_loop_runs(framework: str, chip: str, runs: bool) -> None:
    assert ("post_training" not in codes(ReinforcementLearning(), framework, chip)) is runs
    assert "post_training" not in codes(FineTuning(), framework, chip)


def test_what_would_admit_a_tpu_is_said() -> None:
    assert "JAX" in codes(ReinforcementLearning(), "pytorch", "tpu-v6e")["post_training"]


def test_the_format_of_the_answers_must_run() -> None:
    fp8 = ReinforcementLearning(rollout_precision="fp8")
    assert "format" in codes(fp8, "pytorch", "v100-sxm2-32")
    assert "format" not in codes(fp8, "pytorch", "h100-sxm")


@pytest.mark.parametrize("chip", ["tpu-v5p", "tpu-v6e", "gaudi3", "trn1", "trn2"])
def test_pairs_that_are_there_need_no_software_that_answers(chip: str) -> None:
    """DPO trains on them as fine-tuning does: what refuses one refuses the other."""
    assert codes(PAIRS, "pytorch", chip) == codes(FineTuning(), "pytorch", chip)
    assert codes(PAIRS, "pytorch", chip, ("deepspeed",)) == codes(FineTuning(), "pytorch", chip, ("deepspeed",))


def test_what_trains_pairs_is_asked_of_the_catalogue() -> None:
    assert "framework" in codes(PAIRS, "jax", "gaudi3")
    assert "library" in codes(PAIRS, "pytorch", "trn2", ("deepspeed",))
    assert "format" in codes(ReinforcementLearning(algorithm="dpo", precision="fp8"), "pytorch", "v100-sxm2-32")


def told(one: CandidateResult) -> str:
    return " ".join(str(why.text) for why in one.reasons)


def test_preference_pairs_are_trained_on_tpus() -> None:
    results = evaluate(more_profiles()["preference-pairs"], CATALOGUE).results
    for family in ("tpu-v5p", "trn1", "trn2"):
        of_family = [one for one in results if one.candidate.accelerator.id == family]
        assert of_family and all(one.throughput.tokens_per_s.likely > 0 for one in of_family if one.throughput.fits)
        assert not any("answers, scores" in told(one) for one in of_family)


def test_a_run_whose_answers_are_refused_costs_no_fortune() -> None:
    """T4 and V100 stood at thousands of billions beyond the budget."""
    results = evaluate(more_profiles()["reinforcement-run"], CATALOGUE).results
    refused = [one for one in results if one.candidate.accelerator.id in ("t4", "v100-sxm2-16")]
    assert refused and all(told(one).count("does not serve in BF16 with vLLM") == 1 for one in refused)
    assert not {"budget", "deadline"} & {why.code for one in refused for why in one.reasons}
    assert max(one.cost.total.likely for one in results) < 1e8
