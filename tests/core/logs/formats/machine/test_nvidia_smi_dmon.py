"""nvidia-smi dmon: columns by name, headers that repeat and change, times of day, what is unknown."""

from pathlib import Path

import numpy as np
import pytest

from tests.core.logs.written import assert_refused, means_of, record_of

HEADER = "# gpu   pwr gtemp mtemp    sm   mem  mclk  pclk\n# Idx     W     C     C     %     %   MHz   MHz\n"


def test_chips_are_told_apart_and_dashes_are_unknown(tmp_path: Path) -> None:
    rows = "    0   400    60     -    90    40  2619  1980\n    1   200    50     -    70    20  2619  1980\n"
    record = record_of(tmp_path, HEADER + rows + HEADER + rows.replace("400", "600"))
    assert (record.format, record.n_accelerators, record.chips) == ("nvidia-smi-dmon", 2, ("0", "1"))
    assert record.by_chip["power_w"].tolist() == [[400.0, 200.0], [600.0, 200.0]]
    assert record.time_s.tolist() == [0.0, 1.0]
    assert "memory_temperature_c" not in record.quantities
    assert "energy_kwh" not in record.quantities  # how long a tick was is not printed


def test_a_new_set_of_columns_goes_on_with_the_same_chips(tmp_path: Path) -> None:
    other = "# gpu    fb  bar1 rxpci txpci pviol tviol\n# Idx    MB    MB  MB/s  MB/s     %  bool\n"
    text = (
        HEADER
        + "    0   400    60     -    90    40  2619  1980\n"
        + other
        + "    0  2048     3  1500   250     0     1\n"
    )
    record = record_of(tmp_path, text)
    means = means_of(record)
    assert (means["memory_used_gib"], means["host_in_gb_per_s"], means["host_out_gb_per_s"]) == (2.0, 1.5, 0.25)
    assert means["throttled_pct"] == 100.0
    assert np.isnan(record.series["power_w"][1])


@pytest.mark.parametrize(
    ("columns", "units", "stamps"),
    [
        ("#Time        gpu   pwr", "#HH:MM:SS    Idx     W", ("23:59:58", "00:00:03")),
        ("#Date     Time     gpu   pwr", "#YYYYMMDD HH:MM:SS Idx   W", ("20261114  23:59:58", "20261115 00:00:03")),
    ],
)  # fmt: skip
def test_times_go_on_over_midnight(tmp_path: Path, columns: str, units: str, stamps: tuple[str, str]) -> None:
    rows = "".join(f" {stamp}    0   360\n" for stamp in stamps)
    record = record_of(tmp_path, f"{columns}\n{units}\n{rows}")
    assert record.time_s.tolist() == [0.0, 5.0]
    assert record.quantities["energy_kwh"].mean == pytest.approx(360 * 5 / 3.6e6)


def test_a_cut_last_row_is_dropped_and_said(tmp_path: Path) -> None:
    row = "    0   400    60    50    90    40  2619  1980\n"
    record = record_of(tmp_path, HEADER + row + "    0     -     -")
    assert record.quantities["power_w"].n == 1
    assert record.skipped == {"row cut short": 1}
    assert_refused(tmp_path, HEADER, "header of nvidia-smi dmon without a whole row")


def test_commas_do_as_well_as_blanks(tmp_path: Path) -> None:
    record = record_of(tmp_path, "# gpu, pwr, sm\n# Idx, W, %\n0, 300, 80\n0, 100, 40\n")
    assert means_of(record) == {"power_w": 200.0, "utilization_pct": 60.0}
