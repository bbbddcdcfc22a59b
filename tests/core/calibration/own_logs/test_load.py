"""How evenly a server was used, and its idle time."""

from dataclasses import replace

import numpy as np
import pytest

from core.calibration.own_logs.load import load_of
from core.calibration.own_logs.stretches import Stage, stretches
from core.calibration.own_logs.use import bill_of
from core.logs.record import LogRecord, Subject
from tests.core.calibration.own_logs.made import machine, serving, training


def server(tokens_per_s: list[float], tick_s: float = 60.0) -> LogRecord:
    """A server's log, a line a minute."""
    values = np.array(tokens_per_s)
    made = machine(values, tick_s)
    return replace(made, subject=Subject.SERVING, series={"output_tokens_per_s": values}, by_chip={}, chips=())


DAY = [0.0] * 480 + [500.0] * 840 + [1000.0] * 120
"""Minutes: eight hours of nothing, fourteen of half the load, the two busiest."""


def test_a_day_whose_last_reading_stands_for_no_time_is_a_day() -> None:
    load = load_of(server(DAY))
    assert load is not None and load.lasts and load.hours < 24.0


def test_mean_load_is_that_of_the_busiest_hour() -> None:
    load = load_of(server([*DAY, 1000.0]))
    assert load is not None and load.lasts
    assert load.mean_pct == pytest.approx(100 * (840 * 0.5 + 120) / 1440, rel=0.01)
    assert (load.idle_pct, load.hours) == (pytest.approx(100 / 3, rel=0.01), 24.0)


def test_idle_hours_of_a_server_are_paid_for_and_not_used() -> None:
    record = server([*DAY, 1000.0])
    assert [one.stage for one in stretches(record)] == [Stage.IDLE, Stage.STEADY]
    (row,) = bill_of(stretches(record), 8, 2.0).rows
    assert row.words == "Idle" and row.chip_hours == pytest.approx(64.0, rel=0.01)
    assert row.usd == pytest.approx(128.0, rel=0.01)


def test_a_short_lull_is_idle_and_no_saved_state() -> None:
    record = server([800.0] * 300 + [0.0] * 10 + [700.0] * 300)
    assert [one.stage for one in stretches(record)] == [Stage.STEADY, Stage.IDLE, Stage.STEADY]


def test_a_log_of_some_hours_does_not_tell_the_load_of_a_day() -> None:
    load = load_of(server([500.0] * 200))
    assert load is not None and not load.lasts and load.mean_pct == pytest.approx(100.0)


@pytest.mark.parametrize("record", [training([1.0] * 50), serving(output_tokens_per_s=9.0), server([0.0] * 50)])
def test_what_tells_no_load(record: LogRecord) -> None:
    assert load_of(record) is None
