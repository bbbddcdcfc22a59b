"""A training step: operators by hand, and what must hold for every layout, chip and stack."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.throughput.chips.fleet import fleet_of
from core.throughput.model_shape import shape_of
from core.throughput.parameters import shipped_parameters
from core.throughput.predict import predict
from core.throughput.training.compute import attention_s, elementwise_s, passes
from core.throughput.training.layouts import as_rows
from core.throughput.training.rates import Rates, StackOfRun, facts_of, rates_of
from core.throughput.training.step import MOST_OF_PEAK, bubbles, step_terms
from core.throughput.training.work import TrainingWork, work_of
from core.throughput.types import Layout, System
from core.workload.jobs.kinds import FineTuning, PreTraining, TrainingJob
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile, Stack
from tests.core.throughput.fleet_samples import LLAMA_3_8B, MIXTRAL, system

JOB = PreTraining(global_batch_sequences=64, sequence_length=4096)
DATA_8 = Layout(dp=8, micro_batch=2)
CHIPS = st.sampled_from(["a100-sxm-80", "h100-sxm", "gb200", "mi300x", "tpu-v5p", "v100-sxm2-32", "l40s"])


def _rates(on: System, precision: str = "bf16") -> Rates:
    known = shipped_parameters("training")
    return rates_of(facts_of([on.accelerator], [precision], known), StackOfRun(["vendor"], np.array([2025.0])), known)


def _step(model: TransformerModel, job: TrainingJob, on: System, layout: Layout) -> dict[str, float]:
    shape, fleet = shape_of(model), fleet_of([on], job.precision)
    terms = step_terms(shape, work_of(shape, job), fleet, _rates(on, job.precision), as_rows([layout]))
    return {name: float(value[0]) for name, value in terms.items()}


def _total(model: TransformerModel, job: TrainingJob, on: System, layout: Layout) -> float:
    return sum(_step(model, job, on, layout).values())


def _work(job: TrainingJob = JOB, model: TransformerModel = LLAMA_3_8B) -> TrainingWork:
    return work_of(shape_of(model), job)


def test_forward_equivalents_of_the_products() -> None:
    for recompute, lora, expected in (("none", False, 3.0), ("full", False, 4.0), ("none", True, 2.0)):
        job = FineTuning(method="lora") if lora else JOB
        rates = _rates(system("h100-sxm", 8))
        assert passes(_work(job), rates, as_rows([Layout(recompute=recompute)])) == pytest.approx(expected)


def test_attention_by_hand() -> None:
    """4 s h e / 2 FLOPs a token forward, 3.5 times that with backward; 4096 of 4096 + 550, 128 of 160 of the rate."""
    rates = replace(_rates(system("h100-sxm", 8)), attention_flops=np.array([1e14]))
    tokens = np.array([4096.0])
    found = attention_s(shape_of(LLAMA_3_8B), _work(), rates, as_rows([Layout()]), tokens)
    flops = 3.5 * 4096 * 4 * 4096 * 32 * 128 / 2
    assert found[0] == pytest.approx(flops / (1e14 * 4096 / 4646 * 128 / 160))


def test_unfused_attention_writes_the_scores() -> None:
    fused, old = (replace(_rates(system("a100-sxm-80", 8)), unfused=np.array([flag])) for flag in (0.0, 1.0))
    rows, tokens = as_rows([Layout()]), np.array([4096.0])
    extra = 18 * 4096 * 4096 * 32 * 2 / float(old.memory_bytes_per_s[0])
    least = attention_s(shape_of(LLAMA_3_8B), _work(), fused, rows, tokens)[0] + extra
    assert attention_s(shape_of(LLAMA_3_8B), _work(), old, rows, tokens)[0] > least


def test_elementwise_traffic_by_hand() -> None:
    """11 d + 4 h e + 3 f values of two bytes, three times; tensor ranks share them."""
    plain = replace(_rates(system("h100-sxm", 8)), elementwise=np.array([1.0]), memory_bytes_per_s=np.array([1e12]))
    rows, tokens = as_rows([Layout(tp=4)]), np.array([1000.0])
    found = elementwise_s(shape_of(LLAMA_3_8B), _work(), plain, rows, tokens)
    assert found[0] == pytest.approx(3 * 1000 * (15 * 4096 + 3 * 14336) * 2 / 4 / 1e12)


def test_the_pipeline_idles_for_its_other_stages() -> None:
    job = PreTraining(global_batch_sequences=32, sequence_length=4096)
    found = _step(LLAMA_3_8B, job, system("h100-sxm", 8), Layout(dp=2, pp=4, micro_batch=1, interleave=2))
    micro = found["pipeline"] / (3 / 2)
    of_micros = found["compute"] + found["memory"] + found["network"]
    assert 16 * micro == pytest.approx(of_micros, rel=0.1)


@given(p=st.integers(1, 16), v=st.integers(1, 8), m=st.integers(1, 64))
def test_stages_idle_as_long_as_micro_batches_take_to_come_through(p: int, v: int, m: int) -> None:
    """One sequence on four stages of eight parts each was told to take a stage and three eighths, not four stages."""
    idle = bubbles(as_rows([Layout(pp=p, interleave=v)]), np.array([float(m)]))[0]
    assert m + idle == pytest.approx(_last_one_out(p, v, m) if m < p else m + (p - 1) / v)


def _last_one_out(p: int, v: int, m: int) -> float:
    """Each micro-batch goes through p v parts, one after the other, and part k is worked on by stage k of p in a ring:
    when the last of m < p is done, in stages' times of one micro-batch."""
    free, done = [0.0] * p, [0.0] * m
    for part in range(p * v):
        for micro in range(m):
            done[micro] = free[part % p] = max(done[micro], free[part % p]) + 1 / v
    return max(done)


