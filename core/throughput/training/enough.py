"""How many chips would hold a run that a system does not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from core.breath import breathe
from core.catalogue.loading import load_catalogue
from core.constants import LEAST_TRAINING_BYTES_PER_PARAM
from core.throughput.chips.fleet import Fleet
from core.throughput.chips.links import RACK_CHIPS, joined_chips
from core.throughput.model_shape import shape_of
from core.throughput.refusals import DOUBLINGS
from core.throughput.training.finetuning import least_bytes_per_param
from core.throughput.training.grid import holds
from core.throughput.types import System
from core.workload.jobs.kinds import TrainingJob
from core.workload.models.transformer import TransformerModel

USUAL_HOST = 8
"""Chips of the servers that most are sold in, from which doublings are counted at least."""
GROWTH = 3
"""Times as many places are tried at once as the time before: few calls, and few tries beyond the one that holds."""
MOST_KEPT = 8
"""Runs whose answers are remembered: a what-if asks about the same one again and again."""


class Enough(NamedTuple):
    """The least number of chips that holds a run, 0 where none of those tried does, and the most that were tried."""

    n_chips: int
    most_tried: int


NOT_ASKED = Enough(0, 0)


class _Place(NamedTuple):
    """All that decides: chips, chips of a domain, 1 for a torus, bytes of a chip."""

    n_chips: int
    domain_chips: int
    is_torus: float
    memory_bytes: float


@dataclass(frozen=True, slots=True)
class Beside:
    """Bytes of other models, split over all chips: those that stay beside the run, and the most that come in turns."""

    stays: float = 0.0
    in_turns: float = 0.0


ALONE = Beside()


def enough_chips(
    model: TransformerModel, job: TrainingJob, systems: Sequence[System], fleet: Fleet, beside: Beside = ALONE
) -> list[Enough]:
    """The least power of two beyond the chips of each system whose memory holds some layout, in whole hosts.

    ``fleet`` holds the systems, without other models. A part of a host is told the same as whole ones of the same
    chips. What was tried is remembered, so that systems alike in chips, domains and memory are asked once.
    """
    known = _known(model, job)
    least_bytes = max(model.n_params * _least_bytes_per_param(job), beside.in_turns - beside.stays)
    keys = [
        (id(system.accelerator), system.chips_per_host, system.n_chips, memory_bytes)
        for system, memory_bytes in zip(systems, fleet.memory_bytes.tolist(), strict=True)
    ]
    once = dict(zip(keys, systems, strict=True))
    tried = {key: _ladder(system, key[-1], beside.stays, least_bytes) for key, system in once.items()}
    most = 1
    while asked := [*dict.fromkeys(place for places in tried.values() for place in _open(places, known)[:most])]:
        breathe()
        known.update(zip(asked, holds(_fleet(asked), model, shape_of(model), job), strict=True))
        most *= GROWTH
    least = {key: next((place.n_chips for place in places if known.get(place)), 0) for key, places in tried.items()}
    return [Enough(least[key], _most_tried(key[2])) for key in keys]


@lru_cache(maxsize=MOST_KEPT)
def _known(model: TransformerModel, job: TrainingJob) -> dict[_Place, bool]:
    """What was found of a run so far."""
    return {}


def _least_bytes_per_param(job: TrainingJob) -> float:
    return LEAST_TRAINING_BYTES_PER_PARAM if job.finetuned is None else least_bytes_per_param(job.finetuned)


def _open(places: Sequence[_Place], known: Mapping[_Place, bool]) -> Sequence[_Place]:
    """Places that were not tried yet, up to the first that holds the run; none where all were."""
    below = takewhile(lambda place: not known.get(place), places)
    return [place for place in below if place not in known]


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


def _ladder(system: System, memory_bytes: float, beside_bytes: float, least_bytes: float) -> list[_Place]:
    """Places with more chips than a system has, the least first, with the room that others leave on a chip: of some
    that hold ``least_bytes`` in all."""
    chip, host_chips = system.accelerator, _whole_host(system)
    is_torus = 1.0 if chip.torus_dims else 0.0
    counts = [2**power for power in range(system.n_chips.bit_length(), _most_tried(system.n_chips).bit_length())]
    rooms = [(n, memory_bytes - beside_bytes / n) for n in counts if n * memory_bytes - beside_bytes >= least_bytes]
    return [_Place(n, joined_chips(chip, n, host_chips), is_torus, room) for n, room in rooms]


def _most_tried(n_chips: int) -> int:
    """The most chips that are tried beyond so many."""
    return 1 << ((max(n_chips, USUAL_HOST) << DOUBLINGS).bit_length() - 1)


def _fleet(places: Sequence[_Place]) -> Fleet:
    """The places as systems; what memory does not ask is 1."""
    n_chips, domain_chips, is_torus, memory_bytes = np.array(places, dtype=np.float64).T
    blank = dict.fromkeys((field.name for field in fields(Fleet)), np.ones(len(places)))
    own = {"n_chips": n_chips, "domain_chips": np.minimum(domain_chips, n_chips)}
    return Fleet(**blank | own | {"is_torus": is_torus, "memory_bytes": memory_bytes})
