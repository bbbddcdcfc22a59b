"""The settings of a portfolio: use by month, and what the screen does to them."""

import pytest
from pydantic import ValidationError

from core.workload.portfolio import Member, Pin, Portfolio, with_member, with_pin, without_workload


def test_use_is_typed_by_month_grows_and_goes_on() -> None:
    typed = Member(workload="a", use_pct=(50, 80))
    assert [typed.use_in(month) for month in (0, 1, 7)] == [0.5, 0.8, 0.8]
    growing = Member(workload="a", growth_pct_per_year=44)
    assert growing.use_in(0) == 1.0
    assert growing.use_in(6) == pytest.approx(1.2)
    assert growing.use_in(12) == pytest.approx(1.44)


def test_a_workload_that_is_not_named_takes_part() -> None:
    assert Portfolio().member("any") == Member(workload="any")


def test_members_and_pins_are_put_in_place_and_taken_out() -> None:
    one = with_member(Portfolio(), Member(workload="a", pool="Office"))
    two = with_member(one, Member(workload="a", takes_part=False))
    assert [member.takes_part for member in two.members] == [False]
    pinned = with_pin(with_pin(two, "a", 2), "b", 1)
    assert pinned.pins == (Pin(workload="a", chip=2), Pin(workload="b", chip=1))
    assert with_pin(pinned, "a", None).pins == (Pin(workload="b", chip=1),)
    assert without_workload(pinned, "a") == Portfolio(pins=(Pin(workload="b", chip=1),))


@pytest.mark.parametrize(
    "wrong", [{"base_chips": -1}, {"shared_chips": 0}, {"load_limit_pct": 0}, {"months": 61}, {"chips": 1}]
)
def test_values_out_of_bounds_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Portfolio.model_validate(wrong)


def test_use_below_nothing_is_refused() -> None:
    with pytest.raises(ValidationError):
        Member(workload="a", use_pct=(-1,))
