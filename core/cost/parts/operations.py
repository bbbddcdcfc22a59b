"""Operations: the hours of people who keep it running, for as long as it runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH
from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.given import Given
from core.cost.bill.line import Line, constant, likely
from core.cost.people import Effort, running


def operations(batch: CostBatch) -> Line:
    """``(base + hours a node x nodes) x months x engineer's USD an hour``, in USD, shape (n, 3).

    Hours a month as typed, else usual by size, by the way it is run and by the class of the seller; for owned hardware
    those of its staff. Months in which it runs: nobody operates what is waited for, nor what is rented for a batch
    between two of them.
    """
    effort, is_typed = running(batch), _typed(batch)
    months, hours = _months(batch, is_typed), _hours(batch, effort)
    return Line(
        usd=hours * months * batch.engineer_usd_per_hour,
        formula="hours a month × months × engineer's hour",
        inputs=(
            ("Hours a month", "h", likely(hours)),
            ("of which for any size", "h", np.where(is_typed, 0.0, likely(effort.base_h))),
            ("Nodes", "", likely(effort.nodes)),
            ("Months at work", "", likely(months)),
            ("Engineer's hour", "USD", constant(batch, batch.engineer_usd_per_hour)),
        ),
        kinds=(Given.HOURS_A_MONTH, None, None, Given.MONTHS, Given.ENGINEER_HOUR_PRICE),
        sources=[_SOURCES[typed] for typed in is_typed.tolist()],
        estimates=(~is_typed).tolist(),
    )


_SOURCES = {True: "hours and rate as entered", False: "our estimate of hours; rate as entered"}


def _months(batch: CostBatch, is_typed: NDArray[np.bool_]) -> Array:
    """Months that the runs take; in service those of the days on which a batch runs, shape (n, 3).

    ``batches x max(hours of one, 24) / hours of a month``, at most the months in service. These count whole where
    nothing rests between rounds, where the hours of a month were typed, and for hardware of one's own, which stays.
    """
    job = batch.profile.job
    if job.months_in_service is None:
        return batch.paid_h / HOURS_PER_MONTH
    days_h = job.times_paid * np.maximum(batch.run_h, HOURS_PER_DAY)
    rests = (job.round_limit_h is not None) & ~batch.is_owned & ~is_typed[:, np.newaxis]
    return np.where(rests, np.minimum(days_h / HOURS_PER_MONTH, job.months_in_service), job.months_in_service)


def _typed(batch: CostBatch) -> NDArray[np.bool_]:
    """Where the user typed the hours, shape (n,)."""
    rented = batch.profile.team.operations_h_per_month is not None
    return np.where(batch.is_owned[:, 0], batch.profile.owning.staff_h_per_month is not None, rented)


def _hours(batch: CostBatch, effort: Effort) -> Array:
    """Hours of people a month, shape (n, 3)."""
    rented, own = batch.profile.team.operations_h_per_month, batch.profile.owning.staff_h_per_month
    of_rented = effort.hours if rented is None else np.full((batch.n, 3), rented)
    of_own = effort.hours if own is None else np.full((batch.n, 3), own)
    return np.where(batch.is_owned, of_own, of_rented)


COMPONENT = Component(
    part="operations",
    title="Operations",
    order=110,
    colour=Colour(light="#66761C", dark="#9BAA4A"),
    count=operations,
)
