"""Words for a date become the earliest day they can mean."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.loading import load_catalogue
from core.catalogue.prices.dates import (
    UNDATED,
    age_days,
    as_of_date,
    as_of_words,
    is_exact,
    is_or_older,
    is_to_come,
    last_day,
    oldest,
    parse_as_of,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-10-13", date(2026, 10, 13)),
        ("2026-10/11 (undated v9)", date(2026, 10, 1)),
        ("2026-02 or older", date(2026, 2, 1)),
        ("2026-H1 (undated v8)", date(2026, 1, 1)),
        ("2026-H2 (undated v8)", date(2026, 7, 1)),
        ("2024-Q4", date(2024, 10, 1)),
        ("2024-2025 (undated v7 fork)", date(2024, 1, 1)),
        ("2025-11 (memory)", date(2025, 11, 1)),
        ("2025 (undated v6)", date(2025, 1, 1)),
        ("2025-06-05 to 2026-11-09", date(2025, 6, 5)),
        ("until 2025-06-04", date(2025, 6, 4)),
        ("undated v9 (hand-kept)", None),
        ("undated", None),
        ("", None),
        ("2026-02-30", None),
    ],
)
def test_words_to_day(text: str, expected: date | None) -> None:
    assert parse_as_of(text) == expected


@given(st.dates(date(1990, 1, 1), date(2099, 12, 31)))
def test_any_day_is_read_back(day: date) -> None:
    assert parse_as_of(day.isoformat()) == day
    assert parse_as_of(f"seen {day:%Y-%m}") == day.replace(day=1)


def test_age_counts_from_the_day_read() -> None:
    offer = load_catalogue().offers[0].model_copy(update={"as_of": "2026-11-09"})
    assert as_of_date(offer) == date(2026, 11, 9)
    assert age_days(offer, date(2026, 11, 21)) == 12
    assert age_days(offer.model_copy(update={"as_of": "undated"}), date(2026, 11, 21)) is None


def test_oldest_skips_undated_offers() -> None:
    offers = [load_catalogue().offers[0].model_copy(update={"as_of": text}) for text in ("2026", "undated", "2024-Q4")]
    assert oldest(offers) == offers[2]
    assert oldest(offers[1:2]) is None


def test_every_shipped_price_is_dated_or_says_that_it_is_not() -> None:
    for offer in load_catalogue().offers:
        assert as_of_date(offer) is not None or "undated" in offer.as_of, offer.id


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2026-10-13", "13 Oct 2026"),
        ("2026-10/11 (undated v9)", "Oct/Nov 2026"),
        ("2026-02 or older", "Feb 2026 or older"),
        ("2026-H2 (undated v8)", "H2 2026"),
        ("2024-Q4", "Q4 2024"),
        ("2024-2025 (undated v7 fork)", "2024–2025"),
        ("2025-11 (memory)", "Nov 2025"),
        ("2025 (undated v6)", "2025"),
        ("undated v9 (hand-kept)", UNDATED),
        ("2026-02-30", UNDATED),
        ("", UNDATED),
    ],
)
def test_a_date_is_told_as_exactly_as_its_source_and_no_more(text: str, words: str) -> None:
    assert as_of_words(text) == words


def test_only_words_that_name_a_day_are_told_with_one() -> None:
    """No date of the catalogue is invented: a day is printed where a day was read."""
    for entry in (*load_catalogue().offers, *load_catalogue().accelerators):
        words = as_of_words(entry.as_of)
        tells_day = bool(re.match(r"\d{1,2} \w{3} \d{4}", words))
        assert tells_day == is_exact(entry.as_of) == bool(re.search(r"\d{4}-\d{2}-\d{2}", entry.as_of)), entry.as_of


@given(st.dates(date(1990, 1, 1), date(2099, 12, 31)))
def test_any_day_is_told_as_that_day(day: date) -> None:
    assert as_of_words(day.isoformat()) == f"{day.day} {day:%b %Y}"
    assert as_of_words(f"{day:%Y-%m}") == f"{day:%b %Y}"
    assert is_or_older(f"{day:%Y-%m} or older")
    assert not is_or_older(f"{day:%Y-%m}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-10-13", date(2026, 10, 13)),
        ("2024-02", date(2024, 2, 29)),
        ("2026-10/11 (undated v9)", date(2026, 11, 30)),
        ("2026-H1 (undated v8)", date(2026, 6, 30)),
        ("2024-Q4", date(2024, 12, 31)),
        ("2024-2025 (undated v7 fork)", date(2025, 12, 31)),
        ("2025 (undated v6)", date(2025, 12, 31)),
        ("2026-02-30", None),
        ("undated", None),
    ],
)
def test_the_last_day_that_words_can_mean(text: str, expected: date | None) -> None:
    assert last_day(text) == expected


@pytest.mark.parametrize(("day", "is_ahead"), [(28, False), (29, False), (30, True), (None, False)])
def test_a_day_after_tomorrow_is_one_to_come(day: int | None, is_ahead: bool) -> None:
    read = None if day is None else date(2026, 11, day)
    assert is_to_come(read, "2026-11-21", date(2026, 11, 28)) is is_ahead


def test_a_clock_before_the_catalogue_is_not_believed() -> None:
    assert not is_to_come(date(2026, 11, 22), "2026-11-21", date(2020, 1, 1))
    assert is_to_come(date(2026, 11, 23), "2026-11-21", date(2020, 1, 1))
