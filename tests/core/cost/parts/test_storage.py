"""What is kept in storage: data, saved states of what is trained, one copy of what is not."""

from collections.abc import Callable

import pytest

from core.cost.bill.batch import CostBatch
from core.cost.parts.storage import storage, stored_gb
from core.throughput.training.overheads import state_bytes
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.profile import Profile

MakeBatch = Callable[..., CostBatch]
B_PARAMS = Profile().model.n_params / 1e9


@pytest.mark.parametrize("job", [OnlineServing(dataset_gb=500.0), BatchInference(dataset_gb=500.0)])
def test_serving_keeps_its_data_and_the_weights_in_two_bytes(make_batch: MakeBatch, job) -> None:
    assert stored_gb(make_batch(Profile(job=job))) == pytest.approx(500 + 2 * B_PARAMS)


@pytest.mark.parametrize("kept", [1, 3, 10])
def test_training_keeps_its_data_and_14_bytes_a_weight_for_each_state(make_batch: MakeBatch, kept: int) -> None:
    profile = Profile(job=PreTraining(dataset_gb=500.0, checkpoints_kept=kept))
    assert stored_gb(make_batch(profile)) == pytest.approx(500 + kept * 14 * B_PARAMS)


def test_adapters_are_saved_and_the_frozen_weights_kept_once(make_batch: MakeBatch) -> None:
    job = FineTuning(method="lora", lora_rank=16, dataset_gb=500.0, checkpoints_kept=4)
    profile = Profile(job=job)
    states_gb = 4 * state_bytes(profile.model, job) / 1e9
    assert 0 < states_gb < 0.1 * B_PARAMS * 14 * 4
    assert stored_gb(make_batch(profile)) == pytest.approx(500 + states_gb + 2 * B_PARAMS)
    full = Profile(job=FineTuning(method="full", lora_rank=16, dataset_gb=500.0, checkpoints_kept=4))
    assert stored_gb(make_batch(full)) == pytest.approx(500 + 4 * 14 * B_PARAMS)


def test_a_line_tells_what_it_counts(make_batch: MakeBatch) -> None:
    """A service of six months at 0.01, 0.02 and 0.03 USD a GB and month."""
    line = storage(make_batch(Profile(job=OnlineServing(dataset_gb=500.0, months=6.0))))
    gb = 500 + 2 * B_PARAMS
    assert line.usd[0] == pytest.approx([price * gb * 6 for price in (0.01, 0.02, 0.03)])
    assert [(name, unit, float(values[0])) for name, unit, values in line.inputs] == [
        ("Data and checkpoints", "GB", pytest.approx(gb)),
        ("Price per GB and month", "USD", 0.02),
        ("Months", "", pytest.approx(6.0)),
    ]
