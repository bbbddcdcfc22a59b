"""How a job's format runs on a chip: natively, emulated, from stored weights, or not at all; never in silence."""

from itertools import product

import pytest

from core.catalogue.entries import Accelerator
from core.catalogue.formats import peak_of
from core.catalogue.loading import load_catalogue
from core.constants import BYTES_PER_VALUE
from core.ranges import Evidence
from core.throughput.chips.run_formats import RunFormat, answering_formats, as_stated, planned_formats
from core.throughput.predict import predict
from core.workload.jobs.base import PRECISION_WORDS
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.library import load_profiles
from core.workload.profile import Profile, Stack
from tests.core.throughput.fleet_samples import LLAMA_3_8B, system

CHIPS = load_catalogue().accelerators
TRAINED, SERVED = Profile(model=LLAMA_3_8B), Profile(model=LLAMA_3_8B, job=BatchInference())
NETWORK = load_profiles()["sdxl-serving"]
PROFILES = {
    "trained": TRAINED,
    "tuned": Profile(model=LLAMA_3_8B, job=FineTuning(method="lora")),
    "jax": Profile(model=LLAMA_3_8B, stack=Stack(framework="jax")),
    "unknown stack": Profile(model=LLAMA_3_8B, stack=Stack(training_stack="unknown")),
    "served": SERVED,
    "sglang": Profile(model=LLAMA_3_8B, job=OnlineServing(engine="sglang")),
    "tensorrt": Profile(model=LLAMA_3_8B, job=OnlineServing(engine="tensorrt-llm")),
    "network": NETWORK,
}


def _chip(chip_id: str) -> Accelerator:
    return load_catalogue().accelerator_by_id[chip_id]


def _run(profile: Profile, chip_id: str, wanted: str) -> RunFormat:
    return planned_formats(profile)(_chip(chip_id), wanted)


def test_sixteen_bits_that_a_chip_lacks_run_at_the_speed_of_its_wide_units() -> None:
    run = _run(TRAINED, "v100-sxm2-32", "bf16")
    assert (run.products, run.shown, run.peak_flops) == ("fp32", "fp32", pytest.approx(0.8 * 15.7e12))
    assert run.notes[0].startswith("V100 32 GB SXM has no BF16: computed in FP32 at 80 % of its speed (PyTorch/cuBLAS")
    assert "memory" in run.notes[0]
    assert _run(TRAINED, "v100-sxm2-32", "fp16").peak_flops == 125e12


def test_a_v100_wins_no_bf16_work_through_a_peak_it_does_not_have() -> None:
    on = [system("v100-sxm2-32", 64)]
    half = TRAINED.model_copy(update={"job": PreTraining(precision="fp16")})
    asked, native = predict(TRAINED, on)[0], predict(half, on)[0]
    assert asked.fits and native.fits
    assert asked.tokens_per_s.likely < native.tokens_per_s.likely / 3
    assert (asked.evidence, native.evidence) == (Evidence.ESTIMATE, Evidence.MODELLED)
    assert asked.tokens_per_s.high / asked.tokens_per_s.low > native.tokens_per_s.high / native.tokens_per_s.low
    alike = predict(TRAINED, on, layout=native.layout)[0]
    assert alike.memory_gib["weights"] == pytest.approx(native.memory_gib["weights"])  # BF16 is what is stored


def test_stored_weights_take_their_bytes_and_products_run_in_sixteen_bits() -> None:
    run = _run(SERVED, "a100-sxm-80", "fp8")
    assert (run.products, run.kernels, run.peak_flops) == ("bf16", "fp8", 312e12)
    assert run.notes == ("FP8 weights on A100 80 GB SXM, products in BF16 (vLLM, v0.32 docs, 2026)",)
    assert (_run(SERVED, "h100-sxm", "fp4").products, _run(SERVED, "h100-sxm", "fp4").kernels) == ("bf16", "int4")
    assert _run(SERVED, "v100-sxm2-32", "int4").products == "fp16"
    eight, sixteen = (
        predict(Profile(model=LLAMA_3_8B, job=BatchInference(weight_precision=name)), [system("a100-sxm-80", 1)])[0]
        for name in ("fp8", "bf16")
    )
    assert eight.memory_gib["weights"] < 0.6 * sixteen.memory_gib["weights"]
    assert (eight.precision, sixteen.precision) == ("bf16", "bf16")


