"""Hardware of one's own as cash: paid when it comes, its worth back at the end, the same money in all."""

from __future__ import annotations

from datetime import timedelta
from itertools import accumulate

import numpy as np
import pytest

from core.amounts import Amount
from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.portfolio.calendar import calendar_of
from core.comparison.portfolio.demand import span_of, work_of
from core.comparison.portfolio.uses import ahead_by_month, other_by_month, rent_of
from core.comparison.questions.day_of_chips import day_usd, is_bought
from core.comparison.together.due import MAINTENANCE, PURCHASE, RESALE, by_period, capital_usd, dues
from core.comparison.together.plan_answer import PlanAnswer, answer_of, as_printed
from core.comparison.together.plan_json import plan_json
from core.comparison.together.ways import Picked
from core.constants import HOURS_PER_DAY
from core.cost.parts.hardware import PART, bought_and_worth_usd, hardware_split
from core.report.blocks import Paragraph
from core.report.ledger import BOUGHT, ROUNDING, SOLD, TIED_UP, ledger_of, units_text
from core.report.pages.finance.delay import delay_blocks
from core.report.pages.finance.due import cash_blocks, half_due, opex_blocks
from core.report.pages.finance.early_end import early_end_blocks
from core.report.pages.key_figures import due_heading
from core.report.plan_words import capital_words, plan_lines, quarters_of
from core.units import usd
from core.workload.library import load_profiles, more_profiles
from core.workload.portfolio import Member


def _bought_usd(one: Picked) -> float:
    return hardware_split(one.pick.cost.parts).bought_usd


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
    assert [payment.item for payment in of_part] == [PURCHASE, MAINTENANCE, RESALE]
    first, between, last = of_part
    assert (first.begins, first.ends, first.usd) == (one.begins, one.begins, pytest.approx(bought))
    assert (last.begins, last.usd) == (one.ends, pytest.approx(-worth)) and last.begins == last.ends
    assert between.usd > 0 and (between.begins, between.ends) == (one.begins, one.ends)
    assert sum(payment.usd for payment in of_part) + capital_usd(one) == pytest.approx(part.usd)
    assert _bought_usd(one) == pytest.approx(bought)


def test_maintenance_and_cost_of_capital_are_those_of_the_terms(answer: PlanAnswer) -> None:
    """By hand: 5 % of the price a year for three years; 9 % of the mean of what is paid and what it is worth."""
    [one] = answer.picks
    [part] = [part for part in one.pick.cost.parts if part.id == PART]
    known = {name: amount.value for name, amount in part.inputs if isinstance(amount, Amount)}
    split = hardware_split(one.pick.cost.parts)
    assert (known["Months held"], known["Servers"]) == (36, 1) and split.months == 36
    assert split.maintenance_usd == pytest.approx(3 * known["Maintenance"] * known["Price of a server"], abs=0.01)
    paid = known["Price of a server"] * (1 + known["Network and installing"])
    tied_up = (paid + known["Worth at the end"]) / 2
    assert split.capital_usd == pytest.approx(3 * known["Cost of capital"] * tied_up) == pytest.approx(48_093.75)
    assert split.installing_usd == pytest.approx(paid - known["Price of a server"])
    total = split.bought_usd - split.worth_usd + split.capital_usd + split.maintenance_usd
    assert total == pytest.approx(part.usd) and answer.capital_usd == split.capital_usd


