"""Any table with a header: what its columns are is proposed, said by a person, kept, and used again."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.logs.mapping.cells import moment, number
from core.logs.mapping.head import read_head
from core.logs.mapping.model import (
    MappedColumn,
    TableMapping,
    faults,
    gaps,
    meanings,
    remembered,
    units_for,
)
from core.logs.mapping.propose import meaning_of, proposals, proposed
from core.logs.mapping.read import read_mapped
from core.logs.record import LogRecord, Subject
from tests.log_texts.tables import ALL, LONG, STEPS, WIDE


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


def _read(tmp_path: Path, text: str) -> LogRecord:
    path = _file(tmp_path, text)
    return read_mapped(path, proposed(read_head(path)))


def _means(mapping: TableMapping) -> dict[str, tuple[str, str]]:
    return {column.name: (column.meaning, column.unit) for column in mapping.columns}


def test_a_long_table_is_proposed_and_read_by_chip(tmp_path: Path) -> None:
    path = _file(tmp_path, LONG)
    mapping = proposed(read_head(path))
    assert _means(mapping) == {
        "time": ("time", "date and time"),
        "gpu_id": ("chip", ""),
        "GPU Utilization (%)": ("utilization_pct", "%"),
        "mem_used [MiB]": ("memory_used_gib", "MiB"),
        "Power Draw (W)": ("power_w", "W"),
        "note": ("ignored", ""),
    }
    record = read_mapped(path, mapping)
    assert (record.duration_s, record.n_accelerators, record.chips) == (2.0, 2, ("0", "1"))
    assert record.series["utilization_pct"].tolist() == [85.0, 85.0]
    assert record.by_chip["memory_used_gib"].tolist() == [[40.0, 20.0], [40.0, 20.0]]
    assert record.quantities["power_w"].n == 3, "[N/A] is unknown and not 0"
    assert record.series["power_w"].tolist() == [600.5, 600.0]


def test_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    record = _read(tmp_path, STEPS)
    assert record.quantities["step_time_s"].mean == 1.5
    assert record.quantities["tokens_per_s"].max == 2048.0
    assert record.time_s.tolist() == [1.25, 3.0], "steps one after the other are the time"
    assert record.subject == Subject.TRAINING


def test_several_columns_of_a_quantity_are_chips(tmp_path: Path) -> None:
    record = _read(tmp_path, WIDE)
    assert record.chips == ("gpu0 util", "gpu1 util") and record.duration_s == 5.5
    assert record.series["utilization_pct"].tolist() == [20.0, 20.0]
    assert math.isnan(record.by_chip["utilization_pct"][1, 1])


def test_without_time_there_are_totals_only_until_a_gap_is_given(tmp_path: Path) -> None:
    path = _file(tmp_path, "util %,power\n50,300\n70,400\n")
    mapping = proposed(read_head(path))
    record = read_mapped(path, mapping)
    assert (len(record.time_s), record.series, record.quantities["power_w"].mean) == (0, {}, 350.0)
    given = read_mapped(path, mapping.model_copy(update={"seconds_a_row": 5.0}))
    assert given.time_s.tolist() == [0.0, 5.0]


def test_cut_and_foreign_lines_are_counted(tmp_path: Path) -> None:
    text = "exported by a tool\n" + LONG + LONG.splitlines()[0] + "\n2026-11-20 10:00:04,0,9"
    record = _read(tmp_path, text)
    assert record.skipped == {"before the header": 1, "header again": 1, "row cut short": 1}


def test_rows_without_a_moment_or_a_reading_are_counted_and_left_out(tmp_path: Path) -> None:
    text = "time,util %,power [W]\n0.0,50,300\nsoon,60,300\n5.0,,\n10.0,70,\n"
    record = _read(tmp_path, text)
    assert record.skipped == {"time stamp not understood": 1, "row without a reading": 1}
    assert record.time_s.tolist() == [0.0, 10.0] and record.series["utilization_pct"].tolist() == [50.0, 70.0]


def test_moments_of_which_each_tells_some_chips_stay_apart(tmp_path: Path) -> None:
    """Two of three chips at each moment: the third is unknown there, and not of the moment after."""
    rows = [(0, 0, 10), (0, 1, 20), (2, 2, 30), (2, 0, 40), (4, 1, 50), (4, 2, 60)]
    text = "time,gpu,util %\n" + "".join(f"{at}.0,{chip},{use}\n" for at, chip, use in rows)
    record = _read(tmp_path, text)
    assert record.time_s.tolist() == [0.0, 2.0, 4.0]
    assert record.series["utilization_pct"].tolist() == [15.0, 35.0, 55.0]
    assert np.isnan(record.by_chip["utilization_pct"]).sum() == 3


def test_chips_read_one_after_the_other_are_a_moment_together(tmp_path: Path) -> None:
    rows = [(0.0, 0, 10), (0.1, 1, 20), (2.0, 0, 30), (2.1, 1, 40)]
    text = "time,gpu,util %\n" + "".join(f"{at},{chip},{use}\n" for at, chip, use in rows)
    record = _read(tmp_path, text)
    assert record.duration_s == pytest.approx(2.0)
    assert record.by_chip["utilization_pct"].tolist() == [[10.0, 20.0], [30.0, 40.0]]


@pytest.mark.parametrize(
    ("times", "meaning"),
    [((0, 5, 10), "time"), ((0, 5, 5), "time"), ((5, 4, 6), "step_time_s"), ((2e5, 1e5, 3e5), "time"), ((3,), "time")],
)
def test_numbers_that_go_on_are_the_time_and_others_the_length_of_a_step(
    tmp_path: Path, times: tuple[float, ...], meaning: str
) -> None:
    text = "time,loss,util %\n" + "".join(f"{at:g},2.5,50\n" for at in times)
    assert _means(proposed(read_head(_file(tmp_path, text))))["time"][0] == meaning


@pytest.mark.parametrize("text", ALL)
def test_tables_tell_their_time(tmp_path: Path, text: str) -> None:
    record = _read(tmp_path, text)
    assert len(record.time_s) == 2 and record.duration_s > 0


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_other_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(LONG.replace("\n", "\r\n").encode(encoding))
    assert read_mapped(path, proposed(read_head(path))).n_accelerators == 2


def test_a_mapping_is_kept_and_used_for_the_same_columns_in_any_order(tmp_path: Path) -> None:
    mapping = proposed(read_head(_file(tmp_path, LONG)))
    kept = TableMapping.model_validate_json(mapping.model_dump_json())
    assert kept == mapping
    other = _file(tmp_path, "Power Draw (W),time,gpu_id,GPU Utilization (%),mem_used [MiB],note\n"
                            "1,2026-11-20 10:00:00,0,9,1024,\n")  # fmt: skip
    assert remembered([TableMapping(), kept], read_head(other).names) == kept
    assert read_mapped(other, kept).quantities["memory_used_gib"].mean == 1.0
    assert remembered([kept], ("time", "gpu_id")) is None


@pytest.mark.parametrize(
    ("name", "highest", "unit"),
    [
        ("step_time", 1000, "ms"), ("step_time", 999, "s"), ("fb_used", 2**24, "bytes"), ("fb_used", 1000, "MiB"),
        ("fb_used", 999, "GiB"), ("power", 10_000, "mW"), ("power", 9_999, "W"), ("sm_clock", 1e7, "Hz"),
        ("sm_clock", 1e5, "kHz"), ("sm_clock", 99_999, "MHz"), ("nvlink_rx", 1e6, "bytes/s"),
        ("nvlink_rx", 10_000, "MB/s"),
    ],
)  # fmt: skip
def test_the_size_of_a_column_without_a_unit_tells_it(tmp_path: Path, name: str, highest: float, unit: str) -> None:
    told = proposals(read_head(_file(tmp_path, f"{name},other\n{highest:.0f},a\n1,b\n")))
    assert (told[0].column.unit, told[0].is_guess) == (unit, True)


def test_units_are_told_by_name_cell_and_size(tmp_path: Path) -> None:
    path = _file(
        tmp_path, "util,fb_used,temp,power_mw,ttft,train/loss\n0.5,4e10,60 C,300000,0.2,2.5\n1.0,5e10,61 C,1,0.3,2\n"
    )
    told = {one.column.name: (one.column.unit, one.is_guess) for one in proposals(read_head(path))}
    assert told["util"][0] == "0 to 1"
    assert told["fb_used"] == ("bytes", True)
    assert told["power_mw"] == ("mW", False)
    assert told["ttft"] == ("s", True)
    record = read_mapped(path, proposed(read_head(path)))
    assert record.quantities["utilization_pct"].max == 100.0
    assert record.quantities["ttft_ms"].max == pytest.approx(300.0)


def test_only_columns_that_differ_by_a_number_are_chips_beside_one_another(tmp_path: Path) -> None:
    text = "step,memory used,memory total,memory peak,power cap [us],index\n"
    table = read_head(_file(tmp_path, text + "".join(f"{i},700,8192,1,2,{i}\n" for i in range(20))))
    means = _means(proposed(table))
    assert means["memory used"] == ("memory_used_gib", "MiB"), "the total tells the unit of both"
    assert means["memory peak"] == means["power cap [us]"] == means["index"] == ("ignored", "")


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("tokens_per_sec_per_gpu", "tokens_per_s_per_chip"),
        ("Output token throughput (tok/s)", "output_tokens_per_s"),
        ("images/sec", "samples_per_s"),
        ("train_step_timing in s", "step_time_s"),
        ("val_loss", "ignored"),
        ("memory.total [MiB]", "memory_total_gib"),
        ("utilization.memory [%]", "memory_busy_pct"),
        ("temperature.memory", "memory_temperature_c"),
        ("power.limit [W]", "power_limit_w"),
        ("clocks.current.sm [MHz]", "sm_clock_mhz"),
        ("TimeSeries ID", "time"),
        ("Mean TTFT (ms)", "ttft_ms"),
        ("cpu_util", "ignored"),
        ("epoch", "ignored"),
        ("pcie_rx", "host_in_gb_per_s"),
        ("PCIe TX [MB/s]", "host_out_gb_per_s"),
        ("pci.bus_id", "chip"),
    ],
)
def test_names_of_columns(name: str, meaning: str) -> None:
    assert meaning_of(name) == meaning


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("just words\nand more\n", "as its first line"),
        ("1,2,3\n4,5,6\n", "as its first line"),
        ("a,b\n", "as its first line"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_head(_file(tmp_path, text))


def test_names_may_begin_with_a_number_and_its_unit(tmp_path: Path) -> None:
    assert read_head(_file(tmp_path, "host,1min,15min\na,0.5,0.75\n")).names == ("host", "1min", "15min")


@pytest.mark.parametrize(("n_foreign", "is_table"), [(2, True), (3, False)])
def test_three_lines_of_five_make_a_table(tmp_path: Path, n_foreign: int, is_table: bool) -> None:
    lines = ["a,b", *["1,2"] * (5 - n_foreign), *["foreign"] * n_foreign]
    path = _file(tmp_path, "\n".join(lines) + "\n")
    if is_table:
        assert read_head(path).rows == (("1", "2"),) * 3
        return
    with pytest.raises(InputError, match="a line with the names"):
        read_head(path)


def test_a_single_row_below_a_header_needs_a_number(tmp_path: Path) -> None:
    assert read_head(_file(tmp_path, "a,b\nx,1\n")).rows == (("x", "1"),)
    assert len(read_head(_file(tmp_path, "a,b\nx,y\nz,w\n")).rows) == 2
    with pytest.raises(InputError, match="as its first line"):
        read_head(_file(tmp_path, "dear all,\nthe run, ended\n"))


def test_names_that_come_again_are_counted_and_empty_ones_called_by_their_place(tmp_path: Path) -> None:
    assert read_head(_file(tmp_path, "# power,,power\n1,2,3\n")).names == ("power", "column 2", "power (2)")


def test_faults_are_told_before_and_instead_of_reading(tmp_path: Path) -> None:
    path = _file(tmp_path, LONG)
    nothing = TableMapping(columns=(MappedColumn(name="a"),))
    assert "measures anything" in faults(nothing)[0]
    with pytest.raises(InputError, match="measures anything"):
        read_mapped(path, nothing)
    column = MappedColumn(name="a", meaning="power_w", unit="horse power")
    assert "choose W, mW, kW" in faults(TableMapping(columns=(column,)))[0]
    twice = TableMapping(columns=(MappedColumn(name="a", meaning="time", unit="s"),) * 2)
    assert any("keep one" in fault for fault in faults(twice))
    other = TableMapping(columns=(MappedColumn(name="a", meaning="power_w", unit="W"),))
    with pytest.raises(InputError, match="names of the columns"):
        read_mapped(path, other)


def test_gaps_are_told_in_words(tmp_path: Path) -> None:
    told = gaps(proposed(read_head(_file(tmp_path, "util %,power\n50,300\n"))))
    assert [text.split(":")[0] for text in told] == [
        "No column says when a row was read",
        "No column is a speed (tokens/s, samples/s or step time)",
        "No column names a chip",
        "No column holds the chip's name",
    ]


def test_every_meaning_has_words_and_its_units() -> None:
    assert all(words for words in meanings().values())
    assert units_for("ttft_ms")[0] == "ms" and "ns" in units_for("ttft_ms")
    assert units_for("chip") == () and units_for("loss") == ()


@pytest.mark.parametrize(
    ("cell", "unit", "seconds"),
    [
        ("Tue Jul 01 2025 10:00:00 GMT+0000 (Coordinated Universal Time)", "date and time", 1751364000.0),
        ("2025/03/07 23:40:00.5", "date and time", 1741390800.5),
        ("1:00:01.5", "time of day", 3601.5),
        ("1763600000000000000", "ns", 1763600000.0),
        ("soon", "date and time", math.nan),
        ("1:99", "time of day", math.nan),
        ("1:60", "time of day", math.nan),
        ("1:59:60", "time of day", math.nan),
        ("75:30:00", "time of day", 271800.0),
        ("999:00", "time of day", 3596400.0),
        ("1000:00", "time of day", math.nan),
        ("-1:00", "time of day", math.nan),
        ("0:00", "time of day", 0.0),
        ("12", "time of day", math.nan),
        ("1:2:3:4", "time of day", math.nan),
        ("inf", "s", math.nan),
    ],
)
def test_moments(cell: str, unit: str, seconds: float) -> None:
    np.testing.assert_equal(moment(cell, unit), seconds)


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1,024.5 MiB", 1024.5), ("45 %", 45.0), *((cell, math.nan) for cell in ("[N/A]", "-", "inf", "1e999"))],
)
def test_numbers(cell: str, value: float) -> None:
    np.testing.assert_equal(number(cell), value)


def test_a_tick_that_no_chip_knows_has_no_mean(tmp_path: Path) -> None:
    """The mean of the others is theirs alone: 90 and 70, nothing, 100."""
    table = "time,gpu_id,GPU Utilization (%),Power Draw (W)\n" + "".join(
        f"2026-11-20 10:00:0{second},{chip},{use},500\n"
        for second, chip, use in [(0, 0, "90"), (0, 1, "70"), (1, 0, "[N/A]"), (1, 1, ""), (2, 0, "100"), (2, 1, "")]
    )
    means = _read(tmp_path, table).series["utilization_pct"]
    assert np.array_equal(means, [80.0, math.nan, 100.0], equal_nan=True)


def test_decimal_commas_of_several_columns_part_no_row(tmp_path: Path) -> None:
    rows = "".join(f"2026-11-23 10:00:0{n};{chip};95,5;600,25;60,5\n" for n in range(3) for chip in range(2))
    table = read_head(_file(tmp_path, "when;card;busy;watts;hbm_gb\n" + rows))
    assert (table.delimiter, table.decimal, table.names) == (";", ",", ("when", "card", "busy", "watts", "hbm_gb"))


def test_dates_tell_the_time_where_no_name_does(tmp_path: Path) -> None:
    rows = "".join(f"2026-11-23 10:00:0{n};95,5;3000\n" for n in range(3))
    mapping = proposed(read_head(_file(tmp_path, "when;busy;tok_s\n" + rows)))
    assert [column.meaning for column in mapping.columns] == ["time", "utilization_pct", "tokens_per_s"]
    named = proposed(
        read_head(_file(tmp_path, "made;timestamp;power\n2026-11-23 10:00:00;1;300\n2026-11-23 10:00:00;2;301\n"))
    )
    assert [column.meaning for column in named.columns] == ["ignored", "time", "power_w"]
