"""Time of a matrix product: tiles, waves, bytes and a fixed start."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from core.throughput.shape import Floats


class ProductRates(Protocol):
    """What a product takes of a chip: see :class:`core.throughput.training_rates.Rates`."""

    @property
    def gemm_flops(self) -> Floats:
        """Rate of large products in FLOP/s."""

    @property
    def memory_bytes_per_s(self) -> Floats:
        """Reached memory bandwidth."""

    @property
    def wave(self) -> Floats:
        """Elements of the output that all processors compute at once."""

    @property
    def tile(self) -> Floats:
        """Width of the matrix unit's tile."""

    @property
    def kernel_s(self) -> Floats:
        """Fixed time of a product."""


def tile_share(size: Floats, tile: Floats) -> Floats:
    """Useful part of the last tile: ``size / (ceil(size / tile) tile)``; a 128-wide array runs 100 columns as 128."""
    return np.asarray(size / (np.ceil(size / tile) * tile))


def product_s(rates: ProductRates, m: Floats, k: Floats, n: Floats) -> Floats:
    """Time of ``(m, k) x (k, n)`` in s, elementwise over arrays.

    ``max(2 k (m n / tiles + wave / 2) / rate, 2 (m k + k n + m n) / bandwidth) + start``: the last wave of output
    tiles is half empty on average, columns are padded to whole tiles, operands are read in sixteen bits.
    """
    work = 2.0 * k * (m * n / tile_share(n, rates.tile) + 0.5 * rates.wave)
    moved = 2.0 * (m * k + k * n + m * n)
    return np.asarray(np.maximum(work / rates.gemm_flops, moved / rates.memory_bytes_per_s) + rates.kernel_s)
