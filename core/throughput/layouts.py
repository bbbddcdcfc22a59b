"""Every layout of every system as flat arrays: one row a (system, layout)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import product

import numpy as np

from core.throughput.fleet import Fleet, Floats, Ints
from core.throughput.types import Layout
from core.workload.job import TrainingJob
from core.workload.model import TransformerModel

RECOMPUTE = ("none", "selective", "full")
ZERO1, FULLY_SHARDED, HYBRID = 0.0, 1.0, 2.0
"""Optimiser state split over data-parallel ranks; everything split over all; everything split within a domain."""

_TENSOR = (1, 2, 4, 8, 16)
_PIPELINE = (1, 2, 4, 8, 16)
_MICRO_BATCH = (1, 2, 4, 8)
_MICRO_BATCH_SHORT = (1, 2, 4, 8, 14, 16, 24, 28, 32, 48, 56, 64, 96)
_SHORT_SEQUENCE = 1024
_EXPERT = (1, 4, 8, 16, 64)
_CONTEXT = (1, 2, 4, 8)
_LONG_SEQUENCE = 16_384


@dataclass(frozen=True)
class Layouts:
    """Rows of layouts, shape (n rows,); ``system`` points into the fleet. ``data`` is all data-parallel ranks."""

    system: Ints
    tp: Floats
    pp: Floats
    cp: Floats
    ep: Floats
    data: Floats
    micro_batch: Floats
    recompute: Floats
    sharding: Floats

    @property
    def n_rows(self) -> int:
        """Rows in all."""
        return len(self.system)

    def take(self, rows: Ints) -> Layouts:
        """Some of the rows."""
        return Layouts(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})

    def at(self, row: int, domain: float) -> Layout:
        """One row as the user reads it: data parallelism told apart from full sharding."""
        data, sharding = int(self.data[row]), self.sharding[row]
        shards = {ZERO1: 1, FULLY_SHARDED: data}.get(sharding, int(max(1.0, min(domain / self.tp[row], data))))
        return Layout(
            dp=data // shards,
            fsdp=shards,
            tp=int(self.tp[row]),
            pp=int(self.pp[row]),
            cp=int(self.cp[row]),
            ep=int(self.ep[row]),
            micro_batch=int(self.micro_batch[row]),
            recompute=RECOMPUTE[int(self.recompute[row])],
        )


def training_layouts(fleet: Fleet, model: TransformerModel, job: TrainingJob, given: Layout | None = None) -> Layouts:
    """All layouts that divide evenly: heads by tp, layers by pp, experts by ep, chips by all; tp within a domain.

    A given layout leaves only rows that agree with it (recompute ``auto`` agrees with any).
    """
    choices = _given_choices(given) if given else _choices(model, job)
    system = np.repeat(np.arange(len(fleet.n_chips), dtype=np.intp), len(choices))
    tp, pp, cp, ep, micro_batch, recompute, sharding = np.tile(choices.T, len(fleet.n_chips))
    data = fleet.n_chips[system] / (tp * pp * cp)
    rows = Layouts(system, tp, pp, cp, ep, data, micro_batch, recompute, sharding)
    return rows.take(np.flatnonzero(_is_possible(rows, fleet, job)))


def _choices(model: TransformerModel, job: TrainingJob) -> Floats:
    """Combinations that suit the model, shape (n, 7)."""
    tensor = [n for n in _TENSOR if model.n_heads % n == 0]
    pipeline = [n for n in _PIPELINE if model.n_layers % n == 0 or (model.n_layers + 2) % n == 0]
    context = _CONTEXT if job.sequence_length > _LONG_SEQUENCE else (1,)
    expert = [n for n in _EXPERT if model.n_experts % n == 0] if model.is_moe else [1]
    recompute = range(3) if job.recompute == "auto" else (RECOMPUTE.index(job.recompute),)
    sharding = (ZERO1, FULLY_SHARDED, HYBRID)
    micro_batch = _MICRO_BATCH_SHORT if job.sequence_length <= _SHORT_SEQUENCE else _MICRO_BATCH
    every = product(tensor, pipeline, context, expert, micro_batch, recompute, sharding)
    # Embedding and head may stand as a layer each, so that 126 layers split over 16 stages (Llama 3, arXiv 2407.21783).
    # Full sharding gathers all weights for each micro-batch, which a pipeline of many micro-batches rules out.
    kept = [row for row in every if row[6] == ZERO1 or row[1] == 1]
    return np.array(kept, dtype=np.float64)


def _given_choices(given: Layout) -> Floats:
    recompute = (RECOMPUTE.index(given.recompute),) if given.recompute in RECOMPUTE else range(3)
    sharding = (FULLY_SHARDED,) if given.fsdp > 1 else (ZERO1, FULLY_SHARDED)
    micro_batch = (given.micro_batch,) if given.micro_batch else (1, 2, 4, 8, 16, 32, 64)
    every = product((given.tp,), (given.pp,), (given.cp,), (given.ep,), micro_batch, recompute, sharding)
    kept = [row for row in every if row[6] == ZERO1 or row[1] == 1]
    return np.array(kept, dtype=np.float64)


def _is_possible(rows: Layouts, fleet: Fleet, job: TrainingJob) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which rows divide evenly. Only what is needed of the fleet is spread over the rows: there are many."""
    reach = np.where(fleet.is_torus > 0, np.minimum(fleet.n_chips, 16.0), fleet.domain_chips)[rows.system]
    has_domains = ((fleet.is_torus == 0) & (fleet.domain_chips < fleet.n_chips))[rows.system]
    whole = (rows.data >= 1) & (rows.data == np.floor(rows.data)) & (rows.tp <= reach)
    spread_out = rows.data * rows.micro_batch <= max(job.global_batch_sequences, 1)
    experts = (rows.data * rows.cp) % rows.ep == 0
    hybrid = (rows.sharding != HYBRID) | has_domains
    plain = (rows.sharding == ZERO1) | (rows.data > 1)
    return np.asarray(whole & spread_out & experts & hybrid & plain, dtype=np.bool_)
