"""Batches in which each system can run fixed-shape work, the memory each takes, and the usual one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.constants import (
    ADAM_BYTES_PER_PARAM,
    BYTES_PER_NARROW_VALUE,
    BYTES_PER_WIDE_VALUE,
    NETWORK_GRADIENT_BYTES_PER_PARAM,
)
from core.rows import Rows
from core.throughput.chips.fleet import USABLE_MEMORY_SHARE
from core.throughput.samples.quantities import Floats, Ints, SampleChips, SampleWork
from core.throughput.types import System
from core.units import GIB
from core.workload.models.network import NetworkModel

KEPT_SHARE = 1.4
"""Values kept for the backward pass over values written: normalisation and activation keep some of their own."""
LIVE_SHARE = 0.12
"""Largest set of values alive at once while answering, over all values written."""
RESERVE_BYTES = 1.5 * GIB
"""Driver context, libraries and communication buffers."""
MOST_PIECES = 64
MOST_BATCH = 1024
MOST_SHARED = 8
FULL_STEP_S = 0.02
"""Work of a pass, at peak, that keeps a chip busy for long enough to hide what each kernel costs."""
MOST_AT_ONCE = 65536.0


@dataclass(frozen=True)
class SampleRows(Rows):
    """One row a way to run: system, samples of a chip at once, pieces of a step, 1 where states are sharded.

    ``shared``: chips that work on one sample together; ``batch`` is then one over them.
    """

    system: Ints
    batch: Floats
    pieces: Floats
    sharded: Floats
    shared: Floats


def training_rows(systems: Sequence[System], global_batch: int) -> SampleRows:
    """Each system's share of the batch, whole or in 2, 4 ... pieces, with states whole or sharded over all chips.

    A system with more chips than samples in a batch gets no row.
    """
    share = np.array([global_batch / system.n_chips for system in systems])
    pieces = 2.0 ** np.arange(int(np.log2(MOST_PIECES)) + 1)
    owner, piece, sharded = np.meshgrid(np.arange(len(systems)), pieces, np.array([0.0, 1.0]), indexing="ij")
    own, split, shards = owner.ravel().astype(np.intp), piece.ravel(), sharded.ravel()
    batch = share[own] / split
    chips = np.array([system.n_chips for system in systems])
    kept = np.flatnonzero((batch >= 1.0) & ((shards == 0.0) | (chips[own] > 1)))
    return SampleRows(own, batch, split, shards, np.ones(len(own))).take(kept)


def answering_rows(systems: Sequence[System], domain_chips: Floats, shares: bool = False) -> SampleRows:
    """Batches of 1, 2, 4 ... samples on every chip of each system; with ``shares`` also one sample on 2, 4 or 8 chips.

    Those lie within one of the fast domains, of ``domain_chips`` each, shape (n systems,), and divide them and the
    system.
    """
    batches = 2.0 ** np.arange(-int(np.log2(MOST_SHARED)) if shares else 0, int(np.log2(MOST_BATCH)) + 1)
    owner, batch = (one.ravel() for one in np.meshgrid(np.arange(len(systems)), batches, indexing="ij"))
    shared, own, ones = np.maximum(1.0 / batch, 1.0), owner.astype(np.intp), np.ones(owner.size)
    chips = np.array([float(system.n_chips) for system in systems])
    kept = np.flatnonzero((domain_chips[own] % shared == 0) & (chips[own] % shared == 0))
    return SampleRows(own, batch, ones, 0.0 * ones, shared).take(kept)


def memory_of(
    model: NetworkModel, rows: SampleRows, n_chips: Floats, value_bytes: Floats, is_training: bool
) -> dict[str, Floats]:
    """Bytes of the fullest chip by part, shape (n rows,): tables are split over all chips."""
    weights = model.params_millions * 1e6 / np.where(rows.sharded > 0, n_chips, 1.0)
    values = rows.batch * model.activation_millions * 1e6 * np.maximum(value_bytes, 2.0 if is_training else 1.0)
    kept_values = 0.0 if is_training else rows.batch * model.remembered_millions * 1e6 * np.maximum(value_bytes, 2.0)
    parts = {
        "weights": weights * np.where(is_training, BYTES_PER_NARROW_VALUE, value_bytes),
        "activations": values * (KEPT_SHARE if is_training else LIVE_SHARE) + kept_values,
        "reserve": np.full(len(rows.batch), RESERVE_BYTES),
    }
    if is_training:
        parts["gradients"] = weights * NETWORK_GRADIENT_BYTES_PER_PARAM
        parts["optimizer"] = weights * ADAM_BYTES_PER_PARAM
    if model.table_millions:
        parts["tables"] = model.table_millions * 1e6 * BYTES_PER_WIDE_VALUE / n_chips
    return parts


def capacity_bytes(systems: Sequence[System]) -> Floats:
    """Bytes of memory that a chip gives to a job, shape (n systems,)."""
    return np.array([system.accelerator.memory_gb * GIB * USABLE_MEMORY_SHARE for system in systems])


def default_batch(work: SampleWork, chips: SampleChips, is_training: Floats) -> Floats:
    """Samples on a chip for a pass of about 20 ms at peak, a power of two, shape (n rows,)."""
    flops = (work.conv_flops + work.matmul_flops + work.attention_flops) * (1.0 + 2.0 * is_training)
    at_peak = FULL_STEP_S * chips.peak_flops / np.maximum(flops, 1.0)
    return np.asarray(2.0 ** np.round(np.log2(np.clip(at_peak, 1.0, MOST_AT_ONCE))))
