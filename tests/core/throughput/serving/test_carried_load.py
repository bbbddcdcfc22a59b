"""Serving arrangements under a request rate: what predictions carry, latencies there, replicas for a load."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ranges import Evidence
from core.throughput.correction import Corrections, SpeedFactor
from core.throughput.load.under_load import latency_curve, with_latencies
from core.throughput.predict import predict
from core.throughput.types import Layout, LoadCurve, Throughput
from core.workload.jobs.kinds import BatchInference, OnlineServing
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import LLAMA_3_8B, LLAMA_3_70B, system, systems

CHIPS = ["a100-sxm-80", "h100-sxm", "b200-sxm", "mi300x", "tpu-v6e"]


def _serve(**job: object) -> list[Throughput]:
    profile = Profile(model=LLAMA_3_70B, job=OnlineServing.model_validate(job))
    return [answer for answer in predict(profile, systems(CHIPS, [8, 16])) if answer.fits]


def _one(**job: object) -> Throughput:
    return predict(Profile(model=LLAMA_3_8B, job=OnlineServing.model_validate(job)), [system("h100-sxm", 8)])[0]


@pytest.mark.parametrize("percentile", ["p50", "p99"])
def test_speed_and_latency_are_those_at_the_limits(percentile: str) -> None:
    found = _serve(latency_percentile=percentile, ttft_limit_ms=3000.0, tpot_limit_ms=60.0)
    assert found
    for answer in found:
        assert answer.load and answer.latency
        assert answer.tokens_per_s.likely == pytest.approx(256 * answer.load.max_requests_per_s)
        assert answer.samples_per_s == pytest.approx(answer.load.max_requests_per_s)
        assert answer.latency.ttft_ms(percentile) <= 3000 * (1 + 1e-9)
        assert answer.latency.tpot_ms(percentile) <= 60 * (1 + 1e-9)
        assert answer.load.max_requests_per_s <= answer.load.replicas * answer.load.requests_per_s[-1]


def test_limits_for_more_requests_carry_less() -> None:
    for median, tail in zip(
        _serve(ttft_limit_ms=3000.0), _serve(ttft_limit_ms=3000.0, latency_percentile="p99"), strict=True
    ):
        assert median.load and tail.load
        assert tail.load.max_requests_per_s < median.load.max_requests_per_s


def test_what_cannot_keep_a_limit_alone_says_so_with_its_time_alone() -> None:
    profile = Profile(model=LLAMA_3_70B, job=OnlineServing(ttft_limit_ms=1.0))
    answer = predict(profile, [system("h100-sxm", 8)])[0]
    assert not answer.fits and answer.reasons[0].code == "latency"
    assert answer.load and answer.load.max_requests_per_s == 0
    assert answer.latency and answer.latency.ttft_p50_ms > 1.0


def test_a_given_layout_and_batches_know_no_rate() -> None:
    given_layout = predict(
        Profile(model=LLAMA_3_8B, job=OnlineServing()), [system("h100-sxm", 8)], layout=Layout(tp=1, max_batch=64)
    )[0]
    batch = predict(Profile(model=LLAMA_3_8B, job=BatchInference()), [system("h100-sxm", 8)])[0]
    assert given_layout.load is None and batch.load is None


def test_a_measured_factor_slows_the_curve_and_what_it_carries() -> None:
    plain = _one()
    factor = SpeedFactor("h100-sxm", "inference", 0.7, 0.05, 3, Evidence.MEASURED_HERE)
    corrections = Corrections({("h100-sxm", "inference"): factor})
    slow = predict(Profile(model=LLAMA_3_8B, job=OnlineServing()), [system("h100-sxm", 8)], corrections)[0]
    assert plain.load and slow.load
    assert slow.load.max_requests_per_s <= 0.7 * plain.load.max_requests_per_s * (1 + 1e-6)
    assert slow.tokens_per_s.likely == pytest.approx(256 * slow.load.max_requests_per_s)


def test_the_curve_for_a_chart_rises_and_ends_near_saturation() -> None:
    load = _one().load
    assert load
    curve = latency_curve(load, 40)
    assert curve.requests_per_s[0] == 0 and len(curve.requests_per_s) == 40
    assert curve.max_requests_per_s == load.max_requests_per_s <= curve.requests_per_s[-1] * (1 + 1e-9)
    for times in (curve.ttft_p50_ms, curve.ttft_p99_ms, curve.tpot_p50_ms, curve.tpot_p99_ms):
        assert np.isfinite(times).all() and (np.diff(times) >= 0).all()


def _side_by_side(load: LoadCurve, units: int) -> LoadCurve:
    return replace(load, replicas=load.replicas * units, max_requests_per_s=load.max_requests_per_s * units)


@settings(max_examples=30, deadline=None)
@given(share=st.floats(0.05, 0.9), units=st.integers(2, 20))
def test_more_replicas_never_answer_later(share: float, units: int) -> None:
    answer = _one()
    assert answer.load
    rate = share * answer.load.replicas * answer.load.requests_per_s[-1]
    more = replace(answer, load=_side_by_side(answer.load, units))
    few, many = (found.latency for found in with_latencies([answer, more], [rate, rate]))
    assert few and many
    assert many.ttft_p50_ms <= few.ttft_p50_ms and many.ttft_p99_ms <= few.ttft_p99_ms
    assert many.tpot_p50_ms <= few.tpot_p50_ms and many.tpot_p99_ms <= few.tpot_p99_ms


@settings(max_examples=20, deadline=None)
@given(shares=st.lists(st.floats(0, 0.99), min_size=2, max_size=6))
def test_more_requests_never_answer_sooner(shares: list[float]) -> None:
    answer = _one()
    assert answer.load
    most = answer.load.replicas * answer.load.requests_per_s[-1]
    found = with_latencies([answer] * len(shares), [share * most for share in sorted(shares)])
    for name in ("ttft_p50_ms", "ttft_p99_ms", "tpot_p50_ms", "tpot_p99_ms"):
        values = [getattr(one.latency, name) for one in found]
        assert values == pytest.approx(sorted(values))
