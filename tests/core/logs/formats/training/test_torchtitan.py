"""torchtitan: all ranks print a step, the stamps give the time of one, settings give the mesh."""

from pathlib import Path

import pytest

from tests.core.logs.training_logs import means, record_of

STEP = (
    "[rank{}]:[titan] 2025-10-15 10:37:{},390 - root - INFO - step: {:2}  loss: 12.5  grad_norm:  4.5  "
    "memory: 33.0GiB(34.95%)  tps: {}  tflops: 325.20  mfu: 32.88%\n"
)


def test_ranks_are_averaged_and_stamps_give_the_time_of_a_step(tmp_path: Path) -> None:
    text = "".join(STEP.format(rank, "01", 1, 86 + rank) for rank in (3, 0)) + "".join(
        STEP.format(rank, at, step, rate)
        for step, at in ((10, "10"), (20, "30"))
        for rank, rate in ((0, "5,000"), (1, "7,000"))
    )
    record = record_of(tmp_path, text)
    assert (record.start, list(record.time_s)) == ("2025-10-15 10:37:01.390", [0.0, 9.0, 29.0])
    assert record.series["tokens_per_s_per_chip"][0] == 87.5
    assert means(record) == {
        "memory_used_gib": 33.0, "tokens_per_s_per_chip": 6000.0, "tflops_per_chip": 325.2, "mfu_pct": 32.88,
        "loss": 12.5, "step_time_s": 1.5,
    }  # fmt: skip


def test_the_mesh_the_batch_and_the_model_are_stated(tmp_path: Path) -> None:
    text = (
        "Building 2-D device mesh with ['dp', 'tp'], [4, 8]\n"
        "GPU capacity: NVIDIA H100 80GB HBM3 (0) with 79.11GiB memory\n"
        "Model llama3 8B size: 8,030,261,248 total parameters\n"
        "Training starts at step 1, with local batch size 1, global batch size 4, sequence length 8192, total steps 9\n"
        "2024-07-02 10:00:10,100 - root - INFO - step:  5  loss: 12.2  memory: 33.2GiB(3%)  wps: 1,024  mfu: 3.0%\n"
    )
    record = record_of(tmp_path, text)
    assert (record.n_accelerators, record.accelerator_id) == (32, "h100-sxm")
    assert record.facts == {
        "framework": "torchtitan", "model": "llama3 8B", "n_parameters": 8030261248.0, "micro_batch": 1.0,
        "global_batch": 4.0, "sequence_length": 8192.0,
    }  # fmt: skip
    assert means(record)["step_time_s"] == pytest.approx(4 * 8192 / (32 * 1024))


def test_a_step_cut_short_is_told(tmp_path: Path) -> None:
    record = record_of(tmp_path, STEP.format(0, "01", 5, 86) + STEP.format(0, "02", 6, 86)[:110])
    assert (len(record.time_s), record.skipped) == (1, {"step line cut short": 1})
