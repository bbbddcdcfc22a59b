"""Lines as launchers, containers and other languages write them, and newer texts of tools: what each says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.logs.quantities import grouped_reading
from core.logs.text import log_lines, task_of, without_prefix
from core.logs.timestamps import seconds_of_sheet
from tests.log_texts import machine, scripts, training
from tests.log_texts.reading import figures, log_of, only

_ROWS = "".join(
    f"2025/03/07 23:40:{5 * n:02d}.100, {gpu}, NVIDIA A100-SXM4-80GB, 90 %, 360.00 W\n"
    for n in range(6)
    for gpu in (0, 1)
)
_HEADER = "timestamp, index, name, utilization.gpu [%], power.draw [W]\n"
_ENERGY_KWH = 2 * 360 * 25 / 3.6e6
_ITERATION = (
    " iteration       {n}/    1000 | consumed samples: 2560 | elapsed time per iteration (ms): 5200.4 | "
    "throughput per GPU (TFLOP/s/GPU): 411.2 | global batch size:   256 | lm loss: 7.1E+00 |"
)


@pytest.mark.parametrize(
    ("text", "quantity", "mean"),
    [
        (training.LIGHTNING_RICH, "step_time_s", 0.25),
        (training.DIFFUSERS, "step_time_s", 4.0),
        (training.MS_SWIFT, "step_time_s", 4.0),
        (scripts.INTERNLM, "tokens_per_s_per_chip", 4050.5),
        (scripts.INTERNLM, "step_time_s", 4.0),
        (scripts.INTERNLM_BLANKS, "tflops_per_chip", 180.5),
        (scripts.AXLEARN, "step_time_s", 2.45),
        (scripts.LEVANTER, "step_time_s", 0.625),
        (scripts.OPENMMLAB, "step_time_s", 0.5),
        (scripts.DETECTRON2, "data_wait_s", 0.01),
        (scripts.LLAMA_FACTORY, "step_time_s", 0.6),
        (scripts.LLAMA_FACTORY, "tokens_per_s", 4100.5),
        (machine.DMON_GPM, "tensor_active_pct", 52.0),
        (machine.DMON_GPM, "sm_active_pct", 85.0),
        (machine.TPU7X, "memory_used_gib", 76.0),
        (machine.TPU7X, "memory_total_gib", 189.5),
        (machine.TPU7X, "utilization_pct", 97.0),
    ],
)
def test_figures_of_newer_texts(text: str, quantity: str, mean: float, tmp_path: Path) -> None:
    assert figures(only(tmp_path, text))[quantity]["mean"] == pytest.approx(mean)


def test_cores_of_a_tpu_are_one_chip(tmp_path: Path) -> None:
    record = only(tmp_path, machine.TPU7X)
    assert (record.n_accelerators, record.accelerator_id) == (1, "tpu7x")


@pytest.mark.parametrize("n_pieces", [2, 3])
def test_pieces_of_a_long_line_are_one_line(n_pieces: int, tmp_path: Path) -> None:
    """Before, the first piece alone was read: 0.52 s a step where it takes 5.2."""
    lines = []
    for n in range(6):
        text, stamp = _ITERATION.format(n=n), f"2025-03-07T23:4{n}:00.123456789Z stdout"
        cut = [text[at : at + 99 // (n_pieces - 1)] for at in range(0, 99, 99 // (n_pieces - 1))]
        lines += [f"{stamp} P {part}" for part in cut] + [f"{stamp} F {text[sum(map(len, cut)) :]}"]
    record = only(tmp_path, "\n".join(lines) + "\n")
    assert figures(record)["step_time_s"]["mean"] == pytest.approx(5.2004)
    assert figures(record)["tflops_per_chip"]["mean"] == pytest.approx(411.2)


def test_pieces_of_two_streams_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "pod.log"
    stamp = "2025-03-07T23:40:00.1Z"
    path.write_text(f"{stamp} stdout P one \n{stamp} stderr P two \n{stamp} stdout F more\n{stamp} stderr F words\n")
    assert [without_prefix(line) for line in log_lines(path)] == ["", "", "one more", "two words"]


@pytest.mark.parametrize(
    ("text", "n_chips"),
    [
        (machine.STAMP_IN_BRACKETS, 2),
        ("".join(f"[Fri Mar  7 23:40:{5 * n:02d} UTC 2025] 0, NVIDIA A100, 90 %, 720.00 W\n" for n in range(6)), 1),
        (_HEADER + "".join(f"[2025-03-07 23:40:05] {row}\n" for row in _ROWS.splitlines()), 2),
        ((_HEADER + _ROWS).replace(", ", ";").replace("2025/03/07", "07.03.2025").replace(".00 W", ",00 W"), 2),
        ((_HEADER + _ROWS).replace("2025/03/07 23", "3/17/2025 11").replace(".100,", " PM,"), 2),
        ((_HEADER + _ROWS).replace("2025/03/07 23:40", "Fri Mar  7 23:40").replace(".100,", " UTC 2025,"), 2),
    ],
)
def test_rows_behind_or_with_other_stamps(text: str, n_chips: int, tmp_path: Path) -> None:
    """Before, a stamp in brackets made each row another GPU."""
    record = only(tmp_path, text)
    assert (record.n_accelerators, record.duration_s) == (n_chips, 25.0)
    assert figures(record)["utilization_pct"]["mean"] == 90.0
    assert figures(record)["energy_kwh"]["mean"] == pytest.approx(_ENERGY_KWH)


def test_days_and_months_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="more than one way"):
        log_of(tmp_path, (_HEADER + _ROWS).replace("2025/03/07", "03/07/2025"))


@pytest.mark.parametrize(
    "prefixes",
    [("0: ", "1: "), ("node01: ", "node02: "), ("[1,0]<stdout>:", "[1,1]<stdout>:"), ("smi-1  | ", "smi-2  | ")],
)
def test_hosts_that_count_from_0_are_kept_apart(prefixes: tuple[str, str], tmp_path: Path) -> None:
    """Before, GPU 0 of two hosts was one GPU: half the GPUs and half the energy."""
    rows = (_HEADER + _ROWS).splitlines()
    mixed = [f"{prefix}{row}" for row in rows for prefix in prefixes]
    after_one_another = [f"{prefix}{row}" for prefix in prefixes for row in rows]
    for lines in (mixed, after_one_another):
        records = log_of(tmp_path, "\n".join(lines) + "\n").records
        assert [record.n_accelerators for record in records] == [2, 2]
        assert len({record.facts["host"] for record in records}) == 2
        assert sum(figures(record)["energy_kwh"]["mean"] for record in records) == pytest.approx(2 * _ENERGY_KWH)


def test_one_host_is_named_nowhere(tmp_path: Path) -> None:
    text = "".join(f"node01: {row}\n" for row in (_HEADER + _ROWS).splitlines())
    assert "host" not in only(tmp_path, text).facts


@pytest.mark.parametrize(
    ("line", "task"),
    [
        ("3: step", "3"),
        ("[1,7]<stderr>:step", "7"),
        ("[pod/train-0/main] step", "train-0/main"),
        ("(Worker pid=12, ip=10.0.0.4) step", "10.0.0.4"),
        ("Mar 07 23:40:00 node07 python3[123]: step", "node07"),
        ("step", ""),
    ],
)
def test_who_wrote_a_line(line: str, task: str) -> None:
    assert task_of(line, without_prefix(line)) == task


def test_an_hour_that_comes_twice_in_autumn(tmp_path: Path) -> None:
    """Before, 20 s counted as an hour."""
    stamps = [f"02:59:{n}" for n in range(50, 60)] + [f"02:00:0{n}" for n in range(10)]
    text = _HEADER + "".join(f"2025/10/26 {stamp}.000, 0, NVIDIA A100, 90 %, 360.00 W\n" for stamp in stamps)
    assert only(tmp_path, text).duration_s == 19.0


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("10,050", 10050.0),
        ("1,234,567.5", 1234567.5),
        ("5.1,", 5.1),
        ("12.", 12.0),
        ("127,69", None),
        ("2129,0700", None),
    ],
)
def test_a_comma_that_parts_no_thousands_is_no_number(text: str, number: float | None) -> None:
    """Before, ``2129,07`` was 212907."""
    value = grouped_reading(text)
    assert value != value if number is None else value == number


@pytest.mark.parametrize(
    ("stamp", "is_known"),
    [("07.03.2025 23:40:05", True), ("3/17/2025 23:40", True), ("3/7/2025 23:40", False), ("x", False)],
)
def test_stamps_of_spreadsheets(stamp: str, is_known: bool) -> None:
    assert (seconds_of_sheet(stamp) is not None) == is_known


def test_a_list_of_results_is_a_record_each(tmp_path: Path) -> None:
    one = {
        "output_token_throughput": {"unit": "tokens/sec", "avg": 700.0},
        "request_latency": {"unit": "ms", "avg": 9.0},
    }
    read = log_of(tmp_path, json.dumps([one, one | {"output_token_throughput": {"unit": "tokens/sec", "avg": 95.0}}]))
    assert [figures(record)["output_tokens_per_s"]["mean"] for record in read.records] == [700.0, 95.0]


def test_json_of_nccl_tests(tmp_path: Path) -> None:
    side = {"time": 1965.1, "alg_bw": 273.2, "bus_bw": 478.0, "nwrong": 0}
    rows = [
        {"size": 2**29, "count": 2**27, "type": "float", "out_of_place": side, "in_place": side | {"bus_bw": 480.0}}
    ]
    for args in (["./all_reduce_perf"], "./all_reduce_perf -b 8"):
        record = only(tmp_path, json.dumps({"config": {"args": args}, "results": rows}))
        assert figures(record)["bus_bandwidth_gb_per_s"]["mean"] == 479.0
        assert record.facts["collective"] == "all_reduce"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#Entity   GRACT    DRAMA\nID\nGPU-I 0   0.9   0.5\n", "parts of GPUs"),
        ('DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",GPU_I_ID="1",modelName="NVIDIA A100"} 0.9\n', "parts of GPUs"),
        ("│ NVITOP 1.3.2       Driver Version: 535.129.03      CUDA Driver Version: 12.2 │\n", "nvitop"),
        ("Timestamp, DeviceId, GPU Utilization (%)\n", "xpu-smi"),
        ('{"neuron_runtime_data": []}\n', "neuron-monitor"),
        ("seqread: (groupid=0, jobs=16): err= 0: pid=1234: Fri Mar  7 23:40:05 2025\n", "fio"),
        ("model.safetensors: 90%|▏   | 4500M/4.98G [00:36<00:41, 125MB/s]\n", "progress of a download"),
        ("{'train_runtime': '50,12', 'train_samples_per_second': '127,69'}\n", "without the time"),
    ],
)
def test_what_is_refused_says_why(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        log_of(tmp_path, text)
