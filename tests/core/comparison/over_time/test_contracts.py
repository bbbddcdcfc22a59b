"""Whole terms over phases, by hand: $2 an hour of a chip, a year of 8 760 hours, $10 a day beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.comparison.over_time.committed import Committed
from core.comparison.over_time.contracts import Rent, Stay, rents, under_contract
from core.comparison.over_time.spread import fixed

YEAR_H, USD_PER_H = 8760.0, 2.0
FOUR = Committed("offer", 4, YEAR_H, 24.0, USD_PER_H, 1.0, 10.0)


def _stay(begins: float, ends: float, **changes: Any) -> Stay:
    return Stay(replace(FOUR, **changes), fixed(begins), fixed(ends), fixed(1.0))


def _owed(rent: Rent) -> float:
    return sum(float(one.usd[0]) for one in rent.owed)


def _total(paid: tuple[Rent, ...]) -> float:
    return sum(float(one.by_day[0]) + _owed(one) for one in paid)


@pytest.mark.parametrize(("days", "terms"), [(30.0, 1), (90.0, 1), (365.0, 1), (366.0, 2), (400.0, 2), (730.0, 2)])
def test_one_phase_pays_whole_terms(days: float, terms: int) -> None:
    (rent,) = rents([_stay(0.0, days)])
    assert rent.by_day[0] == pytest.approx(4 * 24 * days * 2 + 10 * days)
    assert _owed(rent) == pytest.approx(4 * (terms * 8760 - 24 * days) * 2)
    assert all(one.until[0] == pytest.approx(terms * 365.25) and not one.waits for one in rent.owed)


def test_a_phase_that_follows_works_on_what_is_left_of_the_term() -> None:
    """100 and 200 days of one year: the second owes the other 65."""
    first, second = rents([_stay(0.0, 100.0), _stay(100.0, 300.0)])
    assert first.owed == ()
    assert _owed(second) == pytest.approx(4 * 65 * 24 * 2)
    assert _total((first, second)) == pytest.approx(4 * 8760 * 2 + 3000)


def test_a_phase_past_the_end_of_the_term_begins_another_one() -> None:
    first, second = rents([_stay(0.0, 300.0), _stay(300.0, 400.0)])
    assert first.owed == () and _total((first, second)) == pytest.approx(4 * 2 * 8760 * 2 + 4000)


def test_chips_that_fewer_need_are_owed_by_the_last_phase_on_them() -> None:
    """Eight for 100 days, then four for 100: four are owed from day 100, four from day 200."""
    first, second = rents([_stay(0.0, 100.0, chips=8), _stay(100.0, 200.0)])
    assert _owed(first) == pytest.approx(4 * (8760 - 2400) * 2)
    assert _owed(second) == pytest.approx(4 * (8760 - 4800) * 2)
    assert [one.chips for one in first.owed] == [4]


def test_more_chips_are_a_further_contract_for_the_difference() -> None:
    """Six instead of four from day 100: two for a year from then, which ends 100 days after that of the four."""
    first, second = rents([_stay(0.0, 100.0), _stay(100.0, 200.0, chips=6)])
    assert first.owed == ()
    four, two = second.owed
    assert four.usd[0] == pytest.approx(4 * (8760 - 4800) * 2) and four.until[0] == pytest.approx(365.25)
    assert two.usd[0] == pytest.approx(2 * (8760 - 2400) * 2) and two.until[0] == pytest.approx(465.25)
    assert _total((first, second)) == pytest.approx(6 * 8760 * 2 + 2000)


def test_chips_wait_for_the_next_phase_while_their_term_runs() -> None:
    first, second = rents([_stay(0.0, 100.0), _stay(150.0, 200.0)])
    (kept,) = first.owed
    assert kept.waits and kept.until[0] == 150.0 and kept.usd[0] == pytest.approx(4 * 50 * 24 * 2)
    assert _total((first, second)) == pytest.approx(4 * 8760 * 2 + 1500)


def test_a_phase_after_the_term_begins_a_contract_of_its_own() -> None:
    first, second = rents([_stay(0.0, 100.0), _stay(400.0, 450.0)])
    (one,), (other,) = first.owed, second.owed
    assert not one.waits and one.until[0] == pytest.approx(365.25) and other.until[0] == pytest.approx(765.25)
    assert _total((first, second)) == pytest.approx(4 * 2 * 8760 * 2 + 1500)


def test_other_offers_are_contracts_of_their_own() -> None:
    assert _total(rents([_stay(0.0, 10.0), _stay(10.0, 20.0, offer="other")])) == pytest.approx(4 * 2 * 8760 * 2 + 200)


def test_what_other_work_takes_over_is_not_owed() -> None:
    (rent,) = rents([_stay(0.0, 100.0, owed_share=0.25)])
    assert _owed(rent) == pytest.approx(0.25 * 4 * (8760 - 2400) * 2)


def test_hours_that_the_bill_holds_count_not_those_of_the_calendar() -> None:
    """Twelve months of a service are one term, whatever a leap day says."""
    (rent,) = rents([_stay(0.0, 365.25, hours_per_day=8760 / 365.25)])
    assert _owed(rent) == pytest.approx(0.0, abs=1e-6)


def test_each_draw_has_terms_of_its_own() -> None:
    """A year is enough in the likely case and in half of the draws."""
    ends = np.array(fixed(360.0))
    ends[1::2] = 370.0
    (rent,) = rents([replace(_stay(0.0, 0.0), ends=ends)])
    total = rent.by_day + sum(one.usd for one in rent.owed) - 10 * ends
    assert total[0] == pytest.approx(4 * 8760 * 2) and total[1] == pytest.approx(2 * total[0])


def test_all_errs_with_the_price() -> None:
    (plain,), (dear,) = rents([_stay(0.0, 100.0)]), rents([replace(_stay(0.0, 100.0), off=fixed(1.5))])
    assert _total((dear,)) == pytest.approx(1.5 * _total((plain,)))


def test_chips_are_under_contract_to_the_end_of_their_term() -> None:
    stays = [_stay(0.0, 100.0, chips=8), _stay(120.0, 200.0)]
    assert under_contract(stays, 365.0) == {"offer": 8} and under_contract(stays, 366.0) == {"offer": 0}
    assert under_contract([], 1.0) == {}


@settings(max_examples=40, deadline=None)
@given(
    parts=st.lists(st.tuples(st.floats(1.0, 500.0), st.floats(0.0, 300.0), st.integers(1, 9)), min_size=1, max_size=5)
)
def test_rent_comes_to_whole_terms_however_the_phases_lie(parts: list[tuple[float, float, int]]) -> None:
    """Days of work, days until the next one, chips: never less than the hours held, never a part of a term."""
    stays, day = [], 0.0
    for days, gap, chips in parts:
        stays.append(_stay(day, day + days, chips=chips, usd_per_day=0.0))
        day += days + gap
    terms = _total(rents(stays)) / (YEAR_H * USD_PER_H)
    assert terms == pytest.approx(round(terms), abs=1e-6)
    assert terms >= max(chips for _, _, chips in parts) - 1e-6
    assert terms * YEAR_H >= sum(24 * days * chips for days, _, chips in parts) * (1 - 1e-9)
