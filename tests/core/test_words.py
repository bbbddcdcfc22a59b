"""Numbers agree with their nouns, and what is too small or too large to be told is not told to the digit."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest

from core import amounts
from core.amounts import MEMORY, PRICE, PRICE_AT_MOST, PRICE_PER_CHIP_HOUR, Amount, Counted, Sentence
from core.catalogue.loading import load_catalogue
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.units import (
    LONGEST_DAYS,
    THIN,
    WHOLE_DAYS_FROM,
    Money,
    counted,
    day_after,
    days_span,
    days_text,
    duration,
    gib_text,
    money_here,
    noun,
    plain,
    price_text,
    usd,
    usd_at_most,
)
from core.workload.library import load_profiles

PLURALS = "weeks|days|runs|chips|months|replicas|offers|kernels|rules|hosts|places|sellers|batches|points"
NUMBERS = (0, 0.04, 0.5, 0.999, 1, 1.004, 1.5, 2, 1e6)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (counted(0, "week"), "0 weeks"),
        (counted(1, "week"), "1 week"),
        (counted(2, "week"), "2 weeks"),
        (counted(0.5, "week", digits=2), "0.5 weeks"),
        (counted(0.999, "week", digits=2), "1 week"),
        (counted(1.004, "week", digits=3), "1 week"),
        (counted(1, "batch", "batches"), "1 batch"),
        (counted(0.04, "batch", "batches", 2), "0.04 batches"),
        (counted(1e6, "run"), f"1{THIN}000{THIN}000 runs"),
        (noun("1", "day") + noun("1.5", "day"), "daydays"),
    ],
)
def test_a_noun_agrees_with_the_number_that_is_read(text: str, wanted: str) -> None:
    assert text == wanted


@pytest.mark.parametrize("value", NUMBERS)
@pytest.mark.parametrize("digits", [0, 2, 3])
def test_no_counted_amount_disagrees_with_its_noun(value: float, digits: int) -> None:
    text = str(Sentence("It takes {}.", Counted(value, "batch", "batches", digits)))
    match = re.fullmatch(r"It takes (.+) (batch|batches)\.", text)
    assert match and (match[1] == "1") == (match[2] == "batch")


@pytest.mark.parametrize(
    ("gib", "wanted"),
    [(78.4, "78.4 GiB"), (1203.0, "1|200 GiB"), (9_990.0, "9|990 GiB"), (28_300.0, "27.6 TiB"), (28.3e9, "26.4 EiB")],
)
def test_memory_is_told_in_a_unit_that_can_be_read(gib: float, wanted: str) -> None:
    assert gib_text(gib) == wanted.replace(" ", THIN).replace("|", THIN)
    assert str(Amount(gib, MEMORY)) == gib_text(gib)


def test_memory_beyond_every_unit_is_told_as_such() -> None:
    assert gib_text(1e300) == f"more than 10{THIN}000{THIN}EiB"


def test_a_price_below_a_cent_is_not_told_as_nothing() -> None:
    assert usd_at_most(0.002) == price_text(0.004) == "under $0.01"
    assert str(Amount(0.002, PRICE_AT_MOST)) == str(Amount(0.002, PRICE_PER_CHIP_HOUR)) == "under $0.01"
    assert (usd_at_most(0.01), usd_at_most(0.0199), usd_at_most(0.00999)) == ("$0.01", "$0.01", "under $0.01")
    assert usd_at_most(0.0) == price_text(0.0) == usd(0.0) == usd(-0.0) == "$0"
    rates = {
        3.74468: "$3.7447",
        112.5: "$112.50",
        0.02: "$0.02",
        6.69: "$6.69",
        5.0: "$5.00",
        4500.0: f"$4{THIN}500.00",
        95432.4: f"$95.432{THIN}k",
        1.2e6: f"$1.2{THIN}M",
    }
    assert {rate: str(Amount(rate, PRICE)) for rate in rates} == rates and str(Amount(0.0, PRICE)) == "$0"
    assert price_text(2.04) == usd(2.04) and price_text(0.006) == "$0.01"
    with money_here(Money("JPY", 150.0)):
        assert price_text(0.004) == "¥0.60"


@pytest.mark.parametrize(
    ("hours", "wanted"),
    [(0.5, "30|min"), (1.0, "1|h"), (7.52, "7.5|h"), (47.9, "48|h"), (48.0, "2|d"), (24 * 36.44, "36.4|d"),
     (24 * 729.0, "729|d"), (24 * 730.0, "2|years")],
)  # fmt: skip
def test_durations_in_the_unit_of_their_size(hours: float, wanted: str) -> None:
    assert duration(hours) == wanted.replace("|", THIN)


def test_nothing_is_dated_beyond_a_century() -> None:
    start = date(2026, 11, 21)
    assert day_after(start, 46.9) == date(2027, 1, 7) and day_after(start, 46.4) == date(2027, 1, 6)
    assert day_after(start, LONGEST_DAYS) == date(2126, 10, 28)
    assert day_after(start, LONGEST_DAYS + 1) is None
    assert day_after(start, 1e300) is None
    assert day_after(date(9999, 12, 1), 30.0) == date.max and day_after(date(9999, 12, 1), 31.0) is None
    assert duration(24 * 365.0 * 1e6) == "over a century" and duration(24 * 365.0 * 50).endswith("years")


@pytest.mark.parametrize(
    ("days", "wanted"),
    [(36.4, "36"), (4.26, "4.3"), (0.04, "0.04"), (36_500.0, "36|500"), (884_000.0, "36|500+"), (1e12, "36|500+"),
     (9.95, "10"), (9.94, "9.9"), (0.05, "0.1"), (0.0, "0"), (1234.0, "1|234")],
)  # fmt: skip
def test_days_are_told_up_to_a_century(days: float, wanted: str) -> None:
    assert days_text(days) == wanted.replace("|", THIN)
    whole = days_text(days) if days >= WHOLE_DAYS_FROM else plain(days, 2)
    assert str(amounts.days(days)) == (f"{whole} days" if days < 40_000 else "over a century")


def test_a_range_of_centuries_is_one_text() -> None:
    assert days_span(33.0, 42.4) == "33–42"
    assert days_span(40_000.0, 884_000.0) == f"36{THIN}500+"
    assert days_span(30_000.0, 884_000.0) == f"30{THIN}000–36{THIN}500+"


@pytest.mark.parametrize("name", ["llama3-70b-finetune", "chat-serving-8b"])
def test_no_text_of_a_comparison_says_one_of_many(name: str) -> None:
    """Every text of a whole comparison: ``1 chips``, ``1 of 1 places`` and ``$0.00 per chip hour`` stand nowhere."""
    told = json.dumps(to_json(evaluate(load_profiles()[name], load_catalogue())), ensure_ascii=False)
    assert not re.search(rf"(?<![\d.,{THIN}–])1[ {THIN}]({PLURALS})\b", told)
    assert "$0.00 per" not in told
