"""What a load curve comes to for a whole system: per replica, in ms, within the limits, with room in the batch."""

from dataclasses import replace

import numpy as np
import pytest

from core.throughput.load.queueing import largest_rate, times_at
from core.throughput.load.under_load import (
    latency_curve,
    replicas_of,
    under_load,
    with_latencies,
)
from core.throughput.predict import predict
from core.throughput.types import Latency, LoadCurve, Throughput
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import LLAMA_3_8B, LLAMA_3_70B, system, systems

CURVE = LoadCurve(2, (1.0, 8.0, 64.0), (0.5, 3.0, 10.0), (0.01, 0.012, 0.025), 0.06, 0.05, 200.0, 12.0)
FREE = {"ttft_limit_ms": None, "tpot_limit_ms": None}


def _full(**job: object) -> Throughput:
    """An answer at full replicas: no limit of time."""
    made = Profile(model=LLAMA_3_8B, job=OnlineServing.model_validate(FREE | job))
    return predict(made, [system("h100-sxm", 8)])[0]


def _limited() -> list[tuple[OnlineServing, Throughput]]:
    jobs = [
        OnlineServing(latency_percentile=name, ttft_limit_ms=first, tpot_limit_ms=token)
        for name, first, token in (("p99", 900.0, None), ("p50", 400.0, 30.0), ("p99", None, 45.0))
    ]
    profiles = [Profile(model=LLAMA_3_70B, job=job) for job in jobs]
    fleet = systems(["h100-sxm", "tpu-v6e"], [8, 32])
    return [
        (job, one) for job, profile in zip(jobs, profiles, strict=True) for one in predict(profile, fleet) if one.fits
    ]


def test_a_system_carries_what_each_replica_keeps_the_limits_at() -> None:
    """``replicas x the largest rate of one`` at the limits in seconds, whatever limits there are."""
    answers = _limited()
    assert {job.ttft_limit_ms for job, _ in answers} == {900.0, 400.0, None}
    for job, answer in answers:
        assert answer.load is not None
        limits_s = [np.inf if ms is None else ms / 1000 for ms in (job.ttft_limit_ms, job.tpot_limit_ms)]
        rate = largest_rate(replicas_of([answer.load]), *limits_s, job.latency_percentile)[0]
        assert answer.load.max_requests_per_s == pytest.approx(answer.load.replicas * rate, rel=1e-3)


def test_the_batch_is_the_smallest_that_99_of_100_answers_find_room_in() -> None:
    for _, answer in _limited():
        load = answer.load
        assert load is not None
        rate = load.max_requests_per_s / load.replicas
        crowded = times_at(replicas_of([load]), np.array([[rate]])).crowded[0, 0]
        wide = [batch for batch in load.concurrency if batch >= crowded]
        assert answer.layout.max_batch == min(wide, default=load.concurrency[-1])


def test_without_a_limit_answers_stay_those_of_full_replicas() -> None:
    answer = _full()
    assert under_load([answer], OnlineServing.model_validate(FREE)) == [answer]


def test_within_limits_speed_use_and_range_shrink_alike() -> None:
    answer = replace(_full(), load=CURVE)
    held = under_load([answer], OnlineServing(output_tokens=256))[0]
    share = 12.0 * 256 / answer.tokens_per_s.likely
    assert held.samples_per_s == 12.0
    assert held.tokens_per_s.likely == pytest.approx(12.0 * 256)
    assert held.tokens_per_s.low == pytest.approx(answer.tokens_per_s.low * share)
    assert held.tokens_per_s.high == pytest.approx(answer.tokens_per_s.high * share)
    assert held.mfu == pytest.approx(answer.mfu * share)


def test_what_carries_nothing_keeps_its_speed_with_the_times_of_a_request_alone() -> None:
    """Alone: 60 ms to the first token, a long prompt 1.7 x 50 ms more, 10 ms for each further token."""
    answer = replace(_full(), load=replace(CURVE, max_requests_per_s=0.0))
    held = under_load([answer, replace(answer, load=None)], OnlineServing())
    assert [one.tokens_per_s for one in held] == [answer.tokens_per_s] * 2
    assert held[1].latency == answer.latency
    latency = held[0].latency
    assert latency is not None
    assert (latency.ttft_p50_ms, latency.ttft_p99_ms) == pytest.approx((60.0, 145.0))
    assert (latency.tpot_p50_ms, latency.tpot_p99_ms) == pytest.approx((10.0, 10.0))


def test_latencies_are_those_of_a_replica_s_share_of_the_rate() -> None:
    """5 requests/s over two replicas: those of 2.5 on one, in ms, each in its place."""
    plain = _full()
    answers = [replace(plain, load=None), replace(plain, load=CURVE), replace(plain, load=replace(CURVE, replicas=1))]
    first, shared, alone = with_latencies(answers, [1.0, 5.0, 2.5])
    times = times_at(replicas_of([CURVE]), np.array([[2.5]]))
    seconds = (times.ttft_p50_s, times.ttft_p99_s, times.tpot_p50_s, times.tpot_p99_s)
    assert first.latency == plain.latency
    assert shared.latency == alone.latency == Latency(*(float(value[0, 0]) * 1e3 for value in seconds))
    assert with_latencies(answers[:1], [1.0]) == answers[:1]


def test_curves_side_by_side_answer_as_each_alone() -> None:
    """One point, two, three: the last one is repeated, which changes nothing."""
    short = replace(CURVE, concurrency=(1.0,), requests_per_s=(0.5,), tpot_s=(0.01,))
    curves = [short, CURVE]
    together = times_at(replicas_of(curves), np.array([[0.3], [7.0]]))
    for row, (curve, rate) in enumerate(zip(curves, (0.3, 7.0), strict=True)):
        alone = times_at(replicas_of([curve]), np.array([[rate]]))
        assert together.ttft_p99_s[row, 0] == pytest.approx(alone.ttft_p99_s[0, 0])
        assert together.tpot_p99_s[row, 0] == pytest.approx(alone.tpot_p99_s[0, 0])
    assert replicas_of([short]).concurrency.tolist() == [[1.0, 1.0]]


def test_the_chart_s_curve_ends_at_0_95_of_all_replicas_and_shows_their_times() -> None:
    curve = latency_curve(CURVE, 20)
    assert curve.requests_per_s[-1] == pytest.approx(0.95 * 2 * 10.0)
    times = times_at(replicas_of([CURVE]), curve.requests_per_s[None, :] / 2)
    for name in ("ttft_p50", "ttft_p99", "tpot_p50", "tpot_p99"):
        assert getattr(curve, f"{name}_ms") == pytest.approx(1000 * getattr(times, f"{name}_s")[0])
    assert len(latency_curve(CURVE).requests_per_s) == 60
