"""Readings of chips in grids of bounded size: ticks, means, exact figures, energy."""

import random

import numpy as np
import pytest

from core.logs.machine import ticks
from core.logs.machine.ticks import ChipTicks, Gathered, energy_kwh
from core.reading.pace import TooMuchError


def _gathered(chips: list[int], at_once: int, most_cells: int = 10**6) -> Gathered:
    gathering = ChipTicks("a.log", most_cells)
    for chip in range(max(chips) + 1):
        gathering.number(str(chip))
    values = np.arange(float(len(chips)))
    for start in range(0, len(chips), at_once):
        rows = slice(start, start + at_once)
        gathering.add_rows(np.array(chips[rows]), values[rows], {"power_w": values[rows]})
    return gathering.finish()


@pytest.mark.parametrize("at_once", [1, 3, 8, 100])
@pytest.mark.parametrize("seed", range(6))
def test_many_rows_at_once_are_as_one_by_one(seed: int, at_once: int) -> None:
    chance = random.Random(seed)
    regular = [chip for _ in range(20) for chip in range(4) if seed % 2 or chance.random() < 0.9]
    chips = regular if seed < 4 else [chance.randrange(4) for _ in range(80)]
    one_by_one = ChipTicks("a.log")
    for chip in range(max(chips) + 1):
        one_by_one.number(str(chip))
    for n, chip in enumerate(chips):
        one_by_one.add_numbered(chip, {"power_w": float(n)}, float(n))
    expected, made = one_by_one.finish(), _gathered(chips, at_once)
    np.testing.assert_array_equal(made.by_chip["power_w"], expected.by_chip["power_w"])
    np.testing.assert_allclose(made.time_s, expected.time_s)
    assert made.quantities == expected.quantities


@pytest.mark.parametrize("n_rows", [4000, 4001, 4090])
def test_too_many_ticks_become_means_and_figures_stay_exact(n_rows: int) -> None:
    chips = [n % 2 for n in range(n_rows)]
    whole, merged = _gathered(chips, 500), _gathered(chips, 500, most_cells=1000)
    assert merged.by_chip["power_w"].size <= 1000 < whole.by_chip["power_w"].size
    one, other = whole.quantities["power_w"], merged.quantities["power_w"]
    assert (other.n, other.max) == (one.n, one.max)
    assert other.mean == pytest.approx(one.mean)
    assert other.p90 == pytest.approx(one.p90, rel=0.01)
    assert merged.series["power_w"].mean() == pytest.approx(one.mean, rel=0.01)
    assert np.all(np.diff(merged.time_s) > 0)
    assert merged.time_s[-1] == pytest.approx(whole.time_s[-1], rel=0.01)


def test_quantities_and_chips_that_come_later_are_unknown_before() -> None:
    gathering = ChipTicks("a.log")
    gathering.add("0", {"power_w": 100.0})
    gathering.end_tick()
    gathering.add("0", {"temperature_c": 50.0})
    gathering.add("1", {"power_w": 300.0})
    made = gathering.finish()
    np.testing.assert_array_equal(made.by_chip["power_w"], [[100.0, np.nan], [np.nan, 300.0]])
    np.testing.assert_array_equal(made.series["temperature_c"], [np.nan, 50.0])
    assert (made.time_s.tolist(), made.has_times) == ([0.0, 1.0], False)
    assert ChipTicks("a.log").finish().quantities == {}


def test_late_ticks_are_put_in_order_and_missing_times_between() -> None:
    gathering = ChipTicks("a.log")
    for time_s, power in ((10.0, 1.0), (np.nan, 2.0), (30.0, 3.0), (5.0, 4.0)):
        gathering.add("0", {"power_w": power}, time_s)
    made = gathering.finish()
    assert made.time_s.tolist() == [0.0, 5.0, 15.0, 25.0]
    assert made.series["power_w"].tolist() == [4.0, 1.0, 2.0, 3.0]


def test_endless_chips_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ticks, "MOST_CHIPS", 3)
    gathering = ChipTicks("a.log")
    with pytest.raises(TooMuchError, match="more than 3 GPUs"):
        for chip in range(4):
            gathering.add(str(chip), {"power_w": 1.0})


def test_energy_is_power_over_time_of_each_chip() -> None:
    time_s = np.array([0.0, 10.0, 20.0, 10_000.0, 10_010.0])
    power = np.array([[360, 0], [np.nan, 0], [360, 0], [720, 0], [720, np.nan]], dtype=np.float32)
    assert energy_kwh(time_s, power) == pytest.approx((20 * 360 + 10 * 720) / 3.6e6)  # the long pause is not known
    assert np.isnan(energy_kwh(time_s[:1], power[:1]))
    assert np.isnan(energy_kwh(time_s[:2], power[:2, :1]))
