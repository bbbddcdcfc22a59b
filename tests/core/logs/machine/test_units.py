"""Cells with units: the cell's own wins, a unit that cannot be is unknown."""

import math

import pytest

from core.logs.machine.units import cell_reading


@pytest.mark.parametrize(
    ("quantity", "cell", "unit", "expected"),
    [
        ("memory_used_gib", "2048 MiB", "", 2.0),
        ("memory_used_gib", "2048", "MiB", 2.0),
        ("memory_used_gib", "2 GiB", "MiB", 2.0),
        ("memory_used_gib", "2147483648", "B", 2.0),
        ("memory_used_gib", "1,024 MiB", "", 1.0),
        ("power_w", "117W", "", 117.0),
        ("power_w", "500 mW", "", 0.5),
        ("utilization_pct", "73%", "", 73.0),
        ("sm_clock_mhz", "1.98e3MHz", "", 1980.0),
        ("memory_temperature_c", "51°C", "", 51.0),
        ("host_in_gb_per_s", "1500 MB/s", "", 1.5),
        ("power_w", "5 MiB", "", math.nan),
        ("power_w", "[N/A]", "W", math.nan),
        ("power_w", "", "W", math.nan),
        ("power_w", "nan W", "W", math.nan),
    ],
)
def test_a_cell_in_our_unit(quantity: str, cell: str, unit: str, expected: float) -> None:
    assert cell_reading(quantity, cell, unit) == pytest.approx(expected, nan_ok=True)
