"""Rows, order, filters and copies of the candidates table."""

import math
from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import Qt

from core.amounts import USD, Amount, Sentence
from core.catalogue.loading import load_catalogue
from core.catalogue.places.distance import RouteToUsers
from core.comparison.evaluate import evaluate
from core.comparison.result import Chance, ResultSet
from core.comparison.time_measure import TimeMeasure
from core.cost.bill.types import CostPart
from core.ranges import Range
from core.throughput.types import Latency, Reason
from core.units import DASH, Money, money_in
from core.workload.library import more_profiles
from gui.charts.paint.brush import text_width
from gui.tables.candidates.columns import Cell, _time_column, columns_of, grid_of
from gui.tables.candidates.filters import Filters, choices, count_text, listed_rows
from gui.tables.candidates.model import CandidateModel
from gui.tables.copying import as_csv, as_markdown, as_tsv
from tests.gui.sample_results import sample_results


def test_a_cost_with_more_figures_has_room_beside_its_range(qapp: object) -> None:
    """22.43 ran into 17.58-24.72: a service that costs from 3 to 33 thousand a month."""
    results = evaluate(more_profiles()["code-assistant-speculative"], load_catalogue())
    cost = next(one for one in columns_of(results) if one.key == "cost")
    cells = [cost.cell(one) for one in results.best_per_accelerator if one.feasible]
    assert any(len(cell.text) > len("1.48") for cell in cells)
    assert all(text_width(cell.detail) + 4 <= cost.detail_px for cell in cells)


def without_runs(results: ResultSet, *rows: int) -> ResultSet:
    """Some results as where no run was found: no speed, no days, and of the bill some hours of people."""
    changed = list(results.results)
    for row in rows:
        one = changed[row]
        speed = replace(one.throughput, fits=False, tokens_per_s=Range(0.0, 0.0, 0.0))
        cost = replace(one.cost, total=Range(260.0, 289.0, 310.0), unit_usd=0.0002)
        changed[row] = replace(one, throughput=speed, days_to_finish=None, cost=cost)
    return replace(results, results=tuple(changed))


def test_what_runs_nothing_has_no_price_and_sorts_last() -> None:
    """A chip that cannot hold the model was "0.00 (0.00-0.00)" of some million, the cheapest of those rejected."""
    results = without_runs(sample_results(n_feasible=6), 7)
    for key in ("cost", "unit", "time"):
        column = next(one for one in columns_of(results) if one.key == key)
        assert (column.cell(results.results[7]), column.cell(results.results[8]).text == DASH) == (Cell(DASH), False)
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        for key in ("cost", "unit"):
            model = CandidateModel()
            model.show(results, Filters(show_all=True), None, ())
            model.sort([one.key for one in model.columns].index(key), order)
            assert model.rows[len(model.rows) - 1].id == results.results[7].id


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
    assert len(listed_rows(results, Filters())) == 11
    assert len(listed_rows(results, Filters(show_all=True))) == 22
    assert count_text(results, listed_rows(results, Filters())) == "8 can be had, 3 rejected"


def test_the_count_tells_what_is_on_paper_apart() -> None:
    results = with_chances(sample_results())
    paper = [replace(r, obtainable=replace(r.obtainable, status="on paper")) for r in results.results[5:]]
    mixed = replace(results, results=(*results.results[:5], *paper))
    assert count_text(mixed, listed_rows(mixed, Filters())) == "5 can be had, 3 on paper, 3 rejected"
    assert count_text(mixed, [9]) == "1 rejected" and count_text(mixed, []) == ""


