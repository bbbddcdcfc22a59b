"""An entry as facts: every figure with unit and mark, both sides of a conflict, and where it comes from."""

from dataclasses import replace

import pytest

from core.catalogue.details.facts import MISSING, entry_key, facts_of, short_source, sources_of
from core.catalogue.details.field_words import FIELDS
from core.catalogue.details.side_by_side import best_offer, side_by_side
from core.catalogue.entries import Accelerator
from core.catalogue.loading import TABLES, load_catalogue

CATALOGUE = load_catalogue()


def fact(entry: object, field: str) -> object:
    return next(one for one in facts_of(entry, CATALOGUE) if one.field == field)


def test_every_described_field_is_one_of_the_entry() -> None:
    for model, words in FIELDS.items():
        assert set(words) <= set(model.model_fields)


@pytest.mark.parametrize("table", [name for name, model in TABLES.items() if model in FIELDS])
def test_every_entry_of_every_table_can_be_told_with_its_source(table: str) -> None:
    for entry in getattr(CATALOGUE, table):
        assert all(one.title and one.text for one in facts_of(entry, CATALOGUE))
        assert all(sources_of(entry, CATALOGUE))


def test_a_figure_has_its_unit_and_an_unknown_one_says_so() -> None:
    chip = CATALOGUE.accelerator_by_id["h100-sxm"]
    assert fact(chip, "memory_gb").words == "80 GB"
    without = chip.model_copy(update={"tdp_w": None})
    assert fact(without, "tdp_w").words == MISSING


def test_only_the_estimated_figures_of_a_chip_are_marked() -> None:
    chip = next(c for c in CATALOGUE.accelerators if c.estimated_fields)
    marked = {one.field for one in facts_of(chip, CATALOGUE) if one.estimate}
    assert set(chip.estimated_fields) & set(FIELDS[Accelerator]) <= marked
    assert "memory_gb" not in marked or "memory_gb" in chip.estimated_fields


def test_the_other_value_of_a_conflict_stands_beside_the_one_in_use() -> None:
    conflict = next(c for c in CATALOGUE.conflicts if c.table == "accelerators")
    chip = CATALOGUE.accelerator_by_id[conflict.row]
    assert conflict.other in fact(chip, conflict.field).other
    assert entry_key(chip) == conflict.row


def test_a_long_source_is_told_short() -> None:
    assert short_source("github a/b:path/x.csv@0123 (2026-08-22)") == "github a/b"
    assert short_source("https://example.org/list; read twice") == "https://example.org/list"


def test_side_by_side_marks_the_best_of_each_line() -> None:
    chips = [CATALOGUE.accelerator_by_id[one] for one in ("h100-sxm", "b200-sxm", "tpu-v6e")]
    rows = {row.title: row for row in side_by_side(chips, CATALOGUE)}
    memory = rows["Memory"]
    assert [cell.text for cell in memory.cells] == ["80", "180", "32"]
    assert [cell.is_best for cell in memory.cells] == [False, True, False]
    prices = rows["Cheapest on demand"].cells
    cheapest = [best_offer(CATALOGUE, chip, "on_demand").usd_per_chip_hour for chip in chips]
    assert [cell.is_best for cell in prices] == [usd == min(cheapest) for usd in cheapest]
    assert [cell.offer.usd_per_chip_hour for cell in prices] == cheapest


def test_side_by_side_of_one_chip_calls_nothing_best_and_of_none_priced_shows_no_price() -> None:
    chip = CATALOGUE.accelerator_by_id["h100-sxm"]
    assert not any(cell.is_best for row in side_by_side([chip], CATALOGUE) for cell in row.cells)
    bare = replace(CATALOGUE, offers=())
    assert not any(row.title.startswith("Cheapest") for row in side_by_side([chip], bare))
