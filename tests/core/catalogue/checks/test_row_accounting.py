"""Every row of the lists that were read is in a table, or counted as left out."""

import csv
from pathlib import Path

import pytest

from core.catalogue.checks.row_accounting import Counts, reconciled, reconciled_words
from core.catalogue.loading import load_catalogue, read_catalogue
from core.paths import resources

FIRST_LISTS = 657
FURTHER_OFFERS = 1421
"""Rows of the lists of prices that were read first, and of those read on 2026-11-22."""


@pytest.fixture(scope="module")
def counts() -> Counts:
    return reconciled(load_catalogue(), resources() / "catalogue")


def test_chips_add_up(counts: Counts) -> None:
    assert counts["chips"] == {"listed": 50, "available": 46, "announced": 4, "measured": 16, "all": 66}


def test_hosts_add_up(counts: Counts) -> None:
    hosts = counts["hosts"]
    assert hosts["described"] == 127
    assert hosts["described"] + hosts["price_only"] == hosts["all"] == 540


def test_prices_add_up(counts: Counts) -> None:
    prices = counts["prices"]
    kept = prices["rentable"] + prices["parts"] + prices["history"]
    assert prices["listed"] == kept + prices["left_out"] == FIRST_LISTS + FURTHER_OFFERS
    assert (prices["parts"], prices["history"], prices["derived"], prices["providers"]) == (34, 19, 7, 55)
    assert (prices["rentable"], prices["left_out"]) == (2011, 14)
    assert counts["tpu_prices"] == {"listed": 265, "generations": 7, "regions": 19}


def test_other_tables_add_up(counts: Counts) -> None:
    assert counts["slices"] == {"listed": 236}
    assert counts["regions"] == {"listed": 116}
    assert counts["frameworks"]["listed"] == 89
    assert counts["cost_inputs"]["listed"] == 122
    assert counts["conflicts"]["all"] >= 20
    assert counts["formats"] == {"listed": 469, "used": 469, "left_out": 0, "added": 0}
    assert counts["sellers"] == {"all": 62}
    assert counts["waits"] == {"listed": 93, "used": 87, "left_out": 6, "added": 28}


def test_a_lost_row_is_seen(folder: Path) -> None:
    for name, lost in (("offers", "gcp_v2-8_"), ("parts", "gcp,"), ("left_out", "cost_inputs")):
        path = folder / f"{name}.csv"
        lines = path.read_text(encoding="utf-8").splitlines()
        gone = next(line for line in lines[1:] if line.startswith(lost))
        path.write_text("\n".join(line for line in lines if line is not gone) + "\n", encoding="utf-8")
    found = reconciled(read_catalogue(folder), folder)
    assert found["prices"]["listed"] == FIRST_LISTS + FURTHER_OFFERS - 2
    assert found["tpu_prices"]["listed"] == 264
    assert found["cost_inputs"]["listed"] == 121


def test_a_part_is_no_offer() -> None:
    catalogue = load_catalogue()
    priced = {(offer.provider, offer.instance) for offer in catalogue.offers}
    assert len(catalogue.parts) == 34
    assert not {(part.provider, part.part) for part in catalogue.parts} & priced
    assert all("VM" in f"{part.part} {part.note}" for part in catalogue.parts)


def test_words_tell_every_count(counts: Counts) -> None:
    text = "\n".join(reconciled_words(counts))
    assert "50 listed (46 available, 4 announced) + 16 from measured tables = 66" in text
    assert "127 described + 413 known by price only = 540" in text
    assert "2078 listed = 2011 rentable + 34 of parts + 19 of the past + 14 left out" in text
    assert len(reconciled_words(counts)) == len(counts)


def test_every_row_has_a_source_that_can_be_read() -> None:
    known = load_catalogue().sources
    for path in (resources() / "catalogue").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if "source" in row:
                    assert set(row["source"].split("+")) <= known.keys() and row["as_of"], (path.name, row)
