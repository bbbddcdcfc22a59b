"""What a doubt says in figures: paddings, means and steps worked by hand."""

from __future__ import annotations

import pytest

from core.plan.edit import set_value
from core.units import THIN
from core.workload.doubts import TILE, doubts
from core.workload.jobs.kinds import BatchInference, OnlineServing, PreTraining
from core.workload.models.known import networks
from core.workload.profile import Profile


@pytest.mark.parametrize(("size", "padded"), [(96, 128), (129, 256), (8, 128), (200, 256)])
def test_heads_are_padded_up_to_whole_tiles(size: int, padded: int) -> None:
    assert TILE == 128
    (doubt,) = doubts(set_value(Profile(), "model.d_head", size))
    assert doubt.text == f"Not a multiple of 128: a TPU pads each head to {padded}"


@pytest.mark.parametrize(("length", "padded"), [(100, "128"), (129, "256"), (700, "768")])
def test_sequences_are_padded_up_to_whole_tiles(length: int, padded: str) -> None:
    (doubt,) = doubts(set_value(Profile(), "job.sequence_length", length))
    assert doubt.text == f"Not a multiple of 128: a TPU pads it to {padded}"


@pytest.mark.parametrize(("length", "repair"), [(16, 128), (4000, 4096), (3700, 3712), (6000, 6016), (2000, 2048)])
def test_a_power_of_two_close_by_is_what_most_mean(length: int, repair: int) -> None:
    """Within 4 % of the nearest multiple of the tile, else that multiple."""
    (doubt,) = doubts(set_value(Profile(), "job.sequence_length", length))
    assert doubt.repair == repair


def test_a_run_of_just_one_step_is_no_doubt() -> None:
    job = PreTraining(sequence_length=1024, global_batch_sequences=10, n_tokens=10_240)
    assert doubts(Profile(job=job)) == ()
    (doubt,) = doubts(Profile(job=job.model_copy(update={"n_tokens": 10_239.0})))
    assert (doubt.path, doubt.repair) == ("job.n_tokens", 10_240.0)
    assert doubt.text.startswith("Less than one step: a batch holds 10") and doubt.text.endswith("240 tokens")


def test_samples_have_no_sequence_to_pad() -> None:
    profile = Profile(model=networks()["ResNet-50"].model, job=PreTraining(sequence_length=100))
    assert "job.sequence_length" not in {doubt.path for doubt in doubts(profile)}


def _hours(*loads: float, mean_load_pct: float = 50.0) -> Profile:
    text = " ".join(str(load) for load in loads)
    job = OnlineServing(traffic="own", load_by_hour=text, mean_load_pct=mean_load_pct)
    assert job.hours == tuple(loads)
    return Profile(job=job)


def test_hours_whose_mean_is_another_than_entered_are_doubted() -> None:
    """Twelve hours at 100 and twelve at 50: a mean of 75 % of the top."""
    loads = (100.0,) * 12 + (50.0,) * 12
    (doubt,) = doubts(_hours(*loads))
    assert (doubt.path, doubt.repair) == ("job.mean_load_pct", 75.0)
    assert f"have a mean of 75{THIN}% of their top" in doubt.text
    assert doubts(_hours(*loads, mean_load_pct=75.0)) == ()


def test_missing_hours_are_doubted_only_where_they_are_asked_for() -> None:
    (doubt,) = doubts(Profile(job=OnlineServing(traffic="own")))
    assert doubt.path == "job.load_by_hour"
    assert doubts(Profile(job=OnlineServing())) == ()


def test_one_weight_is_enough() -> None:
    for kept in ("cost", "time", "flexibility"):
        profile = Profile()
        for name in {"cost", "time", "flexibility"} - {kept}:
            profile = set_value(profile, f"weights.{name}", 0.0)
        assert doubts(profile) == ()


def test_a_window_longer_than_the_time_between_batches_is_doubted() -> None:
    """720 batches a month come 1.01 h apart: in a window of 8 h they would pile up."""
    (doubt,) = doubts(Profile(job=BatchInference(batches_per_month=730.0 / 1.25)))
    assert doubt.text == f"A batch comes every 1.25{THIN}h, and must be done before the next one"
    assert (doubt.path, doubt.repair) == ("job.window_h", 1.25)
    assert doubts(Profile(job=BatchInference(batches_per_month=30.0))) == ()