@settings(max_examples=40, deadline=None)
@given(
    chip=CHIPS,
    figure=st.sampled_from(["memory_bandwidth_gbps", "scaleup_gbps_one_way", "bf16_tflops", "fp16_tflops"]),
    factor=st.floats(1.05, 4.0),
    model=st.sampled_from([LLAMA_3_8B, MIXTRAL]),
)
def test_more_of_any_figure_never_slows_a_layout(
    chip: str, figure: str, factor: float, model: TransformerModel
) -> None:
    plain = system(chip, 8)
    value = getattr(plain.accelerator, figure)
    if value is None:
        return
    changes = {figure: value * factor}
    better = replace(plain, accelerator=plain.accelerator.model_copy(update=changes))
    assert _total(model, JOB, better, DATA_8) <= _total(model, JOB, plain, DATA_8) * (1 + 1e-9)


@settings(max_examples=20, deadline=None)
@given(chip=st.sampled_from(["a100-sxm-80", "h100-sxm", "b200-sxm", "tpu-v5p"]), doublings=st.integers(1, 5))
def test_efficiency_does_not_rise_with_chips_at_a_fixed_batch(chip: str, doublings: int) -> None:
    job = PreTraining(global_batch_sequences=512, sequence_length=4096)
    profile = Profile(model=LLAMA_3_8B, job=job)
    few, many = predict(profile, [system(chip, 16), system(chip, 16 * 2**doublings)])
    assert many.mfu <= few.mfu * 1.01


def test_lora_saves_no_more_than_the_gradients_and_pays_for_its_adapters() -> None:
    on, job = system("h100-sxm", 8), FineTuning(method="full", global_batch_sequences=64, sequence_length=4096)
    full = _total(LLAMA_3_8B, job, on, DATA_8)
    lora = _total(LLAMA_3_8B, job.model_copy(update={"method": "lora"}), on, DATA_8)
    assert full / 1.63 < lora < full / 0.85  # the span of published pairs


def test_twice_the_layers_take_twice_the_time() -> None:
    deep = LLAMA_3_8B.model_copy(update={"n_layers": 64})
    on = system("h100-sxm", 8)
    assert 1.8 < _total(deep, JOB, on, DATA_8) / _total(LLAMA_3_8B, JOB, on, DATA_8) < 2.02


def test_eight_bits_help_and_do_not_halve_the_step() -> None:
    on = system("h100-sxm", 8)
    narrow = _total(LLAMA_3_8B, JOB.model_copy(update={"precision": "fp8"}), on, DATA_8)
    assert 0.5 < narrow / _total(LLAMA_3_8B, JOB, on, DATA_8) < 0.9


def test_the_stack_and_its_year_reach_the_prediction() -> None:
    def speed(**stack: object) -> float:
        profile = Profile(model=LLAMA_3_8B, job=JOB, stack=Stack.model_validate(stack))
        return predict(profile, [system("h100-sxm", 8)])[0].tokens_per_s.likely

    vendor, compiled, eager = (speed(training_stack=name) for name in ("vendor", "fsdp_compiled", "fsdp_eager"))
    assert vendor > compiled > eager
    assert speed(training_stack="vendor", software_year=2023) < vendor
    assert speed(training_stack="megatron_2021") < eager


def test_experts_spread_wider_hold_less_and_exchange_more() -> None:
    on = system("gb200", 64)
    job = PreTraining(global_batch_sequences=256, sequence_length=4096)
    alone = _step(MIXTRAL, job, on, Layout(dp=64, micro_batch=2))
    spread = _step(MIXTRAL, job, on, Layout(dp=64, ep=8, micro_batch=2))
    assert spread["network"] != alone["network"]
    assert spread["compute"] > 0.8 * alone["compute"]


