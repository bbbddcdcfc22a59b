"""Risks of a plan as rows: each says what is feared, how likely, what it costs and what to do."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import answer_of
from core.plan.plan import Plan
from core.ranges import Range
from core.report.ledger import Ledger, ledger_of
from core.report.pages.context import PageContext
from core.report.pages.finance.risks import _capacity, _people, _price, _speed


@pytest.fixture
def train(plan: Plan, results: dict[str, ResultSet], catalogue) -> PageContext:
    return PageContext(plan, results["train"], catalogue, date(2026, 11, 21), "Base")


@pytest.fixture(scope="module")
def ledger(results: dict[str, ResultSet]) -> Ledger:
    answer = answer_of(list(results.values()))
    assert answer is not None
    return ledger_of(answer)


def _with(context: PageContext, **changes: object) -> PageContext:
    """The page where the pick is another."""
    known, pick = context.results, context.pick
    assert pick is not None
    other = replace(pick, **changes)
    listed = tuple(other if one.id == pick.id else one for one in known.results)
    return replace(context, results=replace(known, results=listed))


def test_waiting_is_told_with_its_range_and_the_chance_of_the_date(train: PageContext, ledger: Ledger) -> None:
    pick = train.pick
    assert pick is not None and pick.chance is not None
    wait = replace(pick.obtainable.wait, days=Range(14.0, 21.0, 63.0), source="X")
    known = {"obtainable": replace(pick.obtainable, wait=wait), "chance": replace(pick.chance, deadline=0.9)}
    (row,) = _capacity(_with(train, **known), ledger)
    assert row[1].text == (
        f"{pick.candidate.n_chips} chips come later than after 14–63 days, {train.profile.name}; "
        "the date is missed in 10 of 100 draws for any cause"
    )
    (row,) = _capacity(_with(train, **known | {"chance": None}), ledger)
    assert row[1].text.endswith(train.profile.name)
    unknown = replace(pick.obtainable, wait=replace(wait, source=""))
    assert not list(_capacity(_with(train, obtainable=unknown), ledger))


def test_a_dearer_price_costs_its_share_of_the_chips(train: PageContext, ledger: Ledger) -> None:
    pick = train.pick
    assert pick is not None
    chips = sum(pick.cost.part(part) for part in ("compute", "idle", "commitment_waste", "interruptions"))
    (row,) = _price(train, ledger)
    told = int(row[3].text.removeprefix("over ").replace("\u202f", ""))
    price = pick.candidate.price.of(pick.candidate.offer)
    assert told == pytest.approx(chips * (price.high / price.likely - 1) / ledger.scale, abs=1)


def test_a_slower_chip_costs_its_longer_run(train: PageContext, ledger: Ledger) -> None:
    pick = train.pick
    assert pick is not None
    (row,) = _speed(_with(train, run_h=Range(90.0, 100.0, 150.0)), ledger)
    told = int(row[3].text.removeprefix("over ").replace("\u202f", ""))
    assert told == pytest.approx(0.5 * pick.cost.part("compute") / ledger.scale, abs=1)


def test_people_are_asked_for_a_port_or_for_the_work(train: PageContext, ledger: Ledger) -> None:
    for days, words in ((12.0, "takes more than 12 days"), (0.0, "Too few of")):
        pick = train.pick
        assert pick is not None
        (row,) = _people(_with(train, time_terms_days={**pick.time_terms_days, "porting": days}), ledger)
        assert words in row[1].text
