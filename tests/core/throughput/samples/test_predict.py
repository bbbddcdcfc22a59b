"""Which arrangement of an image or video service is told: one that keeps its limit with room, where one does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.ranges import Evidence
from core.throughput.correction import NO_CORRECTIONS, Corrections, SpeedFactor
from core.throughput.predict import predict
from core.throughput.types import Throughput
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import system

PROFILES = load_profiles() | more_profiles()


def with_limit(name: str, limit_ms: float) -> Profile:
    profile = PROFILES[name]
    return profile.model_copy(update={"job": profile.job.model_copy(update={"ttft_limit_ms": limit_ms})})


def answer(
    name: str, chip: str, n_chips: int, limit_ms: float, corrections: Corrections = NO_CORRECTIONS
) -> Throughput:
    return predict(with_limit(name, limit_ms), [system(chip, n_chips)], corrections)[0]


def late_ms(profile: Profile, one: Throughput) -> float:
    assert one.latency is not None
    return one.latency.ttft_ms(profile.job.time_limits.percentile)


@pytest.mark.parametrize(("name", "chip", "n_chips"), [("video-service", "b200-sxm", 8), ("sdxl-serving", "l40s", 1)])
def test_an_answer_that_keeps_its_limit_by_a_hair_gives_way_to_one_with_room(
    name: str, chip: str, n_chips: int
) -> None:
    free = answer(name, chip, n_chips, 1e9)
    profile, tight_ms = with_limit(name, 1e9), 1.02 * late_ms(with_limit(name, 1e9), free)
    one = answer(name, chip, n_chips, tight_ms)
    span = one.tokens_per_s
    assert one.fits and (one.layout.shared, one.layout.max_batch) != (free.layout.shared, free.layout.max_batch)
    assert span.likely < free.tokens_per_s.likely
    assert late_ms(profile, one) * span.likely / span.low <= tight_ms


def test_where_none_has_room_the_fastest_in_time_is_taken() -> None:
    limits = [1.5**step * 1_000 for step in range(14)]
    told = {limit: answer("video-service", "b200-sxm", 8, limit) for limit in limits}
    fitting = [limit for limit in limits if told[limit].fits]
    assert fitting and fitting == limits[-len(fitting) :]
    first = told[fitting[0]]
    by_a_hair = answer("video-service", "b200-sxm", 8, 1.001 * late_ms(PROFILES["video-service"], first))
    assert by_a_hair.fits and by_a_hair.tokens_per_s.likely >= first.tokens_per_s.likely


def test_a_chip_that_was_measured_slower_is_held_against_the_limit_as_measured() -> None:
    name, chip, n_chips = "video-service", "b200-sxm", 8
    limit_ms = 2.0 * late_ms(with_limit(name, 1e9), answer(name, chip, n_chips, 1e9))
    factor = SpeedFactor(chip, with_limit(name, 1e9).job.work, 0.4, 0.05, 3, Evidence.MEASURED_HERE)
    slow = replace(NO_CORRECTIONS, factors={(chip, factor.work): factor})
    modelled, measured = (answer(name, chip, n_chips, limit_ms, known) for known in (NO_CORRECTIONS, slow))
    assert modelled.layout != measured.layout and measured.fits
    assert late_ms(with_limit(name, limit_ms), measured) <= limit_ms
