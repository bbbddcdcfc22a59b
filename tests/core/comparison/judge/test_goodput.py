"""Failures, interruptions and checkpoints lengthen a run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.judge.goodput import best_interval_h, interruptions, stretch


def test_without_stops_only_saving_takes_time() -> None:
    assert stretch(np.array([100.0]), np.array([0.0]), 1.0, 0.02, 0.5) == pytest.approx([1.02], rel=1e-6)


def test_rare_stops_cost_half_a_segment_and_the_restart() -> None:
    rate, interval, restart = 1e-3, 2.0, 0.5
    expected = 1 + rate * (interval / 2 + restart)
    assert stretch(np.array([1000.0]), np.array([rate]), interval, 0.0, restart) == pytest.approx([expected], rel=1e-3)


def test_stops_match_a_simulation() -> None:
    rate, interval, stall, restart = 0.4, 1.0, 0.05, 0.2
    random = np.random.default_rng(5)
    took = []
    for _ in range(20_000):
        hours = 0.0
        while (stop := random.exponential(1 / rate)) < interval + stall:
            hours += stop + restart
        took.append(hours + interval + stall)
    found = stretch(np.array([100.0]), np.array([rate]), interval, stall, restart)
    assert found == pytest.approx([np.mean(took)], rel=0.02)


@given(st.floats(0, 2), st.floats(0.1, 24), st.floats(1, 5000))
def test_a_run_never_gets_shorter(rate: float, interval: float, run_h: float) -> None:
    assert stretch(np.array([run_h]), np.array([rate]), interval, 0.01, 0.3)[0] >= 1


@given(st.floats(1e-6, 1), st.floats(1.01, 5))
def test_more_stops_take_longer(rate: float, factor: float) -> None:
    run_h = np.array([500.0, 500.0])
    rarely, often = stretch(run_h, np.array([rate, rate * factor]), 1.0, 0.01, 0.3)
    assert often >= rarely


def test_spot_without_checkpoints_is_hopeless() -> None:
    saved = stretch(np.array([48.5]), np.array([0.1]), 1.0, 0.01, 0.3)[0]
    unsaved = stretch(np.array([48.5]), np.array([0.1]), 0.0, 0.01, 0.3)[0]
    assert saved < 1.2 and unsaved > 20


def test_only_spot_is_interrupted(catalogue) -> None:
    spot = next(o for o in catalogue.offers if o.purchase_model == "spot" and o.accelerator_id == "h100-sxm")
    firm = spot.model_copy(update={"purchase_model": "on_demand"})
    assert interruptions(catalogue, firm).of_job(8, 1) == 0
    assert interruptions(catalogue, spot).of_job(16, 1) == pytest.approx(
        2 * interruptions(catalogue, spot).of_job(8, 1)
    )


def test_a_spot_slice_is_lost_as_a_whole_and_each_of_several_stops_the_job(catalogue) -> None:
    """0.15 preemptions per slice and day: as many on one slice of any size, 2.4 a day on sixteen."""
    spot = next(o for o in catalogue.offers if o.purchase_model == "spot" and o.accelerator_id == "tpu-v5e")
    found = interruptions(catalogue, spot)
    assert found.lost == "slice"
    assert [24 * found.of_job(n_hosts, 1) for n_hosts in (1, 64)] == pytest.approx([0.15, 0.15])
    assert 24 * found.of_job(1024, 16) == pytest.approx(2.4)


def test_a_typed_rate_is_that_of_the_whole_cluster(catalogue) -> None:
    spot = next(o for o in catalogue.offers if o.purchase_model == "spot" and o.accelerator_id == "tpu-v5e")
    assert 24 * interruptions(catalogue, spot, 0.5).of_job(1024, 16) == pytest.approx(0.5)


@given(st.floats(0.001, 0.2), st.floats(1e-4, 0.3))
def test_the_best_interval_loses_least(stall: float, rate: float) -> None:
    run_h = np.array([1000.0])
    best = float(best_interval_h(np.array([stall]), np.array([rate]))[0])
    at_best = stretch(run_h, np.array([rate]), best, stall, 0.0)[0]
    for factor in (0.5, 2.0):
        assert at_best <= stretch(run_h, np.array([rate]), best * factor, stall, 0.0)[0] * (1 + 1e-3)


def test_without_stops_a_state_is_saved_months_apart() -> None:
    assert best_interval_h(np.array([0.02]), np.array([0.0]))[0] > 1e3


def test_the_best_interval_worked_by_hand() -> None:
    """Saving takes 0.1 h, a stop comes every 24 h. Daly: sqrt(2 x 0.1 x 24) = 2.19089, times
    (1 + sqrt(0.1 / 48) / 3 + 0.1 / 48 / 9), less 0.1 = 2.1247 h."""
    save, rate = np.array([0.1]), np.array([1 / 24])
    assert best_interval_h(save, rate) == pytest.approx([2.1247], abs=1e-4)


def test_saving_that_takes_longer_than_two_stops_apart_leaves_the_mean_time_between_stops() -> None:
    assert best_interval_h(np.array([5.0]), np.array([0.5])) == pytest.approx([2.0])


@given(st.floats(0.005, 0.5), st.floats(0.002, 0.2))
def test_the_run_is_shortest_where_daly_says(save_h: float, rate: float) -> None:
    """The expected time at Daly's interval is within 0.1 % of the best of 400 intervals tried."""
    tried = np.geomspace(0.02, 300.0, 400)
    run_h = np.array([1e6])
    times = [stretch(run_h, np.array([rate]), float(one), save_h, 0.2)[0] for one in tried]
    found = stretch(
        run_h, np.array([rate]), float(best_interval_h(np.array([save_h]), np.array([rate]))[0]), save_h, 0.2
    )
    assert found[0] <= min(times) * 1.001


