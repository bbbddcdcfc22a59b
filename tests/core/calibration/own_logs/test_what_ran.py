"""What ran when a log was made."""

from __future__ import annotations

import pytest

from core.calibration.own_logs.what_ran import likely_speed, likely_workload
from core.logs.record import Subject
from core.workload.jobs.kinds import OnlineServing, PreTraining
from core.workload.profile import Profile
from tests.core.calibration.own_logs.made import training

TRAIN, AGAIN = Profile(id="train", job=PreTraining()), Profile(id="again", job=PreTraining())
SERVE = Profile(id="serve", job=OnlineServing())
EVERY = (SERVE, TRAIN, AGAIN)


@pytest.mark.parametrize(
    ("subject", "first", "likely"),
    [
        (Subject.TRAINING, None, "train"),
        (Subject.TRAINING, AGAIN, "again"),
        (Subject.TRAINING, SERVE, "train"),
        (Subject.SERVING, AGAIN, "serve"),
        (Subject.MACHINE, AGAIN, "again"),
        (Subject.MACHINE, None, "serve"),
    ],
)
def test_the_likely_workload_is_of_the_logs_kind_of_work(subject: Subject, first: Profile | None, likely: str) -> None:
    assert likely_workload(subject, EVERY, first) == likely


def test_without_a_workload_of_that_kind_any_will_do_and_without_any_none() -> None:
    assert likely_workload(Subject.SERVING, (TRAIN, AGAIN), AGAIN) == "again"
    assert likely_workload(Subject.SERVING, (), None) == ""


def test_steps_without_tokens_are_told_a_speed_by_the_workloads_batch() -> None:
    record, parts = training([2.0, 2.0, 2.0, 8.0]), ((0.0, 20.0),)
    run = TRAIN.job.training
    assert run is not None
    assert likely_speed(record, TRAIN, parts) == run.global_batch_sequences * run.sequence_length / 2.0
    assert likely_speed(record, SERVE, parts) is None and likely_speed(record, None, parts) is None
    assert likely_speed(training([2.0] * 4, [5e3] * 4), TRAIN, parts) is None
