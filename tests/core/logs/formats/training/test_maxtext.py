"""MaxText output: step lines among other lines, prefixes, facts of the machine."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.logs.read import read_log
from tests.repository_files import ROOT

DATA = ROOT / "tests" / "data" / "logs"
STEP = "completed step: {}, seconds: {}, TFLOP/s/device: 300.0, Tokens/s/device: {}, total_weights: 8192, loss: 2.5\n"


def test_steps_chip_and_device_count_are_read() -> None:
    record = read_log(DATA / "maxtext-v5p.log")
    assert record.format == "maxtext"
    assert record.accelerator_id == "tpu-v5p"
    assert record.n_accelerators == 64
    assert record.quantities["tokens_per_s_per_chip"].n == 40
    assert record.quantities["step_time_s"].p50 == pytest.approx(8.4, rel=0.02)


@pytest.mark.parametrize(
    "prefix",
    [
        "[1,0]<stdout>:",
        "0: ",
        "vm-07-14: ",
        "[rank3]: ",
        "I0811 21:54:55.531340 139 train.py:77] ",
        "2026-10-14T09:30:00Z ",
    ],
)
def test_launcher_prefixes_are_taken_off(tmp_path: Path, prefix: str) -> None:
    path = tmp_path / "out.txt"
    path.write_text("".join(prefix + STEP.format(i, 2.0, 4096.0) for i in range(3)))
    assert read_log(path).quantities["tokens_per_s_per_chip"].mean == 4096.0


def test_a_step_line_cut_in_the_middle_is_counted_as_skipped(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text(STEP.format(0, 2.0, 4096.0) + "completed step: 1, seconds: 2.0, TFL")
    record = read_log(path)
    assert len(record.time_s) == 1
    assert record.skipped == {"step line without seconds or tokens/s": 1}


@pytest.mark.parametrize("text", ["xxx", "", "just words\n"])
def test_a_file_without_steps_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "out.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=r"^out\.txt: found .*, expected "):
        read_log(path)


def test_a_step_line_without_numbers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("completed step: 0, seconds: xxx, Tokens/s/device: X.XX\n")
    with pytest.raises(InputError, match="no complete step line"):
        read_log(path)


@pytest.mark.parametrize("seconds", ["1.2.3", "1,,2..3", "1e999", "nan", "-5", "1e300"])
def test_a_garbled_number_costs_its_line_and_no_other(tmp_path: Path, seconds: str) -> None:
    path = tmp_path / "run.log"
    path.write_text(
        "num_devices: " + "9" * 5000 + "\n" + STEP.format(1, seconds, 30) + STEP.format(2, 5.0, seconds)
        + STEP.format(3, 5.0, 30)
    )  # fmt: skip
    record = read_log(path)
    assert record.quantities["step_time_s"].n == 1 and record.duration_s == 0
    assert record.skipped["step line without seconds or tokens/s"] == 2
    assert record.n_accelerators is None
