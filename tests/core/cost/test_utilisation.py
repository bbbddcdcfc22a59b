"""Unit cost over use: committed bills are spread thinner, pay-per-use ones are not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cost.bill.types import Cost, CostPart
from core.cost.utilisation import crossings, fixed_share, is_committed, unit_cost_at, use_in_plan
from core.ranges import Range


def bill(**parts: float) -> Cost:
    total = sum(parts.values())
    lines = tuple(CostPart(name, amount, "", (), "", False) for name, amount in parts.items())
    return Cost(Range(total, total, total), lines, 2.0, "1M tokens", total, total)


def test_committed_compute_only_bill_falls_as_one_over_use() -> None:
    cost = unit_cost_at(bill(compute=100), True, 0.8, np.array([0.4, 0.8]))
    assert cost == pytest.approx([4.0, 2.0])


def test_pay_per_use_compute_only_bill_is_flat() -> None:
    cost = unit_cost_at(bill(compute=100), False, 0.8, np.array([0.1, 0.5, 1.0]))
    assert cost == pytest.approx([2.0, 2.0, 2.0])


def test_fixed_share_counts_what_does_not_follow_use() -> None:
    assert fixed_share(bill(compute=60, egress=20, porting=20), True) == pytest.approx(0.8)
    assert fixed_share(bill(compute=60, egress=20, porting=20), False) == pytest.approx(0.2)


def test_use_in_plan_is_work_over_paid_hours() -> None:
    assert use_in_plan(bill(compute=60, commitment_waste=30, idle=10, storage=50)) == pytest.approx(0.6)
    assert use_in_plan(bill(storage=50)) == 1.0


def test_owned_and_reserved_chips_are_committed_and_spot_is_not() -> None:
    assert is_committed("owned") and is_committed("capacity_block")
    assert not is_committed("spot") and not is_committed("on_demand")


@given(st.floats(0.05, 1.0), st.floats(1, 1e6), st.floats(0, 1e6))
def test_the_plans_own_use_gives_the_plans_own_unit_cost(plan_use: float, compute: float, storage: float) -> None:
    for committed in (True, False):
        cost = unit_cost_at(bill(compute=compute, storage=storage), committed, plan_use, np.array([plan_use]))
        assert cost[0] == pytest.approx(2.0)


def test_crossings_are_found_between_samples() -> None:
    use = np.linspace(0.1, 1.0, 10)
    assert crossings(use, 1 / use, np.full(10, 1 / 0.55)) == pytest.approx([0.55], abs=0.02)
    assert crossings(use, 1 / use, 2 / use) == []


def test_curves_that_meet_right_at_a_sample_cross_there() -> None:
    use = np.array([0.25, 0.5, 1.0])
    assert crossings(use, 2.0 / use, np.full(3, 4.0)) == [0.5]
    assert crossings(use, np.full(3, 4.0), np.full(3, 4.0)) == []
