"""Storage: data and checkpoints kept for as long as the plan lasts."""

from __future__ import annotations

from core.constants import BYTES_PER_NARROW_VALUE
from core.cost.bill.batch import CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.line import Line, constant, likely
from core.throughput.training.overheads import state_bytes

PRICE_OF = {
    "object": "object_storage",
    "volume": "block_storage",
    "filesystem": "tiered_training_fs",
    "local": "object_storage",
}
"""Price of the place that a run reads from; drives in the hosts are filled from object storage."""


def stored_gb(batch: CostBatch) -> float:
    """Data set, checkpoints of what is trained, and one copy of weights that are not (LoRA, serving), in GB."""
    job, model = batch.profile.job, batch.profile.model
    run = job.training
    if run is None:
        return job.dataset_gb + BYTES_PER_NARROW_VALUE * model.n_params / 1e9
    frozen = 0 if run.adapter_rank is None else model.n_params
    return job.dataset_gb + (run.checkpoints_kept * state_bytes(model, run) + BYTES_PER_NARROW_VALUE * frozen) / 1e9


def storage(batch: CostBatch) -> Line:
    """``GB x price per GB and month x months``, in USD, shape (n, 3); at the offer's provider, by kind of storage."""
    price = batch.by_provider(PRICE_OF[batch.profile.job.storage_kind])
    gb = stored_gb(batch)
    return Line(
        usd=gb * price.values * batch.months,
        formula="GB kept × price × months",
        inputs=(
            ("Data and checkpoints", "GB", constant(batch, gb)),
            ("Price per GB and month", "USD", likely(price.values)),
            ("Months", "", likely(batch.months)),
        ),
        sources=price.sources,
        estimates=price.estimates,
    )


COMPONENT = Component(
    part="storage",
    title="Storage",
    order=80,
    colour=Colour(light="#2E9B8B", dark="#4FA597"),
    count=storage,
)
