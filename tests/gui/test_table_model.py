"""Rows, order, filters and copies of the candidates table."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from core.comparison.result import ResultSet
from gui.tables.columns import columns_of
from gui.tables.copying import as_csv, as_markdown, as_tsv, grid_of
from gui.tables.filters import Filters, choices, count_text, listed
from gui.tables.model import CandidateModel
from tests.gui.sample_results import sample_results


def doubled(results: ResultSet) -> ResultSet:
    """The same chips once more at another seller."""
    more = tuple(
        replace(
            r,
            candidate=replace(
                r.candidate, id=r.id + "-b", offer=r.candidate.offer.model_copy(update={"provider": "lambda"})
            ),
        )
        for r in results.results
    )
    return replace(results, results=results.results + more)


def test_best_of_each_accelerator_by_default_and_all_on_demand() -> None:
    results = doubled(sample_results())
    assert len(listed(results, Filters())) == 11
    assert len(listed(results, Filters(show_all=True))) == 22
    assert count_text(results, listed(results, Filters())) == "8 fit, 3 rejected, of 22 candidates"


def test_the_selected_one_is_listed_even_when_it_is_no_best_one() -> None:
    results = doubled(sample_results())
    chosen = results.results[-1]
    assert chosen in listed(results, Filters(), chosen.id)


@pytest.mark.parametrize(
    ("filters", "n_rows"),
    [
        (Filters(show_all=True, kind="tpu"), 4),
        (Filters(show_all=True, provider="gcp"), 5),
        (Filters(show_all=True, purchase_model="owned"), 1),
        (Filters(show_all=True, text="tpu us-east5"), 3),
        (Filters(show_all=True, text="DEADLINE"), 3),
        (Filters(show_all=True, text="no such thing"), 0),
    ],
)
def test_filters_narrow(filters: Filters, n_rows: int) -> None:
    assert len(listed(sample_results(), filters)) == n_rows


def test_pick_lists_offer_what_is_there() -> None:
    found = choices(sample_results())
    assert ("tpu", "TPU") in found["kind"]
    assert ("coreweave", "CoreWeave") in found["provider"]
    assert ("owned", "Owned") in found["purchase_model"] and ("spot", "Spot") not in found["purchase_model"]


def test_sorting_keeps_rejected_rows_last_and_can_be_undone(qapp: object) -> None:
    model = CandidateModel()
    results = sample_results()
    model.show(results, Filters(), None, ())
    cost = next(n for n, column in enumerate(model.columns) if column.key == "cost")
    model.sort(cost, Qt.SortOrder.AscendingOrder)
    costs = [row.cost.total.likely for row in model.rows if row.feasible]
    assert costs == sorted(costs) and not model.rows[-1].feasible
    model.sort(cost, Qt.SortOrder.DescendingOrder)
    assert model.rows[0].cost.total.likely == max(costs) and not model.rows[-1].feasible
    model.sort(-1)
    assert [row.rank for row in model.rows if row.feasible] == list(range(1, 9))


def test_serving_has_other_units() -> None:
    titles = [column.title for column in columns_of(sample_results(serving=True))]
    assert "ms per token" in titles and "Per month, $M" in titles


def test_copies_hold_values_ranges_and_reasons() -> None:
    results = sample_results()
    grid = grid_of(columns_of(results), listed(results, Filters()))
    assert grid[0][:3] == ["Candidate", "Where", "Chips"] and grid[0][-1] == "Rejected because"
    assert grid[1][0] == "B200" and "1.33–1.70" in grid[1]
    assert grid[-1][-1] == "6 d past the deadline. Fits with 288 chips."
    assert {len(row) for row in grid} == {len(grid[0])}
    assert as_tsv(grid).splitlines()[0].count("\t") == len(grid[0]) - 1
    assert '"CoreWeave us-east, 1-year"' in as_csv(grid)
    lines = as_markdown([["a|b", "c"], ["1", "2"]]).splitlines()
    assert lines == ["| a\\|b | c |", "| --- | --- |", "| 1 | 2 |"]