def test_the_quarters_are_the_total_and_most_is_due_in_the_first(answer: PlanAnswer) -> None:
    [one] = answer.picks
    due = {(quarter.year, quarter.number): quarter.usd for quarter in answer.cash_by_quarter}
    assert sum(due.values()) + answer.capital_usd == pytest.approx(answer.total_usd.likely)
    assert max(due, key=lambda quarter: due[quarter]) == (one.begins.year, (one.begins.month + 2) // 3)
    assert min(due.values()) == list(due.values())[-1] < 0
    by_month = by_period(dues([one], 0.0, 0.0), 1)
    assert sum(by_month.values()) + capital_usd(one) == pytest.approx(one.pick.cost.total.likely)
    told, ledger = dict(quarters_of(answer)), ledger_of(answer)
    assert sum(told.values()) + 48_000 == pytest.approx(answer.printed_usd), "three digits of the total"
    assert "$48.1\u202fk, counts in the total and is due to nobody" in capital_words(answer)
    assert capital_words(answer) in plan_lines(answer)[0]
    on_paper = [ledger.due(months) for months in ledger.quarters]
    assert [round(usd / 1000) for usd in told.values()] == on_paper, "the window says what the paper says"


def test_the_ledger_adds_up_and_the_paper_says_what_comes_back(answer: PlanAnswer) -> None:
    ledger, [one] = ledger_of(answer), answer.picks
    months = [entry for entry in ledger.entries if entry.part == PART and entry.month]
    assert sum(entry.units for entry in months) + ledger.of(0, TIED_UP) == ledger.by_part(0)[PART]
    assert sum(ledger.due([month]) for month in ledger.months) + ledger.of(0, TIED_UP) == ledger.total
    assert (ledger.of(0, BOUGHT), ledger.of(0, SOLD), ledger.of(0, TIED_UP)) == (281, -75, 48)
    assert ledger.total_due == ledger.total - 48
    [begin] = [entry for entry in months if entry.group == BOUGHT]
    assert begin.month == (one.begins.year, one.begins.month)
    assert begin.units == ledger.in_units(_bought_usd(one)), "no share of it is in another month"
    told = " ".join(block.text for block in cash_blocks(ledger, "", False) if isinstance(block, Paragraph))
    assert "what hardware is worth at the end of the plan comes back then" in told
    early = " ".join(block.text for block in early_end_blocks(ledger) if isinstance(block, Paragraph))
    assert f"Hardware is bought for {units_text(ledger.in_units(_bought_usd(one)))} " in early
    assert "Nothing is committed" not in early


def test_opex_capex_worth_and_capital_are_lines_of_their_own(answer: PlanAnswer) -> None:
    """``Capital cost (capex) 292`` stood over ``Hardware is bought for 281``."""
    [table] = opex_blocks(ledger_of(answer))
    told = {row[0].text: int(row[1].text.replace("\u2212", "-")) for row in table.rows}
    assert told["Capital cost (capex)"] == 281 and told["Maintenance"] == 38
    assert (told["Worth at the end"], told["Cost of capital"]) == (-75, 48)
    opex = sum(units for name, units in list(told.items())[: list(told).index("Operating cost (opex)")])
    assert opex == told["Operating cost (opex)"]
    assert told["Total cost"] == opex + 281 - 75 + 48 == 471


def test_the_most_that_is_out_is_told_where_it_is_more_than_all_costs(answer: PlanAnswer) -> None:
    ledger = ledger_of(answer)
    paid = list(accumulate(ledger.due([month]) for month in ledger.months))
    assert ledger.most_out == (ledger.months[paid.index(max(paid))], max(paid)) and max(paid) > ledger.total
    assert f"at most ${max(paid)}\u202fk is out, half or more of it by the end of Feb 2027" in half_due(ledger)
    assert due_heading(ledger).endswith(f"{ledger.total_due} in all, at most {max(paid)} out, Jan 30")


def test_json_tells_what_is_due_in_no_quarter(answer: PlanAnswer) -> None:
    told = plan_json(answer)
    assert told is not None
    due = sum(one["usd"] for one in told["cash_by_quarter"])
    assert due + told["cost_of_capital_usd"] == pytest.approx(told["total_usd"]["likely"], abs=0.001)


@pytest.fixture(scope="module")
def own_run(catalogue: Catalogue) -> PlanAnswer:
    """A run of weeks on servers that come after months."""
    known = load_profiles()["llama3-70b-pretraining"]
    change = {"purchase_models": ("owned",), "needed_places": ("on_prem",), "must_be_on_prem": True, "providers": ()}
    limits = known.limits.model_copy(update={"budget_usd": None, "deadline_days": 400, "max_chips": 1024})
    places = known.places.model_copy(update=change)
    told = answer_of([evaluate(known.model_copy(update={"places": places, "limits": limits}), catalogue)])
    assert told is not None and told.picks[0].pick.time_terms_days["waiting"] > 60
    return told


def test_months_in_which_nothing_is_due_have_no_rounding(own_run: PlanAnswer) -> None:
    """``Paid so far`` fell 30, 29, 28 while the chips were waited for."""
    ledger = ledger_of(own_run)
    paid = {one.month for one in ledger.entries if one.part != ROUNDING}
    assert {one.month for one in ledger.entries if one.part == ROUNDING} <= paid
    idle = [month for month in ledger.months if month not in paid]
    assert idle and not any(ledger.due([month]) for month in idle)
    assert ledger.total == round(as_printed(own_run.printed_usd) / ledger.scale)


def test_the_most_that_is_out_is_far_above_the_total_of_a_run_on_servers_of_ones_own(own_run: PlanAnswer) -> None:
    ledger, [one] = ledger_of(own_run), own_run.picks
    assert ledger.most_out is not None
    month, units = ledger.most_out
    assert month == (one.begins.year, one.begins.month) and units > 4 * ledger.total
    assert half_due(ledger).startswith("at most $") and "all of it by the end of" in half_due(ledger)


def test_a_failed_run_on_bought_servers_costs_what_they_lose_meanwhile(own_run: PlanAnswer) -> None:
    """``takes 30.1 d more and $0 of chips`` stood beside ``each day of work lost costs $23.5 k``."""
    [one] = own_run.picks
    split, cost = hardware_split(one.pick.cost.parts), one.pick.cost
    a_day = day_usd(one.pick)
    held = cost.part("owning") - split.installing_usd + cost.part("colocation") + cost.part("energy")
    assert a_day * split.months * 730 / 24 == pytest.approx(held) and is_bought(one.pick)
    told = " ".join(block.text for block in delay_blocks(own_run) if isinstance(block, Paragraph))
    days = one.pick.time_terms_days["run"]
    assert f"more and {usd(a_day * days)} of servers held. Each day of work lost costs {usd(a_day)}:" in told
    assert "$0" not in told


def test_what_is_rented_has_no_such_payments(catalogue: Catalogue) -> None:
    rented = answer_of([evaluate(load_profiles()["chat-serving-8b"], catalogue)])
    assert rented is not None and _bought_usd(rented.picks[0]) == 0 == rented.capital_usd
    ledger = ledger_of(rented)
    assert ledger.most_out is None and ledger.total_due == ledger.total
    assert "Cost of capital" not in plan_lines(rented)[0]
    assert all(payment.usd >= 0 for payment in dues(rented.picks, 0.0, 0.0))
    assert all(payment.ends - payment.begins >= timedelta() for payment in dues(rented.picks, 0.0, 0.0))


@pytest.mark.parametrize("months", [None, 10])
def test_a_portfolio_has_the_same_cash(answer: PlanAnswer, months: int | None) -> None:
    """With the cost of capital, which is due to nobody, month by month; of hardware that is still in use at the end of
    the months counted, what it is then worth."""
    [one] = answer.picks
    work = work_of(one.profile, one.pick, Member(workload=one.profile.id))
    calendar = calendar_of(*span_of([work], months), [])
    ahead, hours = ahead_by_month(work, calendar), np.bincount(calendar.month_of)
    usd = other_by_month(work, calendar) + ahead
    usd[: len(hours)] += rent_of(work) * HOURS_PER_DAY * hours / work.hours
    capital = capital_usd(one) * HOURS_PER_DAY * hours[0] / work.hours
    due = by_period(dues([one], 0.0, 0.0), 1)
    first = (work.begin.year, work.begin.month)
    assert usd[0] > 0.8 * _bought_usd(one) and calendar.months[0] == first and usd[-1] < 0 < min(usd[:-1])
    if months is None:
        assert usd.sum() == pytest.approx(one.pick.cost.total.likely, rel=2e-3)
        assert dict(zip(calendar.months, usd, strict=True))[first] == pytest.approx(due[first] + capital, rel=0.02)
    else:
        assert usd.sum() == pytest.approx(one.pick.cost.total.likely * 10 / 36, rel=0.02)
