"""Hardware of one's own as cash: paid when it comes, its worth back at the end, the same money in all."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.amounts import Amount
from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.portfolio.calendar import calendar_of
from core.comparison.portfolio.demand import span_of, work_of
from core.comparison.portfolio.uses import other_by_month
from core.comparison.together.due import bought_usd, due_of, dues
from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.cost.parts.hardware import PART, bought_and_worth_usd
from core.report.blocks import Paragraph
from core.report.ledger import BOUGHT, ledger_of, units_text
from core.report.pages.finance.due import cash_blocks
from core.report.pages.finance.early_end import early_end_blocks
from core.report.plan_words import quarters_of
from core.workload.library import load_profiles, more_profiles
from core.workload.portfolio import Member


@pytest.fixture(scope="module")
def answer(catalogue: Catalogue) -> PlanAnswer:
    results = evaluate(more_profiles()["bank-on-premises"], catalogue)
    assert results.choice is not None and results.choice.candidate.offer.purchase_model == "owned"
    told = answer_of([results])
    assert told is not None
    return told


def test_servers_are_paid_when_they_come_and_worth_what_they_are_at_the_end(answer: PlanAnswer) -> None:
    [one] = answer.picks
    [part] = [part for part in one.pick.cost.parts if part.id == PART]
    inputs = {name: amount.value for name, amount in part.inputs if isinstance(amount, Amount)}
    bought, worth = bought_and_worth_usd(one.pick.cost.parts)
    price, installing = inputs["Price of a server"], inputs["Network and installing"]
    assert bought == pytest.approx(price * (1 + installing)) and 0 < worth < price, "one server of eight chips"
    of_part = [payment for payment in dues(answer.picks, 0.0, 0.0) if payment.part == PART]
    first, between, last = of_part
    assert (first.begins, first.ends, first.usd) == (one.begins, one.begins, pytest.approx(bought))
    assert (last.begins, last.usd) == (one.ends, pytest.approx(-worth)) and last.begins == last.ends
    assert between.usd > 0 and (between.begins, between.ends) == (one.begins, one.ends)
    assert sum(payment.usd for payment in of_part) == pytest.approx(part.usd)
    assert bought_usd(one) == pytest.approx(bought)


def test_the_quarters_are_the_total_and_most_is_due_in_the_first(answer: PlanAnswer) -> None:
    [one] = answer.picks
    usd = {(quarter.year, quarter.number): quarter.usd for quarter in answer.cash_by_quarter}
    assert sum(usd.values()) == pytest.approx(answer.total_usd.likely)
    assert max(usd, key=lambda quarter: usd[quarter]) == (one.begins.year, (one.begins.month + 2) // 3)
    assert min(usd.values()) == list(usd.values())[-1] < 0
    assert sum(due_of(one, 1).values()) == pytest.approx(one.pick.cost.total.likely)
    told, ledger = dict(quarters_of(answer)), ledger_of(answer)
    assert sum(told.values()) == pytest.approx(answer.printed_usd)
    on_paper = [ledger.due(months) for months in ledger.quarters]
    assert [round(usd / 1000) for usd in told.values()] == on_paper, "the window says what the paper says"


def test_the_ledger_adds_up_and_the_paper_says_what_comes_back(answer: PlanAnswer) -> None:
    ledger, [one] = ledger_of(answer), answer.picks
    months = [entry for entry in ledger.entries if entry.group == BOUGHT]
    assert sum(entry.units for entry in months) == ledger.by_part(0)[PART]
    assert sum(ledger.due([month]) for month in ledger.months) == ledger.total
    begin = sum(entry.units for entry in months if entry.month == (one.begins.year, one.begins.month))
    assert begin == pytest.approx(ledger.in_units(bought_usd(one)), abs=10)
    told = " ".join(block.text for block in cash_blocks(ledger, "", False) if isinstance(block, Paragraph))
    assert "what hardware is worth at the end of the plan comes back then" in told
    early = " ".join(block.text for block in early_end_blocks(ledger) if isinstance(block, Paragraph))
    assert f"Hardware is bought for {units_text(ledger.in_units(bought_usd(one)))} " in early
    assert "Nothing is committed" not in early


def test_what_is_rented_has_no_such_payments(catalogue: Catalogue) -> None:
    rented = answer_of([evaluate(load_profiles()["chat-serving-8b"], catalogue)])
    assert rented is not None and bought_usd(rented.picks[0]) == 0
    assert all(payment.usd >= 0 for payment in dues(rented.picks, 0.0, 0.0))
    assert all(payment.ends - payment.begins >= timedelta() for payment in dues(rented.picks, 0.0, 0.0))


@pytest.mark.parametrize("months", [None, 10])
def test_a_portfolio_has_the_same_cash(answer: PlanAnswer, months: int | None) -> None:
    """In all as before: of hardware that is still in use at the end of the months counted, what it is then worth."""
    [one] = answer.picks
    work = work_of(one.profile, one.pick, Member(workload=one.profile.id))
    calendar = calendar_of(*span_of([work], months), [])
    usd = other_by_month(work, calendar)
    due = due_of(one, 1)
    first = (work.begin.year, work.begin.month)
    assert usd[0] > 0.8 * bought_usd(one) and calendar.months[0] == first and usd[-1] < 0 < min(usd[:-1])
    if months is None:
        assert usd.sum() == pytest.approx(one.pick.cost.total.likely, rel=2e-3)
        assert dict(zip(calendar.months, usd, strict=True))[first] == pytest.approx(due[first], rel=0.02)
    else:
        assert usd.sum() == pytest.approx(one.pick.cost.total.likely * 10 / 36, rel=0.02)
