"""Seconds of a step from the clock, where a program prints steps and no times."""

from __future__ import annotations

import numpy as np
import pytest

from core.logs.training.steps import StepTable, by_clock


def _seconds(steps: list[float], at_s: list[float], **columns: list[float]) -> list[float]:
    made = {name: np.array(values) for name, values in columns.items()}
    table = StepTable(np.array(steps), np.array(at_s), made, {})
    return [float(value) for value in by_clock(table)["step_time_s"]]


def test_time_between_two_lines_is_shared_by_the_steps_between() -> None:
    """Ten steps in 25 s are 2.5 s each; nothing is known before the first line."""
    assert _seconds([10, 20, 22], [5.0, 30.0, 31.0]) == pytest.approx([np.nan, 2.5, 0.5], nan_ok=True)


@pytest.mark.parametrize(("steps", "at_s"), [([20, 20], [5.0, 30.0]), ([20, 10], [5.0, 30.0]), ([1, 2], [30.0, 30.0]),
                                             ([1, 2], [30.0, 5.0])])  # fmt: skip
def test_steps_and_clocks_that_do_not_go_on_tell_no_time(steps: list[float], at_s: list[float]) -> None:
    assert np.isnan(_seconds(steps, at_s)).all()


def test_a_printed_time_counts_more_than_the_clock() -> None:
    assert _seconds([1, 2, 3], [0.0, 4.0, 9.0], step_time_s=[1.0, 2.0, np.nan]) == [1.0, 2.0, 5.0]