def test_a_refusal_names_chip_format_software_and_what_would_run() -> None:
    reason = _run(SERVED, "t4", "bf16").refusal
    assert reason is not None
    assert reason.code == "format"
    assert str(reason.text) == "T4 does not serve in BF16 with vLLM (vLLM, 2026-11, from memory)"
    assert reason.nearest_change == "Take FP16, which runs there"
    partly = _run(TRAINED, "rtx5090", "fp4").refusal
    assert partly is not None and "can only in part train in NVFP4" in str(partly.text)
    doubtful = _run(PROFILES["sglang"], "b200-sxm", "int8").refusal
    assert doubtful is not None and "is not known to serve in INT8 with SGLang" in str(doubtful.text)


@pytest.mark.parametrize(
    ("job", "chip", "wanted", "words"),
    [
        (OnlineServing(engine="vllm"), "tpu7x", "int8",
         "TPU7x does not serve in INT8 with vLLM (vLLM tpu-inference, 2026-08-22)"),
        (OnlineServing(engine="maxtext"), "tpu7x", "int8",
         "TPU7x is not known to serve in INT8 with MaxText; vLLM tpu-inference does not (2026-08-22)"),
        (OnlineServing(engine="vllm"), "tpu7x", "fp16",
         "TPU7x is not known to serve in FP16 with vLLM; JAX/XLA does not train in it (2026-11, from memory)"),
        (PreTraining(), "tpu7x", "int4", "TPU7x is not known to train in INT4 weights"),
        (PreTraining(), "tpu7x", "int8",
         "TPU7x does not train in INT8 (JAX/XLA (AQT/Qwix), 2025-02-18, from memory)"),
    ],
)  # fmt: skip
def test_a_refusal_cites_what_speaks_of_the_same_software_and_use(
    job: OnlineServing | PreTraining, chip: str, wanted: str, words: str
) -> None:
    """A list of another engine is told as that, and one of serving says nothing of training."""
    refusal = _run(Profile(job=job), chip, wanted).refusal
    assert refusal is not None and str(refusal.text) == words


def test_a_refused_chip_gives_no_speed() -> None:
    for profile, chip in ((SERVED, "t4"), (TRAINED.model_copy(update={"job": PreTraining(precision="fp16")}), "tpu7x")):
        answer = predict(profile, [system(chip, 8)])[0]
        assert (answer.fits, answer.tokens_per_s.likely, answer.reasons[0].code) == (False, 0.0, "format")


def test_an_engine_that_a_chip_lacks_is_a_reason_of_its_own() -> None:
    reason = _run(PROFILES["tensorrt"], "v100-sxm2-32", "fp16").refusal
    assert reason is not None
    assert (reason.code, reason.nearest_change) == ("engine", "Take another serving engine")
    assert str(reason.text) == "TensorRT-LLM supports V100 32 GB SXM in no format (TensorRT-LLM, 0.18.2)"


def test_weights_of_four_bits_are_trained_over_with_adapters_only() -> None:
    every = _run(TRAINED, "h100-sxm", "int4").refusal
    assert every is not None and every.code == "format" and "adapters" in str(every.text)
    lora = _run(PROFILES["tuned"], "h100-sxm", "int4")
    assert lora.refusal is None
    assert lora.peak_flops == pytest.approx(0.75 * 989e12)
    assert "75 % as fast" in lora.notes[0]
    four, sixteen = (
        predict(Profile(model=LLAMA_3_8B, job=FineTuning(method="lora", precision=name)), [system("h100-sxm", 1)])[0]
        for name in ("int4", "bf16")
    )
    assert 0.25 < four.memory_gib["weights"] / sixteen.memory_gib["weights"] < 0.4  # embeddings stay in 16 bits
    assert four.tokens_per_s.likely < sixteen.tokens_per_s.likely


def test_a_prototype_and_a_data_sheet_alone_are_told() -> None:
    assert "INT8 is a prototype on A100 80 GB SXM" in _run(TRAINED, "a100-sxm-80", "int8").notes[0]
    own = _chip("h100-sxm").model_copy(update={"id": "ours", "short_name": "Ours"})
    assert planned_formats(TRAINED)(own, "bf16").notes == (
        "BF16 on Ours by its data sheet alone: no list of software was found",
    )
    unlisted = planned_formats(SERVED)(own, "int4")
    assert unlisted.refusal is not None and unlisted.refusal.code == "unknown"


