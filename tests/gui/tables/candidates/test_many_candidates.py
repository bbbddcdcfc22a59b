"""The candidates table with thousands of rows: nothing is put together or spanned before it is seen."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.columns import SideBySide
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.workload.library import load_profiles
from gui.tables.candidates.columns import FIRST_SPANNED
from gui.tables.candidates.filters import Filters, Words, listed_rows
from gui.tables.candidates.view import CandidateTable
from tests.bench.many_offers import many_offers
from tests.gui.sample_session import themes

EVERY = Filters(show_all=True)
FALLING = Qt.SortOrder.DescendingOrder


def evaluated(name: str = "llama3-70b-pretraining") -> ResultSet:
    return evaluate(load_profiles()[name], many_offers(load_catalogue(), 2000))


def n_made(results: ResultSet) -> int:
    assert isinstance(results.results, SideBySide)
    return results.results.n_made


@pytest.fixture(scope="module")
def results() -> ResultSet:
    """Evaluated once: thousands of results, each put together when it is looked at."""
    return evaluated()


@pytest.fixture
def table(qtbot: QtBot, results: ResultSet) -> CandidateTable:
    return table_of(qtbot, results)


def table_of(qtbot: QtBot, results: ResultSet) -> CandidateTable:
    made = CandidateTable()
    qtbot.addWidget(made)
    made.resize(1000, 360)
    made.show_results(results, EVERY, results.recommendation.choice, themes().theme)
    with qtbot.waitExposed(made):
        made.show()
    return made


def shown(table: CandidateTable) -> range:
    return range(table.rowAt(0), table.rowAt(table.viewport().height() - 1) + 1)


def test_listing_and_sorting_thousands_puts_only_seen_ones_together(qtbot: QtBot) -> None:
    results = evaluated()
    table = table_of(qtbot, results)
    before = n_made(results)
    for column in range(table.candidates.columnCount()):
        table.sortByColumn(column, FALLING)
    assert table.candidates.rowCount() == len(results.results) > 500
    assert n_made(results) - before <= 2 * len(shown(table)) * table.candidates.columnCount()
    assert n_made(results) < len(results.results) / 2


def test_every_column_sorts_by_what_it_shows(results: ResultSet, table: CandidateTable) -> None:
    model = table.candidates
    for number, column in enumerate(model.columns):
        model.sort(number, Qt.SortOrder.AscendingOrder)
        assert sorted(model.order) == list(range(len(results.results)))
        feasible = [row.feasible for row in model.rows]
        assert feasible == sorted(feasible, reverse=True), column.key
        keys = column.sort_keys(results)
        ordered = [keys[row] for row in model.order[: results.n_feasible]]
        assert ordered == sorted(ordered), column.key
    costs = [row.cost.total.likely for row in model.rows]
    model.sort([column.key for column in model.columns].index("cost"), FALLING)
    assert model.rows[0].cost.total.likely == max(costs[: results.n_feasible])


def test_reasons_run_over_the_columns_of_rejected_rows_in_view_alone(
    qtbot: QtBot, results: ResultSet, table: CandidateTable
) -> None:
    wide = table.candidates.columnCount() - FIRST_SPANNED
    assert table.columnSpan(shown(table)[0], FIRST_SPANNED) == 1
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum())
    last = len(results.results) - 1
    assert last in shown(table)
    assert all(table.columnSpan(row, FIRST_SPANNED) == wide for row in shown(table))
    middle = (results.n_feasible + last) // 2
    assert middle not in shown(table) and table.columnSpan(middle, FIRST_SPANNED) == 1
    table.scrollTo(table.candidates.index(middle, 0))
    assert table.columnSpan(middle, FIRST_SPANNED) == wide
    table.sortByColumn(0, FALLING)
    table.scrollToTop()
    assert table.columnSpan(0, FIRST_SPANNED) == 1


def test_the_selection_stays_through_sorting_and_filtering(results: ResultSet, table: CandidateTable) -> None:
    chosen = results.columns.ids[40]
    table.select(chosen)
    table.sortByColumn(3, FALLING)
    assert table.candidates.rows[table.currentIndex().row()].id == chosen
    provider = results.columns.offers[40].provider
    table.show_results(results, Filters(show_all=True, provider=provider), chosen, themes().theme)
    assert table.candidates.rows[table.currentIndex().row()].id == chosen
    assert {row.candidate.offer.provider for row in table.candidates.rows} == {provider}


@pytest.mark.parametrize("text", ["h100 spot", "europe", "needs gib a chip", "deadline", "modelled gcp"])
def test_words_are_found_where_a_reader_sees_them(results: ResultSet, text: str) -> None:
    words = Words(results)
    found = listed_rows(results, Filters(show_all=True, text=text), None, words)
    assert found == listed_rows(results, Filters(show_all=True, text=text.upper()), None, words)
    for row, result in enumerate(results.results):
        read = f"{result.candidate.name} {result.candidate.place} {result.evidence} {result.throughput.bottleneck} "
        read += " ".join(f"{reason.text} {reason.nearest_change}" for reason in result.reasons[:1])
        if all(word in read.lower() for word in text.split()):
            assert row in found, result.id
