"""Every layout of every system as flat arrays: one row a (system, layout)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from core.rows import Rows
from core.throughput.chips.fleet import Fleet, Floats, Ints
from core.throughput.types import Layout
from core.workload.jobs.kinds import TrainingJob
from core.workload.models.transformer import TransformerModel

RECOMPUTE = ("none", "selective", "full", "blocks")
"""What the way back repeats; ``blocks``: feed-forward blocks alone, what attention made lying in the host's memory."""
N_CHOSEN = 3
"""Kinds that a search chooses from: the first ones. The last is only ever told by who ran it."""
LEAST = -1.0
"""Recompute that is still to be chosen: the least that fits."""
ZERO1, FULLY_SHARDED, HYBRID, ZERO2 = 0.0, 1.0, 2.0, 3.0
"""Optimiser state split over data ranks; everything split over all; everything split within groups, which hold copies;
optimiser state and gradients split."""

SHARDINGS = (ZERO1, FULLY_SHARDED, HYBRID, ZERO2)

_TENSOR = (1, 2, 4, 8, 16)
_PIPELINE = (1, 2, 4, 8, 16, 32)
_INTERLEAVES = (4, 8)
_MICRO_BATCH = (1, 2, 4, 8)
_MICRO_BATCH_SHORT = (1, 2, 4, 8, 14, 16, 24, 28, 32, 48, 56, 64, 96)
_SHORT_SEQUENCE = 1024
_EXPERT = (1, 4, 8, 16, 32, 64)
_CONTEXT = ((131_072, (1, 2, 4, 8, 16, 32)), (16_385, (1, 2, 4, 8)), (0, (1,)))
"""Context parallelism that is looked at from so many tokens a sequence on."""
_LEAST_STAGE = 2
"""Layers that a searched pipeline stage has at least."""
_UNEVEN = 1.13
"""Stages of a pipeline may be uneven as long as the fullest has no more than so many times the mean of the layers."""


