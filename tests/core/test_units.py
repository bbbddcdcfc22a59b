"""Money in a currency of one's own: one place converts, and a rate is told."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.units import (
    MINUS,
    THIN,
    Money,
    factor_text,
    grouped,
    in_hundred,
    is_thousands,
    money_in,
    ms_words,
    parse_number,
    plain,
    rate_as_read,
    rate_usd,
    rounded_up,
    scaled,
    shown_money,
    small_usd,
    unit_of,
    usd,
    usd_at_least,
    usd_at_most,
    usd_span,
)

EURO = Money("EUR", 0.92, "2026-11-21")


def test_money_is_us_dollars_unless_somebody_says_otherwise() -> None:
    assert shown_money() == Money()
    assert usd(1_480_000) == f"$1.48{THIN}M"
    assert usd(-5) == f"{MINUS}$5.00"
    assert shown_money().rate_words == ""


@pytest.mark.parametrize(
    ("money", "text"),
    [
        (EURO, f"€920{THIN}k"),
        (Money("HKD", 7.8), f"HK$7.8{THIN}M"),
        (Money("JPY", 150.0), f"¥150{THIN}M"),
        (Money("CHF", 0.8), f"CHF{THIN}800{THIN}k"),
    ],
)
def test_a_million_dollars_in_other_currencies(money: Money, text: str) -> None:
    with money_in(money):
        assert usd(1e6) == text
    assert usd(1e6) == f"$1{THIN}M"


def test_the_rate_is_told_with_its_day() -> None:
    assert EURO.rate_words == "1 USD = 0.92 EUR, typed on 2026-11-21"
    assert Money("JPY", 149.5).rate_words == "1 USD = 149.5 JPY"
    assert Money("EUR", 0.923456789).rate_words == "1 USD = 0.923457 EUR"


def test_small_prices_keep_their_digits_and_offers_are_rounded_down() -> None:
    with money_in(EURO):
        assert small_usd(0.0051) == "€0.00469"
        assert usd_at_most(2.0) == "€1.84"
        assert usd_at_most(2.01) == "€1.84"
    assert usd_at_most(2.049) == "$2.04"
    assert [small_usd(price) for price in (0.2, 0.138, 0.005, 0.9999)] == ["$0.20", "$0.138", "$0.005", "$1.00"]


def test_the_old_currency_is_back_after_an_error() -> None:
    with pytest.raises(ValueError, match="boom"), money_in(EURO):
        raise ValueError("boom")
    assert shown_money().is_usd


def test_amounts_may_be_typed_with_their_currency() -> None:
    assert parse_number("USD 1.2M") == 1.2e6
    assert parse_number("$64") == 64


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1.3e6, 1.7e6, f"$1.3–1.7{THIN}M"),
        (9e5, 1.2e6, f"$900{THIN}k–$1.2{THIN}M"),
        (2.4, 3.5, "$2.40–3.50"),
        (950, 1200, f"$950–$1.2{THIN}k"),
        (-5, 5, f"{MINUS}$5.00–$5.00"),
        (0, 3e5, f"$0–300{THIN}k"),
        (0, 64, "$0–64.00"),
    ],
)
def test_a_range_says_sign_and_scale_once_where_they_are_shared(low: float, high: float, text: str) -> None:
    assert usd_span(low, high) == text


def test_a_range_in_a_currency_named_by_its_code() -> None:
    with money_in(Money("CHF", 0.8)):
        assert usd_span(1e6, 2e6) == f"CHF{THIN}800{THIN}k–CHF{THIN}1.6{THIN}M"
        assert usd_span(2e6, 3e6) == f"CHF{THIN}1.6–2.4{THIN}M"


@pytest.mark.parametrize(
    ("words", "size"),
    [
        (("k", "thousand"), 1e3), (("M", "million"), 1e6), (("B", "G", "bn", "billion"), 1e9),
        (("T", "trillion"), 1e12), (("Q", "quadrillion"), 1e15), (("",), 1.0),
    ],
)  # fmt: skip
def test_every_word_of_size_counts_for_what_it_says(words: tuple[str, ...], size: float) -> None:
    for word in words:
        assert parse_number(f"2.5{word}") == parse_number(f"2,5 {word.upper()}") == 2.5 * size
        assert parse_number(f"{MINUS}1{THIN}200 {word}") == -1200 * size


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0,864", 0.864), ("-0,215", -0.215), ("00,125", 0.125), ("2,625 million", 2.625e6), ("2,625M", 2.625e6),
        ("1,125e3", 1125.0), ("2,5", 2.5), ("2,74", 2.74), ("2,7495", 2.7495), ("1 250,500", 1250.5),
        ("1.250,50", 1250.5), ("1,250.50", 1250.5), ("2.625.000", 2.625e6), ("2,625,000", 2.625e6),
        ("2.625.000,5", 2625000.5), ("1,250,000 k", 1.25e9), ("1.250,5 M", 1250.5e6), ("2.749", 2.749),
        ("2,749", 2749.0), ("$2,749", 2749.0), ("-12,500", -12500.0),
    ],
)  # fmt: skip
def test_a_comma_parts_decimals_unless_thousands_are_meant(text: str, value: float) -> None:
    assert parse_number(text) == pytest.approx(value)


def test_a_comma_that_may_be_either_is_known_and_may_be_said_to_part_decimals() -> None:
    assert parse_number("2,749", has_decimal_comma=True) == 2.749
    assert parse_number("2,749,000", has_decimal_comma=True) == 2749000
    assert all(map(is_thousands, ("2,749", "$2,749", "-12,500")))
    assert not any(map(is_thousands, ("0,749", "2,749,000", "2,749.5", "2,749 M", "2.749", "2,74")))


@pytest.mark.parametrize("text", ["0,864,000", "1,25.5", "1.25,5.5", "1,2,3", "12,34,567", ",", "0.864,5"])
def test_marks_in_no_order_are_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        parse_number(text)


@pytest.mark.parametrize("text", ["", "k", "1.2.3", "12 dozen", "1e", "--1", "1 000 x"])
def test_what_is_no_number_is_told_as_it_was_typed(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"'{text}' is not a number")):
        parse_number(text)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (-1234.5, 1, f"{MINUS}1|234.5"),
        (-0.4, 0, "0"),
        (-0.5001, 0, f"{MINUS}1"),
        (0.0, 2, "0.00"),
        (1e6, 0, "1|000|000"),
    ],
)
def test_a_minus_stands_only_before_what_is_not_nothing(value: float, decimals: int, text: str) -> None:
    assert grouped(value, decimals) == text.replace("|", THIN)


@pytest.mark.parametrize(
    ("number", "unit", "words"),
    [
        ("1", "runs", "run"), ("2", "runs", "runs"), ("1", "people", "person"), ("1", "batches", "batch"),
        ("1", "times/day", "time/day"), ("1", "ms", "ms"), ("1", "GB/s", "GB/s"), ("1", "USD/week", "USD/week"),
        ("1", "", ""), ("0", "hours", "hours"),
    ],
)  # fmt: skip
def test_a_unit_agrees_with_its_number(number: str, unit: str, words: str) -> None:
    assert unit_of(number, unit) == words


@pytest.mark.parametrize(
    ("value", "wanted"), [(516_432.0, 517_000.0), (516_000.0, 516_000.0), (0.0, 0.0), (99_950.0, 100_000.0), (1.0, 1.0)]
)
def test_what_must_be_enough_is_rounded_up(value: float, wanted: float) -> None:
    assert rounded_up(value) == wanted
    assert usd_at_least(value) == usd(wanted)


@pytest.mark.parametrize(
    ("value_ms", "words"),
    [
        (0.5, "0.5 ms"),
        (9_940.0, "9 940 ms"),
        (9_994.0, "9 990 ms"),
        (9_996.0, "10 s"),
        (10_000.0, "10 s"),
        (25_000.0, "25 s"),
        (119_700.0, "2 min"),
        (150_000.0, "2 min 30 s"),
        (3_600_000.0, "60 min"),
        (9_000_000.0, "2.5 h"),
    ],
)
def test_a_latency_of_minutes_is_told_in_minutes(value_ms: float, words: str) -> None:
    assert ms_words(value_ms).replace(THIN, " ") == words


def test_a_factor_has_the_digits_that_its_product_needs() -> None:
    """16 x 22 h x $6.69 stood beside $2.31 k, and 16 x 1 680 tok/s beside 26.8 k/s."""
    hours, chips, price = 21.58, 16, 6.69
    assert factor_text(hours, chips * price, usd(hours * chips * price), usd) == "21.6"
    assert factor_text(1677.0, 16, scaled(1677.0 * 16), scaled) == f"1{THIN}677"
    assert factor_text(2.0, 3.0, "6", plain) == "2"
    assert factor_text(1 / 3, 3.0, "something else", plain) == "0.333", "no number of digits helps"


@given(st.floats(1e-3, 1e5), st.integers(1, 4096), st.floats(0.05, 99.0))
def test_a_factor_as_told_gives_the_product_as_told(hours: float, n_chips: int, price: float) -> None:
    others = n_chips * rate_as_read(price)
    told = factor_text(hours, others, usd(hours * others), usd)
    assert usd(float(told.replace(THIN, "")) * others) == usd(hours * others)


@given(st.floats(0.01, 1e9), st.sampled_from([Money(), EURO, Money("JPY", 150.0)]))
def test_a_rate_as_read_is_the_one_written(rate: float, money: Money) -> None:
    with money_in(money):
        read = parse_number(rate_usd(rate).removeprefix(money.sign))
        assert rate_as_read(rate) * money.per_usd == pytest.approx(read)


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0, "0 of 100"), (0.004, "<1 of 100"), (0.5, "50 of 100"), (0.997, ">99 of 100"), (1.0, "100 of 100")],
)
def test_shares_are_counted_in_a_hundred(share: float, words: str) -> None:
    assert in_hundred(share) == words
