"""Readings that no chip can have are left out, counted, and told with what was found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.cli import program as cli
from core.errors import InputError
from core.logs.machine.possible import MOST_POWER_W, Possible, most_power_w
from core.logs.machine.processes import ProcessTicks
from core.logs.machine.ticks import ChipTicks
from core.logs.mapping.head import read_head
from core.logs.mapping.propose import proposed
from core.logs.mapping.read import read_mapped
from core.logs.read import read_log
from core.logs.record import LogRecord

HEADER = "timestamp, index, name, utilization.gpu [%], power.draw [W], memory.used [MiB], memory.total [MiB]\n"
GOOD = ("90 %", "650.25 W", "70000 MiB", "81559 MiB")


def log_of(tmp_path: Path, *rows: tuple[str, ...], name: str = "NVIDIA H100 80GB HBM3") -> Path:
    path = tmp_path / "smi.csv"
    lines = [f"2026/10/01 10:00:{n:02d}.000, 0, {name}, {', '.join(row)}\n" for n, row in enumerate(rows)]
    path.write_text(HEADER + "".join(lines), encoding="utf-8")
    return path


def read(tmp_path: Path, *rows: tuple[str, ...], name: str = "NVIDIA H100 80GB HBM3") -> LogRecord:
    return read_log(log_of(tmp_path, *rows, name=name))


def test_a_row_is_counted_once_and_its_other_readings_stay(tmp_path: Path) -> None:
    record = read(tmp_path, GOOD, ("-5 %", "-10 W", *GOOD[2:]), ("900 %", "65025.25 W", *GOOD[2:]), GOOD)
    assert record.skipped == {
        "impossible readings: power −10 W (possible: 0 to 2\u202f100 W), utilisation −5 % (possible: 0 to 100 %)": 2
    }
    assert (record.quantities["utilization_pct"].n, record.quantities["utilization_pct"].max) == (2, 90.0)
    assert (record.quantities["power_w"].n, record.quantities["power_w"].mean) == (2, 650.25)
    assert record.quantities["memory_used_gib"].n == 4
    assert record.quantities["energy_kwh"].mean == pytest.approx(650.25 * 3 / 3.6e6)


def test_power_is_held_against_the_chips_own(tmp_path: Path) -> None:
    """900 W are a peak of an H100 of 700 W, and nothing that a T4 of 70 W takes."""
    row = ("90 %", "900 W", "10000 MiB", "15360 MiB")
    assert read(tmp_path, row).skipped == {}
    [reason] = read(tmp_path, row, name="Tesla T4").skipped
    assert "power 900 W (possible: 0 to 210 W)" in reason
    assert most_power_w(["Tesla T4", "NVIDIA H100 80GB HBM3"]) == 2100.0
    assert most_power_w(["Tesla T4", "A chip of tomorrow"]) == most_power_w([]) == MOST_POWER_W


def test_a_little_above_a_hundred_is_rounding() -> None:
    """A TPU's duty cycle comes to 100.4 %; 103 % are no share of anything."""
    possible = Possible()
    kept = possible.of({"utilization_pct": np.array([0.0, 99.9, 100.4, 102.0, 103.0, np.nan])})
    np.testing.assert_array_equal(kept["utilization_pct"], [0.0, 99.9, 100.0, 100.0, np.nan, np.nan])
    assert list(possible.reasons.values()) == [1]


def test_no_chip_holds_more_than_it_has(tmp_path: Path) -> None:
    record = read(tmp_path, GOOD, (*GOOD[:2], "90000 MiB", "81559 MiB"), (*GOOD[:2], "81600 MiB", "81559 MiB"))
    [(reason, n)] = record.skipped.items()
    assert (reason, n) == ("impossible reading: memory 87.891 GiB (the chip has 79.6 GiB)", 1)
    assert record.quantities["memory_used_gib"].n == 2, "a total that is rounded is no reason"


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("temperature_c", (-5.0, 110.0), (511.0, -273.0)),
        ("sm_clock_mhz", (0.0, 3105.0), (4294967295.0, -1.0)),
        ("memory_total_gib", (0.0, 1024.0), (17179869184.0, -1.0)),
        ("link_in_gb_per_s", (0.0, 1800.0), (1e6, -1.0)),
    ],
)
def test_each_kind_of_reading_has_its_bounds(name: str, good: tuple[float, ...], bad: tuple[float, ...]) -> None:
    possible = Possible()
    np.testing.assert_array_equal(possible.of({name: np.array(good)})[name], good)
    assert np.isnan(possible.of({name: np.array(bad)})[name]).all()
    assert sum(possible.reasons.values()) == len(bad)


def test_what_is_no_reading_of_a_machine_has_no_bounds() -> None:
    values = np.array([-1e9, 1e9])
    assert Possible().of({"loss": values})["loss"] is values


def test_a_log_of_nothing_else_says_why_it_gives_nothing(tmp_path: Path) -> None:
    path = tmp_path / "smi.csv"
    path.write_text("timestamp, index, utilization.gpu [%]\n2026/10/01 10:00:00.000, 0, 900 %\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"utilisation 900 % \(possible: 0 to 100 %\).*readings that a chip can have"):
        read_log(path)


def test_processes_together_take_no_more_than_the_chip() -> None:
    ticks = ChipTicks("pmon.txt")
    processes = ProcessTicks(ticks)
    for process, share in (("1", 60.0), ("2", 55.0)):
        processes.add("0", process, {"utilization_pct": share})
    processes.add("1", "3", {"utilization_pct": 900.0})
    processes.add("1", "4", {"utilization_pct": 1.0})
    processes.flush()
    assert ticks.finish().by_chip["utilization_pct"].tolist()[0][0] == 100.0
    assert list(ticks.possible.reasons.values()) == [1], "what is impossible is not made possible"


def test_tables_that_a_person_explained_are_judged_alike(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(
        "time,gpu_id,GPU Utilization (%),Power Draw (W)\n"
        "2026-10-01 10:00:00,0,90,650\n2026-10-01 10:00:01,0,-5,65025\n2026-10-01 10:00:02,0,80,600\n",
        encoding="utf-8",
    )
    record = read_mapped(path, proposed(read_head(path)))
    assert record.quantities["power_w"].mean == 625.0 and record.quantities["utilization_pct"].mean == 85.0
    assert list(record.skipped.values()) == [1]


def test_the_command_tells_what_it_dropped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = log_of(tmp_path, GOOD, ("900 %", *GOOD[1:]))
    assert cli.main(["logs", str(path)]) == 0
    out = capsys.readouterr().out
    assert "skipped 1: impossible reading: utilisation 900 % (possible: 0 to 100 %)" in out
    assert "1 lines skipped" in out or "1 line skipped" in out