@dataclass(frozen=True)
class Layouts(Rows):
    """Rows of layouts, shape (n rows,); ``system`` points into the fleet. ``data`` is all data-parallel ranks.

    ``shards`` is the number of ranks over which weights are split, 1 with ZeRO-1 and -2; ``interleave`` the number of
    stages that each pipeline rank holds.
    """

    system: Ints
    tp: Floats
    pp: Floats
    cp: Floats
    ep: Floats
    data: Floats
    micro_batch: Floats
    recompute: Floats
    sharding: Floats
    interleave: Floats
    shards: Floats

    @property
    def n_rows(self) -> int:
        """Rows in all."""
        return len(self.system)

    @property
    def keeps_weights(self) -> NDArray[np.bool_]:
        """True where each data rank holds whole weights and gradients are exchanged once a step."""
        return np.asarray((self.sharding == ZERO1) | (self.sharding == ZERO2), dtype=np.bool_)

    def listed(self) -> list[Layout]:
        """The rows as the user reads them: data parallelism told apart from full sharding."""
        columns = (self.tp, self.pp, self.cp, self.ep, self.micro_batch, self.recompute, self.interleave)
        of_data = zip((self.data // self.shards).tolist(), self.shards.tolist(), strict=True)
        rows = zip(of_data, *(column.tolist() for column in columns), (self.sharding == ZERO2).tolist(), strict=True)
        return [
            Layout(
                dp=int(copies),
                fsdp=int(shards),
                tp=int(tp),
                pp=int(pp),
                cp=int(cp),
                ep=int(ep),
                micro_batch=int(micro_batch),
                recompute=RECOMPUTE[int(recompute)],
                interleave=int(interleave),
                zero=2 if splits_gradients else 1,
            )
            for (copies, shards), tp, pp, cp, ep, micro_batch, recompute, interleave, splits_gradients in rows
        ]


def as_rows(layouts: Sequence[Layout]) -> Layouts:
    """Finished layouts as rows, one for each system in order."""
    columns = np.array([_numbers(layout) for layout in layouts], dtype=np.float64).reshape(-1, 10).T
    return Layouts(np.arange(len(layouts), dtype=np.intp), *columns)


def _numbers(layout: Layout) -> tuple[float, ...]:
    """Values of :class:`Layouts` after ``system``, in order."""
    whole = ZERO2 if layout.zero == 2 else ZERO1
    return (
        layout.tp,
        layout.pp,
        layout.cp,
        layout.ep,
        layout.dp * layout.fsdp,
        layout.micro_batch,
        float(RECOMPUTE.index(layout.recompute)),
        whole if layout.fsdp == 1 else FULLY_SHARDED if layout.dp == 1 else HYBRID,
        max(layout.interleave, 1),
        layout.fsdp,
    )


def stage_layers(n_layers: Floats, pp: Floats) -> Floats:
    """Layers of the fullest pipeline stage, ``ceil(L / p)``."""
    return np.ceil(n_layers / pp)


def training_layouts(fleet: Fleet, model: TransformerModel, job: TrainingJob, given: Layout | None = None) -> Layouts:
    """All layouts that divide evenly: heads by tp, experts by ep, chips by all; tp within a domain.

    Recompute is left open (``LEAST``) unless the job names it. A given layout leaves only rows that agree with it,
    whatever domains it crosses; degrees of 0 and recompute of other words stay open.
    """
    shapes = _shape_table(model, _contexts(job.sequence_length), given)
    system, number = np.nonzero(_is_possible(fleet, shapes, given))
    tp, pp, cp, ep, sharding, interleave = shapes[number].T
    data = fleet.n_chips[system] / (tp * pp * cp)
    one, recompute = np.ones(len(system)), np.full(len(system), _recompute(job, given))
    shards = _shards(fleet, system, tp, data, sharding, given)
    rows = Layouts(system, tp, pp, cp, ep, data, one, recompute, sharding, interleave, shards)
    return _with_micro_batches(rows, np.array(_micro_batches(job, given), dtype=np.float64), job.global_batch_sequences)


def _with_micro_batches(rows: Layouts, sizes: Floats, global_batch: float) -> Layouts:
    """Every row with every size of micro-batch that the global batch can give each data rank."""
    row, size = np.nonzero(rows.data[:, None] * sizes <= max(global_batch, 1))
    return replace(rows.take(row), micro_batch=sizes[size])


@lru_cache(maxsize=16)
def _shape_table(model: TransformerModel, contexts: tuple[int, ...], given: Layout | None) -> Floats:
    """Degrees to look at, shape (n, 6), kept from one part of the systems to the next."""
    shapes = _given_shapes(given, model) if given else _shapes(model, contexts)
    return np.array(shapes, dtype=np.float64).reshape(-1, 6)


def _contexts(sequence_length: int) -> tuple[int, ...]:
    return next(degrees for least, degrees in _CONTEXT if sequence_length >= least)


def _shapes(model: TransformerModel, contexts: tuple[int, ...]) -> list[tuple[float, ...]]:
    """Degrees that suit the model: (tp, pp, cp, ep, sharding, interleave)."""
    tensor = [n for n in _TENSOR if model.n_heads % n == 0]
    expert = [n for n in _EXPERT if model.n_experts % n == 0] if model.is_moe else [1]
    return [
        (tp, pp, cp, ep, *rest) for tp, cp, ep in product(tensor, contexts, expert) for pp, *rest in _pipelines(model)
    ]


def _pipelines(model: TransformerModel) -> list[tuple[float, float, float]]:
    """(pp, sharding, interleave). Full sharding gathers weights for each micro-batch, which rules out a pipeline."""
    alone = [(1.0, sharding, 1.0) for sharding in SHARDINGS]
    deep = [n for n in _PIPELINE[1:] if n * _LEAST_STAGE <= model.n_layers]
    even = [n for n in deep if -(-model.n_layers // n) * n <= _UNEVEN * model.n_layers]
    return alone + [(float(n), ZERO1, v) for n in even for v in _interleaves(model, n)]


def _interleaves(model: TransformerModel, pp: int) -> list[float]:
    """One stage a rank, four, or as many as there are layers up to eight: sends grow with them, the bubble shrinks."""
    return [float(v) for v in sorted({1, *(max(min(most, model.n_layers // pp), 1) for most in _INTERLEAVES)})]


def _given_shapes(given: Layout, model: TransformerModel) -> list[tuple[float, ...]]:
    """A pipeline's interleaving is searched where the layout leaves it open; much of it saves memory and bubble."""
    if given.fsdp > 1:
        sharding: tuple[float, ...] = (HYBRID, FULLY_SHARDED) if given.dp > 1 else (FULLY_SHARDED,)
    else:
        sharding = (ZERO2,) if given.zero == 2 else (ZERO1,) if given.dp > 1 else (ZERO1, FULLY_SHARDED)
    open_ones = _interleaves(model, given.pp) if given.pp > 1 else [1.0]
    stages = [float(given.interleave)] if given.interleave else open_ones
    every = product((given.tp,), (given.pp,), (given.cp,), (given.ep,), sharding, stages)
    return [row for row in every if row[4] != FULLY_SHARDED or row[1] == 1 or given.fsdp > 1]


def _micro_batches(job: TrainingJob, given: Layout | None) -> tuple[int, ...]:
    if given and given.micro_batch:
        return (given.micro_batch,)
    return _MICRO_BATCH_SHORT if job.sequence_length <= _SHORT_SEQUENCE else _MICRO_BATCH


def _recompute(job: TrainingJob, given: Layout | None) -> float:
    named = given.recompute if given and given.recompute in RECOMPUTE else job.recompute
    return float(RECOMPUTE.index(named)) if named in RECOMPUTE else LEAST


def _shards(fleet: Fleet, system: Ints, tp: Floats, data: Floats, sharding: Floats, given: Layout | None) -> Floats:
    """Ranks that split the weights: all of them, those of a domain, or as many as were given."""
    domain = np.clip(np.floor(fleet.domain_chips[system] / tp), 1.0, None)
    if given and given.dp > 1 and given.fsdp > 1:
        domain = np.full(len(tp), float(given.fsdp))
    return np.select([sharding == FULLY_SHARDED, sharding == HYBRID], [data, np.minimum(domain, data)], 1.0)


def _is_possible(fleet: Fleet, shapes: Floats, given: Layout | None) -> NDArray[np.bool_]:
    """Which shapes divide each system evenly, shape (n systems, n shapes)."""
    tp, pp, cp, ep, sharding, _ = shapes.T
    data = fleet.n_chips[:, None] / (tp * pp * cp)
    whole = (data >= 1) & (data == np.floor(data)) & ((data * cp) % ep == 0)
    if given:
        return np.asarray(whole & _as_given(given, data, sharding), dtype=np.bool_)
    domain = fleet.domain_chips
    group = np.floor(domain[:, None] / tp)
    groups = (domain < fleet.n_chips)[:, None] & (group >= 2) & (data % np.maximum(group, 1.0) == 0)
    split = (sharding == ZERO1) | (data > 1)
    return np.asarray(whole & (tp <= domain[:, None]) & ((sharding != HYBRID) | groups) & split, dtype=np.bool_)


def _as_given(given: Layout, data: Floats, sharding: Floats) -> NDArray[np.bool_]:
    """Rows that agree: copies times shards, where both are given, are the data ranks, else all of them shard."""
    grouped = data == given.dp * given.fsdp
    agrees = np.where(sharding == HYBRID, grouped, ~grouped) if given.dp > 1 and given.fsdp > 1 else data >= 1
    return np.asarray(agrees & ((sharding == ZERO1) | (data > 1)), dtype=np.bool_)
