"""Figures of nvidia-smi logs worked out another way, and what may be changed in a log without changing a figure."""

import csv
import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from core.logs.formats.machine import nvidia_smi_csv
from core.logs.read import read_log
from core.logs.record import LogRecord
from tests.core.logs.written import record_of
from tests.repository_files import ROOT

COLUMNS = [
    "timestamp", "index", "name", "utilization.gpu [%]", "memory.used [MiB]", "memory.total [MiB]", "power.draw [W]",
    "clocks_event_reasons.active",
]  # fmt: skip
Rows = list[list[str]]


def _rows(seed: int, n_ticks: int = 40, n_gpus: int = 3) -> Rows:
    """A machine with pauses between the readings, a cell now and then unknown."""
    chance, rows, second = random.Random(seed), [], 0.0
    for _ in range(n_ticks):
        second += chance.choice([0.05, 1.0, 1.0, 7.5, 30.0])
        for gpu in range(n_gpus):
            minute, rest = divmod(second + gpu / 100, 60)
            power = "[N/A]" if chance.random() < 0.1 else f"{chance.uniform(70, 1050):.2f} W"
            busy, used = f"{chance.randrange(101)} %", f"{chance.randrange(81559)} MiB"
            mask = f"0x{chance.choice([0, 1, 4, 0x20, 0x45]):016X}"
            stamp = f"2026/07/14 08:{int(minute):02d}:{rest:06.3f}"
            rows.append([stamp, str(gpu), "NVIDIA H100 80GB HBM3", busy, used, "81559 MiB", power, mask])
    return rows


def _text(rows: Rows, columns: list[str] = COLUMNS) -> str:
    return "".join(", ".join(cells) + "\n" for cells in [columns, *rows])


def _same(one: LogRecord, other: LogRecord) -> None:
    assert one.quantities == other.quantities
    assert (one.chips, one.n_accelerators, one.start) == (other.chips, other.n_accelerators, other.start)
    np.testing.assert_array_equal(one.time_s, other.time_s)
    for name, grid in one.by_chip.items():
        np.testing.assert_array_equal(grid, other.by_chip[name])


def _node(folder: Path) -> Path:
    return ROOT / "tests" / "data" / "logs" / "h100-node07.csv"


def _written(seed: int) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / "gpu.csv"
        path.write_text(_text(_rows(seed)), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("log", [_node, _written(1), _written(2)])
def test_energy_utilisation_and_memory_worked_out_another_way(tmp_path: Path, log: Callable[[Path], Path]) -> None:
    joules = 0.0
    last: dict[str, tuple[float, float]] = {}
    lines = log(tmp_path).read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines, skipinitialspace=True))
    for row in rows:
        time_s = datetime.strptime(row["timestamp"], "%Y/%m/%d %H:%M:%S.%f").timestamp()
        if row["power.draw [W]"] != "[N/A]":
            watts = float(row["power.draw [W]"].split()[0])
            before_s, before_w = last.get(row["index"], (time_s, watts))
            joules += (time_s - before_s) * (watts + before_w) / 2
            last[row["index"]] = time_s, watts
    quantities = read_log(log(tmp_path)).quantities
    assert quantities["energy_kwh"].mean == pytest.approx(joules / 3.6e6, rel=2e-4)
    busy = mean(float(row["utilization.gpu [%]"].split()[0]) for row in rows)
    assert quantities["utilization_pct"].mean == pytest.approx(busy)
    peak = max(float(row["memory.used [MiB]"].split()[0]) for row in rows)
    assert quantities["memory_used_gib"].max == pytest.approx(peak / 1024)


@pytest.mark.parametrize("seed", range(5))
def test_blocks_and_lines_say_the_same(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = _rows(seed)
    rows[7][6], rows[9][6] = "[Unknown Error]", "88 W"
    in_blocks = record_of(tmp_path, _text(rows))
    monkeypatch.setattr(nvidia_smi_csv, "cell_block", lambda block, n_columns: None)
    _same(record_of(tmp_path, _text(rows)), in_blocks)
    among_text = record_of(tmp_path, "hello\n" * 30 + _text(rows))
    assert among_text.quantities == in_blocks.quantities


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_columns_changes_no_figure(tmp_path: Path, seed: int) -> None:
    rows = _rows(seed)
    order = random.Random(seed).sample(range(len(COLUMNS)), len(COLUMNS))
    shuffled = _text([[row[place] for place in order] for row in rows], [COLUMNS[place] for place in order])
    _same(record_of(tmp_path, shuffled), record_of(tmp_path, _text(rows)))


@pytest.mark.parametrize("seed", range(5))
def test_headers_that_repeat_change_no_figure(tmp_path: Path, seed: int) -> None:
    lines, chance = _text(_rows(seed)).splitlines(keepends=True), random.Random(seed)
    repeated = "".join(line + (lines[0] if chance.random() < 0.2 else "") for line in lines)
    _same(record_of(tmp_path, repeated), record_of(tmp_path, "".join(lines)))


@pytest.mark.parametrize("last", ["power.draw [W]", "index", "name"])
def test_a_last_line_that_is_cut_changes_no_figure(tmp_path: Path, last: str) -> None:
    rows, place = _rows(3, n_ticks=2), COLUMNS.index(last)
    order = [*(other for other in range(len(COLUMNS)) if other != place), place]
    lines = _text([[row[at] for at in order] for row in rows], [COLUMNS[at] for at in order]).splitlines(keepends=True)
    known = [record_of(tmp_path, "".join(lines[:-1])).quantities, record_of(tmp_path, "".join(lines)).quantities]
    before = "".join(lines[:-1])
    n_most = len(lines[-1])
    for n_chars in {*range(1, n_most, 7), *range(n_most - 16, n_most)}:
        assert record_of(tmp_path, before + lines[-1][:n_chars]).quantities in known, lines[-1][:n_chars]


@pytest.mark.parametrize("change", ["[rank3]: {}\n", "2026-11-22T08:00:00Z {}\n", "{}\r\n", "{}\n\n", "\x1b[0m{}\n"])
def test_prefixes_and_line_ends_change_no_figure(tmp_path: Path, change: str) -> None:
    plain = _text(_rows(6))
    changed = record_of(tmp_path, "".join(change.format(line) for line in plain.splitlines()))
    assert changed.quantities == record_of(tmp_path, plain).quantities
    assert not changed.skipped


def _bare(cell: str, unit: str) -> str:
    return cell.removesuffix(f" {unit}")


@pytest.mark.parametrize("how", ["bare", "in GiB", "in mW", "no blank"])
def test_units_change_no_figure(tmp_path: Path, how: str) -> None:
    rows = _rows(4)
    base, columns = record_of(tmp_path, _text(rows)), list(COLUMNS)
    for row in rows:
        used, power = _bare(row[4], "MiB"), _bare(row[6], "W")
        if how == "bare":
            row[3], row[4], row[5], row[6] = _bare(row[3], "%"), used, _bare(row[5], "MiB"), power
        elif how == "in GiB":
            row[4] = f"{int(used) / 1024!r} GiB"
        elif how == "in mW" and power != "[N/A]":
            row[6], columns[6] = str(round(1000 * float(power))), "power.draw [mW]"
        elif how == "no blank":
            row[4], row[6] = f"{used}MiB", power if power == "[N/A]" else f"{power}W"
    changed = record_of(tmp_path, _text(rows, columns))
    for name, quantity in base.quantities.items():
        assert changed.quantities[name].mean == pytest.approx(quantity.mean), name
        assert changed.quantities[name].max == pytest.approx(quantity.max, nan_ok=True), name
