"""Plot coordinates and pixels are each other's inverse; ranges and staircases by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.charts.figure.figure import Mapping, Row, left_room, log10_of, padded, right_room, step_line

VIEW = Mapping(50.0, 20.0, 400.0, 200.0, (2.0, 10.0), (-1.0, 4.0))


@given(x=st.floats(-10.0, 30.0), y=st.floats(-10.0, 30.0))
def test_a_pixel_leads_back_to_where_it_came_from(x: float, y: float) -> None:
    assert VIEW.x_at(VIEW.px(x)) == pytest.approx(x, abs=1e-9)
    assert VIEW.y_at(VIEW.py(y)) == pytest.approx(y, abs=1e-9)


def test_the_ends_of_a_view_are_those_of_the_plot() -> None:
    assert (VIEW.px(2.0), VIEW.px(10.0), VIEW.py(-1.0), VIEW.py(4.0)) == (50.0, 450.0, 220.0, 20.0)
    assert VIEW.px(float("inf")) == 50.0 + 50 * 400.0 and VIEW.py(float("-inf")) == 20.0 + 51 * 200.0


@pytest.mark.parametrize(
    ("ends", "share", "expected"),
    [((0.0, 10.0), 0.1, (-1.0, 11.0)), ((5.0, 5.0), 0.1, (4.5, 5.5)), ((0.0, 0.0), 0.1, (-0.1, 0.1))],
)
def test_a_range_has_air_and_is_never_empty(
    ends: tuple[float, float], share: float, expected: tuple[float, float]
) -> None:
    assert padded(*ends, share) == pytest.approx(expected)


def test_nothing_has_a_logarithm_of_its_own() -> None:
    assert (log10_of(1000.0), log10_of(0.0), log10_of(-5.0, 0.01)) == (pytest.approx(3.0), -12.0, pytest.approx(-2.0))


def test_a_staircase_is_level_until_the_next_point() -> None:
    xs, ys = step_line([(1.0, 8.0), (3.0, 5.0)], 6.0)
    assert list(zip(xs, ys, strict=True)) == [(1.0, 8.0), (3.0, 8.0), (3.0, 5.0), (6.0, 5.0)]


def test_rooms_follow_the_longest_name_and_text() -> None:
    rows = (Row("a", "four", right=(("123", "ink"), ("12", "ink"))), Row("b", "eleven here", right=(("1", "ink"),)))
    assert left_room(rows) == 24 + 11 * 7 + 10 and left_room((Row("a", "four", "circle"),)) == 34 + 4 * 7 + 10
    assert left_room((Row("a", "x" * 99),)) == 24 + 230 and left_room(()) == 34
    assert right_room(rows) == (3 * 7 + 12) + (2 * 7 + 12) + 24 and right_room(()) == 24
