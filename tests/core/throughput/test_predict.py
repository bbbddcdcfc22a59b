"""The door of the engine: sums, laws that hold for any input, limits, corrections, golden results."""

import json
import math
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ranges import Evidence
from core.throughput.correction import Corrections, SpeedFactor
from core.throughput.predict import predict
from core.throughput.types import Layout, Throughput
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import GOLDEN, GPT_3, LLAMA_3_8B, LLAMA_3_70B, MIXTRAL, system, systems

CHIPS = ["a100-sxm-80", "h100-sxm", "b200-sxm", "mi300x", "tpu-v5p", "tpu-v6e", "l40s"]
TRAINING = Profile(model=LLAMA_3_70B, job=PreTraining(global_batch_sequences=1024))
SERVING = Profile(model=LLAMA_3_70B, job=OnlineServing())
PROFILES = {
    "train-70b": TRAINING,
    "train-moe": Profile(model=MIXTRAL, job=PreTraining(global_batch_sequences=512, sequence_length=4096)),
    "lora-8b": Profile(model=LLAMA_3_8B, job=FineTuning(method="lora")),
    "serve-70b": SERVING,
    "batch-8b": Profile(model=LLAMA_3_8B, job=BatchInference()),
}


def _fitting(answers: list[Throughput]) -> list[Throughput]:
    found = [answer for answer in answers if answer.fits]
    assert found
    return found


@pytest.mark.parametrize("name", PROFILES)
def test_terms_sum_to_the_step_and_memory_stays_within_the_chip(name: str) -> None:
    for answer in _fitting(predict(PROFILES[name], systems(CHIPS, [8, 64]))):
        assert sum(answer.step_terms_s.values()) == pytest.approx(answer.step_time_s)
        assert all(value >= 0 for value in answer.step_terms_s.values())
        assert sum(answer.memory_gib.values()) <= answer.memory_capacity_gib
        assert answer.bottleneck == max(answer.step_terms_s, key=lambda term: answer.step_terms_s[term])
        assert answer.tokens_per_s.low < answer.tokens_per_s.likely < answer.tokens_per_s.high
        assert 0 < answer.mfu < 1
        assert answer.roofline


def test_a_training_step_stands_on_the_roofline_at_its_share_of_the_peak() -> None:
    for answer in _fitting(predict(TRAINING, systems(CHIPS, [256]))):
        ((_, intensity, attained),) = answer.roofline
        chip = answer.system.accelerator
        assert intensity > 0 and chip.bf16_tflops is not None
        assert attained == pytest.approx(answer.mfu * 1e12 * chip.bf16_tflops)


def test_training_step_and_speed_agree() -> None:
    for answer in _fitting(predict(TRAINING, systems(CHIPS, [256]))):
        assert answer.tokens_per_s.likely * answer.step_time_s == pytest.approx(1024 * 8192)
        layout = answer.layout
        assert layout.dp * layout.fsdp * layout.tp * layout.pp * layout.cp == 256


SEARCH = 1e-3
"""A rate within limits is closed in on by halving, to about this share of it."""
FIGURES = {
    "memory_bandwidth_gbps": 3350.0,
    "scaleup_gbps_one_way": 450.0,
    "memory_gb": 80.0,
}


@settings(max_examples=25, deadline=None)
@given(field=st.sampled_from(sorted(FIGURES)), factor=st.floats(1.05, 4.0), name=st.sampled_from(sorted(PROFILES)))
def test_a_better_chip_is_never_slower(field: str, factor: float, name: str) -> None:
    plain, better = predict(
        PROFILES[name], [system("h100-sxm", 64), system("h100-sxm", 64, **{field: FIGURES[field] * factor})]
    )
    assert better.tokens_per_s.likely >= plain.tokens_per_s.likely * (1 - SEARCH)


@settings(max_examples=20, deadline=None)
@given(factor=st.floats(1.05, 4.0), name=st.sampled_from(sorted(PROFILES)))
def test_more_flops_are_never_slower(factor: float, name: str) -> None:
    faster = {"bf16_tflops": 989.0 * factor, "measured_bf16_tflops": 794.5 * factor}
    plain, better = predict(PROFILES[name], [system("h100-sxm", 64), system("h100-sxm", 64, **faster)])
    assert better.tokens_per_s.likely >= plain.tokens_per_s.likely * (1 - SEARCH)


@pytest.mark.parametrize("chip", CHIPS[:6])
def test_training_never_scales_better_than_the_chips(chip: str) -> None:
    small, large = predict(TRAINING, systems([chip], [256, 512]))
    if small.fits:
        assert small.tokens_per_s.likely < large.tokens_per_s.likely <= 2.02 * small.tokens_per_s.likely


def test_full_recompute_costs_work_and_saves_memory() -> None:
    kept, again = (
        predict(
            Profile(model=LLAMA_3_8B, job=PreTraining(global_batch_sequences=64, recompute=how)),
            [system("h200-sxm", 8)],
            layout=Layout(fsdp=8, micro_batch=1, recompute=how),
        )[0]
        for how in ("selective", "full")
    )
    assert again.step_time_s > kept.step_time_s
    assert again.memory_gib["activations"] < kept.memory_gib["activations"]


def test_lora_is_as_fast_beside_training_all_weights_as_published_pairs_say() -> None:
    lora, full = (
        predict(Profile(model=LLAMA_3_8B, job=FineTuning(method=method)), [system("h100-sxm", 8)])[0]
        for method in ("lora", "full")
    )
    assert 0.85 < lora.tokens_per_s.likely / full.tokens_per_s.likely < 1.63
    assert lora.memory_gib["optimizer"] < 0.1 * full.memory_gib["optimizer"]