def test_eight_bit_floats_that_a_tpu_only_stores_train_as_fast_as_sixteen_bits_and_say_so() -> None:
    wanted = Profile(model=LLAMA_3_8B, job=JOB.model_copy(update={"precision": "fp8"}))
    on = [system("tpu-v5e", 64)]
    stored, plain = predict(wanted, on)[0], predict(Profile(model=LLAMA_3_8B, job=JOB), on)[0]
    assert (stored.precision, plain.notes) == ("bf16", ())
    assert "has no FP8: computed in BF16" in stored.notes[0]
    assert stored.tokens_per_s.likely == pytest.approx(plain.tokens_per_s.likely, rel=0.01)


def test_an_unknown_stack_widens_the_range() -> None:
    def width(name: str) -> float:
        profile = Profile(model=LLAMA_3_8B, job=JOB, stack=Stack.model_validate({"training_stack": name}))
        (answer,) = predict(profile, [system("h100-sxm", 8)])
        return answer.tokens_per_s.high / answer.tokens_per_s.low

    assert width("unknown") > width("vendor")


def test_a_growing_batch_slows_the_run_by_its_share_of_the_tokens() -> None:
    """Small first steps leave the pipeline emptier; none of it where the batch begins as it ends."""
    layout = Layout(dp=4, tp=2, pp=8, micro_batch=1, recompute="")

    def speed(**job: float) -> float:
        usual = {"n_tokens": 1e12, "global_batch_sequences": 512, "sequence_length": 4096}
        profile = Profile(model=LLAMA_3_8B, job=PreTraining.model_validate(usual | job))
        return predict(profile, [system("h100-sxm", 64)], layout=layout)[0].tokens_per_s.likely

    whole, short, long = (
        speed(),
        speed(ramp_from_sequences=32, ramp_tokens=1e10),
        speed(ramp_from_sequences=32, ramp_tokens=4e11),
    )
    assert speed(ramp_from_sequences=512, ramp_tokens=1e12) == pytest.approx(whole)
    assert 0.99 * whole < short < whole and long < short
    assert 1 / long - 1 / whole == pytest.approx(40 * (1 / short - 1 / whole), rel=1e-6)


def test_a_growing_batch_is_worked_out_for_each_system_by_itself() -> None:
    """Asked together, clusters of other sizes and chips say what each says alone."""
    clusters = [system("h100-sxm", 64), system("h100-sxm", 128), system("b200-sxm", 64)]
    job = PreTraining(n_tokens=1e12, global_batch_sequences=512, ramp_from_sequences=32, ramp_tokens=4e11)
    together = predict(Profile(model=LLAMA_3_8B, job=job), clusters)
    alone = [predict(Profile(model=LLAMA_3_8B, job=job), [one])[0] for one in clusters]
    assert [one.tokens_per_s.likely for one in together] == pytest.approx([one.tokens_per_s.likely for one in alone])
    assert len({one.tokens_per_s.likely for one in alone}) == 3


@pytest.mark.parametrize(
    ("chip", "precision"),
    [(chip, one) for chip in ("a100-sxm-80", "h100-sxm", "l40s", "mi300x") for one in ("fp32", "tf32", "bf16")]
    + [(chip, one) for chip in ("v100-sxm2-32", "t4") for one in ("fp32", "fp16", "bf16")],
)
def test_nothing_computes_above_its_peak(chip: str, precision: str) -> None:
    """Factors of a vendor's stack, a precision and a year multiplied to 1.16 of an A100's FP32."""
    job = PreTraining.model_validate({"precision": precision})
    profile = Profile(model=LLAMA_3_8B, job=job, stack=Stack(training_stack="vendor", software_year=2027))
    (answer,) = predict(profile, [system(chip, 256)])
    computing = answer.step_terms_s["compute"] / answer.step_time_s
    assert answer.mfu / computing <= MOST_OF_PEAK


def test_an_emulated_format_is_held_to_the_peak_of_what_computes_it() -> None:
    """BF16 in FP32 at 80 % showed more of its peak on V100 than FP32 itself."""
    own, emulated = (
        predict(
            Profile(model=LLAMA_3_8B, job=PreTraining.model_validate({"precision": one})), [system("v100-sxm2-32", 256)]
        )[0]
        for one in ("fp32", "bf16")
    )
    assert own.fits and emulated.fits and emulated.mfu < own.mfu
    assert emulated.mfu / own.mfu == pytest.approx(emulated.tokens_per_s.likely / own.tokens_per_s.likely)
