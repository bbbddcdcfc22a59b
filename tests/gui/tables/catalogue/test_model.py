"""The catalogue's lists: numbers sort by value, unknown ones last, words and picks narrow, marks tell."""

from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import Qt

from core.catalogue.loading import load_catalogue
from gui.tables.catalogue.delegate import cell_colour
from gui.tables.catalogue.lists import VIEWS, Narrowing, View, entries_of, listed, narrowed
from gui.tables.catalogue.model import ESTIMATE_TIP, EntryModel

CATALOGUE, TODAY = load_catalogue(), date(2026, 11, 21)
BY_ID = {view.id: view for view in VIEWS}


def model_of(view: View) -> EntryModel:
    found, model = listed(view, CATALOGUE, TODAY, 90), EntryModel()
    model.show(found.columns, found.rows)
    return model


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.id)
def test_every_list_holds_its_whole_table_and_every_cell_has_words(view: View) -> None:
    model = model_of(view)
    assert model.rowCount() == len(entries_of(view, CATALOGUE)) > 0
    assert all(isinstance(text, str) for row in model.rows for text in row.texts)
    assert model.headerData(0, Qt.Orientation.Horizontal) == model.columns[0].title


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.id)
def test_every_column_sorts_both_ways_and_unknown_values_stay_last(view: View) -> None:
    model = model_of(view)
    for number, column in enumerate(model.columns):
        for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
            model.sort(number, order)
            keys = [row.sort_value(number) for row in model.rows]
            known = [key for key in keys if key is not None]
            assert keys[: len(known)] == known
            assert known == sorted(known, reverse=order == Qt.SortOrder.DescendingOrder), column.key
    model.sort(-1)
    assert [row.entry for row in model.rows] == list(entries_of(view, CATALOGUE))


def test_prices_sort_by_value_and_not_by_text() -> None:
    model = model_of(BY_ID["offers"])
    number = [column.key for column in model.columns].index("host_price")
    model.sort(number, Qt.SortOrder.DescendingOrder)
    assert model.rows[0].entry.usd_per_host_hour == max(offer.usd_per_host_hour for offer in CATALOGUE.offers)


def test_every_word_of_a_search_must_be_found() -> None:
    found = listed(BY_ID["offers"], CATALOGUE, TODAY, 90)
    rows = narrowed(found.rows, Narrowing("H100 AWS spot"), CATALOGUE)
    assert rows
    assert {(row.entry.provider, row.entry.purchase_model) for row in rows} == {("aws", "spot")}


def test_picks_and_marks_narrow_together() -> None:
    found = listed(BY_ID["offers"], CATALOGUE, TODAY, 90)
    tpu = narrowed(found.rows, Narrowing(picks=(("kind", "tpu"), ("purchase_model", "commit_1y"))), CATALOGUE)
    assert tpu
    assert all(CATALOGUE.accelerator_by_id[row.entry.accelerator_id].kind == "tpu" for row in tpu)
    estimates = narrowed(found.rows, Narrowing(mark="estimate"), CATALOGUE)
    assert {row.entry.estimate for row in estimates} == {True}


def test_old_and_undated_prices_are_marked_by_the_days_asked_for() -> None:
    offer = CATALOGUE.offers[0].model_copy(update={"as_of": "2026-11-01"})
    undated = offer.model_copy(update={"id": "undated", "as_of": "undated v8"})
    small = replace(CATALOGUE, offers=(offer, undated))
    fresh, strict = (listed(BY_ID["offers"], small, TODAY, days).rows for days in (90, 7))
    assert [("old" in row.marks, "undated" in row.marks) for row in fresh] == [(False, False), (False, True)]
    assert "old" in strict[0].marks


def test_own_entries_and_those_of_a_price_book_say_so() -> None:
    offers = tuple(CATALOGUE.offers[n].model_copy(update={"layer": layer}) for n, layer in enumerate(("plan", "book")))
    rows = listed(BY_ID["offers"], replace(CATALOGUE, offers=offers), TODAY, 90).rows
    assert [row.marks & {"yours", "price book"} for row in rows] == [{"yours"}, {"price book"}]


def test_rows_are_copied_as_shown() -> None:
    model = model_of(BY_ID["servers"])
    header, first, *rest = model.grid()
    assert header[0] == "Chip" and first[0] == model.rows[0].texts[0] and len(rest) == len(CATALOGUE.servers) - 1


def test_old_prices_stand_in_the_colour_of_a_warning() -> None:
    found = listed(BY_ID["offers"], CATALOGUE, TODAY, 90)
    age = [column.key for column in found.columns].index("age")
    old = next(row for row in found.rows if "old" in row.marks)
    fresh = next(row for row in found.rows if not row.marks)
    assert (cell_colour(old, age), cell_colour(fresh, age)) == ("warn", "ink")
    assert cell_colour(old, [column.key for column in found.columns].index("marks")) == "warn"


def test_estimated_figures_say_so_on_hover() -> None:
    model = model_of(BY_ID["chips"])
    number, column = next((n, min(row.estimated)) for n, row in enumerate(model.rows) if row.estimated)
    tip = model.data(model.index(number, column), Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith(ESTIMATE_TIP) and tip != ESTIMATE_TIP
