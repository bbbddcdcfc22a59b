"""A mean day: curves that keep their mean, replicas that follow them, chip hours, latencies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.throughput.load.mean_day import AUTOSCALE_REST, day_of, held_share, load_by_hour, units_by_hour
from core.throughput.types import LoadCurve
from core.workload.jobs.kinds import OnlineServing

SHAPES = st.sampled_from(["steady", "office", "day_night", "own"])
HOURS = st.lists(st.floats(0, 1000), min_size=24, max_size=24).filter(lambda hours: max(hours) > 1)
FOUR = LoadCurve(8, (1.0, 10.0), (1.0, 5.0), (0.01, 0.02), 0.1, 0.05, 100.0, 24.0, units=4)


def _job(
    traffic: str = "office", mean_pct: float = 40.0, peak: float = 20.0, hours: list[float] | None = None
) -> OnlineServing:
    text = " ".join(f"{hour:g}" for hour in hours or [])
    return OnlineServing(
        peak_requests_per_s=peak,
        mean_load_pct=mean_pct,
        traffic=traffic,
        load_by_hour=text,
        autoscale=True,
        warm_up_min=0.0,
    )


@given(traffic=SHAPES, mean_pct=st.floats(0.5, 100), hours=HOURS)
def test_the_mean_load_is_kept_whatever_the_shape(traffic: str, mean_pct: float, hours: list[float]) -> None:
    load = load_by_hour(_job(traffic, mean_pct, hours=hours))
    assert load.shape == (24,)
    assert load.mean() == pytest.approx(mean_pct / 100)
    assert (load >= 0).all() and (load <= 1 + 1e-9).all()


@pytest.mark.parametrize("traffic", ["office", "day_night"])
@pytest.mark.parametrize("mean_pct", [10.0, 40.0, 90.0])
def test_the_busiest_hour_is_the_peak(traffic: str, mean_pct: float) -> None:
    assert load_by_hour(_job(traffic, mean_pct)).max() == pytest.approx(1.0)


def test_own_hours_with_their_own_mean_stay_as_they_are() -> None:
    hours = [float(hour + 1) for hour in range(24)]
    load = load_by_hour(_job("own", 100 * np.mean(hours) / 24, hours=hours))
    assert load == pytest.approx(np.array(hours) / 24)


@given(hours=HOURS, mean_pct=st.floats(5, 95))
def test_busier_hours_stay_busier(hours: list[float], mean_pct: float) -> None:
    load, order = load_by_hour(_job("own", mean_pct, hours=hours)), np.argsort([float(f"{h:g}") for h in hours])
    assert (np.diff(load[order]) >= -1e-9).all()


def test_own_hours_without_hours_are_alike() -> None:
    assert load_by_hour(_job("own", 30.0)) == pytest.approx(np.full(24, 0.3))


@pytest.mark.parametrize("text", ["1 2 3", "1 " * 23 + "x", "0 " * 24, "1 " * 23 + "-1", "1 " * 23 + "nan"])
def test_a_day_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="24 numbers"):
        OnlineServing(load_by_hour=text)


def test_commas_part_hours_too() -> None:
    assert OnlineServing(load_by_hour=", ".join(["5"] * 24)).hours == (5.0,) * 24


def test_units_worked_by_hand() -> None:
    """Four units of 6 requests/s; 20 x load x 1.15 / 6 rounded up, at least one."""
    job = _job("own", 50.0, hours=[0.0] * 12 + [1.0] * 12)
    assert units_by_hour(job, FOUR, True).tolist() == [1.0] * 12 + [4.0] * 12
    assert held_share(job, FOUR, True) == pytest.approx(2.5 / 4)
    day = day_of(job, FOUR, 32, True)
    assert day.chip_hours == pytest.approx(32 * 24 * 2.5 / 4)
    assert day.replicas.tolist() == [2.0] * 12 + [8.0] * 12


def test_starting_a_replica_holds_it_while_it_warms_up() -> None:
    """Three units start once a day and hold half an hour each: 1.5 unit hours more than the 60 at work."""
    job = _job("own", 50.0, hours=[0.0] * 12 + [1.0] * 12).model_copy(update={"warm_up_min": 30.0})
    assert held_share(job, FOUR, True) == pytest.approx((60 + 1.5) / (24 * 4))
    assert held_share(job, FOUR, False) == 1.0


def test_a_service_can_sleep_or_keep_replicas() -> None:
    """Two replicas a unit: keeping none lets empty hours hold nothing, keeping five holds three units."""
    job = _job("own", 50.0, hours=[0.0] * 12 + [1.0] * 12)
    asleep, kept = (job.model_copy(update={"min_replicas": n}) for n in (0, 5))
    assert units_by_hour(asleep, FOUR, True).tolist() == [0.0] * 12 + [4.0] * 12
    assert units_by_hour(kept, FOUR, True).tolist() == [3.0] * 12 + [4.0] * 12


@given(traffic=SHAPES, mean_pct=st.floats(1, 100), peak=st.floats(0.1, 24))
def test_units_held_carry_the_hour_with_a_rest(traffic: str, mean_pct: float, peak: float) -> None:
    job = _job(traffic, mean_pct, peak)
    units, rates = units_by_hour(job, FOUR, True), peak * load_by_hour(job)
    assert (units * 6 >= rates * (1 - 1e-9)).all()
    assert ((units >= 4) | (units * 6 >= rates * (1 + AUTOSCALE_REST) * (1 - 1e-9))).all()
    assert (units_by_hour(job, FOUR, False) == 4).all()
    assert held_share(job, FOUR, True) <= held_share(job, FOUR, False) == 1.0


@given(traffic=SHAPES, mean_pct=st.floats(5, 100), peak=st.floats(1, 24))
def test_a_day_conserves_requests_and_chip_hours(traffic: str, mean_pct: float, peak: float) -> None:
    day = day_of(_job(traffic, mean_pct, peak), FOUR, 32, True)
    assert day.requests_per_s.sum() == pytest.approx(24 * peak * mean_pct / 100)
    assert day.chip_hours == pytest.approx(8 / 2 * day.replicas.sum())


@given(mean_pct=st.floats(5, 95), more=st.floats(1, 3), peak=st.floats(1, 8))
def test_more_load_never_holds_fewer_chips(mean_pct: float, more: float, peak: float) -> None:
    assert day_of(_job("office", mean_pct, peak * more), FOUR, 32, True).chip_hours >= (
        day_of(_job("office", mean_pct, peak), FOUR, 32, True).chip_hours
    )
