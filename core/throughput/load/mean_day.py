"""A mean day of a service: load hour by hour, replicas that follow it, chip hours.

The curve is what a job says of it: the busiest hour is the peak, the mean is the mean load entered, the shape is one
of those shipped or the user's own 24 hours.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core import paths
from core.constants import HOURS_PER_DAY
from core.throughput.chips.fleet import Floats
from core.throughput.types import LoadCurve
from core.workload.jobs.kinds import OnlineServing

AUTOSCALE_REST = 0.15
"""Capacity that autoscaling keeps above the load, as a share of it: new replicas take minutes (our estimate)."""

_HALVINGS = 60
_EXPONENTS = (1e-12, 1e12)


@dataclass(frozen=True)
class Day:
    """A mean day hour by hour from midnight on, shape (24,). ``replicas`` are those held.

    ``chip_hours`` are those held over the day, with warming up.
    """

    requests_per_s: Floats
    replicas: Floats
    chip_hours: float


def load_by_hour(job: OnlineServing) -> Floats:
    """Load of each hour over the peak, 0..1, shape (24,); its mean is the mean load entered, whatever the shape."""
    return np.array(_load_by_hour(_shape(job), job.mean_load_pct / 100.0))


def units_by_hour(job: OnlineServing, load: LoadCurve, autoscales: bool) -> Floats:
    """Clusters held in each hour, shape (24,): all, or with autoscaling as many as the load and its rest take.

    Never fewer than hold the replicas kept at least; with none kept, hours without load hold nothing.
    """
    return np.asarray(_units_by_hour(job, _columns([load]), autoscales)[0])


def _columns(loads: Sequence[LoadCurve]) -> Floats:
    """Clusters, replicas, and requests/s that they carry, shape (3, n)."""
    of_each = [(load.units, load.replicas, load.max_requests_per_s) for load in loads]
    return np.array(of_each, dtype=np.float64).reshape(-1, 3).T


def _units_by_hour(job: OnlineServing, columns: Floats, autoscales: bool) -> Floats:
    """The same of several loads, by the columns of :func:`_columns`, shape (n, 24)."""
    units, replicas, most_per_s = (column[:, None] for column in columns)
    of_one = np.where(most_per_s > 0, most_per_s, units) / units
    needed = job.peak_requests_per_s * load_by_hour(job) * (1.0 + AUTOSCALE_REST) / of_one
    least = np.minimum(np.ceil(job.min_replicas * units / np.maximum(replicas, 1)), units)
    is_held = np.logical_or(not autoscales, most_per_s <= 0)
    return np.asarray(np.where(is_held, units, np.clip(np.ceil(needed - 1e-9), least, units)))


def held_share(job: OnlineServing, load: LoadCurve, autoscales: bool) -> float:
    """Chip hours held over those of all chips all day, 0..1; starting a cluster holds it for the warm-up before."""
    columns = _columns([load])
    return float(_held_shares(job, columns, _units_by_hour(job, columns, autoscales), autoscales)[0])


def shares_scaled(job: OnlineServing, loads: Sequence[LoadCurve | None], units: Floats | None = None) -> Floats:
    """The same of several loads with autoscaling, shape (n,), each of so many equal clusters; 1 where none is known."""
    known = np.array([load is not None for load in loads], dtype=np.bool_)
    shares, columns = np.ones(len(loads)), _columns([load for load in loads if load])
    times = np.ones(len(loads)) if units is None else units
    held = columns * times[known]
    shares[known] = _held_shares(job, held, _units_by_hour(job, held, autoscales=True), autoscales=True)
    return shares


def _held_shares(job: OnlineServing, columns: Floats, units: Floats, autoscales: bool) -> Floats:
    started = np.maximum(units - np.roll(units, 1, axis=1), 0.0).sum(axis=1)
    warm_up = started * job.warm_up_min / 60.0 / HOURS_PER_DAY if autoscales else 0.0
    return np.asarray(np.minimum((units.mean(axis=1) + warm_up) / columns[0], 1.0))


def day_of(job: OnlineServing, load: LoadCurve, n_chips: int, autoscales: bool) -> Day:
    """The mean day of a service on ``n_chips`` chips in all."""
    columns = _columns([load])
    units = _units_by_hour(job, columns, autoscales)
    return Day(
        requests_per_s=job.peak_requests_per_s * load_by_hour(job),
        replicas=load.replicas / load.units * units[0],
        chip_hours=n_chips * HOURS_PER_DAY * float(_held_shares(job, columns, units, autoscales)[0]),
    )


def _shape(job: OnlineServing) -> tuple[float, ...]:
    """The shape chosen, of any height; empty for a load that is alike at all hours."""
    if job.traffic == "own":
        return job.hours
    return () if job.traffic == "steady" else _shapes()[job.traffic]


@cache
def _shapes() -> dict[str, tuple[float, ...]]:
    table = json.loads((paths.resources() / "engine" / "traffic.json").read_text("utf-8"))
    return {name: tuple(map(float, row["hours_pct"])) for name, row in table["shapes"].items()}


@cache
def _load_by_hour(shape: tuple[float, ...], mean: float) -> tuple[float, ...]:
    """The shape over its top, raised to the power that gives it the mean: ``l = (s / max s)^g``.

    A power keeps top, order and empty hours. Means that no power reaches are met by the shape's limit, its busiest
    hours alone or its idle ones filled up evenly.
    """
    if not shape:
        return (mean,) * HOURS_PER_DAY
    over_top = np.array(shape) / max(shape)
    flat, spiked = (over_top > 0).astype(float), (over_top == 1).astype(float)
    if mean >= flat.mean():
        return tuple((1.0 - (1.0 - flat) * (1.0 - mean) / max(1.0 - flat.mean(), 1e-12)).tolist())
    if mean <= spiked.mean():
        return tuple((spiked * mean / spiked.mean()).tolist())
    return tuple(_raised(over_top, mean).tolist())


def _raised(over_top: Floats, mean: float) -> NDArray[np.float64]:
    """The power between the two limits, found by halving the span of its logarithm."""
    low, high = np.log(_EXPONENTS)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if (over_top ** np.exp(middle)).mean() > mean else (low, middle)
    raised = over_top ** np.exp((low + high) / 2.0)
    return np.asarray(np.minimum(raised * mean / raised.mean(), 1.0))
