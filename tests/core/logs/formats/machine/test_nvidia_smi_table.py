"""The plain screen of nvidia-smi: two borders, many screens, unknown cells, names that are cut."""

from pathlib import Path

import numpy as np
import pytest

from tests.core.logs.written import means_of, record_of

HEAD = """{date}
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 460.32.03    Driver Version: 460.32.03    CUDA Version: 11.2     |
|-------------------------------+----------------------+----------------------+
"""
GPU = """|   {gpu}  {name:<20s} {mode:>4s}  | 00000000:1C:00.{gpu} Off |                    0 |
| N/A   {heat}C    P0   {power:>4s} / 300W | {used:>6d}MiB / {total}MiB |   {busy:>4s}      Default |
|                               |                      |                  N/A |
+-------------------------------+----------------------+----------------------+
"""
END = "|    0   N/A  N/A     11327      C   /opt/trainx                    2566MiB |\n+-----+\n"


def _screen(
    second: int, busy: str = "90%", name: str = "NVIDIA A100-SXM...", total: int = 81920, power: str = "250W"
) -> str:
    gpus = [
        GPU.format(gpu=n, name=name, mode="Off", heat=50, power=power, used=2048, total=total, busy=busy)
        for n in range(2)
    ]
    return HEAD.format(date=f"Tue Jul 14 09:00:{second:02d} 2026       ") + "".join(gpus) + END


def test_screens_are_a_series_with_times(tmp_path: Path) -> None:
    record = record_of(tmp_path, _screen(1, "90%") + "\n" + _screen(11, "70%"))
    assert (record.format, record.n_accelerators, record.facts) == ("nvidia-smi-table", 2, {"driver": "460.32.03"})
    assert record.time_s.tolist() == [0.0, 10.0]
    assert record.series["utilization_pct"].tolist() == [90.0, 70.0]
    means = means_of(record)
    assert (means["memory_used_gib"], means["memory_total_gib"]) == (2.0, 80.0)
    assert (means["power_w"], means["power_limit_w"], means["temperature_c"]) == (250.0, 300.0, 50.0)
    assert means["energy_kwh"] == pytest.approx(2 * 250 * 10 / 3.6e6)


@pytest.mark.parametrize(
    ("name", "total", "expected"),
    [
        ("NVIDIA A100-SXM...", 81920, "a100-sxm-80"),
        ("NVIDIA A100-SXM...", 40960, "a100-sxm-40"),
        ("NVIDIA A100-PCI...", 40960, "a100-pcie-40"),
        ("Tesla V100-SXM2...", 32510, "v100-sxm2-32"),
        ("NVIDIA GeForce ...", 24576, None),
    ],
)
def test_a_name_that_is_cut_is_told_by_the_memory(tmp_path: Path, name: str, total: int, expected: str | None) -> None:
    record = record_of(tmp_path, _screen(1, name=name, total=total))
    assert (record.accelerator, record.accelerator_id) == (name, expected)


def test_mig_and_faulty_boards_are_unknown(tmp_path: Path) -> None:
    record = record_of(tmp_path, _screen(1, busy="N/A", power="ERR!"))
    assert not {"utilization_pct", "power_w"} & record.quantities.keys()
    assert record.quantities["power_limit_w"].mean == 300.0
    assert np.all(record.by_chip["memory_used_gib"] == 2.0)


def test_a_screen_after_other_lines_keeps_them_out(tmp_path: Path) -> None:
    record = record_of(tmp_path, "+ nvidia-smi\n" + _screen(1) + "loading | 5MiB / 9MiB | 7% |\n")
    assert record.quantities["memory_total_gib"].mean == 80.0
    assert record.first_line == 4


@pytest.mark.parametrize(("busy", "means"), [("7%", 7.0), ("N/A", None)])
def test_the_fan_s_percent_is_no_utilisation(busy: str, means: float | None, tmp_path: Path) -> None:
    record = record_of(tmp_path, _screen(1, busy).replace("| N/A   50C", "| 38%   50C"))
    assert means_of(record).get("utilization_pct") == means
