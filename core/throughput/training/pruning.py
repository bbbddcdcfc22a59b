"""Layouts that cannot be the fastest are not timed: even without most of their network others beat them.

Layouts of one chip that split a layer alike work alike on it, whatever the pipeline and the sharding, so that the
floor under a step's time is counted for few of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.rows import numbered_whole, shared
from core.throughput.chips.fleet import Fleet, Ints
from core.throughput.model_shape import Floats, ModelShape
from core.throughput.speeds import best_rows
from core.throughput.training.compute import block_s, elementwise_s, head_s, mixer_s
from core.throughput.training.exchange import layer_exchange_s
from core.throughput.training.layouts import Layouts, stage_layers
from core.throughput.training.rates import Rates
from core.throughput.training.step import ending_s, micro_batches, step_terms, straggling_share
from core.throughput.training.work import TrainingWork

FEW_ROWS = 512
"""So few layouts are timed sooner than sorted out."""
ROUNDING = 1e-6
"""A floor may lie so much above the time that it bounds, by rounding."""


@dataclass(frozen=True)
class Asked:
    """A job on a fleet, one row a system; ``chip_of`` is the same number for systems of the same chip."""

    model: ModelShape
    work: TrainingWork
    fleet: Fleet
    rates: Rates
    chip_of: Ints

    def terms(self, rows: Layouts) -> dict[str, Floats]:
        """Seconds of each term of a step of each row; see :func:`step_terms`."""
        return step_terms(self.model, self.work, self.fleet.take(rows.system), self.rates.take(rows.system), rows)

    def step_s(self, rows: Layouts) -> Floats:
        """Seconds of a step of each row."""
        return sum(self.terms(rows).values(), start=np.zeros(rows.n_rows))


def may_be_fastest(asked: Asked, rows: Layouts) -> Ints:
    """The rows that may be the fastest of their system, in order: their floor lies below every time known of it.

    Times are counted first for the lowest floor of each sharding.
    """
    if rows.n_rows <= FEW_ROWS:
        return np.arange(rows.n_rows, dtype=np.intp)
    floor_s = least_step_s(asked, rows)
    n_systems = len(asked.chip_of)
    lowest = [best_rows(rows.system, n_systems, np.where(rows.sharding == one, floor_s, np.inf)) for one in range(4)]
    probes = np.unique(np.concatenate(lowest))
    probed = rows.take(probes[probes >= 0])
    known_s = np.full(n_systems, np.inf)
    np.minimum.at(known_s, probed.system, asked.step_s(probed))
    return np.flatnonzero(~(floor_s > (1.0 + ROUNDING) * known_s[rows.system]))


def least_step_s(asked: Asked, rows: Layouts) -> Floats:
    """A time in s that no step of a row stays below, shape (n rows,): gradients, gathers and sends left out."""
    layer_s, head = _on_chip_s(asked, rows)
    layers = stage_layers(asked.model.n_layers, rows.pp)
    micro_s = layers * (layer_s + _exchange_s(asked, rows)) + head
    straggling, ending = straggling_share(asked.fleet, asked.rates), ending_s(asked.fleet, asked.rates)
    often = micro_batches(asked.work, rows) + (rows.pp - 1.0) / rows.interleave
    return np.asarray(often * micro_s * (1.0 + straggling)[rows.system] + ending[rows.system])


def _on_chip_s(asked: Asked, rows: Layouts) -> tuple[Floats, Floats]:
    """A layer and the head of a micro-batch on a chip, counted once for each split of a layer and recompute."""
    codes, n = _splits(rows)
    first, of_row = shared((asked.chip_of[rows.system] * n + codes) * 3 + rows.recompute.astype(np.intp))
    few = rows.take(first)
    model, work, rates, tokens = asked.model, asked.work, asked.rates.take(few.system), _tokens(asked, few)
    layer_s = mixer_s(model, work, rates, few, tokens) + block_s(model, work, rates, few, tokens)
    layer_s += elementwise_s(model, work, rates, few, tokens) + rates.layer_s
    return layer_s[of_row], head_s(model, work, rates, few, tokens)[of_row]


def _exchange_s(asked: Asked, rows: Layouts) -> Floats:
    """A layer's exchange without what recompute repeats, counted once for each system and split of a layer."""
    codes, n = _splits(rows)
    first, of_row = shared(rows.system * n + codes)
    few = replace(rows.take(first), recompute=np.zeros(len(first)))
    fleet, rates = asked.fleet.take(few.system), asked.rates.take(few.system)
    return layer_exchange_s(asked.model, asked.work, fleet, rates, few, _tokens(asked, few))[of_row]


def _splits(rows: Layouts) -> tuple[Ints, int]:
    """A number below n for each row, equal for rows that split a layer and its tokens alike; and n."""
    codes, n = np.zeros(rows.n_rows, dtype=np.intp), 1
    for column in (rows.tp, rows.cp, rows.ep, rows.micro_batch):
        numbers, n_values = numbered_whole(column.astype(np.intp))
        codes, n = codes * n_values + numbers, n * n_values
    return codes, n


def _tokens(asked: Asked, rows: Layouts) -> Floats:
    return np.asarray(rows.micro_batch * asked.work.sequence_length / rows.cp)
