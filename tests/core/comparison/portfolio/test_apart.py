"""What workloads pay together because they run apart: the same in a portfolio as in the plan's own answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from core.amounts import Amount
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.over_time.words import Chapter
from core.comparison.portfolio.answer import portfolio_answer
from core.comparison.portfolio.portfolio_json import portfolio_json
from core.comparison.portfolio.result import PortfolioAnswer, Scheme
from core.comparison.portfolio.words import headline, is_even, notes, story, sure_words, table
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import answer_of, as_printed
from core.workload.library import load_profiles, more_profiles
from core.workload.portfolio import Member, Portfolio

TWO_KINDS_OF_SOFTWARE = ("deepseek-r1-serving", "code-assistant-speculative", "nightly-batch-scoring")
Answers = Mapping[str, ResultSet]


@pytest.fixture(scope="module")
def three() -> Answers:
    """Answers of workloads of which one is picked on chips of other software than the others."""
    shipped = load_profiles() | more_profiles()
    return {name: evaluate(shipped[name], load_catalogue()) for name in TWO_KINDS_OF_SOFTWARE}


@pytest.fixture(scope="module")
def answer(three: Answers) -> PortfolioAnswer:
    told = portfolio_answer(Portfolio(), three)
    assert told is not None
    return told


def _own(answer: PortfolioAnswer) -> Scheme:
    own = answer.scheme("own")
    assert own is not None
    return own


def _sum_of(chapter: Chapter, sign: str) -> float:
    """Of the amounts of its lines with a sign, in USD."""
    return sum(one.value.value for one in chapter.lines if one.sign == sign and isinstance(one.value, Amount))


def test_own_picks_keep_up_what_the_plan_keeps_up(answer: PortfolioAnswer, three: Answers) -> None:
    own, plan = _own(answer), answer_of(tuple(three.values()))
    assert plan is not None and plan.upkeep, "the picks are of two kinds of software"
    assert own.apart.likely_usd == pytest.approx(plan.way.apart.likely_usd, rel=1e-9)
    assert own.total.likely == pytest.approx(plan.total_usd.likely, rel=1e-3)
    assert own.usd.mean() == pytest.approx(plan.way.cost_usd.mean(), rel=1e-3)


def test_one_pool_of_one_software_keeps_up_no_other(answer: PortfolioAnswer) -> None:
    base = answer.scheme("base")
    assert base is not None
    kinds = {use.result.candidate.accelerator.vendor for pool in base.pools for use in pool.uses}
    assert bool(base.apart.upkeep) is (len(kinds) > 1)


def test_upkeep_is_paid_month_by_month_and_told_as_a_line_that_adds_up(answer: PortfolioAnswer) -> None:
    own = _own(answer)
    assert sum(one.total_usd for one in own.months) == pytest.approx(own.total.likely, rel=1e-9)
    (cost,) = (one for one in story(answer, own).chapters if one.title == "Cost")
    (upkeep,) = (one for one in cost.lines if str(one.words).startswith("Software of "))
    assert str(upkeep.words).endswith("an estimate") and upkeep.sign == "+"
    added, total = (_sum_of(cost, sign) for sign in "+=")
    assert added == pytest.approx(total) == pytest.approx(as_printed(own.total.likely))


def test_json_tells_it_beside_the_total(answer: PortfolioAnswer) -> None:
    told = portfolio_json(answer)
    assert told is not None
    by_id = {one["id"]: one for one in told["schemes"]}
    assert by_id["own"]["further_software_usd"] == pytest.approx(_own(answer).apart.likely_usd)
    assert by_id["own"]["moving_usd"] == 0


def test_half_the_months_keep_it_up_half_as_long(three: Answers) -> None:
    whole, half = (portfolio_answer(Portfolio(months=months), three) for months in (12, 6))
    assert whole is not None and half is not None
    assert _own(half).apart.likely_usd == pytest.approx(_own(whole).apart.likely_usd / 2, rel=0.02)


def test_the_next_best_way_is_one_that_costs_something_else(answer: PortfolioAnswer) -> None:
    best, other = answer.best, answer.next_best
    assert other is not None and round(other.total.likely) != round(best.total.likely)
    assert "the same cost" not in str(headline(answer))


def test_weights_move_when_training_is_done() -> None:
    """From a seller that asks money for what leaves it."""
    shipped, catalogue = load_profiles() | more_profiles(), load_catalogue()
    run = shipped["llama3-70b-finetune"]
    service = shipped["chat-serving-70b"].model_copy(update={"model": run.model})
    at_aws = replace(catalogue, offers=tuple(one for one in catalogue.offers if one.provider == "aws"))
    answers = {service.id: evaluate(service, catalogue), run.id: evaluate(run, at_aws)}
    told = portfolio_answer(Portfolio(members=(Member(workload=run.id, every_months=3),)), answers)
    assert told is not None
    own = _own(told)
    (move,) = own.apart.moving
    assert move.model == run.model.name and move.usd > 0
    trained = np.flatnonzero(own.pools[1].uses[0].at_work.any(axis=1))[-1]
    month = told.calendar.months[told.calendar.month_of[trained]]
    bills = sum(float(use.other_usd[told.calendar.month_of[trained]]) for pool in own.pools for use in pool.uses)
    (paid,) = (one for one in own.months if (one.year, one.month) == month)
    assert paid.other_usd - bills == pytest.approx(move.usd, rel=1e-6)


def test_chips_that_are_owned_are_held_all_the_time_at_what_they_cost() -> None:
    """Hardware is no work of people, and what idles of it costs what the bill says."""
    shipped = load_profiles() | more_profiles()
    names = ("bank-on-premises", "chat-serving-8b", "nightly-batch-scoring")
    answers = {name: evaluate(shipped[name], load_catalogue()) for name in names}
    told = portfolio_answer(Portfolio(), answers)
    assert told is not None
    own = _own(told)
    bank, bill = own.pools[0], answers["bank-on-premises"].choice
    assert bill is not None and bill.candidate.offer.purchase_model == "owned"
    assert bank.base is not None and bank.base.way == "owned" and bank.account.base_chips == bill.candidate.n_chips
    assert bank.account.rent_usd == pytest.approx(bill.cost.part("owning"))
    assert bank.account.idle_usd > 0
    assert bank.account.rent_usd + sum(float(use.other_usd.sum()) for use in bank.uses) == pytest.approx(
        bill.cost.total.likely
    )
    assert sum(one.total_usd for one in own.months) == pytest.approx(own.total.likely, rel=1e-9)
    assert max(one.base_used_usd for one in own.months) > 200_000, "the server is paid when it comes"
    assert min(one.base_used_usd for one in own.months) < 0 <= min(one.other_usd for one in own.months)
    assert any("cost of capital" in str(one) for one in notes(told))
    rows = dict(table(told))
    assert str(rows["Rent of chips"][0].beside) == "and own hardware"
    assert str(rows["Held all the time"][0].beside) == "owned"


def test_what_is_printed_alike_costs_the_same(answer: PortfolioAnswer) -> None:
    best = answer.best
    near = replace(answer, next_best=replace(best, id="split", total=best.total.scaled(1.0001)), cheaper=1.0)
    assert "the same cost" in str(headline(near)) and is_even(near) and not sure_words(near)
