"""From array rows to the speed of a system: its best row, range, evidence and largest term."""

from __future__ import annotations

import math

import numpy as np

from core.ranges import Evidence, Range
from core.throughput.chips.fleet import Floats, Ints
from core.throughput.correction import Corrections, SpeedFactor
from core.throughput.types import System
from core.throughput.uncertainty import SpreadKey, is_calibrated, ranged
from core.units import GIB


def best_rows(system: Ints, n_systems: int, badness: Floats) -> Ints:
    """Row with the least badness of each system, -1 where a system has no row, shape (n systems,).

    ``system`` must ascend, as all row tables of the engine do, so that one pass over the groups is enough.
    """
    first = np.full(n_systems, -1, dtype=np.intp)
    if not len(system):
        return first
    starts = np.flatnonzero(np.diff(system, prepend=-1))
    lengths = np.diff(starts, append=len(system))
    least = np.flatnonzero(badness == np.repeat(np.minimum.reduceat(badness, starts), lengths))
    owners, where = np.unique(system[least], return_index=True)
    first[owners] = least[where]
    return first


def ranged_speed(likely: float, key: SpreadKey, factor: SpeedFactor | None) -> tuple[Range, float]:
    """Speed with its 80 % range, in the unit of ``likely``, and the measured factor in it: 1 where none was measured.

    Without a factor, or with one of other models, the range is what measurements of its class missed; with one of the
    model itself, what the measurements left, wider
    downwards.
    """
    if factor is None:
        return ranged(likely, key), 1.0
    if factor.is_of_others:
        return ranged(likely * factor.factor, key), factor.factor
    here, wide = likely * factor.factor, math.log1p(factor.spread)
    return Range(here * math.exp(-wide), here, here * math.exp(0.8 * wide)), factor.factor


def evidence_of(
    system: System, piece: str, factor: SpeedFactor | None, is_estimate: bool = False, is_seen: bool = True
) -> Evidence:
    """Measured here or transferred with a factor; modelled where rows of the chip set the piece; else the data sheet.

    ``piece``: training, serving or samples; ``is_estimate``: its format runs in a way that no published run took;
    ``is_seen``: such work was published on such chips.
    """
    if factor is not None:
        return factor.evidence
    if is_estimate:
        return Evidence.ESTIMATE
    return Evidence.MODELLED if is_seen and is_calibrated(piece, system.accelerator.id) else Evidence.VENDOR


def factor_for(corrections: Corrections, system: System, work: str, n_params: float) -> SpeedFactor | None:
    """The factor that applies to a model of so many parameters on a system, if any."""
    return corrections.find(system.accelerator.id, work, n_params)


def largest(terms: dict[str, float]) -> str:
    """The name of the term that takes the most time."""
    return max(terms, key=terms.__getitem__)


def listed(columns: dict[str, Floats], rows: Ints) -> list[dict[str, float]]:
    """Some rows of columns, each by name, in the units of the columns."""
    names = tuple(columns)
    values = zip(*(column[rows].tolist() for column in columns.values()), strict=True)
    return [dict(zip(names, row, strict=True)) for row in values]


def gib_of(parts_bytes: dict[str, float]) -> dict[str, float]:
    """Memory parts in GiB."""
    return {name: value / GIB for name, value in parts_bytes.items()}


def in_gib(parts: dict[str, Floats], row: int) -> dict[str, float]:
    """One row of memory parts in GiB."""
    return {name: float(values[row]) / GIB for name, values in parts.items()}
