"""The sensitivity of the paper: inputs, ranges and words of the What-if tab, and totals that an evaluation gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.comparison.evaluate import evaluate
from core.comparison.recommendation.flip_points import study_of
from core.comparison.together.plan_answer import answer_of
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.words import title_of, value_words
from core.report.blocks import Cell, Document, Table
from core.report.ledger import Ledger, ledger_of, units_text
from core.report.pages.flip_rows import changes_at

Row = tuple[Cell, ...]


@pytest.fixture(scope="module")
def ledger(results) -> Ledger:
    answer = answer_of(list(results.values()))
    assert answer is not None
    return ledger_of(answer)


def table_of(document: Document, title: str) -> list[Row]:
    (section,) = (one for one in document.sections if one.id == "risk")
    tables = (block for block in section.blocks if isinstance(block, Table))
    return list(next(table.rows for table in tables if table.columns[0].title == title))


@pytest.fixture(scope="module")
def inputs(results) -> dict[tuple[str, str], Input]:
    """Those of the tab, by workload and title."""
    studies = [study_of(one, one.recommendation.choice, None) for one in results.values()]
    return {(one.results.profile.name, title_of(moved)): moved for one in studies if one for moved in one.inputs}


def test_inputs_ranges_and_words_are_those_of_the_tab(document, inputs) -> None:
    rows = table_of(document, "Input")
    assert len(rows) >= 5
    for name, low, now, high, *_ in rows:
        whose, _, estimate = name.second.partition(", ")
        one = inputs[whose, name.text]
        assert [low.text, now.text, high.text] == [str(value_words(one, at)) for at in (one.low, one.now, one.high)]
        assert (estimate == "estimate") == one.is_estimate


def test_the_widest_comes_first_and_nothing_that_moves_no_unit(document, ledger) -> None:
    spans = []
    for row in table_of(document, "Input"):
        ends = [int(cell.text.replace("\u202f", "")) for cell in row[4:6]]
        spans.append(max(*ends, ledger.total) - min(*ends, ledger.total))
        assert spans[-1] > 0
    assert spans == sorted(spans, reverse=True)


def test_a_total_is_what_an_evaluation_at_that_price_comes_to(document, results, catalogue, ledger, inputs) -> None:
    train = results["train"]
    pick = train.choice
    title = f"Price of {pick.candidate.accelerator.short_name} per chip hour"
    row = next(one for one in table_of(document, "Input") if one[0].text == title and "Train" in one[0].second)
    one = inputs[train.profile.name, title]
    factor, chip = one.high / one.now, pick.candidate.accelerator.id
    offers = tuple(
        offer.model_copy(
            update={
                "usd_per_chip_hour": factor * offer.usd_per_chip_hour,
                "usd_per_host_hour": factor * offer.usd_per_host_hour,
            }
        )
        if offer.accelerator_id == chip
        else offer
        for offer in catalogue.offers
    )
    dearer = evaluate(train.profile, replace(catalogue, offers=offers)).by_id[pick.id]
    more = ledger.in_units(dearer.cost.total.likely - pick.cost.total.likely)
    assert row[5].text == units_text(ledger.total + more)
    assert row[-1].text == changes_at(train, one.id)


def test_a_risk_costs_what_the_sensitivity_says(document, ledger) -> None:
    rows = {(row[0].text, row[0].second.partition(",")[0]): row for row in table_of(document, "Input")}
    for risk in table_of(document, "Risk"):
        kind, what, cost = risk[0].text, risk[1].text, risk[3].text
        if kind not in ("Price", "Speed"):
            continue
        whose = what.rpartition(", ")[2]
        row = next(row for (title, own), row in rows.items() if own == whose and title.startswith(kind))
        worst = max(int(cell.text.replace("\u202f", "")) for cell in row[4:6])
        assert cost == f"over {units_text(worst - ledger.total)}"
