"""MaxText output: step lines among other lines, prefixes, facts of the machine."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.logs.read import read_log
from tests.core.logs.training_logs import log_of, means, record_of
from tests.repository_files import ROOT

DATA = ROOT / "tests" / "data" / "logs"
STEP = "completed step: {}, seconds: {}, TFLOP/s/device: 300.0, Tokens/s/device: {}, total_weights: 8192, loss: 2.5\n"


def test_steps_chip_and_device_count_are_read() -> None:
    record = read_log(DATA / "maxtext-v5p.log")
    assert record.format == "maxtext"
    assert record.accelerator_id == "tpu-v5p"
    assert record.n_accelerators == 64
    assert (len(record.time_s), record.quantities["tokens_per_s_per_chip"].n) == (40, 37)
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


def test_steps_of_2023_have_no_tokens_and_a_notebook_quotes_its_lines(tmp_path: Path) -> None:
    steps = [
        f"completed step: {i}, seconds: {s}, TFLOP/s: 134.0, loss: 1{i}.0\\n" for i, s in enumerate((44.9, 5.0, 7.0))
    ]
    record = record_of(tmp_path, "{\n" + "".join(f'    "{step}",\n' for step in steps) + '    "bye\\n"\n}\n')
    assert means(record) == {"step_time_s": 6.0, "tflops_per_chip": 134.0, "loss": 11.5}


def test_steps_that_were_not_waited_for_do_not_spoil_the_summary(tmp_path: Path) -> None:
    seconds = (40.0, 0.1, 0.1, 5.0, 5.0, 0.002, 5.0)
    record = record_of(tmp_path, "".join(STEP.format(i, s, 100.0) for i, s in enumerate(seconds)))
    assert (len(record.series["step_time_s"]), record.quantities["step_time_s"].n) == (7, 3)
    assert record.quantities["step_time_s"].max == 5.0
    assert sorted(record.skipped.values()) == [1, 3]


def test_a_lower_step_begins_another_run_and_a_repeated_one_does_not(tmp_path: Path) -> None:
    numbers = (0, 0, 1, 0, 1, 2, 3, 4, 0, 1, 2)
    text = "number parameters: 6.5 billion\n" + "".join(STEP.format(i, 2.0, 50.0) for i in numbers)
    first, second = log_of(tmp_path, text).records
    assert (first.first_line, len(first.time_s), second.first_line, len(second.time_s)) == (2, 5, 10, 3)
    assert first.facts["n_parameters"] == 6.5e9
    assert first.skipped["same step printed again"] == 3


def test_settings_and_memory_are_kept(tmp_path: Path) -> None:
    text = (
        "Running Model: llama3-8b\nConfig param per_device_batch_size: 4.0\n"
        "Config param max_target_length: 8192\nConfig param ici_tensor_parallelism: -1\n"
        "Total memory size: 20.5 GB, Output size: 1 GB\n\tUsing (GB) 4.63 / 95.74 (4.8%) on TPU_0(process=0)\n"
    )
    record = record_of(tmp_path, text + STEP.format(7, 2.0, 50.0))
    assert record.facts == {
        "framework": "MaxText", "model": "llama3-8b", "micro_batch": 4.0, "sequence_length": 8192.0
    }  # fmt: skip
    assert means(record)["compiled_memory_gib"] == 20.5 and means(record)["memory_total_gib"] == 95.74


def test_a_log_that_tells_the_newest_first_is_one_run(tmp_path: Path) -> None:
    lines = [
        f'{{"id": "{n}", "textPayload": "completed step: {n}, seconds: 4.0, TFLOP/s/device: 190.5, loss: {n}.5"}}\n'
        for n in range(9)
    ]
    backwards = record_of(tmp_path, "".join(reversed(lines)))
    assert backwards.series["loss"].tolist() == [n + 0.5 for n in range(9)]
    assert (backwards.first_line, backwards.n_lines) == (1, 9)
    assert means(backwards) == means(record_of(tmp_path, "".join(lines)))
