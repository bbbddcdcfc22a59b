"""Room above a load: counted at the low end of the speed, only where that takes more and keeps a limit more often."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from core.comparison.judge.durations import _counted_on, units_needed
from core.comparison.judge.room import with_room
from core.comparison.search.pool import Pool
from core.ranges import Range
from core.workload.jobs.kinds import BatchInference, OnlineServing, PreTraining
from core.workload.profile import Limits, Profile

BATCH = BatchInference(requests_per_batch=3600, output_tokens=10, window_h=1.0)  # 10 tokens/s
SERVICE = OnlineServing(peak_requests_per_s=1.0, output_tokens=10)


def _speed(low: float, likely: float, fits: bool = True, load: Any = None) -> Any:
    return SimpleNamespace(tokens_per_s=Range(low, likely, likely), fits=fits, load=load)


def _roomy(job: Any, speeds: list[Any], exact: int | None = None) -> Pool:
    """Two options, the first of which takes any of two systems."""
    pool = Pool(cast(Any, None), cast(Any, (None, None)), np.array([0, 0, 1]), np.array([0, 1, 0]))
    return with_room(Profile(job=job, limits=Limits(exact_chips=exact)), pool, speeds)


def test_a_pair_is_followed_by_itself_with_room_where_it_may_be_too_slow() -> None:
    """Of 6 tokens/s likely and 4 at least two or three carry 10; of 20 and 12 always one."""
    pool = _roomy(BATCH, [_speed(4.0, 6.0), _speed(12.0, 20.0)])
    assert pool.option_of.tolist() == [0, 0, 0, 1, 1] and pool.system_of.tolist() == [0, 0, 1, 0, 0]
    assert pool.has_room is not None and pool.has_room.tolist() == [False, True, False, False, True]


def test_nothing_is_added_where_room_would_change_nothing() -> None:
    slow, sure = _speed(4.0, 6.0), _speed(12.0, 20.0)
    load = SimpleNamespace(max_requests_per_s=0.6)
    untimed = OnlineServing(peak_requests_per_s=1.0, output_tokens=10, ttft_limit_ms=None, tpot_limit_ms=None)
    for job, speed, exact in (
        (BATCH, _speed(4.0, 6.0, fits=False), None),
        (BATCH, slow, 8),  # so many chips are asked for
        (SERVICE, slow, None),  # its answers take as long whatever the load
        (PreTraining(n_tokens=1e12), slow, None),
    ):
        assert len(_roomy(job, [speed, sure], exact).option_of) == 3
    for service in (SERVICE, untimed):
        assert len(_roomy(service, [_speed(4.0, 6.0, load=load), sure]).option_of) == 5


def test_an_autoscaled_service_has_more_room() -> None:
    """It pays for most of it only when it is used: each carries 6 of 10 tokens/s, once in fifty but 3.1."""
    job = SERVICE.model_copy(update={"autoscale": True})
    speed = _speed(4.0, 6.0, load=SimpleNamespace(max_requests_per_s=0.6))
    roomy, profile = _roomy(job, [speed, speed]), Profile(job=job)
    counted_on = _counted_on(profile, roomy, [speed, speed])
    assert counted_on[:2] == pytest.approx([6.0, 6.0 * (4 / 6) ** 1.6025], rel=1e-3)
    assert units_needed(profile, counted_on)[:2].tolist() == [2, 4]


def test_room_carries_the_load_at_the_low_end() -> None:
    speeds = [_speed(4.0, 6.0), _speed(12.0, 20.0)]
    pool, profile = _roomy(BATCH, speeds), Profile(job=BATCH)
    counted_on = _counted_on(profile, pool, speeds)
    assert counted_on == pytest.approx([6.0, 4.0, 20.0, 6.0, 4.0])
    assert units_needed(profile, counted_on).tolist() == [2, 3, 1, 2, 3]
