"""Cells of price lists: numbers as written, prices by way to pay, and what is told of all else."""

import math

import pytest

from core.catalogue.price_lists.price_list import Skipped
from core.catalogue.price_lists.quote import (
    FREE,
    NOT_A_PRICE,
    WITH_COMMA,
    WITH_CURRENCY,
    Cells,
    Quote,
    number,
    positive,
    priced,
    whole,
)


@pytest.mark.parametrize(
    ("text", "above_0", "things"),
    [("", None, None), ("abc", None, None), ("0", None, None), ("-0.5", None, None), ("-3", None, None),
     ("inf", None, None), ("nan", None, None), ("0.4", 0.4, None), ("1", 1.0, 1), ("8.9", 8.9, 8)],
)  # fmt: skip
def test_numbers_above_nothing_and_whole_ones_from_one_on(text: str, above_0: float | None, things: int | None) -> None:
    assert (positive(text), whole(text)) == (above_0, things)


def test_a_number_is_what_is_written() -> None:
    assert number("") is None
    assert math.isnan(number("free") or 0.0)
    assert (number("-2"), number("1e3")) == (-2.0, 1000.0)


COLUMNS = (("Price", "on_demand"), ("Spot", "spot"))


def _priced(price: str, spot: str, may_be_free: bool = False) -> tuple[dict[str, float], tuple[Skipped, ...]]:
    return priced(7, Cells(("Price", "Spot")).of((price, spot)), COLUMNS, may_be_free)


def test_every_way_to_pay_with_a_price_is_taken_and_an_empty_cell_is_none() -> None:
    assert _priced("2.5", "1e-3") == ({"on_demand": 2.5, "spot": 0.001}, ())
    assert _priced("", " ") == ({}, ())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0", FREE), ("0.00", FREE), ("-1", NOT_A_PRICE), ("inf", NOT_A_PRICE), ("ask us", NOT_A_PRICE),
        ("1_0", NOT_A_PRICE), ("50 %", NOT_A_PRICE), ("98,32", WITH_COMMA), ("1,098.32", WITH_COMMA),
        ("1.098,32", WITH_COMMA), ("98.32 EUR", WITH_CURRENCY), ("\u20ac98.32", WITH_CURRENCY),
        ("EUR 98,32", WITH_CURRENCY), ("1.098,32 \u20ac", WITH_CURRENCY), ("$3", WITH_CURRENCY),
    ],
)  # fmt: skip
def test_a_cell_that_is_no_price_is_told_with_its_column_and_text(text: str, why: str) -> None:
    assert _priced(text, "1") == ({"spot": 1.0}, (Skipped(7, f"Price {text}", why),))
    long = "x" * 41
    assert _priced(long, "1")[1] == (Skipped(7, f"Price {'x' * 40}", NOT_A_PRICE),)


def test_a_part_of_a_machine_may_cost_nothing_but_no_less() -> None:
    assert _priced("0", "-1", may_be_free=True) == ({"on_demand": 0.0}, (Skipped(7, "Spot -1", NOT_A_PRICE),))


def test_cells_are_found_by_the_first_column_of_a_name() -> None:
    cells = Cells(("a", "b", "a")).of((" first ", "2"))
    assert [cells[name] for name in ("a", "b", "c")] == ["first", "2", ""]
    assert Cells(("a", "b")).of(("only",))["b"] == ""


@pytest.mark.parametrize(
    ("instance", "chip", "zone", "words"),
    [("p5", "H100", "eu-1a", "p5 eu-1a"), ("", "H100", "", "H100 eu-1"), ("", "", "", "a machine without a name eu-1")],
)
def test_a_quote_is_named_by_its_machine_else_its_chip_and_by_its_zone_else_its_region(
    instance: str, chip: str, zone: str, words: str
) -> None:
    assert Quote((1,), instance, chip, 8, "eu-1", zone, {}).what == words
