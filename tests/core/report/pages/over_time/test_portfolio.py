"""The page of the portfolio."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.result import ResultSet
from core.plan.edit import set_value
from core.plan.plan import Plan
from core.report.blocks import Document, Section, Table
from core.report.document import PRESETS, build
from core.workload.portfolio import Portfolio
from tests.core.report.attacker import read_amount

TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def shared(plan: Plan) -> Plan:
    return plan.model_copy(update={"portfolio": Portfolio(shared_chips=16)})


def _page(document: Document) -> Section | None:
    return next((one for one in document.sections if one.id == "portfolio"), None)


def test_ways_and_cash_stand_on_a_page(shared: Plan, results: dict[str, ResultSet], catalogue: Catalogue) -> None:
    page = _page(build(shared, results, catalogue, TODAY, ["portfolio"]))
    assert page is not None and page.title == "Portfolio"
    ways, cash, *_ = (block for block in page.blocks if isinstance(block, Table))
    assert [one.title for one in ways.columns][1:] == [
        "Each on its own pick", "Split pools", "One pool, held at its peak", "One pool, base and burst",
        "Shared cluster of 16",
    ]  # fmt: skip
    *quarters, whole = cash.rows
    for column in range(1, len(whole)):
        told = sum(read_amount(row[column].text) for row in quarters)
        assert told == pytest.approx(read_amount(whole[column].text), rel=1e-9)
    for row in cash.rows:
        *parts, due = (read_amount(cell.text) for cell in row[1:])
        assert sum(parts) == pytest.approx(due, rel=1e-9)


def test_plans_without_a_portfolio_have_no_page_and_paper_for_finance_has(
    plan: Plan, shared: Plan, results: dict[str, ResultSet], catalogue: Catalogue
) -> None:
    assert _page(build(plan, results, catalogue, TODAY, ["portfolio"])) is None
    assert {name for name, pages in PRESETS.items() if "portfolio" in pages} == {"finance", "full"}
    assert _page(build(shared, results, catalogue, TODAY, ["decision"])) is None


def test_a_chip_on_which_nothing_runs_is_told(
    shared: Plan, results: dict[str, ResultSet], catalogue: Catalogue
) -> None:
    page = _page(build(set_value(shared, "portfolio.chip", "gone"), results, catalogue, TODAY, ["portfolio"]))
    assert page is not None and "no option of gone" in str(page.blocks[0])
