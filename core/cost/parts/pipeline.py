"""Data pipeline: engineers' weeks until the input keeps up with a chip that it was not made for."""

from __future__ import annotations

import numpy as np

from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.line import Line, constant, likely

SHARE_OF_PORTING = (0.1, 0.3, 0.6)
"""Weeks over those of porting where none are typed: low, likely, high (our estimate)."""


def pipeline(batch: CostBatch) -> Line:
    """``engineer-weeks x USD a week``, in USD, shape (n, 3), for chips other than GPUs to which code must be ported.

    GPUs forgive an input pipeline that was not tuned for them; code that runs on a TPU as it is brings its own.
    """
    rate, weeks = batch.profile.team.engineer_usd_per_week, _weeks(batch)
    typed = batch.profile.team.pipeline_weeks is not None
    return Line(
        usd=weeks * rate,
        formula="engineer-weeks × rate",
        inputs=(("Engineer-weeks", "", likely(weeks)), ("Engineer's week", "USD", constant(batch, rate))),
        sources=("weeks as entered" if typed else "our estimate of weeks; rate as entered",) * batch.n,
        estimates=(not typed,) * batch.n,
    )


def _weeks(batch: CostBatch) -> Array:
    """Engineer-weeks of each candidate, shape (n, 3)."""
    typed = batch.profile.team.pipeline_weeks
    usual = batch.porting_weeks * np.array(SHARE_OF_PORTING)
    weeks = usual if typed is None else np.full((batch.n, 3), typed)
    kinds = {chip.id: chip.kind != "gpu" for chip in {chip.id: chip for chip in batch.accelerators}.values()}
    other = np.array([kinds[chip.id] for chip in batch.accelerators], dtype=bool)
    return np.where((other & (batch.porting_weeks[:, 1] > 0))[:, None], weeks, 0.0)


COMPONENT = Component(
    part="pipeline",
    title="Data pipeline",
    order=130,
    colour=Colour(light="#3F8F55", dark="#7CC08B"),
    count=pipeline,
    is_one_off=True,
)
