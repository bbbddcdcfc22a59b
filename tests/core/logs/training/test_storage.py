"""Saved states and bytes read, as training programs print them among their steps."""

from pathlib import Path

import pytest

from tests.core.logs.training_logs import record_of

TITAN = "[titan] 2025-10-15 10:37:{:02d},390 - root - INFO - "
STEP = (
    TITAN + "step: {:2d}  loss: 10.1  grad_norm:  1.2  memory: 44.84GiB(47.19%)  tps: 5,615  tflops: 325.2  mfu: 32%\n"
)


def test_saved_states_of_torchtitan(tmp_path: Path) -> None:
    saved = TITAN + "Finished saving the checkpoint (or staging if async)in {} seconds.\n"
    text = STEP.format(1, 10) + saved.format(2, 5.5) + STEP.format(9, 20) + saved.format(12, 6.5) + STEP.format(20, 30)
    save = record_of(tmp_path, text).quantities["save_s"]
    assert (save.n, save.mean, save.max) == (2, 6.0, 6.5)


def test_megatrons_timer_gives_the_longest_rank(tmp_path: Path) -> None:
    step = (
        " iteration {:5d}/ 100 | elapsed time per iteration (ms): 5000.0 | global batch size: 64 | lm loss: 1.0E+01 |\n"
    )
    timer = "(min, max) time across ranks (ms):\n    save-checkpoint ................................: (9000.10, {})\n"
    text = step.format(10) + timer.format("12000.00") + step.format(20) + timer.format("14000.00") + step.format(30)
    assert record_of(tmp_path, text).quantities["save_s"].mean == 13.0


@pytest.mark.parametrize(
    ("unit", "gb"),
    [("Bytes", 1e-9), ("B", 1e-9), ("KiB", 1.024e-6), ("MiB", 1.048576e-3), ("GiB", 1.073741824), ("kB", 1e-6)]
    + [("MB", 1e-3), ("GB", 1.0), ("TiB", 1099.511627776)],
)
def test_what_is_read_a_second_is_told_in_gb(tmp_path: Path, unit: str, gb: float) -> None:
    read = f"[process=0] /jax/checkpoint/read/bytes_per_sec: 5.0 {unit}/s (total bytes: 40.1) (time elapsed: 20 s)\n"
    step = "completed step: {}, seconds: 2.0, TFLOP/s/device: 300.0, Tokens/s/device: 4096, total_weights: 8, loss: 2\n"
    record = record_of(tmp_path, read + "".join(step.format(n) for n in range(5)))
    assert record.quantities["storage_read_gb_per_s"].mean == pytest.approx(5 * gb, rel=1e-12)


def test_what_a_host_read_when_a_run_resumed(tmp_path: Path) -> None:
    read = "[process=0] /jax/orbax/read/gbytes_per_sec: 2.0 GiB/s (total gbytes: 40.1 GiB) (time elapsed: 20 s)\n"
    step = "completed step: {}, seconds: 2.0, TFLOP/s/device: 300.0, Tokens/s/device: 4096, total_weights: 8, loss: 2\n"
    record = record_of(tmp_path, read + "".join(step.format(n) for n in range(5)))
    assert record.quantities["storage_read_gb_per_s"].mean == pytest.approx(2 * 2**30 / 1e9)
