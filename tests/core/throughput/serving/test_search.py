"""What the search leaves out or asks of all systems at once changes no answer."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest

from core.throughput.chips.fleet import fleet_of
from core.throughput.chips.run_formats import as_stated
from core.throughput.model_shape import shape_of
from core.throughput.serving.arrangements import in_pools, serving_rows
from core.throughput.serving.predict import DOUBLINGS, _enough_chips, _held, _hold, _worth_batches
from core.workload.jobs.kinds import OnlineServing
from core.workload.models.transformer import TransformerModel
from tests.core.throughput.fleet_samples import LLAMA_3_70B, MIXTRAL, systems

CLUSTERS = systems(["l4", "h100-sxm", "tpu-v5e"], [1, 8, 32])


@pytest.mark.parametrize("model", [LLAMA_3_70B, MIXTRAL], ids=["dense", "mixture"])
@pytest.mark.parametrize("pools", ["off", "on", "best"])
def test_arrangements_that_hold_no_small_batch_are_none_that_all_batches_would_show(
    model: TransformerModel, pools: str
) -> None:
    job = OnlineServing.model_validate({"pools": pools})
    shape, fleet = shape_of(model), fleet_of(CLUSTERS, "bf16")
    rows, memory = _held(shape, job, fleet, serving_rows(fleet, model))
    if pools != "off":
        rows, memory = _held(shape, job, fleet, in_pools(rows, pools))
    small = serving_rows(fleet, model, batches=(1,))
    quick, quick_memory = _held(shape, job, fleet, _worth_batches(shape, job, fleet, small, 1))
    assert len(set(rows.system.tolist())) > 3 and len(set(rows.batch.tolist())) > 3
    for one, other in zip(astuple(rows), astuple(quick), strict=True):
        assert np.array_equal(one, other)
    assert all(np.array_equal(size, quick_memory[part]) for part, size in memory.items())


def test_chips_that_are_enough_are_told_of_each_system_as_if_it_were_alone() -> None:
    job = OnlineServing()
    enough = _enough_chips(LLAMA_3_70B, job, CLUSTERS, as_stated)
    assert len(set(enough)) > 3
    for system, n_chips in zip(CLUSTERS, enough, strict=True):
        assert _enough_chips(LLAMA_3_70B, job, [system], as_stated) == [n_chips]
        assert n_chips == 0 or n_chips in [system.n_chips * 2**power for power in range(1, DOUBLINGS + 1)]
    vast = LLAMA_3_70B.model_copy(update={"n_layers": 8000})
    assert _enough_chips(vast, job, CLUSTERS[:1], as_stated) == [0]
    short = systems(["l4"], [1])
    assert _hold(LLAMA_3_70B, job, short, as_stated) == [False]
    needed = _enough_chips(LLAMA_3_70B, job, short, as_stated)[0]
    assert _hold(LLAMA_3_70B, job, systems(["l4"], [needed // 2, needed]), as_stated) == [False, True]
