"""Lines between the regions of a map."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.what_if.contours import contours

XS, YS = np.arange(4.0), np.arange(3.0)


def test_one_region_has_no_border() -> None:
    assert contours(XS, YS, np.zeros((3, 4), dtype=np.intp), np.ones((3, 4))) == ()


def test_a_border_lies_where_the_leads_would_meet() -> None:
    winner = np.tile([0, 0, 1, 1], (3, 1))
    (line,) = contours(XS, YS, winner, np.tile([4.0, 3.0, 1.0, 2.0], (3, 1)))
    assert line[:, 0] == pytest.approx(1.75)
    assert sorted(line[:, 1]) == [0.0, 1.0, 2.0]


def test_three_regions_meet_in_one_point() -> None:
    winner = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 2, 2]])
    lines = contours(XS, YS, winner, np.full((3, 4), np.nan))
    ends = [tuple(end) for line in lines for end in (line[0], line[-1])]
    assert len(lines) == 3
    assert max(ends.count(end) for end in ends) == 3


def test_an_island_is_a_closed_line() -> None:
    winner = np.zeros((3, 3), dtype=np.intp)
    winner[1, 1] = 1
    (line,) = contours(np.arange(3.0), YS, winner, np.ones((3, 3)))
    assert line[0] == pytest.approx(line[-1])
    assert len(line) == 5


def test_a_border_to_where_nothing_fits_lies_halfway() -> None:
    winner = np.tile([0, 0, 1, 1], (3, 1))
    (line,) = contours(XS, YS, winner, np.tile([4000.0, 3000.0, np.nan, np.nan], (3, 1)))
    assert line[:, 0] == pytest.approx(1.5)