def test_what_does_not_fit_says_by_how_much_and_what_would() -> None:
    answer = predict(Profile(model=GPT_3), [system("h100-sxm", 8)])[0]
    assert not answer.fits
    assert answer.reasons[0].code == "memory"
    assert "GiB" in str(answer.reasons[0].text)
    assert answer.reasons[0].nearest_change
    assert sum(answer.memory_gib.values()) > answer.memory_capacity_gib


def test_a_limit_that_no_batch_meets_is_a_latency_reason() -> None:
    tight = Profile(model=LLAMA_3_70B, job=OnlineServing(tpot_limit_ms=2.0))
    answer = predict(tight, [system("h100-sxm", 8)])[0]
    assert not answer.fits
    assert answer.reasons[0].code == "latency"
    assert answer.reasons[0].nearest_change


def test_serving_keeps_its_limits_and_a_looser_one_gives_more() -> None:
    tight, loose = (
        predict(
            Profile(model=LLAMA_3_70B, job=OnlineServing(tpot_limit_ms=limit, ttft_limit_ms=5000)),
            [system("h200-sxm", 8)],
        )[0]
        for limit in (25.0, 80.0)
    )
    assert tight.latency is not None
    assert tight.latency.tpot_p50_ms <= 25.0
    assert tight.latency.ttft_p50_ms <= tight.latency.ttft_p99_ms
    assert loose.tokens_per_s.likely > tight.tokens_per_s.likely


def test_a_chip_without_fp8_is_refused_with_what_would_run() -> None:
    answer = predict(Profile(model=LLAMA_3_8B, job=PreTraining(precision="fp8")), [system("a100-sxm-80", 8)])[0]
    assert not answer.fits
    assert answer.reasons[0].code == "format"
    assert str(answer.reasons[0].text).startswith("A100 80 GB SXM does not train in FP8 (PyTorch/TransformerEngine")
    assert answer.reasons[0].nearest_change == "Take BF16, which runs there"


def test_a_measured_factor_scales_the_speed_and_shrinks_the_range() -> None:
    factor = SpeedFactor("h100-sxm", "training", 0.8, 0.05, 3, Evidence.MEASURED_HERE)
    ours = Corrections({("h100-sxm", "training"): factor}, "test")
    plain, corrected = (predict(TRAINING, [system("h100-sxm", 256)], given)[0] for given in (Corrections({}), ours))
    assert corrected.tokens_per_s.likely == pytest.approx(0.8 * plain.tokens_per_s.likely)
    assert corrected.step_time_s == pytest.approx(plain.step_time_s / 0.8)
    assert corrected.evidence is Evidence.MEASURED_HERE
    assert corrected.tokens_per_s.high / corrected.tokens_per_s.low < plain.tokens_per_s.high / plain.tokens_per_s.low


def test_a_factor_of_other_models_moves_the_speed_and_leaves_its_range() -> None:
    own = SpeedFactor("h100-sxm", "training", 0.8, 0.05, 3, Evidence.MEASURED_HERE)
    others = SpeedFactor("h100-sxm", "training", 0.9, 0.05, 3, Evidence.TRANSFERRED, is_of_others=True)
    key = ("h100-sxm", "training")
    of_another = Corrections({key: others}, of_models={(*key, 1e9): own})
    of_this = Corrections({key: others}, of_models={(*key, TRAINING.model.n_params): own})
    each = (Corrections({}), of_another, of_this)
    plain, moved, measured = (predict(TRAINING, [system("h100-sxm", 256)], one)[0].tokens_per_s for one in each)
    assert moved.likely == pytest.approx(0.9 * plain.likely)
    assert moved.high / moved.low == pytest.approx(plain.high / plain.low)
    assert measured.likely == pytest.approx(0.8 * plain.likely)


def test_an_unknown_network_widens_the_range() -> None:
    known = system("h100-sxm", 64)
    rates = {"network_gbit_per_s": known.network_gbit_per_s, "slice": None, "host": None}
    sure, unsure = (
        type(known)(known.accelerator, 64, 8, network_estimate=estimate, **rates) for estimate in (False, True)
    )
    a, b = predict(TRAINING, [sure, unsure])
    assert b.tokens_per_s.high / b.tokens_per_s.low > a.tokens_per_s.high / a.tokens_per_s.low


def test_no_systems_no_answers() -> None:
    assert predict(TRAINING, []) == []


def _golden() -> dict[str, dict[str, float]]:
    return {
        f"{name}/{answer.system.accelerator.id}/{answer.system.n_chips}": {
            "tokens_per_s": _short(answer.tokens_per_s.likely),
            "step_time_s": _short(answer.step_time_s),
            "mfu": _short(answer.mfu),
        }
        for name, profile in PROFILES.items()
        for answer in predict(profile, systems(CHIPS, [8, 256]))
    }


def _short(value: float) -> float:
    return float(f"{value:.5g}")


def test_results_drift_only_on_purpose() -> None:
    """``ROOFPLAN_UPDATE_GOLDEN=1`` rewrites the file; review its diff."""
    found = _golden()
    if os.environ.get("ROOFPLAN_UPDATE_GOLDEN"):
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    kept = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert found.keys() == kept.keys()
    for name, values in kept.items():
        for field, value in values.items():
            assert math.isclose(found[name][field], value, rel_tol=1e-3), f"{name} {field}"
