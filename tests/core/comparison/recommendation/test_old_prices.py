"""The age of a price is told no more exactly than its date is."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.recommendation.warnings import old_price

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("as_of", "words"),
    [
        ("2026-08-13", "The price was read on 13 Aug 2026, 100 days ago"),
        ("2026 (undated v9)", "The price is of 2026, up to 324 days old"),
        ("2026-02 or older", "The price is of Feb 2026 or older, at least 293 days old"),
    ],
)
def test_an_age_is_as_exact_as_the_date(as_of: str, words: str) -> None:
    offer = load_catalogue().offers[0].model_copy(update={"as_of": as_of})
    reason = old_price(offer, TODAY)
    assert reason is not None
    assert reason.words.startswith(words)


@pytest.mark.parametrize("as_of", ["2026-10-14", "undated"])
def test_new_and_undated_prices_are_not_called_old(as_of: str) -> None:
    assert old_price(load_catalogue().offers[0].model_copy(update={"as_of": as_of}), TODAY) is None
