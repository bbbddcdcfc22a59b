"""Which counts of an option get a bill: the cheapest in time, faster ones that are worth it, else the least bad."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.judge.shortlist import _by_option, _cheapest_and_faster, _least_bad, _too_slow
from core.throughput.types import Latency
from core.workload.jobs.kinds import TimeLimits

ROWS = st.lists(
    st.tuples(st.integers(1, 30), st.integers(1, 60), st.integers(1, 8)), min_size=1, max_size=12
)  # effort, time and chips of each


def _columns(rows: list[tuple[int, int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    effort, time, chips = np.array(rows).T
    return effort.astype(float), time.astype(float), chips


@given(ROWS, st.integers(0, 4))
def test_the_cheapest_stands_first_and_each_further_one_is_faster_by_more_than_2_percent(
    rows: list[tuple[int, int, int]], n_faster: int
) -> None:
    effort, time, chips = _columns(rows)
    kept = _cheapest_and_faster(list(range(len(rows))), effort, time, chips, n_faster)
    order = sorted(range(len(rows)), key=lambda row: (effort[row], chips[row], time[row]))
    assert kept[0] == order[0]
    expected = [order[0]]
    for row in order[1:]:
        before = expected[-1]
        if len(expected) <= n_faster and time[row] < 0.98 * time[before] and chips[row] != chips[before]:
            expected.append(row)
    assert kept == expected and len(kept) <= n_faster + 1


def test_two_percent_sooner_is_not_worth_a_bill() -> None:
    effort, chips = np.array([1.0, 2.0]), np.array([8, 16])
    assert _cheapest_and_faster([0, 1], effort, np.array([100.0, 98.0]), chips, 2) == [0]
    assert _cheapest_and_faster([0, 1], effort, np.array([100.0, 97.9]), chips, 2) == [0, 1]
    assert _cheapest_and_faster([0, 1], effort, np.array([100.0, 50.0]), np.array([8, 8]), 2) == [0]


@pytest.mark.parametrize(
    ("fits", "alone", "row"),
    [
        ("111", "110", 1),  # two runs alone would be in time: the cheaper
        ("111", "001", 2),
        ("110", "000", 0),  # none would: the fastest that fits
        ("011", "000", 2),
        ("000", "000", 2),  # nothing fits: the largest
    ],
)
def test_where_none_meets_the_limits_the_least_bad_is_kept(fits: str, alone: str, row: int) -> None:
    flags = [np.array([letter == "1" for letter in word]) for word in (fits, alone)]
    effort, time, chips = np.array([5.0, 3.0, 9.0]), np.array([10.0, 30.0, 20.0]), np.array([1, 2, 4])
    assert _least_bad(np.zeros(3, dtype=np.intp), *flags, effort, time, chips) == [row]
    twice = [np.tile(column, 2) for column in (*flags, effort, time, chips)]
    assert _least_bad(np.repeat([0, 1], 3), *twice) == [row, row + 3]


def test_between_equals_the_fewer_chips_are_kept() -> None:
    every, none, same = np.ones(2, dtype=bool), np.zeros(2, dtype=bool), np.array([1.0, 1.0])
    for chips, row in (([4, 2], 1), ([2, 4], 0)):
        for alone in (every, none):
            assert _least_bad(np.zeros(2, dtype=np.intp), every, alone, same, same, np.array(chips)) == [row]


@pytest.mark.parametrize(
    ("limits", "is_slow"),
    [
        (TimeLimits(None, None, "p50"), False),
        (TimeLimits(250.0, None, "p50"), False),  # 200 and 50 of the way are just in time
        (TimeLimits(249.0, None, "p50"), True),
        (TimeLimits(450.0, None, "p99"), False),
        (TimeLimits(449.0, None, "p99"), True),
        (TimeLimits(None, 20.0, "p50"), False),
        (TimeLimits(None, 19.0, "p50"), True),
        (TimeLimits(None, 39.0, "p99"), True),
        (TimeLimits(1000.0, 39.0, "p99"), True),
        (TimeLimits(1000.0, 40.0, "p99"), False),
        (TimeLimits(None, None, "p50", 450.0, 11), False),  # 200, ten tokens of 20 and 50 of the way
        (TimeLimits(None, None, "p50", 449.0, 11), True),
    ],
)
def test_both_limits_hold_for_the_percentile_with_the_way_to_users(limits: TimeLimits, is_slow: bool) -> None:
    speed = SimpleNamespace(latency=Latency(200, 400, 20, 40), system=SimpleNamespace(route_ms=50.0))
    assert _too_slow(limits, speed) is is_slow
    assert not _too_slow(limits, SimpleNamespace(latency=None, system=speed.system))


def test_pairs_are_told_by_option() -> None:
    option_of = np.array([0, 0, 1, 2, 2, 2])
    assert list(_by_option(option_of, np.array([0, 1, 3, 5]))) == [(0, [0, 1]), (2, [3, 5])]
    assert list(_by_option(option_of, np.zeros(0, dtype=np.intp))) == []