def test_networks_answer_in_what_their_chip_has_units_for() -> None:
    """INT8 of a compiled network on B200 is no matter of the engines of language models."""
    assert _run(NETWORK, "b200-sxm", "int8").refusal is None
    missing = _run(NETWORK, "a100-sxm-80", "fp8").refusal
    assert missing is not None and missing.code == "format"
    assert str(missing.text).startswith("The data sheet of A100 80 GB SXM gives no peak for FP8 (")
    assert missing.nearest_change == "Take INT8, which runs there"
    emulated, wide = _run(NETWORK, "v100-sxm2-32", "bf16"), _run(NETWORK, "tpu-v6e", "fp32")
    assert [(run.stored, run.products) for run in (emulated, wide)] == [("bf16", "fp32"), ("fp32", "bf16")]
    assert _run(NETWORK, "tpu-v6e", "int4").refusal is not None
    assert _run(NETWORK, "a100-sxm-80", "int4").refusal is not None


@pytest.mark.parametrize("name", PROFILES)
def test_no_chip_gets_a_higher_peak_than_its_data_sheet_gives(name: str) -> None:
    runs_in = planned_formats(PROFILES[name])
    for chip, wanted in product(CHIPS, PRECISION_WORDS):
        run = runs_in(chip, wanted)
        if run.refusal is None:
            assert 0 < run.peak_flops <= peak_of(chip, run.products)
            assert run.products in ("fp4", wanted) or run.notes, (chip.id, wanted)


@pytest.mark.parametrize("name", PROFILES)
def test_what_is_not_supported_is_always_refused(name: str) -> None:
    runs_in = planned_formats(PROFILES[name])
    for chip, wanted in product(CHIPS, PRECISION_WORDS):
        kind, run = runs_in.support(chip, wanted).kind, runs_in(chip, wanted)
        if kind in ("none", "unverified", "partial"):
            assert run.refusal is not None and run.refusal.text and run.refusal.nearest_change
        if run.refusal is None:
            assert kind in ("native", "emulated", "weight-only", "prototype")


@pytest.mark.parametrize("name", PROFILES)
def test_an_emulated_format_is_never_faster_than_a_native_one_of_its_width(name: str) -> None:
    runs_in = planned_formats(PROFILES[name])
    for chip, wanted in product(CHIPS, PRECISION_WORDS):
        if runs_in.support(chip, wanted).kind != "emulated":
            continue
        width = BYTES_PER_VALUE[wanted]
        for other in (name for name in PRECISION_WORDS if BYTES_PER_VALUE[name] == width):
            if runs_in.support(chip, other).kind == "native" and peak_of(chip, other):
                assert runs_in(chip, wanted).peak_flops <= peak_of(chip, other), (chip.id, wanted, other)


def test_as_stated_takes_no_other_format() -> None:
    for chip, wanted in product(CHIPS, PRECISION_WORDS):
        run = as_stated(chip, wanted)
        assert run.peak_flops == peak_of(chip, run.products)
        assert (run.refusal is None) == (run.peak_flops > 0)
        assert run.products == {"mxfp4": "fp4", "int4": run.products}.get(wanted, wanted)


def test_kernels_of_four_bits_that_are_only_believed_to_be_there_are_an_estimate() -> None:
    for name, chip, wanted in product(PROFILES, CHIPS, PRECISION_WORDS):
        runs_in = planned_formats(PROFILES[name])
        support, run = runs_in.support(chip, wanted), runs_in(chip, wanted)
        if support.kind == "native" and BYTES_PER_VALUE[wanted] < 1.0:
            assert run.is_estimate is support.is_estimate, (name, chip.id, wanted)


def test_gpt_oss_runs_on_hopper_as_it_was_measured_there() -> None:
    """In MXFP4 with vLLM, SGLang and TensorRT-LLM; on an RTX PRO 6000 vLLM unpacks it."""
    h100, sm120 = (next(chip for chip in CHIPS if chip.id == name) for name in ("h100-sxm", "rtxpro6000"))
    for engine in ("vllm", "sglang", "tensorrt-llm"):
        run = answering_formats(engine)(h100, "mxfp4")
        assert run.refusal is None and not run.is_estimate and run.kernels == "int4", engine
    assert answering_formats("vllm")(sm120, "mxfp4").kernels == "int4"
