"""How many chips would hold a run that a system does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from core.breath import breathe
from core.throughput.chips.fleet import Fleet
from core.throughput.chips.links import inner_link
from core.throughput.model_shape import shape_of
from core.throughput.refusals import DOUBLINGS
from core.throughput.training.grid import grid_of
from core.throughput.types import System
from core.workload.jobs.kinds import TrainingJob
from core.workload.models.transformer import TransformerModel

MOST_KEPT = 8
"""Runs whose answers are remembered: a what-if asks about the same one again and again."""


class _Place(NamedTuple):
    """All that decides: chips, chips of a domain where there are many, 1 for a torus, bytes of a chip."""

    n_chips: int
    domain_chips: int
    is_torus: float
    memory_bytes: float


def enough_chips(model: TransformerModel, job: TrainingJob, systems: Sequence[System], fleet: Fleet) -> list[int]:
    """The least of the next doublings of the chips of each system whose memory holds some layout; 0 for none.

    ``fleet`` holds the systems. Those alike in chips, domains and memory are asked once.
    """
    known = _known(model, job)
    places = [*map(_place_of, systems, fleet.is_torus.tolist(), fleet.memory_bytes.tolist())]
    new = [place for place in dict.fromkeys(places) if place not in known]
    if new:
        breathe()
        known.update(zip(new, _found(model, job, new), strict=True))
    return [known[place] for place in places]


@lru_cache(maxsize=MOST_KEPT)
def _known(model: TransformerModel, job: TrainingJob) -> dict[_Place, int]:
    """What was found of a run so far."""
    return {}


def _place_of(system: System, is_torus: float, memory_bytes: float) -> _Place:
    many = replace(system, n_chips=system.n_chips * 2**DOUBLINGS, slice=None)
    return _Place(system.n_chips, inner_link(many).chips, is_torus, memory_bytes)


def _found(model: TransformerModel, job: TrainingJob, places: Sequence[_Place]) -> list[int]:
    fleet = _doubled(places)
    grid = grid_of(fleet, model, shape_of(model), job, None)
    holds = np.zeros(len(fleet.n_chips), dtype=np.bool_)
    holds[grid.every.system[grid.worth_timing]] = True
    counts = np.where(holds, fleet.n_chips, np.inf).reshape(-1, DOUBLINGS).min(axis=1)
    return [int(count) if np.isfinite(count) else 0 for count in counts.tolist()]


def _doubled(places: Sequence[_Place]) -> Fleet:
    """Each place with its chips doubled once, twice and so on, one after the other; what memory does not ask is 1."""
    of_place = np.repeat(np.array(places, dtype=np.float64), DOUBLINGS, axis=0)
    n_chips = of_place[:, 0] * np.tile(2.0 ** np.arange(1, DOUBLINGS + 1), len(places))
    blank = dict.fromkeys((field.name for field in fields(Fleet)), np.ones(len(n_chips)))
    own = {"n_chips": n_chips, "domain_chips": np.minimum(of_place[:, 1], n_chips)}
    return Fleet(**blank | own | {"is_torus": of_place[:, 2], "memory_bytes": of_place[:, 3]})
