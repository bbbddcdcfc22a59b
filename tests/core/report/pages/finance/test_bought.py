"""Steps and risks of hardware that is bought or there: "Own servers" is nobody's name."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.whom_to_ask import asked_of, is_own, is_there
from core.comparison.result import Lead, ResultSet
from core.comparison.together.plan_answer import answer_of
from core.plan.plan import Plan
from core.report.blocks import Table
from core.report.having_words import letter_words
from core.report.ledger import ledger_of
from core.report.pages.context import PageContext
from core.report.pages.finance.risks import _done_row, _price, _supplier, step_blocks
from core.report.pages.finance.sensitivity import sensitivity_blocks, swings_of
from core.workload.library import more_profiles

TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def bank(catalogue: Catalogue) -> ResultSet:
    return evaluate(more_profiles()["bank-on-premises"], catalogue)


def _context(results: ResultSet, catalogue: Catalogue, is_in_house: bool = False) -> PageContext:
    """The page of the pick, or of the same where it need not be delivered."""
    pick = results.choice
    assert pick is not None
    if is_in_house:
        there = replace(pick, obtainable=replace(pick.obtainable, wait=replace(pick.obtainable.wait, source="")))
        results = replace(results, results=tuple(there if one.id == pick.id else one for one in results.results))
    plan = Plan(id="bank", name="Bank", profiles=(results.profile,))
    return PageContext(plan, results, catalogue, TODAY, "Base")


def _steps(context: PageContext) -> str:
    answer = answer_of([context.results])
    assert answer is not None
    _, table = step_blocks([context], answer, ledger_of(answer))
    assert isinstance(table, Table)
    return " ".join(cell.text for row in table.rows for cell in row)


def test_servers_to_buy_are_asked_of_those_who_sell_them(bank: ResultSet, catalogue: Catalogue) -> None:
    context = _context(bank, catalogue)
    pick = context.pick
    assert pick is not None and is_own(pick) and not is_there(pick)
    chip = pick.candidate.accelerator.short_name
    assert asked_of(pick) == f"a seller of {chip} servers"
    told = _steps(context)
    assert f"Ask a seller of {chip} servers for a written offer" in told
    assert f"Take delivery of {pick.candidate.name}, bought" in told and "Own servers" not in told
    answer = answer_of([bank])
    assert answer is not None
    (row,) = _supplier(context, ledger_of(answer), ())
    assert row[1].text.startswith(f"The seller of {chip} servers fails")
    assert "Own servers" not in " ".join(cell.text for cell in row)
    done = _done_row(ledger_of(answer), 0, answer.picks[0])
    assert done[1].text.endswith("servers to other work, or sold") and done[2].text == "\u221275"


def test_servers_that_are_there_are_asked_of_those_who_run_them(bank: ResultSet, catalogue: Catalogue) -> None:
    context = _context(bank, catalogue, is_in_house=True)
    pick = context.pick
    assert pick is not None and is_there(pick)
    told = _steps(context)
    assert f"Ask {asked_of(pick)} whether they are free" in told and "in the house" in told
    answer = answer_of([context.results])
    assert answer is not None
    (row,) = _supplier(context, ledger_of(answer), ())
    assert row[1].text.startswith("Your servers are not free") and "reserved in writing" in row[4].text


def test_a_letter_asks_for_the_price_of_a_server(bank: ResultSet) -> None:
    pick = bank.choice
    assert pick is not None
    lead = Lead(pick.id, 0.0, None, ("price",), None)
    told = letter_words(pick, lead, TODAY)
    assert "in servers to buy" in told and "At what price a server" in told


def test_the_price_of_a_server_is_a_risk_with_its_cost(bank: ResultSet, catalogue: Catalogue) -> None:
    """The biggest doubt of what is bought stood in no risk: its price is a guess of 80 to 120 %."""
    context, answer = _context(bank, catalogue), answer_of([bank])
    assert answer is not None and context.pick is not None
    ledger, swings = ledger_of(answer), swings_of({bank.profile.id: bank}, answer)
    (row,) = _price(context, ledger, swings[bank.profile.id])
    assert row[1].text == f"A server with {context.pick.candidate.accelerator.short_name} above $300\u202fk"
    assert row[3].text == f"over {round(0.2 * context.pick.cost.part('owning') / 1000)}"
    [heading, table, _] = sensitivity_blocks({bank.profile.id: bank}, answer, ledger, swings)
    assert isinstance(table, Table)
    told = {row[0].text: (row[1].text, row[3].text) for row in table.rows}
    assert told["Price of a server, of $250\u202fk"] == ("80\u202f%", "120\u202f%")
    assert "Worth of a server after its life" in told
