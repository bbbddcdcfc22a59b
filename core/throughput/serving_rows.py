"""Every serving arrangement of every system as flat arrays: tensor and pipeline degrees, batch a replica."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from core.throughput.fleet import Fleet, Floats, Ints
from core.throughput.types import Layout
from core.workload.model import TransformerModel

_TENSOR = (1, 2, 4, 8, 16)
_PIPELINE = (1, 2, 4, 8)
BATCHES = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
"""Sequences decoded together; engines are seldom run above about a thousand."""


@dataclass(frozen=True)
class ServingRows:
    """Rows, shape (n rows,); ``system`` points into the fleet, ``replicas`` share the system's chips."""

    system: Ints
    tp: Floats
    pp: Floats
    replicas: Floats
    batch: Floats

    @property
    def n_rows(self) -> int:
        """Rows in all."""
        return len(self.system)

    def take(self, rows: Ints) -> ServingRows:
        """Some of the rows."""
        return ServingRows(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})

    def at(self, row: int) -> Layout:
        """One row as a layout."""
        return Layout(
            tp=int(self.tp[row]), pp=int(self.pp[row]), replicas=int(self.replicas[row]), max_batch=int(self.batch[row])
        )


def serving_rows(fleet: Fleet, model: TransformerModel, given: Layout | None = None) -> ServingRows:
    """All arrangements whose degrees divide heads, layers and chips, or the given one."""
    tensor = (given.tp,) if given else tuple(n for n in _TENSOR if model.n_heads % n == 0)
    pipeline = (given.pp,) if given else tuple(n for n in _PIPELINE if model.n_layers % n == 0)
    batches = (given.max_batch,) if given and given.max_batch else BATCHES
    choices = np.array([(t, p, b) for t in tensor for p in pipeline for b in batches], dtype=np.float64)
    system = np.repeat(np.arange(len(fleet.n_chips), dtype=np.intp), len(choices))
    tp, pp, batch = np.tile(choices.T, len(fleet.n_chips))
    replicas = fleet.n_chips[system] / (tp * pp)
    rows = ServingRows(system, tp, pp, replicas, batch)
    own = fleet.take(system)
    whole = (replicas >= 1) & (replicas == np.floor(replicas))
    reach = np.where(own.is_torus > 0, np.minimum(own.n_chips, 16.0), own.domain_chips)
    # A pipeline adds latency and no speed: it is for models that one domain cannot hold.
    needed = (rows.pp == 1) | (rows.tp == np.minimum(reach, max(tensor)))
    return rows.take(np.flatnonzero(whole & (rows.tp <= reach) & (needed | (given is not None))))
