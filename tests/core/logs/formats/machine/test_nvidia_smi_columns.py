"""Every column of nvidia-smi that is read, whatever the driver calls it, in the program's own unit."""

from pathlib import Path

import pytest

from core.logs.quantities import SHARED
from core.logs.read import read_log


@pytest.mark.parametrize(
    ("column", "cell", "name", "value"),
    [
        ("utilization.gpu [%]", "80 %", "utilization_pct", 80.0),
        ("memory.used [MiB]", "2048 MiB", "memory_used_gib", 2.0),
        ("memory.total [MiB]", "81920 MiB", "memory_total_gib", 80.0),
        ("power.draw [W]", "300 W", "power_w", 300.0),
        ("power.draw.instant [W]", "301 W", "power_w", 301.0),
        ("power.draw.average [W]", "302 W", "power_w", 302.0),
        ("power.limit [W]", "700 W", "power_limit_w", 700.0),
        ("temperature.gpu", "60", "temperature_c", 60.0),
        ("clocks.sm [MHz]", "1980 MHz", "sm_clock_mhz", 1980.0),
        ("clocks.current.sm [MHz]", "1981 MHz", "sm_clock_mhz", 1981.0),
    ],
)
def test_a_column_is_read_in_our_unit(tmp_path: Path, column: str, cell: str, name: str, value: float) -> None:
    path = tmp_path / "gpu.csv"
    rows = "".join(f"2026/10/14 09:30:0{second}.000, 0, {cell}\n" for second in (1, 2))
    path.write_text(f"timestamp, index, {column}\n{rows}", encoding="utf-8")
    record = read_log(path)
    assert set(record.quantities) - {"energy_kwh"} == {name}
    assert record.quantities[name].mean == pytest.approx(value)
    assert record.quantities[name].unit == SHARED[name].unit


def test_the_plain_name_of_a_quantity_wins_over_its_variants(tmp_path: Path) -> None:
    path = tmp_path / "gpu.csv"
    path.write_text(
        "timestamp, index, power.draw.average [W], power.draw [W]\n2026/10/14 09:30:01.000, 0, 100 W, 300 W\n",
        encoding="utf-8",
    )
    assert read_log(path).quantities["power_w"].mean == 300.0
