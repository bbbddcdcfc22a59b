"""Risks of a plan as rows: each says what is feared, how likely, what it costs and what to do."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.result import ResultSet
from core.comparison.together.due import is_committed
from core.comparison.together.plan_answer import answer_of
from core.plan.plan import Plan
from core.ranges import Range
from core.report.blocks import Table
from core.report.ledger import CHIPS, Ledger, ledger_of, units_text
from core.report.pages.context import PageContext
from core.report.pages.finance.outlook import _signed
from core.report.pages.finance.risks import _capacity, _missing, _people, _price, _speed, step_blocks
from core.units import DASH


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


def test_waiting_is_told_with_the_late_end_of_its_range(train: PageContext, ledger: Ledger) -> None:
    pick = train.pick
    assert pick is not None
    wait = replace(pick.obtainable.wait, days=Range(14.0, 21.0, 63.0), source="X")
    (row,) = _capacity(_with(train, obtainable=replace(pick.obtainable, wait=wait)), ledger, ())
    assert row[1].text == f"{pick.candidate.n_chips} chips come more than 63 days after the order, {train.profile.name}"
    unknown = replace(pick.obtainable, wait=replace(wait, source=""))
    assert not list(_capacity(_with(train, obtainable=unknown), ledger, ()))


def _swings(*told: tuple[str, float, float]) -> Any:
    """By how much the cost moves at the low and at the high end of an input."""
    return [
        SimpleNamespace(input=SimpleNamespace(id=name), at_low_usd=low, at_high_usd=high) for name, low, high in told
    ]


def test_price_and_speed_cost_what_the_worse_end_of_their_range_does(train: PageContext, ledger: Ledger) -> None:
    swings = _swings(("price a", -5e4, 2e5), ("price b", 3e5, -1e5), ("speed a", 4e5, -2e5))
    (price,), (speed,) = _price(train, ledger, swings), _speed(train, ledger, swings)
    assert (price[3].text, speed[3].text) == ("over 300", "over 400") and ledger.scale == 1000
    (price,), (speed,) = _price(train, ledger, swings[2:]), _speed(train, ledger, _swings(("speed a", -1e5, -2e5)))
    assert (price[3].text, speed[3].text) == ("0", "0")


def test_people_are_asked_for_a_port_or_for_the_work(train: PageContext, ledger: Ledger) -> None:
    for days, words in ((12.0, "takes more than 12 days"), (0.0, "Too few of")):
        pick = train.pick
        assert pick is not None
        (row,) = _people(_with(train, time_terms_days={**pick.time_terms_days, "porting": days}), ledger, ())
        assert words in row[1].text


def test_next_steps_stand_in_the_order_of_their_days(plan, results, catalogue) -> None:
    """What was done came after what began months later."""
    answer = answer_of(list(results.values()))
    assert answer is not None
    contexts = [PageContext(plan, one, catalogue, date(2026, 11, 21), "Base") for one in results.values()]
    run, service = answer.picks
    later: Any = SimpleNamespace(picks=(run, replace(service, begins=run.ready + timedelta(days=40))))
    _, table = step_blocks(contexts, later, ledger_of(answer))
    assert isinstance(table, Table)
    dated = [row for row in table.rows if not row[0].text.startswith("Before")]
    days = [datetime.strptime(row[0].text, "%d %b %Y") for row in dated]
    assert days == sorted(days) and any("is done" in row[1].text for row in dated[:-1])


def test_what_is_paid_as_used_is_told_with_its_sum(plan, results, catalogue) -> None:
    """Every step of a plan on demand was due nothing, while a million was."""
    answer = answer_of(list(results.values()))
    assert answer is not None
    ledger = ledger_of(answer)
    contexts = [PageContext(plan, one, catalogue, date(2026, 11, 21), "Base") for one in results.values()]
    _, table = step_blocks(contexts, answer, ledger)
    assert isinstance(table, Table)
    due = {row[1].text: row[2].text for row in table.rows}
    for number, one in enumerate(answer.picks):
        chips, months = ledger.of(number, CHIPS), one.profile.job.months_in_service
        done = f"{one.name} is done: chips paid as used"
        taken = next(words for words in due if words.startswith(f"Take {one.pick.candidate.name} "))
        if is_committed(one):
            assert due[taken] == units_text(chips)
        elif months is None:
            assert due[done] == units_text(chips) and due[taken] == DASH
        else:
            assert due[taken] == f"{units_text(round(chips / months))} a month"


def test_a_single_workload_is_not_named_in_every_risk(train: PageContext) -> None:
    answer = answer_of([train.results])
    assert answer is not None
    alone = ledger_of(answer)
    (row,) = _speed(train, alone, ())
    assert row[1].text.startswith("Below") and train.profile.name not in row[1].text


def test_what_a_service_needs_is_told_beside_what_was_planned(
    plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue, ledger: Ledger
) -> None:
    """A trial that reaches the planned speed was asked for where a third of it carries the load."""
    for name, is_told in (("train", False), ("serve", True)):
        context = PageContext(plan, results[name], catalogue, date(2026, 11, 21), "Base")
        (row,) = _speed(context, ledger, ())
        assert (" needed" in row[4].text) is is_told and " planned" in row[4].text


@pytest.mark.parametrize(("is_joined", "words"), [(True, "Fewer chips, or not on one network"), (False, "Fewer chips")])
def test_a_network_is_asked_for_only_where_machines_work_as_one(
    train: PageContext, is_joined: bool, words: str
) -> None:
    pick = train.pick
    assert pick is not None and pick.candidate.n_chips > 1
    assert _missing(replace(pick, obtainable=replace(pick.obtainable, is_joined=is_joined))) == words


@pytest.mark.parametrize(("units", "words"), [(1288, "+1\u202f288"), (1, "+1"), (0, "0"), (-1288, "\u22121\u202f288")])
def test_a_difference_in_units_has_its_sign(units: int, words: str) -> None:
    assert _signed(units) == words
