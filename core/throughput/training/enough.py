"""How many chips would hold a run that a system does not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from core.breath import breathe
from core.catalogue.loading import load_catalogue
from core.constants import LEAST_TRAINING_BYTES_PER_PARAM
from core.throughput.chips.fleet import Fleet
from core.throughput.chips.links import RACK_CHIPS, inner_link
from core.throughput.model_shape import shape_of
from core.throughput.refusals import DOUBLINGS
from core.throughput.training.finetuning import least_bytes_per_param
from core.throughput.training.grid import grid_of
from core.throughput.types import System
from core.workload.jobs.kinds import TrainingJob
from core.workload.models.transformer import TransformerModel

USUAL_HOST = 8
"""Chips of the servers that most are sold in, from which doublings are counted at least."""
MOST_KEPT = 8
"""Runs whose answers are remembered: a what-if asks about the same one again and again."""


class Enough(NamedTuple):
    """The least number of chips that holds a run, 0 where none of those tried does, and the most that were tried."""

    n_chips: int
    most_tried: int


class _Place(NamedTuple):
    """All that decides: chips, chips of a domain, 1 for a torus, bytes of a chip."""

    n_chips: int
    domain_chips: int
    is_torus: float
    memory_bytes: float

    @property
    def total_bytes(self) -> float:
        """Bytes of all chips."""
        return self.n_chips * self.memory_bytes


def enough_chips(model: TransformerModel, job: TrainingJob, systems: Sequence[System], fleet: Fleet) -> list[Enough]:
    """The least power of two beyond the chips of each system whose memory holds some layout, in whole hosts.

    ``fleet`` holds the systems. A part of a host is told the same as whole ones of the same chips. What was tried is
    remembered, so that systems alike in chips, domains and memory are asked once.
    """
    known, least_bytes = _known(model, job), model.n_params * _least_bytes_per_param(job)
    marks = [*zip(fleet.is_torus.tolist(), fleet.memory_bytes.tolist(), strict=True)]
    keys = [
        (system.accelerator.id, system.chips_per_host, system.n_chips, *mark)
        for system, mark in zip(systems, marks, strict=True)
    ]
    once = dict(zip(keys, systems, strict=True))
    ladders = {key: _ladder(system, *key[3:]) for key, system in once.items()}
    tried = {key: [place for place in one if place.total_bytes >= least_bytes] for key, one in ladders.items()}
    while asked := dict.fromkeys(filter(None, (_first_open(places, known) for places in tried.values()))):
        breathe()
        known.update(zip(asked, _hold(model, job, list(asked)), strict=True))
    least = {key: next((place.n_chips for place in places if known[place]), 0) for key, places in tried.items()}
    return [Enough(least[key], ladders[key][-1].n_chips) for key in keys]


@lru_cache(maxsize=MOST_KEPT)
def _known(model: TransformerModel, job: TrainingJob) -> dict[_Place, bool]:
    """What was found of a run so far."""
    return {}


def _least_bytes_per_param(job: TrainingJob) -> float:
    return LEAST_TRAINING_BYTES_PER_PARAM if job.finetuned is None else least_bytes_per_param(job.finetuned)


def _first_open(places: Sequence[_Place], known: Mapping[_Place, bool]) -> _Place | None:
    """The least place that must be tried next; None once one holds the run or all were tried."""
    for place in places:
        if place not in known:
            return place
        if known[place]:
            return None
    return None


def _whole_host(system: System) -> int:
    """Chips of a host that more of a system's chips would come in: its own, the widest that is sold, or all that a link
    joins. What other systems are asked about plays no part."""
    chip = system.accelerator
    joined = chip.scaleup_domain_chips if chip.scaleup_domain_chips <= RACK_CHIPS else 1
    return max(system.chips_per_host, _widest_hosts().get(chip.id, 1), joined)


@cache
def _widest_hosts() -> dict[str, int]:
    """Chips of the widest host of each chip in the shipped catalogue, by the chip's id."""
    widest: dict[str, int] = {}
    for host in load_catalogue().hosts:
        widest[host.accelerator_id] = max(widest.get(host.accelerator_id, 1), host.n_chips)
    return widest


def _ladder(system: System, is_torus: float, memory_bytes: float) -> list[_Place]:
    """Places with more chips than a system has, the least first."""
    host_chips = _whole_host(system)
    most = max(system.n_chips, USUAL_HOST) * 2**DOUBLINGS
    counts = [2**power for power in range(most.bit_length()) if system.n_chips < 2**power <= most]
    many = replace(system, chips_per_host=host_chips, slice=None)
    return [_Place(n, inner_link(replace(many, n_chips=n)).chips, is_torus, memory_bytes) for n in counts]


def _hold(model: TransformerModel, job: TrainingJob, places: Sequence[_Place]) -> list[bool]:
    fleet = _fleet(places)
    grid = grid_of(fleet, model, shape_of(model), job, None)
    holds = np.zeros(len(places), dtype=np.bool_)
    holds[grid.every.system[grid.worth_timing]] = True
    return holds.tolist()


def _fleet(places: Sequence[_Place]) -> Fleet:
    """The places as systems; what memory does not ask is 1."""
    n_chips, domain_chips, is_torus, memory_bytes = np.array(places, dtype=np.float64).T
    blank = dict.fromkeys((field.name for field in fields(Fleet)), np.ones(len(places)))
    own = {"n_chips": n_chips, "domain_chips": np.minimum(domain_chips, n_chips)}
    return Fleet(**blank | own | {"is_torus": is_torus, "memory_bytes": memory_bytes})
