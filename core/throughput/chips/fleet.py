"""Systems as arrays: what the equations need of each, shape (n systems,)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.catalogue.entries import Accelerator
from core.rows import Rows, each_once
from core.throughput.chips.best_product import gemm_fraction
from core.throughput.chips.links import inner_link, outer_bytes_per_s
from core.throughput.chips.run_formats import RunFormat, RunsIn, as_stated
from core.throughput.parameters import shipped_parameters
from core.throughput.types import System
from core.units import GIB

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

USABLE_MEMORY_SHARE = 0.98
"""Drivers keep a little back; vendors' "GB" of HBM are GiB in what drivers report."""


@dataclass(frozen=True)
class Fleet(Rows):
    """Arrays over systems. Rates in FLOP/s and byte/s per chip, one way; latencies in s.

    ``domain_chips`` share the fast link, whose rate for the whole domain is ``inner_bytes_per_s`` and for a small
    group on a torus of ``torus_axes`` at least ``narrow_bytes_per_s``; ``outer_bytes_per_s`` is a chip's share of
    the network.
    """

    n_chips: Floats
    peak_flops: Floats
    achievable_flops: Floats
    memory_bytes: Floats
    domain_chips: Floats
    inner_bytes_per_s: Floats
    narrow_bytes_per_s: Floats
    torus_axes: Floats
    inner_latency_s: Floats
    outer_bytes_per_s: Floats
    is_torus: Floats
    tile: Floats


def fleet_of(systems: Sequence[System], precision: str, runs_in: RunsIn = as_stated) -> Fleet:
    """Arrays of the systems for one precision of a job; what the chip alone decides is looked up once a chip.

    Of a model that was seen to take more memory than predicted, that much less is there to be counted with.
    """
    chips, chip_of = each_once([system.accelerator for system in systems])
    of_chips = (
        np.array([_of_chip(chip, runs_in(chip, precision)) for chip in chips], dtype=np.float64)
        .reshape(-1, 5)[chip_of]
        .T
    )
    of_links = np.array([_of_links(system) for system in systems], dtype=np.float64).reshape(-1, 7).T
    fleet = Fleet(*np.vstack((of_links[:1], of_chips[:3], of_links[1:], of_chips[3:])))
    taken = np.array([system.measured.memory for system in systems], dtype=np.float64)
    return replace(fleet, memory_bytes=fleet.memory_bytes / taken)


def _of_chip(chip: Accelerator, run: RunFormat) -> tuple[float, ...]:
    """Peak and achievable FLOP/s, usable bytes, whether it stands in a torus, width of a tile."""
    peak = max(run.peak_flops, 1.0)
    fraction = gemm_fraction(chip, run.products, shipped_parameters("training")["power_exponent"])
    memory_bytes = chip.memory_gb * GIB * USABLE_MEMORY_SHARE
    return peak, peak * fraction, memory_bytes, 1.0 if chip.torus_dims else 0.0, chip.matrix_tile


def _of_links(system: System) -> tuple[float, ...]:
    """Chips, and what :class:`Fleet` says of their links, in its order."""
    inner, measured = inner_link(system), system.measured
    return (
        system.n_chips,
        inner.chips,
        inner.bytes_per_s * measured.inner_link,
        inner.narrow_bytes_per_s * measured.inner_link,
        inner.axes,
        inner.latency_s,
        outer_bytes_per_s(system) * measured.network,
    )
