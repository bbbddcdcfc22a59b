"""The ledger: whole units whose sums are those of the plan, however they are cut."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.comparison.together.plan_answer import answer_of, as_printed, last_digit
from core.cost.bill.types import Cost
from core.ranges import Range
from core.report.ledger import CHIPS, GROUPS, ROUNDING, Ledger, ledger_of, ledger_of_pick, units_text
from core.report.plan_words import quarters_of
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


@pytest.mark.parametrize("money", [Money(), Money("EUR", 0.92)])
def test_quarters_in_words_are_those_of_the_ledger_and_add_up_as_printed(results, money: Money) -> None:
    answer = answer_of(list(results.values()))
    assert answer is not None
    with money_here(money):
        kept, told = ledger_of(answer), quarters_of(answer)
        total = as_printed(answer.printed_usd)
        assert sum(usd for _, usd in told) == pytest.approx(total, rel=1e-12)
        unit_usd = kept.scale / money.per_usd
        for (_, usd), months in zip(told, kept.quarters, strict=True):
            assert usd == pytest.approx(kept.due(months) * unit_usd, abs=1.01 * last_digit(total))


def test_a_workload_costs_what_it_costs_everywhere_else(ledger: Ledger) -> None:
    for number, one in enumerate(ledger.picks):
        assert ledger.of(number) == round(as_printed(one.pick.cost.total.likely) / 1000)
        assert ledger.of(number, CHIPS) == sum(round(one.pick.cost.part(part) / 1000) for part in GROUPS[CHIPS])


def test_each_part_is_rounded_once_and_the_rest_is_told_apart(ledger: Ledger) -> None:
    """Whoever works out a part from its formula finds what is printed."""
    for number, one in enumerate(ledger.picks):
        units = ledger.by_part(number)
        rest = units.pop(ROUNDING, 0)
        parts = {part.id: round(part.usd / 1000) for part in one.pick.cost.parts}
        assert units == {part: amount for part, amount in parts.items() if amount}
        assert sum(units.values()) + rest == ledger.of(number) and abs(rest) <= 0.005 * ledger.of(number) + len(parts)


def test_months_of_a_service_differ_by_their_days_alone(ledger: Ledger) -> None:
    """What is paid evenly is printed evenly: no month of 31 days is two units off another."""
    (number,) = (n for n, one in enumerate(ledger.picks) if one.profile.job.months_in_service is not None)
    months = [sum(one.units for one in ledger.entries if (one.workload, one.group, one.month) == (number, CHIPS, month))
              for month in ledger.months if month[1] in (1, 3, 5, 7, 8, 10, 12)]  # fmt: skip
    whole = [units for units in months if units >= max(months) - 2]
    assert len(whole) >= 4 and max(whole) - min(whole) <= 1


def _alone(ledger: Ledger, total_usd: float) -> tuple[Ledger, Cost]:
    """The first workload's own ledger with its bill brought to a total."""
    one = ledger.picks[0]
    share = total_usd / one.pick.cost.total.likely
    parts = tuple(replace(part, usd=part.usd * share) for part in one.pick.cost.parts)
    cost = replace(one.pick.cost, parts=parts, total=Range(total_usd, total_usd, total_usd))
    return ledger_of_pick(replace(one, pick=replace(one.pick, cost=cost))), cost


@pytest.mark.parametrize(("total_usd", "told"), [(1_125_900.0, 1130), (1_134_100.0, 1130), (16_260_000.0, 16_300)])
def test_what_three_digits_leave_out_is_rounding(ledger: Ledger, total_usd: float, told: int) -> None:
    """Compute was 1 116 where its formula gives 1 111, so that the sum was 1 130."""
    alone, cost = _alone(ledger, total_usd)
    units = alone.by_part(0)
    assert alone.total == told and units["compute"] == round(cost.part("compute") / 1000)
    assert units[ROUNDING] == told - sum(round(part.usd / 1000) for part in cost.parts) != 0
    assert sum(map(alone.due, alone.quarters)) == told


def test_a_small_workload_has_units_of_its_own(ledger: Ledger) -> None:
    """$733 are no sum of five times 0 thousand."""
    alone, cost = _alone(ledger, 733.0)
    assert (alone.unit, alone.total) == ("$", 733)
    assert alone.by_part(0)["compute"] == round(cost.part("compute"))


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