def test_limits_and_best_are_told_of_100_draws_and_sort() -> None:
    results = with_chances(sample_results())
    limits, best = (next(c for c in columns_of(results) if c.key == key) for key in ("limits", "best"))
    pick, second, none, rejected = (results.results[row] for row in (0, 1, 7, 8))
    assert (limits.cell(pick), best.cell(pick)) == (Cell("97"), Cell("61", is_strong=True))
    assert (limits.cell(second), best.cell(second)) == (Cell(">99"), Cell("30"))
    assert (limits.cell(none), best.cell(none)) == (Cell("<1"), Cell(DASH))
    assert (limits.cell(rejected), best.cell(rejected)) == (Cell(DASH), Cell(DASH))
    assert limits.cell(replace(pick, chance=Chance(1.0, best=0.61))) == Cell(DASH)  # nothing is there to be kept
    model = CandidateModel()
    model.show(results, Filters(), None, ())
    model.sort([column.key for column in model.columns].index("best"), Qt.SortOrder.AscendingOrder)
    assert [row.id for row in model.rows][:3] == [results.results[row].id for row in (0, 1, 2)]
    model.sort([column.key for column in model.columns].index("limits"), Qt.SortOrder.AscendingOrder)
    assert model.rows[0].id == second.id and not model.rows[-1].feasible
    grid = grid_of(model.columns, [pick])
    assert dict(zip(*grid, strict=True))["Best of all that can be had, of 100 draws"] == "61"


def with_chances(results: ResultSet) -> ResultSet:
    """Chances for those that fit; the last of them takes no part in being the best."""
    shares = ((0.97, 0.61), (0.9999, 0.3), *[(0.5, 0.018)] * 5, (0.004, None))
    chances = [Chance(kept, budget=kept, best=best) for kept, best in shares]
    fit = (replace(r, chance=one) for r, one in zip(results.results, chances, strict=False))
    return replace(results, results=(*fit, *results.results[len(chances) :]))


def test_the_selected_one_is_listed_even_when_it_is_no_best_one() -> None:
    results = doubled(sample_results())
    chosen = results.results[-1]
    assert listed_rows(results, Filters(), chosen.id)[-1] == results.row_of[chosen.id]
    ranked = replace(results, results=tuple(sorted(results.results, key=lambda one: not one.feasible)))
    fits = ranked.results[9]  # the second seller of a chip, which fits
    assert listed_rows(ranked, Filters(), fits.id)[8] == ranked.row_of[fits.id]


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
    assert len(listed_rows(sample_results(), filters)) == n_rows


def test_a_reason_is_found_by_its_amount_in_the_currency_shown(qapp: object) -> None:
    plain = sample_results()
    dear = Reason("budget", Sentence("{} over budget.", Amount(480_000.0, USD)))
    results = replace(plain, results=tuple(r if r.feasible else replace(r, reasons=(dear,)) for r in plain.results))
    model = CandidateModel()

    def n_listed(text: str) -> int:
        model.show(results, Filters(show_all=True, text=text), None, ())
        return model.rowCount()

    assert (n_listed("$480"), n_listed("€240")) == (3, 0)
    with money_in(Money("EUR", 0.5)):
        assert (n_listed("$480"), n_listed("€240")) == (0, 3)


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
    assert "ms per token" in titles and "Per month, $k" in titles


def test_copies_hold_values_ranges_and_reasons() -> None:
    results = sample_results()
    rows = [results.results[row] for row in listed_rows(results, Filters())]
    grid = grid_of(columns_of(results), rows)
    assert grid[0][:3] == ["Candidate", "Where", "Chips"] and grid[0][-1] == "Rejected because"
    assert grid[1][0] == "B200" and "1.33–1.70" in grid[1]
    assert grid[-1][-1] == "6 d past the deadline. Fits with 288 chips."
    assert {len(row) for row in grid} == {len(grid[0])}
    assert as_tsv(grid).splitlines()[0].count("\t") == len(grid[0]) - 1
    assert '"CoreWeave us-east, 1-year"' in as_csv(grid)
    lines = as_markdown([["a|b", "c"], ["1", "2"]]).splitlines()
    assert lines == ["| a\\|b | c |", "| --- | --- |", "| 1 | 2 |"]


