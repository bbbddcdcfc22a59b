"""Starts, saved states and restarts: worked by hand, and what must hold for any system."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.throughput.parameters import shipped_parameters
from core.throughput.training.overheads import RunOverheads, run_overheads_of, state_bytes
from core.workload.jobs.kinds import FineTuning, PreTraining
from core.workload.profile import Stack
from tests.core.throughput.fleet_samples import LLAMA_3_8B, LLAMA_3_70B, system

TABLE = shipped_parameters("host")
LIKELY = 1


def _upkeep(n_chips: int = 64, chip: str = "h100-sxm", stack: Stack | None = None, **job: object) -> RunOverheads:
    return run_overheads_of(LLAMA_3_70B, PreTraining.model_validate(job), stack or Stack(), [system(chip, n_chips)])


def test_a_state_holds_weights_and_optimiser_of_what_is_trained() -> None:
    assert state_bytes(LLAMA_3_70B, PreTraining()) == pytest.approx(14 * LLAMA_3_70B.n_params)
    assert state_bytes(LLAMA_3_8B, FineTuning(method="lora")) < 0.01 * state_bytes(LLAMA_3_8B, FineTuning())


def test_a_blocking_save_worked_by_hand() -> None:
    found = _upkeep(checkpoint_mode="blocking", storage_gb_per_s=2.0)
    write_s = 14 * LLAMA_3_70B.n_params / 2e9
    assert found.save_s[0, LIKELY] == pytest.approx(write_s + TABLE["snapshot_barrier_s"])


def test_a_save_in_the_background_stands_still_for_the_copy_alone() -> None:
    found = _upkeep(checkpoint_mode="async")
    pcie = 64 * system("h100-sxm", 64).accelerator.pcie_gbps * 1e9 * TABLE["snapshot_copy_share"]
    copy_s = 14 * LLAMA_3_70B.n_params / pcie
    assert found.save_s[0, LIKELY] == pytest.approx(TABLE["snapshot_barrier_s"] + copy_s)
    assert found.save_s[0, LIKELY] < _upkeep(checkpoint_mode="blocking").save_s[0, LIKELY]


def test_writes_that_outlast_the_interval_hold_the_chips_up() -> None:
    slow = {"storage_gb_per_s": 0.2, "checkpoint_interval_h": 0.5}
    found = _upkeep(**slow)
    spare = _upkeep(checkpoint_interval_h=100.0, storage_gb_per_s=0.2)
    late_s = 14 * LLAMA_3_70B.n_params / 0.2e9 - 1800
    assert late_s > 0
    assert found.save_s[0, LIKELY] == pytest.approx(spare.save_s[0, LIKELY] + late_s)


@pytest.mark.parametrize(
    ("chip", "stack", "seconds"),
    [
        ("h100-sxm", Stack(), 0.0),
        ("h100-sxm", Stack(training_stack="fsdp_compiled"), TABLE["compile_torch_s"]),
        ("h100-sxm", Stack(framework="jax"), TABLE["compile_xla_s"]),
        ("tpu-v5e", Stack(), TABLE["compile_xla_s"]),
    ],
)
def test_compiling_comes_before_the_first_step(chip: str, stack: Stack, seconds: float) -> None:
    assert _upkeep(chip=chip, stack=stack).start_s[0, LIKELY] == pytest.approx(seconds + TABLE["warm_up_s"])


def test_failures_come_at_the_published_rate() -> None:
    found = _upkeep(n_chips=16_384).failures_per_h[0]
    assert found[0] * 24 * 54 < 419 < found[2] * 24 * 54
    assert found[LIKELY] * 24 * 54 == pytest.approx(419, rel=0.05)


@settings(max_examples=25, deadline=None)
@given(rate=st.floats(0.01, 1e3), factor=st.floats(1.01, 20), mode=st.sampled_from(["async", "blocking"]))
def test_faster_storage_never_saves_slower(rate: float, factor: float, mode: str) -> None:
    slow, fast = (_upkeep(checkpoint_mode=mode, storage_gb_per_s=gb_per_s) for gb_per_s in (rate, rate * factor))
    for part in ("save_s", "resume_s"):
        assert (getattr(fast, part) <= getattr(slow, part) * (1 + 1e-12)).all()


@given(st.sampled_from(["object", "volume", "filesystem", "local"]))
def test_spans_rise_and_bracket_the_likely_value(storage: str) -> None:
    found = _upkeep(storage=storage)
    for part in ("start_s", "save_s", "resume_s", "failures_per_h"):
        low, likely, high = getattr(found, part)[0]
        assert 0 < low < likely < high
