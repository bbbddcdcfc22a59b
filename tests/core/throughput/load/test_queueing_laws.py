"""The tail of the queue worked by hand: waits for prefills and for places, the crowd that 99 of 100 meet, limits."""

import numpy as np
import pytest

from core.throughput.load.queueing import (
    HIGHEST_UTILISATION,
    Replicas,
    Times,
    largest_rate,
    long_prompt_s,
    normal_share,
    times_at,
)
from core.throughput.types import at_percentile

LN = np.log


def _flat(prefill_s: float = 0.05, places: float = 50.0, capacity: float = 20.0, answer_tokens: float = 100.0):
    """A replica whose tokens take 20 ms however full it is: 1 sequence at 0.4 requests/s, ``places`` at capacity."""
    curve = ((1.0, places), (0.4, capacity), (0.02, 0.02))
    return Replicas(
        *(np.array([pair]) for pair in curve), np.array([0.1]), np.array([prefill_s]), np.array([answer_tokens])
    )


def _one_server(mean_s: float = 0.25):
    """One place, no prefill: the textbook queue."""
    return Replicas(
        *(np.array([[value, value]]) for value in (1.0, 1 / mean_s, 0.01)),
        np.array([mean_s]), np.array([0.0]), np.ones(1),
    )  # fmt: skip


def test_the_tail_of_the_first_token_waits_for_the_prefills_ahead() -> None:
    """8 requests/s of 50 ms: 0.4 wait, on average 0.625 x 0.05 / 0.6 s; 1 of 100 longer than ln(0.4 / 0.01) of that.

    The long prompt takes 1.7 x 0.05 s more; half of the requests wait for nobody, as fewer than half wait at all.
    """
    times = times_at(_flat(), np.array([[8.0]]))
    assert times.ttft_p50_s[0, 0] == pytest.approx(0.1)
    assert times.ttft_p99_s[0, 0] == pytest.approx(0.1 + 0.085 + LN(40) * 0.625 * 0.05 / 0.6)


def test_the_median_waits_once_more_than_half_wait() -> None:
    """14 requests/s of 50 ms: 0.7 wait, on average 0.625 x 0.05 / 0.3 s; half longer than ln(0.7 / 0.5) of that."""
    times = times_at(_flat(places=2000.0), np.array([[14.0]]))
    assert times.ttft_p50_s[0, 0] == pytest.approx(0.1 + LN(1.4) * 0.625 * 0.05 / 0.3)


def test_a_replica_is_never_busier_with_prefills_than_it_is_in_all() -> None:
    """10 requests/s of 90 ms would keep it busy 0.9 of the time; at half its capacity it is busy 0.5."""
    times = times_at(_flat(prefill_s=0.09), np.array([[10.0]]))
    assert times.ttft_p99_s[0, 0] == pytest.approx(0.1 + 1.7 * 0.09 + LN(50) * 0.625 * 0.09 / 0.5)


def test_a_fuller_batch_delays_the_first_token_by_its_longer_step() -> None:
    """Half way from one sequence to 50 a step takes 15 ms instead of 10: 5 ms later than alone.

    The crowd: 25.5 + 2.326 x 0.86 x sqrt(25.5 / 0.49) = 39.93 sequences, whose step takes 10 x 38.93 / 49 ms more.
    """
    growing = Replicas(
        *(np.array([pair]) for pair in ((1.0, 50.0), (0.4, 20.0), (0.01, 0.02))),
        np.array([0.1]), np.array([0.0]), np.array([100.0]),
    )  # fmt: skip
    times = times_at(growing, np.array([[10.2]]))
    assert times.concurrency[0, 0] == pytest.approx(25.5)
    assert times.tpot_p50_s[0, 0] == pytest.approx(0.015)
    assert times.ttft_p50_s[0, 0] == pytest.approx(0.105)
    crowded = 25.5 + 2.326 * 0.86 * np.sqrt(25.5 / 0.49)
    assert times.crowded[0, 0] == pytest.approx(crowded)
    assert times.tpot_p99_s[0, 0] == pytest.approx(0.01 + 0.01 * (crowded - 1) / 49)


def test_there_is_no_answer_at_and_beyond_the_capacity() -> None:
    times = times_at(_flat(), np.array([[5.0, 20.0, 30.0]]))
    assert np.isfinite(times.ttft_p50_s[0]).tolist() == [True, False, False]


@pytest.mark.parametrize(("places", "is_bounded"), [(8.0, False), (15.0, False), (16.0, True), (64.0, True)])
def test_a_place_is_waited_for_as_with_equal_servers_and_less_where_there_are_many(
    places: float, is_bounded: bool
) -> None:
    """At 0.9 of 20 requests/s: Sakasegawa's share 0.9^(sqrt(2 (c + 1)) - 1); from 16 places on at most that of a
    normal crowd above c. Those wait 0.625 / (20 x 0.1) s on average."""
    times = times_at(_flat(prefill_s=0.0, places=places), np.array([[18.0]]))
    running = 1 + (places - 1) * (18 - 0.4) / 19.6
    share = 0.9 ** (np.sqrt(2 * (places + 1)) - 1)
    crowd = float(normal_share(np.array([(running - places) / np.sqrt(running / 0.1)]))[0])
    assert crowd < share or places == 64
    waiting = min(share, crowd) if is_bounded else share
    assert times.ttft_p99_s[0, 0] == pytest.approx(0.1 + LN(waiting / 0.01) * 0.625 / 2.0, rel=1e-6)


