"""Entries of the catalogue and chips side by side as rich text: figures, marks, sources, links, nothing unescaped."""

import re
from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtGui import QTextDocumentFragment

from core.catalogue.catalogue import Catalogue
from core.catalogue.details.side_by_side import side_by_side
from core.catalogue.entries import Entry
from core.catalogue.loading import load_catalogue
from gui.tables.catalogue.lists import VIEWS, View, entries_of, listed
from gui.tabs.catalogue.entry_text import EntryText
from gui.tabs.catalogue.rich_text import link_parts
from gui.tabs.catalogue.side_by_side import BEST, compared
from gui.theme.theme import theme

CATALOGUE, TODAY = load_catalogue(), date(2026, 11, 21)
BY_ID = {view.id: view for view in VIEWS}


def html(entry: Entry, catalogue: Catalogue = CATALOGUE, days: int = 90) -> str:
    return EntryText(catalogue, theme("light"), TODAY, days).entry(entry)


def words(entry: Entry, catalogue: Catalogue = CATALOGUE, days: int = 90) -> str:
    return QTextDocumentFragment.fromHtml(html(entry, catalogue, days)).toPlainText().replace("\u00a0", " ")


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.id)
def test_every_entry_can_be_written_out_with_source_and_date(view: View) -> None:
    for entry in entries_of(view, CATALOGUE)[::7]:
        text = words(entry)
        assert "Source" in text and "As of" in text and "None" not in text


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.id)
def test_every_link_leads_to_a_row_or_a_list_that_is_there(view: View) -> None:
    keys = {one.id: {row.key for row in listed(one, CATALOGUE, TODAY, 90).rows} for one in VIEWS}
    for entry in entries_of(view, CATALOGUE)[::11]:
        for link in re.findall(r'href="([^"]+)"', html(entry)):
            target, first, *rest = link_parts(link)
            assert (first in BY_ID and rest) if target == "list" else first in keys[target], link


def test_both_values_of_a_conflict_stand_with_their_source() -> None:
    conflict = next(c for c in CATALOGUE.conflicts if (c.table, c.row) == ("accelerators", "h100-sxm"))
    text = words(CATALOGUE.accelerator_by_id["h100-sxm"])
    assert f"another source says {conflict.other} (" in text


def test_estimates_are_marked_figure_by_figure() -> None:
    chip = next(c for c in CATALOGUE.accelerators if c.id == "h100-nvl")
    lines = words(chip).splitlines()
    bf16 = lines[lines.index("BF16, dense") + 1]
    memory = lines[lines.index("Memory") + 1]
    assert bf16.endswith("estimate") and not memory.endswith("estimate")


def test_the_price_history_of_p5_is_told() -> None:
    offer = next(o for o in CATALOGUE.offers if o.instance == "p5.48xlarge" and o.purchase_model == "on_demand"
                 and o.region == "us-east-1")  # fmt: skip
    text = words(offer)
    assert "$98.32" in text and "until 4 Jun 2025" in text
    assert "$55.04" in text and "from 5 Jun 2025 still so" in text
    assert words(CATALOGUE.host_by_instance["aws", "p5.48xlarge"]).count("still so") >= 1


def test_a_chip_is_told_with_sellers_software_slices_and_places() -> None:
    text = words(CATALOGUE.accelerator_by_id["tpu-v5p"])
    for section in (
        "Chip hour by seller and way to pay",
        "Software",
        "Number formats",
        "Slices",
        "Where it can be had",
    ):
        assert section in text
    assert "MaxText" in text and "GCP" in text
    assert "Server to buy" in words(CATALOGUE.accelerator_by_id["b200-sxm"])


def test_a_chip_without_a_price_says_so() -> None:
    bare = replace(CATALOGUE, offers=())
    assert "No price is known for this chip." in words(CATALOGUE.accelerator_by_id["h100-sxm"], bare)


def test_old_undated_and_announced_are_told_in_sentences() -> None:
    offer = CATALOGUE.offers[0]
    old = offer.model_copy(update={"as_of": "2026-10-01"})
    assert "confirm it with the seller" in words(old, days=30) and "confirm" not in words(old, days=90)
    assert "undated" in words(offer.model_copy(update={"as_of": ""}))
    chip = next(c for c in CATALOGUE.accelerators if c.announced)
    assert "Announced, not yet for rent" in words(chip)


def test_what_somebody_typed_is_not_taken_for_markup() -> None:
    chip = CATALOGUE.accelerator_by_id["h100-sxm"].model_copy(update={"name": "<b>1 & 2</b>", "note": "<img src=x>"})
    assert "<b>1 & 2</b>" in words(chip) and "<img src=x>" in words(chip)


def test_chips_side_by_side_tick_the_best_mark_estimates_and_list_sources() -> None:
    chips = [CATALOGUE.accelerator_by_id[one] for one in ("h100-nvl", "b200-sxm", "tpu-v6e", "mi300x")]
    shown = QTextDocumentFragment.fromHtml(compared(chips, CATALOGUE, theme("dark"), TODAY, 90)).toPlainText()
    n_best = sum(cell.is_best for row in side_by_side(chips, CATALOGUE) for cell in row.cells)
    assert shown.count(BEST) == n_best + 1, "one in the note below"
    assert all(chip.short_name in shown for chip in chips)
    assert "over 90 days old" in shown and "TensorWave, " in shown
    assert "est." in shown and "Sources of the chips' figures" in shown


def test_a_place_names_its_nearest_neighbours_with_prices_and_the_way_there() -> None:
    text = words(CATALOGUE.region_by_name["gcp", "asia-east2"])
    near = text[text.index("Nearest places with prices") :]
    assert [name for name in ("Taiwan", "Seoul", "Singapore", "Osaka") if name in near] == [
        "Taiwan", "Seoul", "Singapore", "Osaka"
    ]  # fmt: skip
    assert near.index("Taiwan") < near.index("Singapore")
    assert "ms est." in near
    assert "H100 SXM" in near


def test_a_place_without_coordinates_names_no_neighbours() -> None:
    assert "Nearest places" not in words(CATALOGUE.region_by_name["hyperstack", "US-1"])
