"""The ledger: whole units whose sums are those of the plan, however they are cut."""

from __future__ import annotations

import pytest

from core.comparison.together.plan_answer import answer_of, as_printed
from core.report.ledger import CHIPS, GROUPS, Ledger, ledger_of, units_text
from core.units import Money, money_here


@pytest.fixture(scope="module")
def ledger(results) -> Ledger:
    answer = answer_of(list(results.values()))
    assert answer is not None
    return ledger_of(answer)


def test_months_quarters_workloads_and_groups_are_the_same_money(ledger: Ledger) -> None:
    assert ledger.unit == "$ thousand"
    assert ledger.total == sum(ledger.due([month]) for month in ledger.months)
    assert ledger.total == sum(map(ledger.due, ledger.quarters))
    assert ledger.total == sum(ledger.of(number) for number in (None, *range(len(ledger.picks))))
    groups = {one.group for one in ledger.entries}
    assert ledger.of(0) == sum(ledger.of(0, group) for group in groups)
    assert groups <= {*GROUPS, "Other"}


def test_a_workload_costs_what_it_costs_everywhere_else(ledger: Ledger) -> None:
    for number, one in enumerate(ledger.picks):
        assert ledger.of(number) == round(as_printed(one.pick.cost.total.likely) / 1000)
        chips = sum(one.pick.cost.part(part) for part in GROUPS[CHIPS])
        assert ledger.of(number, CHIPS) == pytest.approx(chips / 1000, abs=len(one.pick.cost.parts), rel=0.005)


def test_months_follow_each_other_without_gaps(ledger: Ledger) -> None:
    numbers = [12 * year + month for year, month in ledger.months]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert all(1 <= len(quarter) <= 3 for quarter in ledger.quarters)


def test_it_is_kept_in_the_currency_shown(results) -> None:
    answer = answer_of(list(results.values()))
    assert answer is not None
    dollars = ledger_of(answer)
    with money_here(Money("EUR", 0.5)):
        euros = ledger_of(answer)
        assert euros.unit == "€ thousand"
    assert euros.total == pytest.approx(dollars.total / 2, rel=0.01)


def test_less_than_nothing_has_a_minus_sign() -> None:
    assert units_text(-1234) == "\u22121\u202f234" and units_text(12) == "12"
