"""When a log began, by the stamps that readers keep."""

from datetime import UTC, datetime

import pytest

from core.logs.clock import Clock, ClockKind, clock_of, in_the_years_of


def _at(*moment: int) -> float:
    return datetime(*moment, tzinfo=UTC).timestamp()  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("stamp", "at_s", "kind"),
    [
        ("2025/03/07 23:40:00.500", _at(2025, 3, 7, 23, 40) + 0.5, ClockKind.LOCAL),
        ("2025-10-15 10:37:01,390", _at(2025, 10, 15, 10, 37, 1) + 0.39, ClockKind.LOCAL),
        ("Tue Mar  4 10:15:12 2025", _at(2025, 3, 4, 10, 15, 12), ClockKind.LOCAL),
        ("20250304 23:59:58", _at(2025, 3, 4, 23, 59, 58), ClockKind.LOCAL),
        ("20260213-135022", _at(2026, 2, 13, 13, 50, 22), ClockKind.LOCAL),
        ("2025-09-08T17:26:50+08:00", _at(2025, 9, 8, 9, 26, 50), ClockKind.ZONED),
        ("2024-07-21T18:01:23Z", _at(2024, 7, 21, 18, 1, 23), ClockKind.ZONED),
        ("1741082400", 1741082400.0, ClockKind.ZONED),
        ("09-04 10:15:12", _at(2000, 9, 4, 10, 15, 12), ClockKind.YEARLESS),
    ],
)
def test_stamps_of_readers(stamp: str, at_s: float, kind: ClockKind) -> None:
    assert clock_of(stamp) == Clock(pytest.approx(at_s), kind)  # type: ignore[arg-type]


@pytest.mark.parametrize("stamp", [None, "", "now", "42", "02-31 10:00:00", "10:15:12"])
def test_what_is_no_stamp(stamp: str | None) -> None:
    assert clock_of(stamp) is None


def test_a_stamp_without_a_year_lies_next_to_the_other() -> None:
    new_year = clock_of("2026/01/01 00:10:00")
    eve, day = clock_of("12-31 23:50:00"), clock_of("02-29 12:00:00")
    assert new_year and eve and day
    assert new_year.at_s - in_the_years_of(eve, new_year).at_s == 1200.0
    assert in_the_years_of(day, new_year).at_s == _at(2026, 2, 28, 12)
    assert in_the_years_of(eve, day) == eve and in_the_years_of(new_year, eve) == new_year
