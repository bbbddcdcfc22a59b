"""What the kinds of job answer, worked out on paper: tokens paid for, tokens needed a second, rounds, limits."""

import pytest
from pydantic import ValidationError

from core.workload.jobs.kinds import JOB_KINDS, BatchInference, FineTuning, OnlineServing, PreTraining

BATCHES = BatchInference(requests_per_batch=5_000, batches_per_month=20, months=3, window_h=2, output_tokens=100)
CHAT = OnlineServing(peak_requests_per_s=5, mean_load_pct=40, months=2, input_tokens=700, output_tokens=100)
TWICE = PreTraining(n_tokens=3e9, n_runs=2, epochs=1.5, sequence_length=4096)


def test_batches_are_paid_each_month_and_finish_within_their_window() -> None:
    """5,000 requests of 100 tokens are 500,000; 20 a month for three months 30 M; within 2 h 69.4 a second."""
    assert BATCHES.tokens_per_batch == 500_000
    assert BATCHES.paid_tokens == 30e6
    assert BATCHES.n_rounds == BATCHES.times_paid == 60
    assert BATCHES.needed_tokens_per_s == pytest.approx(500_000 / 7200)
    assert (BATCHES.round_limit_h, BATCHES.months_in_service, BATCHES.mean_load_share) == (2, 3, 1.0)


def test_batches_that_come_sooner_than_their_window_ends_must_be_done_before() -> None:
    """730 a month come an hour apart; three chips were told to keep up with batches of 3.4 h each."""
    often = BATCHES.model_copy(update={"batches_per_month": 730})
    assert (often.round_limit_h, often.needed_tokens_per_s) == (1.0, pytest.approx(500_000 / 3600))


def test_a_service_is_paid_for_its_mean_load_and_built_for_its_peak() -> None:
    """5 requests/s x 0.4 x 100 tokens are 200 a second, in two months of 730 h 1.05 G; the peak takes 500 a second."""
    assert CHAT.paid_tokens == pytest.approx(200 * 2 * 730 * 3600)
    assert CHAT.needed_tokens_per_s == 500
    assert (CHAT.n_rounds, CHAT.times_paid, CHAT.mean_load_share) == (2, 1.0, 0.4)
    assert (CHAT.busiest_requests_per_s, CHAT.context_tokens) == (5, 800)
    assert not CHAT.gives_chips_back and OnlineServing(autoscale=True).gives_chips_back


def test_what_hardly_begins_is_not_told_by_the_month_without_end() -> None:
    """A plan for 1e-300 months costs nothing a month that JSON could tell."""
    assert 1e9 / CHAT.model_copy(update={"months": 1e-300}).n_rounds == 1e12
    assert 1e9 / BATCHES.model_copy(update={"batches_per_month": 1e-300}).n_rounds == 1e12


def test_training_is_paid_by_the_run() -> None:
    assert (TWICE.paid_tokens, TWICE.n_rounds, TWICE.n_epochs) == (6e9, 2.0, 3.0)
    assert (TWICE.context_tokens, TWICE.times_paid, TWICE.storage_kind) == (4096, 1.0, TWICE.storage)


@pytest.mark.parametrize(("interval_h", "is_lost"), [(0.0, True), (0.1, False), (1.0, False)])
def test_without_saved_states_a_stop_loses_all(interval_h: float, is_lost: bool) -> None:
    assert PreTraining(checkpoint_interval_h=interval_h).is_lost_when_stopped is is_lost


def test_adapters_have_a_rank_where_they_are_trained() -> None:
    assert FineTuning(method="lora", lora_rank=16).adapter_rank == 16
    assert FineTuning(method="full", lora_rank=16).adapter_rank is None
    assert PreTraining().adapter_rank is None


@pytest.mark.parametrize("kind", JOB_KINDS)
def test_who_trains_ends_and_who_serves_has_a_month(kind: str) -> None:
    job = JOB_KINDS[kind]()
    trains = kind in ("pretraining", "finetuning", "reinforcement_learning")
    assert (job.training is job, job.ends, job.months_in_service is None) == (trains, trains, trains)
    assert (job.service is job) is (kind == "online_serving")
    assert (job.serving_engine is None) is trains
    assert not (job.is_lost_when_stopped and not trains)


@pytest.mark.parametrize(
    ("text", "is_day"),
    [
        ("", True),
        ("1 " * 24, True),
        (",".join(["0"] * 23 + ["0.5"]), True),
        ("0 " * 24, False),
        ("1 " * 23, False),
        ("1 " * 25, False),
        ("1 " * 23 + "-1", False),
        ("1 " * 23 + "inf", False),
        ("1 " * 23 + "nan", False),
        ("1 " * 23 + "noon", False),
    ],
)
def test_a_day_is_24_loads_of_which_one_is_above_0(text: str, is_day: bool) -> None:
    if not is_day:
        with pytest.raises(ValidationError, match="24 numbers"):
            OnlineServing(load_by_hour=text)
        return
    assert len(OnlineServing(load_by_hour=text).hours) == (24 if text else 0)
    assert sum(OnlineServing(load_by_hour=text).hours) in (0, 24, 0.5)
