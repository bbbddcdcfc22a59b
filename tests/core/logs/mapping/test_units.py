"""Factors from units that a table may be in to ours, by hand and by their prefixes."""

from __future__ import annotations

import pytest

from core.logs.mapping.units import DATE_AND_TIME, TIME_OF_DAY, TIME_UNITS, units_of

GIB = {
    "GiB": 1.0, "MiB": 1024.0, "KiB": 1024.0**2, "bytes": 1024.0**3, "TiB": 1 / 1024, "GB": 1.073741824,
    "MB": 1073.741824, "kB": 1073741.824,
}  # fmt: skip
"""So much of each is 1 GiB."""
THOUSANDFOLD = [
    ("power_w", ("mW", "W", "kW")),
    ("energy_kwh", ("Wh", "kWh")),
    ("energy_kwh", ("mJ", "J", "kJ", "MJ")),
    ("step_time_s", ("ns", "us", "ms", "s")),
    ("ttft_ms", ("ns", "us", "ms", "s")),
    ("collective_latency_us", ("ns", "us", "ms", "s")),
    ("sm_clock_mhz", ("Hz", "kHz", "MHz", "GHz")),
    ("storage_read_gb_per_s", ("bytes/s", "kB/s", "MB/s", "GB/s")),
]
"""Each unit is a thousand of the one before it."""
SIXTYFOLD = [("step_time_s", ("s", "min", "h")), ("tokens_per_s", ("tokens/h", "tokens/min", "tokens/s"))]


def test_a_gib_in_every_unit() -> None:
    known = units_of("memory_used_gib")
    assert set(known) == set(GIB)
    assert all(known[unit] * amount == pytest.approx(1.0) for unit, amount in GIB.items())


@pytest.mark.parametrize(("times", "quantity", "units"), [
    *((1000, *one) for one in THOUSANDFOLD), *((60, *one) for one in SIXTYFOLD),
    (1024, "storage_read_gb_per_s", ("KiB/s", "MiB/s", "GiB/s")),
])  # fmt: skip
def test_units_of_a_row_are_so_many_of_each_other(times: int, quantity: str, units: tuple[str, ...]) -> None:
    known = units_of(quantity)
    for small, large in zip(units, units[1:], strict=False):
        assert known[large] == pytest.approx(times * known[small])


@pytest.mark.parametrize(
    ("quantity", "unit", "factor"),
    [("energy_kwh", "MJ", 1 / 3.6), ("storage_read_gb_per_s", "Gbit/s", 0.125), ("ttft_ms", "s", 1000.0),
     ("collective_latency_us", "min", 6e7),
     ("storage_read_gb_per_s", "GiB/s", 1.073741824), ("utilization_pct", "0 to 1", 100.0),
     ("tokens_per_s", "thousand tokens/s", 1000.0)],
)  # fmt: skip
def test_units_across_rows(quantity: str, unit: str, factor: float) -> None:
    assert units_of(quantity)[unit] == pytest.approx(factor)


def test_ours_comes_first_and_is_one() -> None:
    for quantity in ("power_w", "ttft_ms", "memory_used_gib", "loss"):
        assert next(iter(units_of(quantity).values())) == 1.0
    assert TIME_UNITS["h"] == 3600.0


def test_a_time_of_day_counts_in_seconds_as_a_date_does() -> None:
    assert TIME_UNITS[DATE_AND_TIME] == TIME_UNITS[TIME_OF_DAY] == TIME_UNITS["s"] == 1.0
