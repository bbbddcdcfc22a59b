"""Recognition of formats and files that are no logs."""

import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.logs.accelerator_names import recognise
from core.logs.read import read_log, read_logs
from core.logs.registry import formats
from core.logs.timestamps import seconds_of
from tests.repository_files import ROOT

DATA = ROOT / "tests" / "data" / "logs"


def test_the_registry_finds_every_format() -> None:
    assert {"maxtext", "nvidia-smi-csv"} <= {log_format.id for log_format in formats()}


def test_content_decides_never_the_name(tmp_path: Path) -> None:
    renamed = tmp_path / "nvidia-smi.csv"
    renamed.write_bytes((DATA / "maxtext-v5p.log").read_bytes())
    assert read_log(renamed).format == "maxtext"


def test_a_file_holds_runs_among_other_text(tmp_path: Path) -> None:
    step = "completed step: {}, seconds: 2.0, TFLOP/s/device: 300.0, Tokens/s/device: 4096, total_weights: 8, loss: 2\n"
    path = tmp_path / "slurm.out"
    path.write_text("num_devices: 8\nhello\n\n" + step.format(1) + "saving\n" + step.format(2))
    read = read_logs(path)
    assert (read.n_lines, read.n_other, read.refused) == (6, 3, ())
    assert [(one.format, one.first_line, one.n_accelerators) for one in read.records] == [("maxtext", 4, 8)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n",
            "could not reach the driver",
        ),
        ("No devices were found\n", "no device was found"),
        ("Failed to initialize NVML: Driver/library version mismatch\n", "NVML did not start"),
        ("bash: nvidia-smi: command not found\n", "the command is not there"),
        ("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\nGPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-2)\n", "a list of GPUs"),
        ("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV18\t0-51\n", "how a machine's GPUs are connected"),
        ("# how to record\n\nsudo nvidia-smi -i 2 -pl 95\nnvidia-smi dmon\n", "commands, without what they printed"),
        ('{"schemaVersion": 1, "traceEvents": [{"ph": "X"}]}\n', "a trace of a profiler"),
        ("Traceback (most recent call last):\n  File 'a.py'\nValueError: x\n", "a program's error"),
        ('go test fuzz v1\nstring("name, uuid")\n', "an input of Go's fuzzer"),
        ("Fri 21 Nov 2025 11:41:31 PM EST\n", "nothing but the date"),
    ],
)
def test_what_is_no_log_is_named(tmp_path: Path, text: str, found: str) -> None:
    (tmp_path / "run.log").write_text(text)
    with pytest.raises(InputError, match=found):
        read_logs(tmp_path / "run.log")


@pytest.mark.parametrize("seen", ["Tue Jul 14 09:00:43 2026", "make the log with nvidia-smi -l 1"])
def test_a_file_of_nothing_known_says_what_was_seen(tmp_path: Path, seen: str) -> None:
    (tmp_path / "nvidia-smi.log").write_text(seen + "\n")
    with pytest.raises(InputError, match=seen):
        read_logs(tmp_path / "nvidia-smi.log")


@pytest.mark.parametrize("indent", [None, 1])
def test_json_that_is_cut_short_is_called_so(tmp_path: Path, indent: int | None) -> None:
    """A benchmark's result whose copy broke off, on one line or on many; not a line of a log that begins alike."""
    figures = {"backend": "vllm", "model_id": "m", "duration": 100.0, "output_throughput": 2500.0, "errors": ["a", "b"]}
    path = tmp_path / "vllm.json"
    path.write_text(json.dumps(figures, indent=indent)[:-20], encoding="utf-8")
    with pytest.raises(InputError, match=r"found JSON that is cut short \(line 1\), expected a whole file"):
        read_logs(path)
    path.write_text("[worker 3 starts\n{x\n", encoding="utf-8")
    with pytest.raises(InputError, match="as its first line"):
        read_logs(path)