def _price_cell(as_of: str, estimate: bool, days: int = 90) -> Cell:
    results = sample_results()
    first = results.results[0]
    offer = first.candidate.offer.model_copy(update={"as_of": as_of, "estimate": estimate})
    changed = replace(first, candidate=replace(first.candidate, offer=offer))
    column = next(c for c in columns_of(results, days, date(2026, 11, 21)) if c.key == "price")
    return column.cell(changed)


def test_each_row_says_how_old_its_price_is_and_whether_it_is_an_estimate() -> None:
    assert _price_cell("2026-11-09", False) == Cell("9 Nov 2026")
    assert _price_cell("2026-11-09", False, days=5) == Cell("\u26a0 9 Nov 2026", is_warning=True)
    assert _price_cell("2024", False) == Cell("\u26a0 2024", is_warning=True)
    assert _price_cell("undated v8", False) == Cell("\u26a0 undated", is_warning=True)
    assert _price_cell("2026-11-09", True) == Cell("Nov 2026, estimate")
    assert _price_cell("", True) == Cell("\u26a0 undated, estimate", is_warning=True)


def test_the_way_to_users_is_a_column_only_where_users_are_known() -> None:
    results = sample_results(serving=True)
    assert "way" not in [column.key for column in columns_of(results)]
    places = results.profile.places.model_copy(update={"user_places": ("tokyo",)})
    known = replace(results, profile=results.profile.model_copy(update={"places": places}))
    column = next(c for c in columns_of(known) if c.key == "way")
    near = replace(known.results[0], route=RouteToUsers(Range(30, 40, 60), Range(80, 90, 99), "London"))
    assert column.cell(near) == Cell("40", "30\u201360")
    assert column.cell(known.results[0]) == Cell("?")
    assert column.sort_keys(replace(known, results=(near, known.results[0]))) == [40, math.inf]
    assert "(est.)" in column.title


def test_the_tip_of_a_row_warns_of_chips_that_are_paid_for_and_not_used() -> None:
    results = sample_results()
    first = results.results[0]
    shares = {"compute": 0.1, "commitment_waste": 0.9}
    parts = tuple(CostPart(name, share * 1e6, "", (), "list", False) for name, share in shares.items())
    idle = replace(first, cost=replace(first.cost, total=Range(9e5, 1e6, 1.1e6), parts=parts))
    model = CandidateModel()
    model.show(replace(results, results=(idle, *results.results[1:])), Filters(), None, ())
    tips = [model.data(model.index(row, 0), Qt.ItemDataRole.ToolTipRole) for row in range(2)]
    assert "\u26a0 Committed chips work" in tips[0] and "\u26a0 Committed" not in tips[1]


def test_copied_tables_run_nothing_and_break_nothing() -> None:
    grid = [["name", "cost"], ["=HYPERLINK(1)", "-5"], ["a\x00b\tc\nd", "@x"]]
    assert as_tsv(grid) == "name\tcost\n'=HYPERLINK(1)\t-5\na\ufffdb c d\t'@x\n"
    assert as_csv(grid) == "name,cost\n'=HYPERLINK(1),-5\na\ufffdb c d,'@x\n"
    assert len(as_markdown(grid).splitlines()) == 4


@pytest.mark.parametrize(
    ("answer_ms", "title", "text"), [(800.0, "ms to an answer", "800"), (87_000.0, "s to an answer", "87")]
)
def test_answers_of_minutes_stand_in_seconds(answer_ms: float, title: str, text: str) -> None:
    """86 559 ran into 65 158–123 202."""
    result = sample_results(serving=True).results[0]
    latency = Latency(answer_ms, 2 * answer_ms, answer_ms, 2 * answer_ms)
    slow = replace(result, throughput=replace(result.throughput, latency=latency))
    column = _time_column(TimeMeasure("answer", "", "ms", None, "", ""), slow)
    cell = column.cell(slow)
    assert (column.title, cell.text) == (title, text) and len(cell.detail) < 12
