"""How much of the best GEMM rate a matrix product of a given shape reaches."""

from __future__ import annotations

import numpy as np

from core.throughput.fleet import Floats

ROWS_HALF = 160.0
"""Rows (tokens) at which a product reaches half of its large-shape rate (fitted on published training rows)."""

COLUMNS_HALF = 96.0
"""The same for the narrower of the other two dimensions, after the split over tensor-parallel ranks."""

GROUPED_SHARE = 0.55
"""Rate of grouped products over experts against one large product (fitted on published training rows)."""


def tile_share(size: Floats, tile: Floats) -> Floats:
    """Useful part of the last tile: ``size / (ceil(size / tile) tile)``; a 128-wide array runs 100 columns as 128."""
    return size / (np.ceil(size / tile) * tile)


def shape_share(rows: Floats, columns: Floats, tile: Floats) -> Floats:
    """Share of the large-shape rate: ``m/(m+m_half) n/(n+n_half)`` times the tile quantisation of the columns.

    Monotone in both dimensions up to quantisation; between 0 and 1.
    """
    smooth = rows / (rows + ROWS_HALF) * columns / (columns + COLUMNS_HALF)
    return np.asarray(smooth * tile_share(columns, tile), dtype=np.float64)
