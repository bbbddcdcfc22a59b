"""Which chips of a cluster answer and which train: all of them in turns, or some each, of one kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.throughput.types import System
from core.workload.jobs.kinds import ReinforcementLearning

SHARES = (1 / 8, 1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4)
"""Shares of the chips that answer, where the shortest step is searched: whole hosts where there are several."""


@dataclass(frozen=True, slots=True)
class Split:
    """A way to share the system numbered ``of``: one that answers and one that trains, the same when in turns."""

    of: int
    answering: System
    training: System


def splits_of(job: ReinforcementLearning, systems: Sequence[System]) -> list[Split]:
    """Every way to try, system by system; a cluster too small to be parted has none."""
    if not job.is_apart:
        return [Split(number, system, system) for number, system in enumerate(systems)]
    return [
        Split(number, part_of(system, n_chips), part_of(system, system.n_chips - n_chips))
        for number, system in enumerate(systems)
        for n_chips in _answering(job, system)
    ]


def _answering(job: ReinforcementLearning, system: System) -> list[int]:
    shares = (job.rollout_share_pct / 100,) if job.rollout_share_pct else SHARES
    unit = system.chips_per_host if system.n_hosts > 1 else 1
    parts = {round(share * system.n_chips / unit) * unit for share in shares}
    return sorted(n for n in parts if 0 < n < system.n_chips)


def part_of(system: System, n_chips: int) -> System:
    """Some chips of a system, on its hosts; a part of a slice is no slice."""
    return replace(system, n_chips=n_chips, chips_per_host=min(system.chips_per_host, n_chips), slice=None)
