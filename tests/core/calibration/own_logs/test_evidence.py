"""What a log cannot carry is refused with the reason."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.calibration.own_logs.evidence import read_all_the_same, reasons_against, seen_words
from core.calibration.own_logs.parts import whole_of
from core.calibration.own_logs.readings import measured
from core.logs.record import LogRecord, Subject
from tests.core.calibration.own_logs.made import machine, serving, training


def _reasons(record: LogRecord, typed: float | None = None) -> tuple[str, ...]:
    return reasons_against(record, (whole_of(record),), typed)


def test_a_snapshot_of_an_idle_card_is_refused_twice_even_with_a_typed_speed() -> None:
    record = machine([0.0], power_w=[71.0])
    for typed in (None, 500.0):
        assert _reasons(record, typed) == (
            "One snapshot: at least 60 s of steady use are needed", "The chip was idle: 0 % use, 71 W",
        )  # fmt: skip
    assert read_all_the_same(record) == ("chip", "number of chips")


@pytest.mark.parametrize(
    ("record", "refused"),
    [
        (machine([90.0] * 60), True),
        (machine([90.0] * 61), False),
        (machine([90.0] * 7, tick_s=10.0), False),
        (training([0.5] * 4, [900.0] * 4), True),
        (training([0.5] * 5, [900.0] * 5), False),
        (training([20.0] * 3, [900.0] * 3), False),
        (training([20.0] * 4), True),
        (training([20.0] * 4, global_batch=64.0, sequence_length=4096.0), False),
        (serving(output_tokens_per_s=900.0, n_requests=50.0, duration_s=20.0), True),
        (serving(output_tokens_per_s=900.0, n_requests=100.0, duration_s=20.0), False),
        (serving(output_tokens_per_s=900.0), False),
        (serving(concurrency=None, tpot_ms=20.0), True),
        (serving(tpot_ms=20.0), False),
    ],
)
def test_little_or_nothing_of_speed_is_refused(record: LogRecord, refused: bool) -> None:
    assert bool(_reasons(record)) is refused, _reasons(record)


def test_unknown_use_is_not_taken_for_idle() -> None:
    record = machine([np.nan] * 100, power_w=[300.0] * 100)
    assert _reasons(record) == ("No utilisation is known in the window",)
    assert _reasons(record, 5000.0) == ()


def test_speed_is_that_of_all_chips() -> None:
    steps = training([2.0] * 30, [100.0] * 30)
    told = measured(steps, (whole_of(steps),), 64, None)
    assert told is not None and told.tokens_per_s == pytest.approx(6400.0) and told.scatter == 0.0
    by_batch = measured(training([2.0] * 30, global_batch=8.0, sequence_length=100.0), ((0.0, 60.0),), 4, None)
    assert by_batch is not None and by_batch.tokens_per_s == pytest.approx(400.0)
    samples = replace(steps, series={"samples_per_s": np.full(30, 2.0)}, facts={"sequence_length": 512.0})
    by_sample = measured(samples, (whole_of(samples),), 64, None)
    assert by_sample is not None and by_sample.tokens_per_s == pytest.approx(1024.0)
    by_time = measured(serving(concurrency=32.0, tpot_ms=20.0), (), 8, None)
    assert by_time is not None and by_time.tokens_per_s == pytest.approx(1600.0)


def test_the_last_third_is_parted_from_the_rest() -> None:
    record = training([1.0] * 30, [100.0] * 20 + [80.0] * 10)
    told = measured(record, (whole_of(record),), 1, None)
    assert told is not None and (told.first, told.last) == (100.0, 80.0)
    assert told.drift == pytest.approx(math.log(1.25))


def test_what_a_log_without_a_calibration_holds_is_told() -> None:
    idle = machine([0.0, 0.0])
    assert seen_words(idle) == (
        "Utilisation 0\N{NARROW NO-BREAK SPACE}%",
        "2 readings over 1\N{NARROW NO-BREAK SPACE}s",
    )
    assert seen_words(replace(idle, subject=Subject.LINK)) == ("No workload ran", "a test of links")
    totals = replace(idle, time_s=np.zeros(0), series={})
    assert seen_words(totals) == ("No speed and no use", "totals alone")
