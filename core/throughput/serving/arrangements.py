"""Every serving arrangement of every system as flat arrays: degrees, batch a replica, replicas that only prefill."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from core.rows import Rows
from core.throughput.chips.fleet import Fleet, Floats, Ints
from core.throughput.types import Layout
from core.workload.models.transformer import TransformerModel

_TENSOR = (1, 2, 4, 8, 16)
_PIPELINE = (1, 2, 3, 4, 6, 8, 16)
MOST_GROUPS = 128
"""Attention groups that share the experts of a mixture."""
_PREFILL_SHARES = (0.15, 0.3, 0.5, 0.7)
"""Parts of the replicas that are tried to only prefill, where prompts may have chips of their own."""
PIPELINE_SHARE = 0.5
"""A pipeline is tried where weights take more than this of a domain's memory."""
BATCHES = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
"""Sequences decoded together; engines are seldom run above about a thousand."""


@dataclass(frozen=True)
class ServingRows(Rows):
    """Rows, shape (n rows,); ``system`` points into the fleet, ``replicas`` share the system's chips: as many as carry
    a full load, of which the last may be a part.

    A replica has ``tp x attention_dp x pp`` chips: groups of tensor ranks, each with attention and cache for its own
    sequences, that share the experts of a mixture, on several hosts if need be. ``hosted`` models of their own weights
    lie on the fullest replica. ``prefill_replicas`` of all fill caches for the others, 0 where each does both.
    """

    system: Ints
    tp: Floats
    pp: Floats
    attention_dp: Floats
    replicas: Floats
    batch: Floats
    hosted: Floats
    prefill_replicas: Floats

    @property
    def is_split(self) -> NDArray[np.bool_]:
        """True where prompts have chips of their own."""
        return np.asarray(self.prefill_replicas > 0)

    @property
    def answering(self) -> Floats:
        """Replicas that answer."""
        return np.asarray(self.replicas - self.prefill_replicas)

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
            ep=int(self.tp[row] * self.attention_dp[row]) if self.attention_dp[row] > 1 else 1,
            replicas=math.ceil(self.replicas[row]),
            max_batch=int(self.batch[row]),
            models=int(self.hosted[row]),
            prefill_replicas=int(self.prefill_replicas[row]),
        )


def _expert_ranks(tp: Floats, attention_dp: Floats) -> Floats:
    return np.where(attention_dp > 1, tp * attention_dp, 1.0)


def hosted_models(n_models: int, replicas: Floats) -> Floats:
    """Models on the fullest of so many replicas that all carry the same load, shape of ``replicas``.

    Models are laid end to end and cut into r equal lengths (the wrap-around rule, McNaughton 1959, "Scheduling with
    deadlines and loss functions"): length k touches ``ceil((k + 1) n / r) - floor(k n / r)`` of them.
    """
    if n_models == 1:
        return np.ones(np.shape(replicas))
    of_each, place = np.unique(np.maximum(np.floor(replicas), 1.0), return_inverse=True)
    fullest = [_touched(n_models, int(r)) for r in of_each.tolist()]
    return np.array(fullest, dtype=np.float64)[place].reshape(np.shape(replicas))


