"""nvidia-smi CSV as people keep it: without a header, among other text, rewritten by wrappers, of a whole cluster."""

from pathlib import Path

import pytest

from core.breath import breathing, heard_by
from core.logs import text
from core.logs.formats.machine.nvidia_smi_csv import FORMAT
from core.logs.read import read_log, read_logs
from tests.core.logs.written import assert_refused, means_of, record_of

HEADER = "timestamp, index, utilization.gpu [%], power.draw [W]\n"
STEP = "completed step: {}, seconds: 2.0, TFLOP/s/device: 300.0, Tokens/s/device: 4096, total_weights: 8, loss: 2\n"


def _row(second: int, gpu: int = 0, power: str = "300.5 W") -> str:
    return f"2026/07/14 08:00:{second:02d}.500, {gpu}, 90 %, {power}\n"


def test_rows_without_a_header_are_told_by_their_units(tmp_path: Path) -> None:
    row = "2026/07/14 08:00:{:02d}.500, {}, NVIDIA L40S, 00000000:0{}:00.0, {} %, 10 %, 46068 MiB, {} MiB, 300.5 W, "
    row += "350.00 W\n"
    rows = [row.format(second, gpu, gpu, 90, 1024 * (1 + second)) for second in range(3) for gpu in range(2)]
    record = record_of(tmp_path, "".join(rows))
    means = means_of(record)
    assert (record.accelerator_id, record.n_accelerators, record.chips) == ("l40s", 2, ("0", "1"))
    assert (means["utilization_pct"], means["memory_busy_pct"], means["power_w"]) == (90.0, 10.0, 300.5)
    assert (means["memory_used_gib"], means["power_limit_w"]) == (2.0, 350.0)
    assert means["memory_total_gib"] == pytest.approx(46068 / 1024)


def test_a_time_and_one_reading_are_enough_without_a_header(tmp_path: Path) -> None:
    rows = "".join(f"2026/07/14 08:00:{second:02d}.500, 9{second} %\n" for second in range(3))
    assert means_of(record_of(tmp_path, rows)) == {"utilization_pct": 91.0}


def test_rows_with_neither_header_nor_units_are_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path, "2026/07/14 08:00:01.500, 0, 90, 300.5\n" * 3, "without a header and without units")


def test_a_header_that_asks_for_no_reading_is_named(tmp_path: Path) -> None:
    text = "timestamp, index, name\n" + "2026/07/14 08:00:01.500, 0, NVIDIA L40S\n" * 3
    words = (
        r"found a header without a reading \('timestamp, index, name'\) \(line 1\), expected columns of readings too"
    )
    assert_refused(tmp_path, text, words)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("2026/07/14 08:00:01.500, 90 %, 650,25 W", r"a row of 4 cells below a header of 3 \(line 2\)"),
        ("2026/07/14 08:00:01.500;90 %;650,25 W", r"parted by ';' below a header with other signs \(line 2\)"),
    ],
)
def test_rows_that_do_not_fit_their_header_are_named(tmp_path: Path, row: str, words: str) -> None:
    """A decimal comma parts a cell in two; the file has rows, and they are not short of anything."""
    assert_refused(tmp_path, "timestamp, utilization.gpu [%], power.draw [W]\n" + f"{row}\n" * 60, words)


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        (HEADER, True),
        (_row(1), True),
        ("[node1] " + HEADER, True),
        ("temperature, power and memory clocks rose", False),
        ("500 steps, utilization, memory", False),
    ],
)
def test_a_header_or_a_row_begins_the_output_and_prose_does_not(line: str, begins: bool) -> None:
    assert FORMAT.begins is not None
    assert FORMAT.begins(line.rstrip()) is begins


@pytest.mark.parametrize("stamp", ["2026-02-24 19:46:17,508 - root", "2026/02/24 19:46:17.508, 0, 7, 9"])
def test_stamps_of_other_lines_keep_no_format_out(tmp_path: Path, stamp: str) -> None:
    path = tmp_path / "run.log"
    path.write_text((stamp + " - INFO - hello\n") * 3 + STEP.format(0) + STEP.format(1))
    assert [one.format for one in read_logs(path).records] == ["maxtext"]


def test_rows_and_steps_of_one_file_are_both_read(tmp_path: Path) -> None:
    path = tmp_path / "slurm.out"
    path.write_text(HEADER + _row(1) + STEP.format(0) + "saving, 1, 2, 3\n" + _row(2) + STEP.format(1) + _row(3))
    records = {one.format: one for one in read_logs(path).records}
    assert records["nvidia-smi-csv"].quantities["power_w"].n == 3
    assert records["maxtext"].quantities["step_time_s"].n >= 1


def test_an_index_that_is_always_0_is_no_gpu(tmp_path: Path) -> None:
    rows = "".join(
        f"2025-09-08T17:26:5{tick}+08:00,{gpu},0,NVIDIA H100,50 %\n" for tick in range(2) for gpu in range(8)
    )
    record = record_of(tmp_path, "timestamp,gpu,index,name,utilization.gpu [%]\n" + rows)
    assert (record.n_accelerators, len(record.time_s)) == (8, 2)
    assert record.chips == tuple("01234567")


