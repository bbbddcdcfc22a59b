"""Every serving arrangement of every system as flat arrays: tensor and pipeline degrees, batch a replica."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from core.rows import Rows
from core.throughput.chips.fleet import Fleet, Floats, Ints
from core.throughput.types import Layout
from core.workload.models.transformer import TransformerModel

_TENSOR = (1, 2, 4, 8, 16)
_PIPELINE = (1, 2, 4, 8)
_GROUPS = (1, 8, 16, 32)
BATCHES = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
"""Sequences decoded together; engines are seldom run above about a thousand."""


@dataclass(frozen=True)
class ServingRows(Rows):
    """Rows, shape (n rows,); ``system`` points into the fleet, ``replicas`` share the system's chips.

    A replica has ``tp x attention_dp x pp`` chips: groups of tensor ranks, each with attention and cache for its own
    sequences, that share the experts of a mixture. ``hosted`` models of their own weights lie on the fullest replica.
    """

    system: Ints
    tp: Floats
    pp: Floats
    attention_dp: Floats
    replicas: Floats
    batch: Floats
    hosted: Floats

    @property
    def ep(self) -> Floats:
        """Ranks that hold whole experts: all chips of a stage where attention has groups, else experts are cut."""
        return _expert_ranks(self.tp, self.attention_dp)

    @property
    def n_rows(self) -> int:
        """Rows in all."""
        return len(self.system)

    def at(self, row: int) -> Layout:
        """One row as a layout."""
        return Layout(
            tp=int(self.tp[row]),
            pp=int(self.pp[row]),
            ep=int(_expert_ranks(self.tp[row], self.attention_dp[row])),
            replicas=int(self.replicas[row]),
            max_batch=int(self.batch[row]),
            models=int(self.hosted[row]),
        )


def _expert_ranks(tp: Floats, attention_dp: Floats) -> Floats:
    return np.where(attention_dp > 1, tp * attention_dp, 1.0)


def hosted_models(n_models: int, replicas: Floats) -> Floats:
    """Models on the fullest of so many replicas that all carry the same load, shape of ``replicas``.

    ``n / r`` where it is whole, 1 where each model has replicas of its own, else ``ceil(n / r) + 1``: models laid end
    to end and cut into r equal lengths (the wrap-around rule, McNaughton 1959, "Scheduling with deadlines and loss
    functions") touch no more of them.
    """
    is_even = (n_models % replicas == 0) | (replicas % n_models == 0)
    return np.asarray(np.minimum(np.ceil(n_models / replicas) + np.where(is_even, 0.0, 1.0), float(n_models)))


def serving_rows(fleet: Fleet, model: TransformerModel, given: Layout | None = None, n_models: int = 1) -> ServingRows:
    """All arrangements whose degrees divide heads, layers, experts and chips, or the given one."""
    choices = _given_choices(model, given) if given else _choices(model)
    system = np.repeat(np.arange(len(fleet.n_chips), dtype=np.intp), len(choices))
    tp, pp, groups, batch = np.tile(choices.T, len(fleet.n_chips))
    replicas = fleet.n_chips[system] / (tp * pp * groups)
    rows = ServingRows(system, tp, pp, groups, replicas, batch * groups, hosted_models(n_models, replicas))
    own = fleet.take(system)
    whole = (replicas >= 1) & (replicas == np.floor(replicas))
    reach = np.where(own.is_torus > 0, np.minimum(own.n_chips, 16.0), own.domain_chips)
    # A pipeline adds latency and no speed: it is for models that one domain cannot hold.
    widest = np.minimum(reach, choices[:, 0].max())
    needed = (rows.pp == 1) | (rows.tp == widest)
    return rows.take(np.flatnonzero(whole & (rows.tp * groups <= reach) & (needed | (given is not None))))


def _choices(model: TransformerModel) -> Floats:
    """Combinations of tensor and pipeline ranks, attention groups and batch a group, shape (n, 4).

    Groups pay where the cache is the same on all tensor ranks, as that of latent attention, and share experts.
    """
    tensor = [n for n in _TENSOR if model.n_heads % n == 0]
    pipeline = [n for n in _PIPELINE if model.n_layers % n == 0]
    groups = [n for n in _GROUPS if model.n_experts % n == 0] if model.is_moe else [1]
    every = product(tensor, pipeline, groups, BATCHES)
    kept = [row for row in every if row[2] == 1 or (row[0] == row[1] == 1)]
    return np.array(kept, dtype=np.float64)


def _given_choices(model: TransformerModel, given: Layout) -> Floats:
    groups = given.ep // given.tp if model.is_moe and given.ep > given.tp and given.ep % given.tp == 0 else 1
    batches = (given.max_batch / groups,) if given.max_batch else BATCHES
    return np.array([(given.tp, given.pp, groups, batch) for batch in batches], dtype=np.float64)
