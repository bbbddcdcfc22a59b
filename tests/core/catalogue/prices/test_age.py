"""Fresh, old or undated: what is told of a price's age, for any limit of days."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.entries import Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.prices.age import n_undated, price_age, price_line, price_marks, price_words

TODAY = date(2026, 11, 21)


def offer(as_of: str, estimate: bool = False) -> Offer:
    """An offer whose price was read then."""
    return load_catalogue().offers[0].model_copy(update={"as_of": as_of, "estimate": estimate})


@pytest.mark.parametrize(
    ("as_of", "limit", "day", "flag"),
    [
        ("2026-11-09", 90, "9 Nov 2026", ""),
        ("2026-08-23", 90, "23 Aug 2026", ""),
        ("2026-08-22", 90, "22 Aug 2026", "over 90 days old"),
        ("2026-11-09", 10, "9 Nov 2026", "over 10 days old"),
        ("2026-11-09", 1, "9 Nov 2026", "over 1 day old"),
        ("2026-08-22", 365, "22 Aug 2026", ""),
        ("undated v8", 365, "undated", "undated"),
        ("2027-01-01", 90, "1 Jan 2027", ""),
    ],
)
def test_an_age_is_told_by_the_limit_that_the_plan_sets(as_of: str, limit: int, day: str, flag: str) -> None:
    age = price_age(offer(as_of), TODAY, limit)
    assert (age.day_words, age.flag) == (day, flag)
    assert age.needs_confirming == bool(flag)


def test_an_undated_price_is_neither_fresh_nor_old() -> None:
    age = price_age(offer("undated"), TODAY)
    assert age.is_undated
    assert not age.is_old
    assert age.needs_confirming


def test_marks_name_age_and_estimate() -> None:
    shaky = offer("2024-2025", estimate=True)
    assert price_marks(shaky, price_age(shaky, TODAY)) == ("over 90 days old", "estimate")
    fresh = offer("2026-11-09")
    assert price_marks(fresh, price_age(fresh, TODAY)) == ()
    assert n_undated([shaky, fresh, offer("undated"), offer("")]) == 2


def test_a_price_is_told_with_its_day_and_marks() -> None:
    guess = offer("2024-12-23", estimate=True).model_copy(update={"usd_per_chip_hour": 2.49})
    assert price_words(guess) == "$2.49 per chip hour, read 23 Dec 2024, estimate"
    assert price_line(guess, TODAY) == "$2.49 per chip hour, read 23 Dec 2024, estimate, over 90 days old"
    undated = guess.model_copy(update={"as_of": "undated v8", "estimate": False})
    assert price_line(undated, TODAY) == "$2.49 per chip hour, undated"