def test_machines_of_a_cluster_are_told_apart(tmp_path: Path) -> None:
    rows = "".join(_row(second, gpu).strip() + f", {host}\n" for second in (1, 2) for host in "ab" for gpu in (0, 1))
    record = record_of(tmp_path, HEADER.strip() + ", hostname\n" + rows)
    assert record.chips == ("a 0", "a 1", "b 0", "b 1")
    assert len(record.time_s) == 2


def test_throttling_is_told_by_power_and_heat_not_by_idling(tmp_path: Path) -> None:
    header = "timestamp, clocks_throttle_reasons.gpu_idle, clocks_throttle_reasons.sw_power_cap, power.draw [W], "
    header += "clocks_throttle_reasons.hw_thermal_slowdown\n"
    rows = ["Active, Not Active, 70 W, Not Active", "Not Active, Active, 70 W, Not Active", "Active, [N/A], 9 W, [N/A]"]
    record = record_of(tmp_path, header + "".join(f"2026/07/14 08:00:0{n}.000, {row}\n" for n, row in enumerate(rows)))
    assert (record.quantities["throttled_pct"].n, record.quantities["throttled_pct"].mean) == (2, 50.0)


def test_an_average_steps_in_where_the_plain_power_is_unknown(tmp_path: Path) -> None:
    header = "timestamp, power.draw [W], power.draw.instant [W]\n"
    rows = "2026/07/14 08:00:01.000, [N/A], 9.31 W\n2026/07/14 08:00:02.000, 7.00 W, 9 W\n"
    assert record_of(tmp_path, header + rows).series["power_w"].tolist() == [9.31, 7.0]


def test_mig_leaves_utilisation_unknown(tmp_path: Path) -> None:
    record = record_of(tmp_path, HEADER + _row(1).replace("90 %", "[N/A]") + _row(2).replace("90 %", "[N/A]"))
    assert set(record.quantities) == {"power_w", "energy_kwh"}


def test_a_pause_of_a_restarted_log_has_no_energy(tmp_path: Path) -> None:
    rows = "".join(_row(second, power="360 W") for second in range(10))
    record = record_of(tmp_path, HEADER + rows + HEADER + rows.replace("08:00", "18:00"))
    assert record.quantities["energy_kwh"].mean == pytest.approx(2 * 9 * 360 / 3.6e6)


def test_a_long_log_tells_how_far_it_is_and_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "_BLOCK_BYTES", 20_000)
    path = tmp_path / "gpu.csv"
    path.write_text(HEADER + "".join(_row(n % 60) for n in range(5000)))
    shares: list[float] = []
    with heard_by(shares.append):
        assert read_log(path).quantities["power_w"].n == 5000
    assert len(shares) > 5 and shares == sorted(shares) and shares[-1] > 0.9

    def stop() -> None:
        raise KeyboardInterrupt

    with breathing(stop), pytest.raises(KeyboardInterrupt):
        read_log(path)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("timestamp;index;utilization.gpu [%];power.draw [W]", "{};{};90 %;300,5 W"),
        ("timestamp\tindex\tutilization.gpu [%]\tpower.draw [W]", "{}\t{}\t90 %\t300.5 W"),
        ('"timestamp","index","utilization.gpu [%]","power.draw [W]"', '"{}","{}","90 %","300.5 W"'),
    ],
)
def test_a_table_that_another_program_wrote_anew(header: str, row: str, tmp_path: Path) -> None:
    rows = [row.format(f"2026/07/14 08:00:{second:02d}.500", gpu) for second in range(3) for gpu in range(2)]
    record = record_of(tmp_path, "\n".join([header, *rows]))
    assert (record.n_accelerators, record.duration_s) == (2, 2.0)
    assert (means_of(record)["utilization_pct"], means_of(record)["power_w"]) == (90.0, 300.5)


def test_a_column_of_seconds_is_a_stamp(tmp_path: Path) -> None:
    rows = "".join(f"{1_700_000_000 + 10 * n},0,90 %,300.5 W\n" for n in range(3))
    record = record_of(tmp_path, HEADER.replace("timestamp", "epoch") + rows)
    assert record.duration_s == 20.0 and means_of(record)["energy_kwh"] == pytest.approx(300.5 * 20 / 3.6e6)


def test_rows_that_docker_keeps_as_json_are_all_read(tmp_path: Path) -> None:
    lines = (HEADER + "".join(_row(second, gpu) for second in range(3) for gpu in range(2))).splitlines()
    kept = "".join(f'{{"log":"{line}\\n","stream":"stdout","time":"2026-07-14T08:00:00.1Z"}}\n' for line in lines)
    record = record_of(tmp_path, kept)
    assert (record.n_accelerators, record.duration_s, record.n_skipped) == (2, 2.0, 0)
