"""Sellers and waits: each cell that makes no sense is named, and no guess goes unmarked."""

import csv
from pathlib import Path

import pytest

from core.catalogue.checks.consistency import problems
from core.catalogue.loading import load_catalogue, read_catalogue
from core.errors import InputError
from core.paths import resources
from tests.core.catalogue.conftest import Break

GUESSED = ("memory", "estimate")


def _row(table: str, **cells: str) -> int:
    """Row of the first entry with these cells, as a spreadsheet counts."""
    with (resources() / "catalogue" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return next(n for n, row in enumerate(rows, start=2) if all(row[key] == text for key, text in cells.items()))


@pytest.mark.parametrize(
    ("table", "column", "text"),
    [
        ("sellers", "largest_cluster_chips", "-1"),
        ("sellers", "self_service_chips", "-8"),
        ("sellers", "sla_monthly_pct", "101"),
        ("sellers", "sla_monthly_pct", "0"),
        ("sellers", "sourced_fields", "beauty"),
        ("sellers", "provider", "own"),
        ("sellers", "source", "NOBODY"),
        ("waits", "from_chips", "0"),
        ("waits", "chips", "abacus"),
        ("waits", "provider", "nobody"),
        ("waits", "likely_days", "1e4"),
    ],
)
def test_a_cell_that_makes_no_sense_is_named(folder: Path, put: Break, table: str, column: str, text: str) -> None:
    row = _row(table, provider="lambda")
    put(table, row, column, text)
    wheres = [problem.where for problem in problems(read_catalogue(folder))]
    assert f"{table}.csv, row {row}, field {column}" in wheres


@pytest.mark.parametrize(
    ("table", "column"), [("sellers", "seller_class"), ("sellers", "quality"), ("waits", "way"), ("waits", "kind")]
)
def test_a_word_of_no_closed_set_is_refused(folder: Path, put: Break, table: str, column: str) -> None:
    put(table, 2, column, "whatever")
    with pytest.raises(InputError, match=rf"{table}\.csv, row 2, field {column}"):
        read_catalogue(folder)


@pytest.mark.parametrize("table", ["sellers", "waits"])
def test_a_guess_without_its_mark_is_refused(folder: Path, put: Break, table: str) -> None:
    row = _row(table, quality="memory")
    put(table, row, "estimate", "no")
    assert f"{table}.csv, row {row}, field estimate" in [p.where for p in problems(read_catalogue(folder))]


def test_a_seller_stands_once(folder: Path, put: Break) -> None:
    put("sellers", 3, "provider", "aws")
    assert "sellers.csv, row 3, field provider" in [p.where for p in problems(read_catalogue(folder))]


def test_every_seller_of_an_offer_is_known() -> None:
    catalogue = load_catalogue()
    assert {offer.provider for offer in catalogue.offers} - {"own"} <= set(catalogue.seller_by_provider)


def test_guesses_are_marked() -> None:
    catalogue = load_catalogue()
    assert all(one.estimate for one in (*catalogue.sellers, *catalogue.waits) if one.quality in GUESSED)
    assert all(row.estimate for row in catalogue.waits if row.days_quality not in ("ok", "second-hand"))