@lru_cache(maxsize=4096)
def _touched(n_models: int, replicas: int) -> int:
    return max(-(-(k + 1) * n_models // replicas) - k * n_models // replicas for k in range(replicas))


def even_replicas(n_models: int, replicas: Floats) -> Floats:
    """So many full replicas' worth of load that models carry which are not cut, shape of ``replicas``.

    ``n floor(r / n)`` where each has replicas of its own, else ``n / ceil(n / r)``: the fullest holds ``ceil(n / r)``
    of them and the others wait for it, which may cost less than a further model on each.
    """
    own = n_models * np.floor(replicas / n_models)
    return np.asarray(np.where(own > 0, own, n_models / np.ceil(n_models / replicas)))


def serving_rows(
    fleet: Fleet,
    model: TransformerModel,
    given: Layout | None = None,
    n_models: int = 1,
    weight_bytes: float = np.inf,
    batches: Sequence[int] = BATCHES,
    machine_chips: Floats | None = None,
) -> ServingRows:
    """All arrangements whose degrees divide heads and chips, or the given one, each with all batches.

    ``weight_bytes`` of the model decide whether a pipeline is worth a try; a replica lies within ``machine_chips`` of
    its system, shape (n systems,), all of its chips where they are joined, as they are in any where this is None.
    """
    every = np.array(batches, dtype=np.float64)
    choices, tried = _given_choices(model, given) if given else (_choices(model, fleet), every)
    system = np.repeat(np.arange(len(fleet.n_chips), dtype=np.intp), len(choices))
    tp, pp, groups = np.tile(choices.T, len(fleet.n_chips))
    replicas = fleet.n_chips[system] / (tp * pp * groups)
    hosted, none = hosted_models(n_models, replicas), np.zeros(len(system))
    rows = ServingRows(system, tp, pp, groups, replicas, groups, hosted, none)
    is_possible = (replicas >= 1) & (replicas == np.floor(replicas))
    is_possible &= _is_near(fleet, rows, weight_bytes) if given is None else True
    if machine_chips is not None:
        is_possible &= machine_chips[system] / (tp * pp * groups) % 1.0 == 0
    return with_batches(_or_evenly(rows.take(is_possible), n_models), tried)


def _or_evenly(rows: ServingRows, n_models: int) -> ServingRows:
    """The rows, and those that cut models once more without: fewer full replicas, fewer models on the fullest."""
    if n_models == 1:
        return rows
    even = even_replicas(n_models, rows.replicas)
    cut = np.flatnonzero(even < rows.replicas)
    whole = replace(rows.take(cut), replicas=even[cut], hosted=np.ceil(n_models / rows.replicas[cut]))
    return ServingRows(*(np.concatenate((getattr(rows, one.name), getattr(whole, one.name))) for one in fields(rows)))


def with_batches(rows: ServingRows, batches: Sequence[float] | Floats = BATCHES) -> ServingRows:
    """Each of the rows with each of the batches, which are those of an attention group."""
    every = rows.take(np.repeat(np.arange(rows.n_rows), len(batches)))
    return replace(every, batch=np.tile(batches, rows.n_rows) * every.attention_dp)


def _is_near(fleet: Fleet, rows: ServingRows, weight_bytes: float) -> NDArray[np.bool_]:
    """True where tensor ranks share a domain, experts of a torus too, and a pipeline is of use.

    A pipeline adds latency and no speed: it is for models that one domain cannot hold, or barely.
    """
    domain, memory, is_torus = fleet.domain_chips[rows.system], fleet.memory_bytes[rows.system], _on_torus(fleet, rows)
    reach = np.where(is_torus, np.minimum(fleet.n_chips[rows.system], 16.0), domain)
    widest = np.minimum(reach, rows.tp.max(initial=1.0))
    is_large = weight_bytes > PIPELINE_SHARE * widest * memory
    needed = (rows.pp == 1) | ((rows.tp == widest) & is_large)
    return np.asarray((rows.tp <= reach) & (~is_torus | (rows.tp * rows.attention_dp <= reach)) & needed)


def _on_torus(fleet: Fleet, rows: ServingRows) -> NDArray[np.bool_]:
    return np.asarray(fleet.is_torus[rows.system] > 0)


def in_pools(rows: ServingRows, pools: str, n_models: int = 1) -> ServingRows:
    """The rows with several splits of their replicas into those that prefill and those that answer.

    ``pools``: "off" leaves them as they are, "on" takes only splits, "best" takes both.
    """
    if pools == "off":
        return rows
    split, taken = [rows] if pools == "best" else [], np.zeros(rows.n_rows)
    for share in _PREFILL_SHARES:
        first = np.clip(np.round(share * rows.replicas), 1.0, np.maximum(rows.replicas - 1.0, 1.0))
        is_new = (rows.replicas > 1) & (first > taken)
        fewest = np.minimum(first, np.maximum(rows.replicas - first, 1.0))
        hosted = hosted_models(n_models, fewest) if n_models > 1 else rows.hosted
        split.append(replace(rows, prefill_replicas=first, hosted=hosted).take(np.flatnonzero(is_new)))
        taken = np.maximum(taken, first)
    every = ServingRows(*(np.concatenate([getattr(part, field.name) for part in split]) for field in fields(rows)))
    order = (every.batch, every.prefill_replicas, every.attention_dp, every.pp, every.tp, every.system)
    return every.take(np.lexsort(order))


def _choices(model: TransformerModel, fleet: Fleet) -> Floats:
    """Combinations of tensor and pipeline ranks and attention groups, shape (n, 3).

    Groups pay where the cache is the same on all tensor ranks, as that of latent attention, and share experts: each
    chip holds one at least. As many of them as divide the chips of any system: nine hosts are no worse than eight.
    Stages need not be of equal layers.
    """
    tensor = [n for n in _TENSOR if model.n_heads % n == 0]
    pipeline = [n for n in _PIPELINE if n <= model.n_layers]
    groups = _groups(fleet) if model.is_moe else (1,)
    every = product(tensor, pipeline, groups)
    kept = [row for row in every if row[2] == 1 or (row[1] == 1 and row[0] * row[2] <= model.n_experts)]
    return np.array(kept, dtype=np.float64)


def _groups(fleet: Fleet) -> Sequence[int]:
    counts = np.unique(fleet.n_chips).astype(np.intp)
    return [n for n in range(1, min(MOST_GROUPS, int(counts.max(initial=1))) + 1) if np.any(counts % n == 0)]


def _given_choices(model: TransformerModel, given: Layout) -> tuple[Floats, Floats]:
    groups = given.ep // given.tp if model.is_moe and given.ep > given.tp and given.ep % given.tp == 0 else 1
    batches = (given.max_batch / groups,) if given.max_batch else BATCHES
    return np.array([(given.tp, given.pp, groups)], dtype=np.float64), np.array(batches, dtype=np.float64)