def test_a_run_of_two_days_without_saved_states_takes_thousands_of_hours() -> None:
    """The reported 3,198 h for 48.5 h of work: M (exp(48.5 / M) - 1) = 3,198 at a mean of M = 8.11 h between
    interruptions, three a day: exp(5.9803) = 395.5, 8.11 x 394.5 = 3,200 h. A state saved every half hour: 52 h."""
    run_h, rate = np.array([48.5]), np.array([1 / 8.11])
    assert 48.5 * stretch(run_h, rate, 0.0, 0.0, 0.0)[0] == pytest.approx(3198, rel=0.002)
    assert 48.5 * stretch(run_h, rate, 0.5, 0.01, 0.1)[0] < 52


def test_a_simulation_runs_into_thousands_of_hours_too() -> None:
    """48.5 h that must pass without an interruption, tried over and over: 600 runs, a standard error of 4 %."""
    random, took = np.random.default_rng(48), []
    for _ in range(600):
        hours = 0.0
        while (stop := random.exponential(8.11)) < 48.5:
            hours += stop
        took.append(hours + 48.5)
    found = 48.5 * stretch(np.array([48.5]), np.array([1 / 8.11]), 0.0, 0.0, 0.0)
    assert np.mean(took) == pytest.approx(float(found[0]), rel=0.12)


@given(st.floats(1e-4, 50), st.floats(1.01, 5), st.floats(1, 1e9), st.floats(0.0, 1.0))
def test_a_hopeless_run_gets_ever_more_hopeless(rate: float, factor: float, run_h: float, restart_h: float) -> None:
    """However large the exponent: a low end stays below the likely one, and that below the high end."""
    rates, hours = np.array([rate, rate * factor, rate]), np.array([run_h, run_h, run_h * factor])
    few, more_stops, longer = stretch(hours, rates, 0.0, 0.01, restart_h)
    assert stretch(hours, rates, 1e-300, 0.01, restart_h).max() <= 1e12
    assert few <= more_stops and few <= longer
    assert np.isfinite([few, more_stops, longer]).all()
