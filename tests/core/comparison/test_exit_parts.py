"""The exit bill in parts: they sum to it, and each opens its formula."""

from dataclasses import replace

import pytest

from core.comparison.exit_parts import exit_parts
from core.comparison.explain import explanation
from core.comparison.recommend import recommend
from core.comparison.result import CandidateResult, ResultSet
from core.workload.profile import Profile


@pytest.fixture
def leaving(make_result) -> CandidateResult:
    """Two weeks at 4 500, 300 USD of data, 700 USD of an unused commitment: 10 000 in all."""
    result = make_result(cost=1e6, waste_usd=700.0, rank=1)
    return replace(result, flexibility=replace(result.flexibility, exit_usd=10_000.0, exit_weeks=2.0))


@pytest.fixture
def results(profile: Profile, leaving: CandidateResult) -> ResultSet:
    return ResultSet(profile, "2026-11-21", "none", (leaving,), recommend(profile, [leaving], []), (), "")


def test_parts_by_hand(profile: Profile, leaving: CandidateResult) -> None:
    assert exit_parts(profile, leaving) == {"porting": 9_000.0, "egress": 300.0, "commitment_waste": 700.0}


def test_parts_sum_to_the_bill_and_none_is_negative(profile: Profile, leaving: CandidateResult) -> None:
    for bill in (0.0, 5_000.0, 9_500.0, 1e6):
        found = exit_parts(profile, replace(leaving, flexibility=replace(leaving.flexibility, exit_usd=bill)))
        assert sum(found.values()) == pytest.approx(bill) and min(found.values()) >= 0


def test_each_part_opens_its_formula(results: ResultSet, leaving: CandidateResult) -> None:
    porting, data, rest = (
        explanation(results, leaving, f"exit:{part}") for part in exit_parts(results.profile, leaving)
    )
    assert porting is not None and data is not None and rest is not None
    assert dict(porting.inputs)["Engineer's week"] and porting.estimate and not rest.estimate
    assert "10" in porting.note


def test_a_part_that_costs_nothing_has_no_formula(results: ResultSet, make_result) -> None:
    free = make_result(waste_usd=0.0)
    assert explanation(results, free, "exit:commitment_waste") is None
    assert explanation(results, free, "exit:nonsense") is None
