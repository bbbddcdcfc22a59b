"""What stands behind a figure: parts of the bill by key, small ones together."""

from dataclasses import replace

import pytest

from core.amounts import USD, Amount
from core.comparison.questions.bill_parts import (
    SMALL_SHARE,
    large_parts,
    ordered,
    part_explanation,
    share_text,
    small_parts,
)
from core.comparison.questions.explain import explanation
from core.comparison.recommendation.recommend import recommend
from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.types import Cost, CostPart
from core.ranges import Range
from core.units import THIN


@pytest.fixture
def result(make_result) -> CandidateResult:
    amounts = {"compute": 960.0, "storage": 8.0, "egress": 12.0, "operations": 20.0}
    parts = tuple(
        CostPart(name, usd, f"{name} formula", (("Input", "7"),), f"{name} list", name == "egress")
        for name, usd in amounts.items()
    )
    cost = Cost(Range(900, 1000, 1200), parts, 1.0, "1M tokens", 1000.0, 1000.0)
    return replace(make_result(rank=1), cost=cost)


@pytest.fixture
def results(profile, result) -> ResultSet:
    return ResultSet(profile, "2026-11-21", "none", (result,), recommend(profile, [result], []), (), "")


def test_a_part_tells_value_share_formula_inputs_and_source(results, result) -> None:
    found = explanation(results, result, "part:operations")
    assert found is not None
    assert (found.title, str(found.value), str(found.note)) == ("Operations", "$20.00", f"2{THIN}% of $1{THIN}k")
    assert found.formula == "operations formula" and found.inputs == (("Input", "7"),)
    assert found.source == "operations list" and not found.estimate


def test_small_parts_stand_together_and_stay_named(result) -> None:
    assert [part.id for part in large_parts(result)] == ["compute", "operations"]
    assert [part.id for part in small_parts(result)] == ["storage", "egress"]
    found = part_explanation(result, "other")
    assert found is not None
    assert str(found.value) == "$20.00" and found.estimate
    assert found.inputs == (("Storage", Amount(8.0, USD)), ("Egress", Amount(12.0, USD)))


def test_large_and_small_parts_are_the_whole_bill(result) -> None:
    assert sum(part.usd for part in (*large_parts(result), *small_parts(result))) == result.cost.total.likely


def test_one_small_part_alone_keeps_its_name(result) -> None:
    parts = tuple(part for part in result.cost.parts if part.id != "egress")
    alone = replace(result, cost=replace(result.cost, parts=parts))
    assert small_parts(alone) == [] and "storage" in [part.id for part in large_parts(alone)]


def test_shares_below_one_percent_keep_a_digit(result) -> None:
    assert share_text(8.0, result) == f"0.8{THIN}%" and share_text(960.0, result) == f"96{THIN}%"


def test_a_figure_that_is_not_there_has_no_explanation(results, result) -> None:
    assert explanation(results, result, "part:energy") is None
    assert explanation(results, result, "nonsense") is None
    assert part_explanation(replace(result, cost=replace(result.cost, parts=())), "other") is None


def test_a_part_of_just_the_smallest_share_is_large(result) -> None:
    """1.5 % of $1,000."""
    parts = tuple(replace(part, usd=15.0 if part.id == "storage" else part.usd) for part in result.cost.parts)
    edge = replace(result, cost=replace(result.cost, parts=parts))
    assert [part.id for part in large_parts(edge)] == [part.id for part in ordered(parts)]
    assert SMALL_SHARE * result.cost.total.likely == 15.0
