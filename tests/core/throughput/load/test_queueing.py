"""Queueing of requests: exact cases, a birth-death chain worked out in full, and laws that hold for any replica."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.throughput.load.queueing import (
    HIGHEST_UTILISATION,
    LENGTH_CV2,
    LONG_PROMPT,
    Replicas,
    interpolated,
    largest_rate,
    normal_share,
    times_at,
)

OUTPUT = 256
BATCHES = np.array([1, 2, 4, 8, 16, 32, 64, 128, 256.0])


def _replica(
    step_s: float = 0.012, per_sequence_s: float = 2e-4, prefill_s: float = 0.03, batches: np.ndarray = BATCHES
) -> Replicas:
    """A replica whose step grows with its batch: rate = B / (answer's steps + prefill)."""
    tpot_s = step_s + per_sequence_s * batches
    rate = batches / (OUTPUT * tpot_s + prefill_s)
    first = np.array([prefill_s + tpot_s[0]])
    return Replicas(batches[None], rate[None], tpot_s[None], first, np.array([prefill_s]), np.array([float(OUTPUT)]))


def _at(replica: Replicas, *utilisations: float):
    return times_at(replica, np.array([utilisations]) * replica.capacity[:, None])


def test_one_server_is_the_textbook_queue() -> None:
    """Without prefill and with one place: as in M/G/1 a share rho waits, (1 + cv^2) / 2 / (mu (1 - rho)) each."""
    mu, mean = 4.0, (1.0 + LENGTH_CV2) / 2.0
    one = Replicas(
        *(np.array([[value, value]]) for value in (1.0, mu, 0.01)), np.array([0.25]), np.array([0.0]), np.ones(1)
    )
    for rho in (0.6, 0.9):
        times, wait_s = times_at(one, np.array([[rho * mu]])), mean / (mu * (1 - rho))
        assert times.ttft_p99_s[0, 0] == pytest.approx(0.25 + np.log(rho / 0.01) * wait_s, rel=1e-6)
        assert times.ttft_p50_s[0, 0] == pytest.approx(0.25 + np.log(rho / 0.5) * wait_s, rel=1e-6)


def test_a_short_answer_meets_more_prefills_than_the_mean() -> None:
    """Worked by hand: 2 requests/s, 30 tokens of 20 ms each, so that 1.2 prefills come, deviation sqrt(1.25 x 1.2)."""
    flat = Replicas(
        *(np.array([[first, last]]) for first, last in ((1.0, 50.0), (0.4, 20.0), (0.02, 0.02))),
        np.array([0.1]), np.array([0.05]), np.array([100.0]),
    )  # fmt: skip
    times = times_at(flat, np.array([[2.0]]))
    assert times.tpot_p99_s[0, 0] - 0.02 == pytest.approx(2.326 * 0.05 * np.sqrt(1.25 * 1.2) / 30, rel=1e-3)


def test_concurrency_follows_littles_law() -> None:
    replica = _replica()
    for point, batch in enumerate(BATCHES[:-1]):
        rate = replica.requests_per_s[0, point]
        times = times_at(replica, np.array([[rate]]))
        in_system_s = OUTPUT * times.tpot_p50_s[0, 0] + 0.03
        assert times.concurrency[0, 0] == pytest.approx(batch)
        assert rate * in_system_s == pytest.approx(batch)


@pytest.mark.parametrize("rho", [0.1, 0.3, 0.5, 0.7, 0.8, 0.9])
def test_concurrency_matches_the_exact_chain(rho: float) -> None:
    """Poisson arrivals, exponential work, rate of the curve at each number in the system: the stationary chain."""
    replica = _replica(batches=np.arange(1, 257.0))
    rate = rho * replica.capacity[0]
    rates = np.concatenate([replica.requests_per_s[0], np.full(4000, replica.capacity[0])])
    logs = np.concatenate([[0.0], np.cumsum(np.log(rate) - np.log(rates))])
    share = np.exp(logs - logs.max())
    share /= share.sum()
    mean = float((share * np.minimum(np.arange(len(share)), 256)).sum())
    crowded = int(np.searchsorted(np.cumsum(share), 0.99))
    times = times_at(replica, np.array([[rate]]))
    assert times.concurrency[0, 0] == pytest.approx(mean, rel=0.03)
    assert times.crowded[0, 0] == pytest.approx(crowded, rel=0.2)


def test_alone_a_request_waits_for_nobody() -> None:
    times = _at(_replica(), 0.0)
    assert times.ttft_p50_s[0, 0] == pytest.approx(0.03 + 0.0122)
    assert times.ttft_p99_s[0, 0] == pytest.approx(LONG_PROMPT * 0.03 + 0.0122)
    assert times.tpot_p50_s[0, 0] == times.tpot_p99_s[0, 0] == pytest.approx(0.0122)


def test_nothing_answers_beyond_saturation() -> None:
    times = _at(_replica(), 1.0, 1.5)
    assert np.isinf(times.ttft_p50_s).all() and np.isinf(times.tpot_p99_s).all()


STEP, GROWTH, PREFILL = st.floats(0.002, 0.1), st.floats(0, 1e-3), st.floats(0, 1)


@settings(max_examples=60)
@given(step=STEP, growth=GROWTH, prefill=PREFILL, loads=st.lists(st.floats(0, 0.999), min_size=2, max_size=12))
def test_more_load_never_answers_sooner(step: float, growth: float, prefill: float, loads: list[float]) -> None:
    times = _at(_replica(step, growth, prefill), *sorted(loads))
    for found in (times.ttft_p50_s, times.ttft_p99_s, times.tpot_p50_s, times.tpot_p99_s):
        assert (np.diff(found[0]) >= -1e-9 * np.abs(found[0, 1:])).all()
    assert (times.ttft_p99_s >= times.ttft_p50_s).all() and (times.tpot_p99_s >= times.tpot_p50_s).all()


@settings(max_examples=60)
@given(step=STEP, growth=GROWTH, prefill=PREFILL, ttft=st.floats(0.01, 5), tpot=st.floats(0.001, 0.3))
def test_the_largest_rate_keeps_the_limits_and_little_more_does_not(
    step: float, growth: float, prefill: float, ttft: float, tpot: float
) -> None:
    replica = _replica(step, growth, prefill)
    for percentile in ("p50", "p95", "p99"):
        rate = largest_rate(replica, ttft, tpot, percentile)
        if rate[0] > 0:
            times = times_at(replica, rate[:, None])
            assert times.ttft_s(percentile)[0, 0] <= ttft and times.tpot_s(percentile)[0, 0] <= tpot
        if rate[0] < HIGHEST_UTILISATION * replica.capacity[0] * 0.998:
            above = times_at(replica, (rate + 0.002 * replica.capacity)[:, None])
            assert above.ttft_s(percentile)[0, 0] > ttft or above.tpot_s(percentile)[0, 0] > tpot


@settings(max_examples=40)
@given(step=STEP, growth=GROWTH, prefill=PREFILL, ttft=st.floats(0.01, 5), looser=st.floats(1, 10))
def test_looser_limits_and_medians_carry_more(
    step: float, growth: float, prefill: float, ttft: float, looser: float
) -> None:
    replica = _replica(step, growth, prefill)
    strict, loose = (largest_rate(replica, ttft * factor, 0.05 * factor, "p99")[0] for factor in (1.0, looser))
    assert strict <= loose
    assert strict <= largest_rate(replica, ttft, 0.05, "p50")[0]


def test_no_limit_still_leaves_room() -> None:
    replica = _replica()
    assert largest_rate(replica, np.inf, np.inf, "p99") == pytest.approx(HIGHEST_UTILISATION * replica.capacity)


@given(factor=st.floats(0.2, 5), load=st.floats(0, 0.95))
def test_a_slower_replica_scales_all_times(factor: float, load: float) -> None:
    plain, slowed = (_at(replica, load) for replica in (_replica(), _replica().slowed(np.array([factor]))))
    for name in ("ttft_p50_s", "ttft_p99_s", "tpot_p50_s", "tpot_p99_s"):
        assert getattr(slowed, name) == pytest.approx(factor * getattr(plain, name))


def test_interpolation_goes_row_by_row_and_stays_flat_beyond() -> None:
    points, values = np.array([[0, 1, 2.0], [0, 10, 10.0]]), np.array([[5, 6, 8.0], [1, 2, 2.0]])
    found = interpolated(np.array([[-1, 0.5, 1.5, 9.0], [5, 10, 11, 0.0]]), points, values)
    assert found == pytest.approx(np.array([[5, 5.5, 7, 8], [1.5, 2, 2, 1]]))


@given(
    st.lists(st.lists(st.floats(0.01, 9), min_size=4, max_size=4), min_size=1, max_size=5),
    st.lists(st.floats(-5, 50), min_size=1, max_size=6),
)
def test_interpolation_is_that_of_each_row_alone(steps: list[list[float]], x: list[float]) -> None:
    points = np.cumsum(np.array(steps), axis=1)
    values = np.cumsum(points[::-1], axis=1)
    expected = np.array([np.interp(x, own, value) for own, value in zip(points, values, strict=True)])
    assert interpolated(np.tile(np.array(x), (len(steps), 1)), points, values) == pytest.approx(expected)


@pytest.mark.parametrize(("deviations", "share"), [(-2.326, 0.01), (0.0, 0.5), (1.0, 0.8413)])
def test_shares_of_the_normal_distribution(deviations: float, share: float) -> None:
    assert normal_share(np.array([deviations])) == pytest.approx([share], abs=3e-4)
