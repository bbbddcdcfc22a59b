"""Chips that wait for their host: no faster chip answers more, and the host is what is named."""

from __future__ import annotations

import pytest

from core.throughput.predict import predict
from core.throughput.types import Throughput
from core.workload.jobs.kinds import BatchInference, Job, OnlineServing
from core.workload.models.known import networks
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import system

WHISPER = networks()["Whisper large v3"].model
FAST = ("a100-sxm-80", "h100-sxm", "h200-sxm", "b200-sxm", "l40s", "rtx4090")


def _answer(chip: str, job: Job, n_chips: int = 1) -> Throughput:
    (found,) = predict(Profile(model=WHISPER, job=job), [system(chip, n_chips)])
    return found


@pytest.mark.parametrize("chip", FAST)
def test_speech_waits_for_its_windows_on_every_fast_chip(chip: str) -> None:
    found = _answer(chip, BatchInference(weight_precision="bf16"))
    assert found.bottleneck == "input" and found.step_terms_s["input"] > 0
    assert WHISPER.host_ms is not None
    assert found.samples_per_s == pytest.approx(1e3 / WHISPER.host_ms, rel=0.01)


def test_a_slow_chip_is_told_by_its_own_largest_term() -> None:
    found = _answer("l4", BatchInference(weight_precision="bf16"))
    assert found.step_terms_s["input"] == 0 and found.bottleneck == "memory"


def test_what_the_host_gets_ready_for_users_does_not_depend_on_the_chip() -> None:
    job = OnlineServing(ttft_limit_ms=5000, weight_precision="fp16")
    speeds = [_answer(chip, job, 8).samples_per_s for chip in FAST]
    assert max(speeds) <= 1.01 * min(speeds), dict(zip(FAST, speeds, strict=True))