def test_missing_folder_binary_and_empty_files_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "empty.log").write_text("\n \n")
    (tmp_path / "binary.log").write_bytes(b"\x7fELF\0\0")
    for name, words in (("none.log", "no such file"), ("empty.log", "empty file"), ("binary.log", "binary file")):
        with pytest.raises(InputError, match=words):
            read_log(tmp_path / name)
    with pytest.raises(InputError, match="a folder"):
        read_log(tmp_path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("NVIDIA H100 PCIe", "h100-pcie"),
        ("NVIDIA A100-SXM4-80GB", "a100-sxm-80"),
        ("NVIDIA A100-SXM4-40GB", "a100-sxm-40"),
        ("NVIDIA A100-PCIE-40GB", "a100-pcie-40"),
        ("Tesla V100-SXM2-16GB", "v100-sxm2-16"),
        ("Tesla T4", "t4"),
        ("NVIDIA L4", "l4"),
        ("NVIDIA L40S", "l40s"),
        ("NVIDIA H200", "h200-sxm"),
        ("NVIDIA B200", "b200-sxm"),
        ("NVIDIA GeForce RTX 4090", "rtx4090"),
        ("NVIDIA GeForce RTX 4090 Laptop GPU", None),
        ("TPU v5 lite", "tpu-v5e"),
        ("TPU v5p", "tpu-v5p"),
        ("tpu-v4-1024", "tpu-v4"),
        ("cloud-tpu-trillium-1024", "tpu-v6e"),
        ("NVIDIA GeForce RTX 2070", None),
        ("NVIDIA GeForce RTX 3090", "rtx3090"),
        ("NVIDIA RTX A6000", "rtxa6000"),
        ("NVIDIA A40", "a40"),
        ("NVIDIA L40", "l40"),
        ("NVIDIA A2", "a2"),
        ("AMD Instinct MI250", "mi250"),
        ("AMD Instinct MI250X", "mi250x"),
        ("Aldebaran/MI200 [Instinct MI250X/MI250]", None),
        ("Tesla V100-PCIE-16GB", "v100-pcie-16"),
        ("Tesla V100-PCIE-32GB", None),
        ("Tesla V100S-PCIE-32GB", None),
        ("Tesla V100-SXM3-32GB", None),
        ("GRID A100D-80C", None),
        ("NVIDIA A800 80GB PCIe", None),
        ("NVIDIA H20-3e", None),
        ("NVIDIA HGX H20 141GB", None),
        ("NVIDIA H100 64GB HBM2", None),
        ("NVIDIA A100 80GB PCIe", "a100-pcie-80"),
        ("NVIDIA A100-PCIE-40GB", "a100-pcie-40"),
        ("NVIDIA A100-SXM4-80GB", "a100-sxm-80"),
        ("v5litepod-16", "tpu-v5e"),
        ("NVIDIA H100 80GB HBM3 MIG 1g.10gb", None),
        (None, None),
    ],
)
def test_chip_names_of_drivers(name: str | None, expected: str | None) -> None:
    assert recognise(name) == expected


def test_stamps_of_drivers_and_wrappers() -> None:
    assert seconds_of("1970/01/01 00:00:01.500") == 1.5
    assert seconds_of("1970-01-01T01:00:00+01:00") == 0.0
    assert seconds_of("soon") is None


def test_a_log_in_the_cells_of_a_notebook_is_read_as_the_log_itself(tmp_path: Path) -> None:
    lines = (DATA / "maxtext-v5p.log").read_text().splitlines()
    cells = "".join(f"      {json.dumps(line + chr(10))},\n" for line in lines)
    path = tmp_path / "run.ipynb.txt"
    path.write_text(cells)
    plain, quoted = read_log(DATA / "maxtext-v5p.log"), read_log(path)
    assert quoted.format == "maxtext" and len(quoted.time_s) == len(plain.time_s) > 0
    assert {name: one.mean for name, one in quoted.quantities.items()} == {
        name: one.mean for name, one in plain.quantities.items()
    }
