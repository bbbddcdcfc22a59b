"""How failures, interruptions and checkpoints lengthen a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


Lost = Literal["host", "slice", "cluster"]
"""What an interruption takes: one host, one slice of a TPU, or the whole cluster at once."""


@dataclass(frozen=True, slots=True)
class Interruptions:
    """How often a spot cluster is interrupted: ``per_h`` an hour, each of its hosts, each of its slices, or all of it,
    as ``lost`` says. The rate of one part is also that of the job if a pool gives up all parts together."""

    per_h: float = 0.0
    lost: Lost = "cluster"

    def parts(self, n_hosts: float, n_slices: float) -> float:
        """How many parts can be lost, at least one."""
        return max({"host": n_hosts, "slice": n_slices, "cluster": 1.0}[self.lost], 1.0)

    def of_job(self, n_hosts: float, n_slices: float) -> float:
        """Interruptions of the whole job an hour where parts are lost one by one; see :func:`interruptions`."""
        return self.per_h * self.parts(n_hosts, n_slices)


def interruptions(catalogue: Catalogue, offer: Offer, typed_per_day: float | None = None) -> Interruptions:
    """How often a training job on an offer on spot is interrupted; never on other purchase models.

    Rates are quoted per slice and day (TPU), or as the share of a provider's machines that are reclaimed in a month,
    so per host and month; no source has one per job. Any lost host or slice stops the whole job, so n of them stop it
    n times as often if they are lost one by one, and as often as one if a pool gives up all at the same time, which
    no public source puts in numbers: the first is the likely rate, the second bounds the low end. One that the user
    typed, a day, is that of the whole cluster, whatever its size. Services are not asked: a lost replica is replaced
    while the others answer.
    """
    if offer.purchase_model != "spot":
        return Interruptions()
    if typed_per_day is not None:
        return Interruptions(typed_per_day / HOURS_PER_DAY)
    row = interruption_row(catalogue, offer)
    if row is None or row.typical is None:
        return Interruptions()
    if "slice" in row.unit:
        return Interruptions(row.typical / HOURS_PER_DAY, "slice")
    return Interruptions(row.typical / HOURS_PER_MONTH, "host")
