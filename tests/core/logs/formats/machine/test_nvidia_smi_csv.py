"""nvidia-smi CSV: units, unknown cells, repeated headers, cut rows, several GPUs a tick."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.logs.formats.machine import nvidia_smi_csv
from core.logs.machine import ticks
from core.logs.read import read_log
from core.reading.pace import TooMuchError
from tests.core.logs.written import record_of
from tests.repository_files import ROOT

DATA = ROOT / "tests" / "data" / "logs"
HEADER = "timestamp, index, name, utilization.gpu [%], memory.used [MiB], power.draw [W]\n"


def _row(second: float, gpu: int, busy: str = "90 %", memory: str = "1024 MiB", power: str = "300.5 W") -> str:
    return f"2026/10/14 09:30:{second:06.3f}, {gpu}, NVIDIA H100 80GB HBM3, {busy}, {memory}, {power}\n"


def _write(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "gpu.csv"
    path.write_text(text, encoding=encoding)
    return path


def test_a_node_of_eight_is_recognised_and_averaged_by_tick() -> None:
    record = read_log(DATA / "h100-node07.csv")
    assert record.format == "nvidia-smi-csv"
    assert record.accelerator_id == "h100-sxm"
    assert record.n_accelerators == 8
    assert len(record.time_s) == 121
    assert record.duration_s == pytest.approx(7200)
    assert record.quantities["memory_used_gib"].max < 80
    assert record.quantities["power_w"].n == 8 * 121 - 1
    assert not record.skipped


def test_units_are_read_from_cells_or_header(tmp_path: Path) -> None:
    bare = _write(tmp_path, HEADER + _row(1, 0, "90", "2048", "300.5") + _row(2, 0, "70", "2048", "100.5"))
    record = read_log(bare)
    assert record.quantities["utilization_pct"].mean == 80
    assert record.quantities["memory_used_gib"].mean == 2.0
    assert record.quantities["power_w"].mean == pytest.approx(200.5)


@pytest.mark.parametrize("cell", ["[N/A]", "N/A", "[Not Supported]", "[Unknown Error]", "", "ERR!"])
def test_a_cell_without_a_number_is_unknown_and_never_zero(tmp_path: Path, cell: str) -> None:
    record = read_log(_write(tmp_path, HEADER + _row(1, 0, power=cell) + _row(2, 0, power="200 W")))
    assert np.isnan(record.series["power_w"][0])
    assert record.quantities["power_w"].mean == 200
    assert record.quantities["power_w"].n == 1


def test_repeated_headers_and_a_cut_last_row_lose_nothing_else(tmp_path: Path) -> None:
    text = HEADER + _row(1, 0) + HEADER + _row(2, 0) + "2026/10/14 09:30:03.000, 0, NVIDIA"
    record = read_log(_write(tmp_path, text))
    assert len(record.time_s) == 2
    assert record.skipped == {"row cut short": 1}


def test_a_header_with_other_columns_starts_anew(tmp_path: Path) -> None:
    other = "timestamp, index, power.draw [W]\n2026/10/14 09:30:05.000, 0, 400 W\n"
    record = read_log(_write(tmp_path, HEADER + _row(1, 0) + other))
    assert record.series["power_w"].tolist() == [300.5, 400.0]
    assert np.isnan(record.series["utilization_pct"][1])


def test_utf16_from_a_windows_shell_is_read(tmp_path: Path) -> None:
    record = read_log(_write(tmp_path, HEADER + _row(1, 0) + _row(2, 0), encoding="utf-16"))
    assert len(record.time_s) == 2


def test_a_header_alone_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gpu\.csv: found a header without a whole row"):
        read_log(_write(tmp_path, HEADER))


def test_gpus_of_one_tick_are_told_by_the_repeating_gpu(tmp_path: Path) -> None:
    rows = [_row(1.0, 0, "10 %"), _row(1.1, 1, "30 %"), _row(2.0, 0, "50 %"), _row(2.1, 1, "70 %")]
    record = read_log(_write(tmp_path, HEADER + "".join(rows)))
    assert record.series["utilization_pct"].tolist() == [20.0, 60.0]
    assert record.duration_s == pytest.approx(1.0)


def test_every_line_counts_and_each_that_is_skipped_says_why(tmp_path: Path) -> None:
    lines = [
        "Sun Nov 22 06:00:00 2026\n", HEADER, _row(1, 0), "\n", "soon, 0, NVIDIA H100, 90 %, 1 MiB, 2 W\n",
        _row(2, 0), _row(3, 0).strip() + ", 7\n", "2026/10/14 09:30:04.000, 0\n",
    ]  # fmt: skip
    record = read_log(_write(tmp_path, "".join(lines)))
    assert record.n_lines == len(lines)
    assert record.skipped == {
        "before the header": 1, "time stamp not understood": 1, "row with too many cells": 1, "row cut short": 1,
    }  # fmt: skip
    assert (record.accelerator, record.n_accelerators) == ("NVIDIA H100 80GB HBM3", 1)
    assert record.start == "2026/10/14 09:30:01.000"
    assert record.time_s.tolist() == [0.0, 1.0]


def test_without_stamps_rows_are_counted_and_late_ones_put_in_order(tmp_path: Path) -> None:
    bare = "index, power.draw [W]\n0, 100 W\n1, 300 W\n0, 500 W\n1, [N/A]\n"
    record = read_log(_write(tmp_path, bare))
    assert record.series["power_w"].tolist() == [200.0, 500.0]
    assert (record.n_accelerators, record.start) == (2, None)
    late = read_log(_write(tmp_path, HEADER + _row(9, 0, "10 %") + _row(2, 0, "20 %")))
    assert late.series["utilization_pct"].tolist() == [20.0, 10.0]
    assert late.time_s.tolist() == [0.0, 7.0]


@pytest.mark.parametrize("power", ["1e308 W", "inf W", "-inf W", "nan W", "9" * 400])
def test_a_reading_that_nothing_measures_is_unknown(tmp_path: Path, power: str) -> None:
    record = read_log(_write(tmp_path, HEADER + _row(0, 0, power=power) + _row(1, 0) + _row(2, 0, power=power)))
    assert record.quantities["power_w"].n == 1
    assert record.quantities["power_w"].max == 300.5


def test_a_log_of_endless_headers_or_endless_gpus_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia_smi_csv, "_MOST_HEADERS", 5)
    headers = ["timestamp, " + "pstate, " * n + "power.draw [W]\n" for n in range(6)]
    assert read_log(_write(tmp_path, "".join(headers[:5] * 3) + "2026/10/14 09:30:01.000, P0, P0, P0, P0, 5 W\n"))
    with pytest.raises(TooMuchError, match="more than 5 headers"):
        read_log(_write(tmp_path, "".join(headers)))
    monkeypatch.setattr(ticks, "MOST_CHIPS", 5)
    with pytest.raises(TooMuchError, match="more than 5 GPUs"):
        read_log(_write(tmp_path, HEADER + "".join(_row(0, gpu) for gpu in range(6))))


@pytest.mark.parametrize(
    ("name", "read"),
    [("power.draw [W]", True), ("power.draw[W]", True), ("power.draw", True), ("power.draw [W", False)],
)
def test_a_unit_of_a_header_is_what_stands_in_its_last_brackets(tmp_path: Path, name: str, read: bool) -> None:
    text = (HEADER + _row(0, 0)).replace("power.draw [W]", name)
    assert ("power_w" in read_log(_write(tmp_path, text)).quantities) is read


@pytest.mark.parametrize(("first", "second"), [("1752480000", "1752480010.5"), ("1752480000000", "1752480010500")])
def test_a_wrapper_that_counts_seconds_since_1970(tmp_path: Path, first: str, second: str) -> None:
    record = record_of(tmp_path, f"timestamp,index,power.draw [W]\n{first},0,400\n{second},0,400\n")
    assert record.duration_s == pytest.approx(10.5)
