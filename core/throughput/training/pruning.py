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
from core.throughput.training.grid import Choices
from core.throughput.training.layouts import RECOMPUTE, SHARDINGS, Layouts, stage_layers
from core.throughput.training.paging import Paging
from core.throughput.training.rates import Rates
from core.throughput.training.step import bubbles, ending_s, micro_batches, step_terms, straggling_share
from core.throughput.training.work import TrainingWork

FEW_ROWS = 512
"""So few layouts are timed sooner than sorted out."""
ROUNDING = 1e-6
"""A floor may lie so much above the time that it bounds, by rounding."""


@dataclass(frozen=True)
class Asked:
    """A job on a fleet, one row a system; ``chip_of`` is the same number for systems of the same chip, ``paging`` what
    moving moments adds to a step, if any move."""

    model: ModelShape
    work: TrainingWork
    fleet: Fleet
    rates: Rates
    chip_of: Ints
    paging: Paging | None = None

    def terms(self, rows: Layouts) -> dict[str, Floats]:
        """Seconds of each term of a step of each row; see :func:`step_terms`."""
        terms = step_terms(self.model, self.work, self.fleet.take(rows.system), self.rates.take(rows.system), rows)
        return terms if self.paging is None else terms | {"host": terms["host"] + self.paging.step_s(rows)}

    def step_s(self, rows: Layouts) -> Floats:
        """Seconds of a step of each row."""
        return sum(self.terms(rows).values(), start=np.zeros(rows.n_rows))


def may_be_fastest(asked: Asked, layouts: Layouts, choices: Choices) -> Choices:
    """The choices that may be the fastest of their system, in order: their floor lies below every time known of it.

    Times are counted first for the lowest floor of each sharding.
    """
    if len(choices.row) <= FEW_ROWS:
        return choices
    floor_s = least_step_s(asked, layouts, choices)
    n_systems, sharding = len(asked.chip_of), layouts.sharding[choices.row]
    lowest = [best_rows(choices.system, n_systems, np.where(sharding == one, floor_s, np.inf)) for one in SHARDINGS]
    probes = np.unique(np.concatenate(lowest))
    probed = choices.take(probes[probes >= 0]).of(layouts)
    known_s = np.full(n_systems, np.inf)
    np.minimum.at(known_s, probed.system, asked.step_s(probed))
    return choices.take(np.flatnonzero(~(floor_s > (1.0 + ROUNDING) * known_s[choices.system])))


def least_step_s(asked: Asked, layouts: Layouts, choices: Choices) -> Floats:
    """A time in s that no step of a choice stays below, shape (n rows,): gradients, gathers, sends, paging left out."""
    row, system, splits = choices.row, choices.system, _splits(layouts)
    layer_s, head_s = _on_chip_s(asked, layouts, choices, splits)
    layers = stage_layers(asked.model.n_layers, layouts.pp)[row]
    micro_s = layers * (layer_s + _exchange_s(asked, layouts, choices, splits)) + head_s
    straggling, ending = straggling_share(asked.fleet, asked.rates), ending_s(asked.fleet, asked.rates)
    n_micro = micro_batches(asked.work, layouts)
    often = n_micro + bubbles(layouts, n_micro)
    return np.asarray(often[row] * micro_s * (1.0 + straggling)[system] + ending[system])


def _on_chip_s(asked: Asked, layouts: Layouts, choices: Choices, splits: _Splits) -> tuple[Floats, Floats]:
    """A layer and the head of a micro-batch on a chip, counted once for each split of a layer and recompute."""
    codes = asked.chip_of[choices.system] * splits.n + splits.codes[choices.row]
    first, of_row = shared(codes * len(RECOMPUTE) + choices.recompute.astype(np.intp))
    few = choices.take(first).of(layouts)
    model, work, rates, tokens = asked.model, asked.work, asked.rates.take(few.system), _tokens(asked, few)
    layer_s = mixer_s(model, work, rates, few, tokens) + block_s(model, work, rates, few, tokens)
    layer_s += elementwise_s(model, work, rates, few, tokens) + rates.layer_s
    return layer_s[of_row], head_s(model, work, rates, few, tokens)[of_row]


def _exchange_s(asked: Asked, layouts: Layouts, choices: Choices, splits: _Splits) -> Floats:
    """A layer's exchange without what recompute repeats, counted once for each system and split of a layer."""
    first, of_row = shared(choices.system * splits.n + splits.codes[choices.row])
    few = replace(choices.take(first).of(layouts), recompute=np.zeros(len(first)))
    fleet, rates = asked.fleet.take(few.system), asked.rates.take(few.system)
    return layer_exchange_s(asked.model, asked.work, fleet, rates, few, _tokens(asked, few))[of_row]


@dataclass(frozen=True)
class _Splits:
    """A number below ``n`` for each row, equal for rows that split a layer and its tokens alike."""

    codes: Ints
    n: int


def _splits(rows: Layouts) -> _Splits:
    codes, n = np.zeros(rows.n_rows, dtype=np.intp), 1
    for column in (rows.tp, rows.cp, rows.ep, rows.micro_batch):
        numbers, n_values = numbered_whole(column.astype(np.intp))
        codes, n = codes * n_values + numbers, n * n_values
    return _Splits(codes, n)


def _tokens(asked: Asked, rows: Layouts) -> Floats:
    return np.asarray(rows.micro_batch * asked.work.sequence_length / rows.cp)
