"""How failures, interruptions and checkpoints lengthen a run."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import find_cost_input
from core.catalogue.entries import CostInput, Offer
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH

Array = NDArray[np.float64]

_MAX_EXPONENT = 50.0
_MOST_STRETCH = 1e12
_LEAST_SEGMENT_H = 1e-9


def stretch(
    run_h: Array, stops_per_h: Array, interval_h: Array | float, stall_h: Array | float, restart_h: Array | float
) -> Array:
    """Expected wall time over undisturbed time, shape (n,), at least 1.

    With stops at random times at rate r, a segment of I hours of work plus s hours of saving takes
    (1/r + R) (exp(r (I + s)) - 1) hours on average, R being the restart (Daly 2006, "A higher order estimate of the
    optimum checkpoint interval", eq. 5 to 9). Without checkpoints (``interval_h`` 0) the segment is the whole run.
    Rates of 0 leave only the saving: (I + s) / I.
    """
    is_saved = np.asarray(interval_h) > 0
    segment_h = np.maximum(np.minimum(np.where(is_saved, interval_h, run_h), run_h), _LEAST_SEGMENT_H)
    saving_h = np.where(is_saved, stall_h, 0.0)
    rate = np.maximum(stops_per_h, 1e-12)
    exponent = rate * (segment_h + saving_h)
    beyond = np.maximum(exponent / _MAX_EXPONENT, 1.0) ** 2  # so that what is hopeless still grows with both
    expected_h = np.expm1(np.minimum(exponent, _MAX_EXPONENT)) * beyond * (1 / rate + restart_h)
    return np.asarray(np.clip(expected_h / segment_h, 1.0, _MOST_STRETCH))


def best_interval_h(stall_h: Array, stops_per_h: Array) -> Array:
    """Hours of work between saved states that lose the least, shape (n,): Daly's higher order estimate.

    ``sqrt(2 s M) (1 + sqrt(s / (2 M)) / 3 + s / (18 M)) - s`` where the saving s is below twice the mean time between
    stops M, else M (Daly 2006, eq. 37); months apart where nothing stops the run.
    """
    mean_h = 1 / np.maximum(stops_per_h, 1e-12)
    ratio = stall_h / (2 * mean_h)
    daly_h = np.sqrt(2 * stall_h * mean_h) * (1 + np.sqrt(ratio) / 3 + ratio / 9) - stall_h
    return np.where(stall_h < 2 * mean_h, daly_h, mean_h)


def interruption_row(catalogue: Catalogue, offer: Offer) -> CostInput | None:
    """What the catalogue knows of interruptions of an offer on spot, with its source and mark."""
    return find_cost_input(catalogue, "spot_preempt_rate", f"{offer.provider} {offer.accelerator_id}")


def interruptions_per_hour(
    catalogue: Catalogue, offer: Offer, n_hosts: int, typed_per_day: float | None = None
) -> float:
    """Rate at which a spot cluster loses part of itself, per hour; 0 for other purchase models.

    Rates are quoted per host and month, or per slice and day; any lost host stops the whole job. One that the user
    typed, a day, is that of the whole cluster, whatever its size.
    """
    if offer.purchase_model != "spot":
        return 0.0
    if typed_per_day is not None:
        return typed_per_day / HOURS_PER_DAY
    row = interruption_row(catalogue, offer)
    if row is None or row.typical is None:
        return 0.0
    if "slice" in row.unit:
        return row.typical / HOURS_PER_DAY
    return n_hosts * row.typical / HOURS_PER_MONTH
