"""Amounts and sentences: worded when they are read, in the currency shown then."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.amounts import (
    DURATION,
    PRICE,
    PRICE_AT_MOST,
    SCALED,
    USD,
    Amount,
    Sentence,
    Text,
    UsdSpan,
    distinct,
    lower_first,
    whole,
    without_stop,
)
from core.units import (
    THIN,
    Money,
    duration,
    gib_text,
    grouped,
    money_here,
    money_in,
    plain,
    rate_usd,
    scaled,
    small_usd,
    usd,
    usd_at_most,
    usd_span,
)

EURO = Money("EUR", 0.5)
figures = st.floats(0.0, 1e13)
moneys = st.sampled_from([Money(), EURO, Money("CHF", 0.9)])
digits = st.integers(1, 6)


@given(figures, digits, moneys)
def test_money_reads_as_units_word_it(value: float, n_digits: int, money: Money) -> None:
    with money_here(money):
        assert str(Amount(value, USD, n_digits)) == usd(value, n_digits)
        assert str(Amount(-value, USD, n_digits)) == usd(-value, n_digits)
        assert str(Amount(value, PRICE)) == rate_usd(value)
        assert str(Amount(value, "USD/GB")) == small_usd(value) + "/GB"
        assert str(Amount(value, PRICE_AT_MOST)) == usd_at_most(value)
        assert str(UsdSpan(value, 1.5 * value)) == usd_span(value, 1.5 * value)


@given(figures, digits)
def test_other_units_read_as_units_word_them_in_any_currency(value: float, n_digits: int) -> None:
    with money_here(EURO):
        assert str(Amount(value, digits=n_digits)) == plain(value, n_digits)
        assert str(Amount(value, "GiB", n_digits)) == gib_text(value, n_digits)
        assert str(Amount(value, DURATION)) == duration(value)
        assert str(Amount(value, SCALED, n_digits)) == scaled(value, n_digits)
        assert (str(whole(value)), str(whole(value, "%"))) == (grouped(value), f"{grouped(value)}{THIN}%")


def test_a_sentence_is_worded_anew_in_another_currency() -> None:
    kept = Sentence("{} below {}", Amount(1.2e6, USD), "64 × H100")
    assert str(kept) == f"$1.2{THIN}M below 64 × H100"
    with money_in(EURO):
        assert str(kept) == f"€600{THIN}k below 64 × H100"
    with money_here(Money("CHF", 0.25)):
        assert str(kept) == f"CHF{THIN}300{THIN}k below 64 × H100"
    assert str(kept) == f"$1.2{THIN}M below 64 × H100"


def test_sentences_stand_within_sentences() -> None:
    inner = Sentence("costs {} more", Amount(90.0, USD))
    outer = Sentence("{}, {}{}.", inner, "with {braces}", "")
    with money_here(EURO):
        assert str(outer) == "costs €45.00 more, with {braces}."


def test_sentences_are_the_same_when_words_and_parts_are() -> None:
    one, same = (Sentence("{} days", Amount(3.0, digits=2)) for _ in range(2))
    assert one == same and hash(one) == hash(same)
    assert one != Sentence("{} days", Amount(3.001, digits=2)) and one != Sentence("{} weeks", Amount(3.0, digits=2))
    assert one != "3 days", "a text that is forgotten to be worded is not taken for its words"
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize(
    ("text", "small", "bare"),
    [
        ("Fits now.", "fits now.", "Fits now"),
        (Sentence("Fits at {}.", Amount(2.0, USD)), "fits at $2.00.", "Fits at $2.00"),
        (Amount(2.0, "GiB"), f"2{THIN}GiB", f"2{THIN}GiB"),
        (Sentence("{} sells none.", "Lambda"), "Lambda sells none.", "Lambda sells none"),
        ("FP8 runs nowhere", "FP8 runs nowhere", None),
        ("T4 does not serve in BF16", "T4 does not serve in BF16", None),
        ("A batch", "a batch", None),
        ("", "", ""),
    ],
)
def test_first_letter_and_full_stop(text: Text, small: str, bare: str | None) -> None:
    assert (str(lower_first(text)), str(without_stop(text))) == (small, str(text) if bare is None else bare)


def test_what_reads_the_same_is_told_once_whatever_is_shown() -> None:
    near = [Sentence("{} more", Amount(value, USD)) for value in (2_000_000.0, 2_000_001.0, 3_000_000.0)]
    for money in (Money(), EURO, Money("JPY", 1e-9)):
        with money_here(money):
            assert distinct(["a", *near, "a"]) == ("a", near[0], near[2])
