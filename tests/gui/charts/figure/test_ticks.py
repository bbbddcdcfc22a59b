"""Values at the ticks of an axis, worked out by hand."""

from __future__ import annotations

from datetime import date

import pytest

from gui.charts.figure.ticks import count_ticks, linear_ticks, log_ticks, month_ticks, tick_text


@pytest.mark.parametrize(
    ("most", "ticks"), [(1.1, [0, 1]), (6.0, [0, 2, 4, 6]), (10.0, [0, 5, 10]), (90.0, [0, 25, 50, 75])]
)
def test_what_is_counted_has_whole_ticks(most: float, ticks: list[float]) -> None:
    assert count_ticks(most) == tuple((tick, str(tick)) for tick in ticks)


@pytest.mark.parametrize(
    ("low", "high", "wanted", "ticks"),
    [
        (0.0, 10.0, 5, [0, 2, 4, 6, 8, 10]),
        (0.0, 10.0, 4, [0, 2.5, 5, 7.5, 10]),
        (1.0, 9.0, 2, [5]),
        (0.0, 1.0, 1, [0, 1]),
        (-0.3, 0.3, 3, [-0.2, 0, 0.2]),
        (0.0, 100.0, 0, [0, 100]),
        (3.0, 3.0, 5, [3]),
    ],
)
def test_steps_are_1_2_a_quarter_or_half_of_a_power_of_ten(
    low: float, high: float, wanted: int, ticks: list[float]
) -> None:
    assert linear_ticks(low, high, wanted) == pytest.approx(ticks)


@pytest.mark.parametrize(
    ("low", "high", "wanted", "values"),
    [
        (0.0, 3.0, 4, [1, 10, 100, 1000]),
        (0.0, 2.0, 6, [1, 2, 5, 10, 20, 50, 100]),
        (0.0, 2.0, 4, [1, 3, 10, 30, 100]),
        (0.0, 1.0, 4, [1, 2, 5, 10]),
        (0.0, 8.0, 4, [1, 1e3, 1e6]),
    ],
)
def test_ticks_of_a_log_axis_are_as_many_as_wanted(low: float, high: float, wanted: int, values: list[float]) -> None:
    assert [10**tick for tick in log_ticks(low, high, wanted)] == pytest.approx(values)


@pytest.mark.parametrize(
    ("value", "step", "words"),
    [
        (0.0, 1.0, "0"),
        (0.5, 0.25, "0.5"),
        (1.0, 0.5, "1"),
        (999.0, 0.0, "999"),
        (1e-5, 0.0, "1e−5"),
        (-2.5e-6, 0.0, "−2.5e−6"),
        (1e15, 0.0, "1e15"),
        (0.0005, 0.0, "0.0005"),
    ],
)
def test_a_tick_says_its_value(value: float, step: float, words: str) -> None:
    assert tick_text(value, step) == words


def _months(first: date, last: float, most: int = 9) -> list[tuple[float, str]]:
    return month_ticks(first, last, most)


def test_a_plan_from_early_in_a_month_has_its_name_at_the_first_day() -> None:
    """31 days of January and 28 of February: 59 days from 1 January to 1 March."""
    assert _months(date(2027, 1, 1), 60.0) == [(0.0, "Jan 2027"), (31.0, "Feb"), (59.0, "Mar")]
    assert _months(date(2027, 1, 8), 30.0) == [(0.0, "Jan 2027"), (24.0, "Feb")]
    assert _months(date(2027, 1, 9), 30.0) == [(23.0, "Feb 2027")]


def test_the_year_is_told_at_its_first_month_and_once_where_the_next_tells_it() -> None:
    assert _months(date(2027, 11, 1), 95.0) == [(0.0, "Nov 2027"), (30.0, "Dec"), (61.0, "Jan 2028"), (92.0, "Feb")]
    assert _months(date(2027, 12, 1), 62.0) == [(0.0, "Dec"), (31.0, "Jan 2028"), (62.0, "Feb")]


def test_months_are_thinned_to_as_many_as_can_be_read() -> None:
    assert [words for _, words in _months(date(2027, 1, 1), 364.0, most=6)] == [
        "Jan 2027", "Mar", "May", "Jul", "Sep", "Nov",
    ]  # fmt: skip
    assert [words for _, words in _months(date(2027, 1, 1), 300.0, most=9)] == ["Jan 2027", "Mar", "May", "Jul", "Sep"]


def test_beyond_the_calendar_there_are_none() -> None:
    assert month_ticks(date(9999, 1, 1), 400.0) == []
    assert month_ticks(date(9998, 12, 1), 400.0) == [(0.0, "Dec 9998")]
    assert month_ticks(date(2027, 1, 9), 10.0) == []
