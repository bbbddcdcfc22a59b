"""Workloads come and go; what refers to them by place stays true."""

import pytest

from core.errors import InputError
from core.plan.plan import Choice, Plan, Scenario
from core.plan.workloads import add_workload, remove_workload
from core.workload.portfolio import Member, Pin, Portfolio
from core.workload.profile import Profile


def test_a_workload_that_is_there_already_gets_a_number() -> None:
    plan = add_workload(add_workload(Plan(id="p"), Profile()), Profile())
    plan = add_workload(plan, Profile())
    assert [one.id for one in plan.profiles] == ["workload", "workload-2", "workload-3"]
    assert [one.name for one in plan.profiles] == ["New workload", "New workload 2", "New workload 3"]


def test_overrides_of_later_workloads_move_up() -> None:
    overrides = {"name": "n", "profiles.0.name": "a", "profiles.1.name": "b", "profiles.2.job.n_tokens": 5.0}
    plan = Plan(
        id="p",
        profiles=(Profile(id="a"), Profile(id="b"), Profile(id="c")),
        scenarios=(Scenario(id="s", name="S", overrides=overrides),),
        choices=(Choice(profile_id="b", candidate_id="x"), Choice(profile_id="c", candidate_id="y")),
    )
    left = remove_workload(plan, 1)
    assert [one.id for one in left.profiles] == ["a", "c"]
    assert left.scenarios[0].overrides == {"name": "n", "profiles.0.name": "a", "profiles.1.job.n_tokens": 5.0}
    assert [one.profile_id for one in left.choices] == ["c"]


def test_a_portfolio_forgets_a_workload_that_goes() -> None:
    members = (Member(workload="a", every_months=3), Member(workload="b"))
    shared = Portfolio(members=members, pins=(Pin(workload="a", chip=1),), base_chips=8)
    plan = Plan(id="p", profiles=(Profile(id="a"), Profile(id="b")), portfolio=shared)
    assert remove_workload(plan, 0).portfolio == Portfolio(members=members[1:], base_chips=8)
    assert remove_workload(Plan(id="p", profiles=(Profile(),)), 0).portfolio is None


def test_no_such_workload() -> None:
    with pytest.raises(InputError, match="number 1"):
        remove_workload(Plan(id="p"), 0)
