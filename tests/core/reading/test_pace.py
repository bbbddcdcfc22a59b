"""Long files are counted and timed, and whoever waits may stop them and see how far they are."""

from __future__ import annotations

import pytest

from core.breath import breathing, heard_by, unhurried
from core.reading import pace as module
from core.reading.pace import Pace, TooMuchError


class StopError(Exception):
    """Ends the work."""


def stop() -> None:
    raise StopError


def test_more_than_the_limit_is_refused_and_the_limit_named() -> None:
    pace = Pace("a.csv", "rows", 1000)
    pace.count(1000)
    with pytest.raises(TooMuchError, match="a.csv: found more than 1.000 rows, expected at most 1.000"):
        pace.count()


def test_cells_are_limited_over_all_tables_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 10)
    pace = Pace("a.csv", "rows", 1000)
    pace.count(1, 10)
    with pytest.raises(TooMuchError, match="more than 10 cells"):
        pace.count(1, 1)


def test_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    pace = Pace("a.csv", "rows", 1000)
    monkeypatch.setattr(module, "MOST_SECONDS", -1.0)
    with pytest.raises(TooMuchError, match="takes longer than"):
        pace.count()


def test_shares_are_told_and_the_work_can_be_stopped() -> None:
    told: list[float] = []
    with heard_by(told.append):
        Pace("a.csv", "rows", 1000, lambda: 0.25).count()
    assert told == [0.25]
    with breathing(stop), pytest.raises(StopError):
        Pace("a.csv", "rows", 1000).count()
    with breathing(stop), pytest.raises(StopError):
        list(unhurried(range(3)))
    assert list(unhurried(range(600))) == list(range(600))
