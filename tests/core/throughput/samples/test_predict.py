"""Which arrangement of an image or video service is told, and what it carries: most answers in time, with room."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.ranges import Evidence
from core.throughput.correction import NO_CORRECTIONS, Corrections, SpeedFactor
from core.throughput.load.queueing import steps_taken
from core.throughput.predict import predict
from core.throughput.types import Throughput
from core.workload.jobs.kinds import BatchInference
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import system

PROFILES = load_profiles() | more_profiles()
SERVICES = ("sdxl-serving", "video-service")


def with_limit(name: str, limit_ms: float) -> Profile:
    profile = PROFILES[name]
    return profile.model_copy(update={"job": profile.job.model_copy(update={"ttft_limit_ms": limit_ms})})


def answer(
    name: str, chip: str, n_chips: int, limit_ms: float, corrections: Corrections = NO_CORRECTIONS
) -> Throughput:
    return predict(with_limit(name, limit_ms), [system(chip, n_chips)], corrections)[0]


def full_ms(one: Throughput) -> float:
    """What half of the answers take at full batches."""
    assert one.load is not None
    half, _ = steps_taken(np.array([one.load.concurrency[-1]]))
    return 1e3 * float(half[0]) * one.load.tpot_s[-1]


@pytest.mark.parametrize(("name", "chip", "n_chips"), [("video-service", "b200-sxm", 8), ("sdxl-serving", "l40s", 1)])
def test_an_answer_that_keeps_its_limit_by_a_hair_gives_way_to_one_with_room(
    name: str, chip: str, n_chips: int
) -> None:
    free = answer(name, chip, n_chips, 1e9)
    tight_ms = 1.02 * full_ms(free)
    one = answer(name, chip, n_chips, tight_ms)
    span = one.tokens_per_s
    assert one.fits and (one.layout.shared, one.layout.max_batch) != (free.layout.shared, free.layout.max_batch)
    assert span.likely < free.tokens_per_s.likely
    assert full_ms(one) * span.likely / span.low <= tight_ms


def test_one_that_is_hardly_slower_and_always_in_time_goes_before_one_that_is_late_now_and_then() -> None:
    free = answer("video-service", "b200-sxm", 8, 1e9)
    span = free.tokens_per_s
    in_nine_of_ten_ms = 1.02 * full_ms(free) * span.likely / span.low
    one = answer("video-service", "b200-sxm", 8, in_nine_of_ten_ms)
    assert one.layout.shared == 2 * free.layout.shared and one.tokens_per_s.likely > 0.9 * span.likely
    generous = answer("video-service", "b200-sxm", 8, 4.0 * in_nine_of_ten_ms)
    assert generous.layout == free.layout


def test_where_none_has_room_the_fastest_in_time_is_taken() -> None:
    limits = [1.5**step * 1_000 for step in range(14)]
    told = {limit: answer("video-service", "b200-sxm", 8, limit) for limit in limits}
    fitting = [limit for limit in limits if told[limit].fits]
    assert fitting and fitting == limits[-len(fitting) :]
    first = told[fitting[0]]
    by_a_hair = answer("video-service", "b200-sxm", 8, 1.001 * full_ms(first))
    assert by_a_hair.fits and by_a_hair.layout == first.layout


def test_a_chip_that_was_measured_slower_is_held_against_the_limit_as_measured() -> None:
    name, chip, n_chips = "video-service", "b200-sxm", 8
    limit_ms = 2.0 * full_ms(answer(name, chip, n_chips, 1e9))
    factor = SpeedFactor(chip, with_limit(name, 1e9).job.work, 0.4, 0.05, 3, Evidence.MEASURED_HERE)
    slow = replace(NO_CORRECTIONS, factors={(chip, factor.work): factor})
    modelled, measured = (answer(name, chip, n_chips, limit_ms, known) for known in (NO_CORRECTIONS, slow))
    assert modelled.layout != measured.layout and measured.fits
    assert measured.latency and measured.latency.ttft_p50_ms <= limit_ms and full_ms(measured) <= limit_ms


def with_peak(name: str, peak_per_s: float) -> Profile:
    profile = PROFILES[name]
    return profile.model_copy(update={"job": profile.job.model_copy(update={"peak_requests_per_s": peak_per_s})})


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("n_chips", [1, 8])
def test_a_service_carries_at_most_95_of_100_of_what_full_replicas_answer_and_keeps_its_limit(
    name: str, n_chips: int
) -> None:
    profile = PROFILES[name]
    for one in predict(profile, [system(chip, n_chips) for chip in ("l40s", "h100-sxm", "b200-sxm", "tpu-v6e")]):
        if not one.fits:
            continue
        assert one.load and one.latency and profile.job.time_limits.first_ms
        assert 0 < one.load.max_requests_per_s <= 0.95 * one.load.saturated_at_per_s * (1 + 1e-9)
        assert one.latency.ttft_p50_ms <= profile.job.time_limits.first_ms
        assert one.tokens_per_s.likely == pytest.approx(one.load.max_requests_per_s)
        assert one.load.replicas * one.layout.shared == n_chips


@pytest.mark.parametrize("name", SERVICES)
def test_the_more_one_queue_feeds_the_more_each_replica_carries(name: str) -> None:
    carried = [
        predict(with_peak(name, peak), [system("h100-sxm", 8)])[0].tokens_per_s.likely for peak in (1e-3, 1.0, 1e3)
    ]
    assert 0 < carried[0] <= carried[1] <= carried[2]


def test_a_batch_job_knows_no_rate() -> None:
    scoring = Profile(model=PROFILES["sdxl-serving"].model, job=BatchInference())
    assert predict(scoring, [system("h100-sxm", 8)])[0].load is None