@pytest.mark.parametrize(("percentile", "waiting"), [("p99", 0.01), ("p50", 0.5)])
def test_the_largest_rate_solves_the_queue_for_the_limit(percentile: str, waiting: float) -> None:
    """The limit is what 0.6 of the capacity comes to by hand; the answer is that rate, to the width of the search."""
    limit_s = 0.25 + LN(0.6 / waiting) * 0.625 / (4 * 0.4)
    rate = largest_rate(_one_server(), limit_s, np.inf, percentile)[0]
    assert rate == pytest.approx(0.6 * 4, abs=4 * 2 * HIGHEST_UTILISATION / 2**13)
    assert rate <= 0.6 * 4


def test_each_replica_keeps_a_limit_of_its_own() -> None:
    """The same replica twice: what the way to users takes of the second one's limit lets it carry less."""
    one = _one_server()
    twice = one.take(np.array([0, 0]))
    limits_s = [0.25 + LN(rho / 0.01) * 0.625 / (4 * (1 - rho)) for rho in (0.7, 0.4)]
    rates = largest_rate(twice, np.array(limits_s)[:, None], np.inf, "p99")
    assert rates == pytest.approx([0.7 * 4, 0.4 * 4], abs=0.001)


def test_the_limit_of_each_further_token_counts_too() -> None:
    """Steps of 10 ms alone and 20 ms at capacity: half way in the median needs half the concurrency."""
    growing = Replicas(
        *(np.array([pair]) for pair in ((1.0, 50.0), (0.4, 20.0), (0.01, 0.02))),
        np.array([0.1]), np.array([0.0]), np.array([100.0]),
    )  # fmt: skip
    assert largest_rate(growing, np.inf, 0.015, "p50")[0] == pytest.approx(10.2, abs=0.005)
    assert largest_rate(growing, np.inf, 0.015, "p99")[0] < 7.0
    assert largest_rate(growing, np.inf, 0.0099, "p50")[0] == 0.0


def test_the_limit_of_a_whole_answer_counts_all_its_tokens() -> None:
    """A first token of 105 ms and 99 further ones of 15 ms: half way in the median, 10.2 requests/s, takes 1.59 s."""
    growing = Replicas(
        *(np.array([pair]) for pair in ((1.0, 50.0), (0.4, 20.0), (0.01, 0.02))),
        np.array([0.1]), np.array([0.0]), np.array([100.0]),
    )  # fmt: skip
    whole_s = 0.105 + 99 * 0.015
    assert largest_rate(growing, np.inf, np.inf, "p50", whole_s)[0] == pytest.approx(10.2, abs=0.005)
    assert largest_rate(growing, np.inf, np.inf, "p95", whole_s)[0] < 10.0
    assert largest_rate(growing, 0.104, np.inf, "p50", whole_s)[0] < 10.0, "the other limits hold besides"


def test_percentiles_are_told_apart() -> None:
    times = Times(*(np.array([[value]]) for value in range(6)))
    assert [times.ttft_s(name)[0, 0] for name in ("p50", "p99")] == [2, 3]
    assert [times.tpot_s(name)[0, 0] for name in ("p50", "p99")] == [4, 5]


def test_95_of_100_lie_between_half_and_99_of_100() -> None:
    """Log-normal: ``half^(1 - w) x late^w`` with w = 1.645 / 2.326, so 100 and 1,000 ms give 509 ms."""
    assert at_percentile(100.0, 1000.0, "p95") == pytest.approx(100.0 * 10 ** (1.645 / 2.326))
    assert at_percentile(0.0, 5.0, "p95") == 0.0 and at_percentile(7.0, 7.0, "p95") == pytest.approx(7.0)
    assert np.isinf(at_percentile(np.array([np.inf]), np.array([np.inf]), "p95")).all()
    times = times_at(_one_server(), np.array([[1.0, 2.0, 3.0, 4.0]]))
    half, nearly, most = (times.ttft_s(name)[0] for name in ("p50", "p95", "p99"))
    assert (half[:3] < nearly[:3]).all() and (nearly[:3] < most[:3]).all() and np.isinf(nearly[3])
    rates = [largest_rate(_one_server(), 2.0, np.inf, name)[0] for name in ("p50", "p95", "p99")]
    assert rates[0] > rates[1] > rates[2] > 0


def test_a_long_prompt_takes_1_7_prefills_more() -> None:
    assert long_prompt_s(2.0) == pytest.approx(3.4)
