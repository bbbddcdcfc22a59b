"""Matrix products: tiles, waves, bytes and starts, by hand and as laws."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.throughput.model_shape import Floats
from core.throughput.training.compute import product_s, tile_share


@dataclass(frozen=True)
class _Chip:
    gemm_flops: Floats
    memory_bytes_per_s: Floats
    wave: Floats
    tile: Floats
    kernel_s: Floats


def _chip(flops: float = 1e12, bandwidth: float = 1e15, wave: float = 0.0, tile: float = 128.0) -> _Chip:
    return _Chip(*(np.asarray(value) for value in (flops, bandwidth, wave, tile, 0.0)))


def _time(chip: _Chip, m: float, k: float, n: float) -> float:
    return float(product_s(chip, np.asarray(m), np.asarray(k), np.asarray(n)))


def test_a_tile_of_100_columns_costs_128() -> None:
    assert float(tile_share(np.asarray(100.0), np.asarray(128.0))) == pytest.approx(100 / 128)
    assert _time(_chip(), 1000, 1000, 100) == _time(_chip(), 1000, 1000, 128)


def test_a_large_product_runs_at_the_rate_and_a_wave_adds_half_of_itself() -> None:
    assert _time(_chip(), 1000, 500, 1280) == pytest.approx(2 * 1000 * 500 * 1280 / 1e12)
    assert _time(_chip(wave=128e3), 1000, 500, 1280) == pytest.approx(2 * 500 * (1000 * 1280 + 64e3) / 1e12)


def test_a_thin_product_waits_for_its_operands() -> None:
    assert _time(_chip(bandwidth=1e9), 1, 1024, 1024) == pytest.approx(2 * (1024 + 1024 * 1024 + 1024) / 1e9)


size = st.floats(1, 1e5)


@given(m=size, k=size, n=size, factor=st.floats(1.0, 8.0))
def test_more_rows_or_a_slower_chip_never_take_less_time(m: float, k: float, n: float, factor: float) -> None:
    chip = _chip(bandwidth=1e12, wave=4e6)
    assert _time(chip, m * factor, k, n) >= _time(chip, m, k, n) * (1 - 1e-12)
    assert _time(_chip(1e12 / factor, 1e12, 4e6), m, k, n) >= _time(chip, m, k, n) * (1 - 1e-12)
