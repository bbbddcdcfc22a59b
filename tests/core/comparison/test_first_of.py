"""The first result of each kind of chip or way to pay, and the few that are shown, among results made by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from core.comparison.result import CandidateResult, ResultSet
from core.ranges import Range
from tests.gui.sample_results import chip, sample_results


@pytest.mark.parametrize(("n", "firsts"), [(None, ("1st", "2nd")), (4, ("1st", "2nd", "4th")), (1, ("1st",)), (0, ())])
def test_the_first_of_each_key_stands_in_the_order_of_results(n: int | None, firsts: tuple[str, ...]) -> None:
    """Three results are feasible: two H100 with a TPU between; the fourth is asked for by its place alone."""
    results: Any = SimpleNamespace(
        n_feasible=3,
        results=("1st", "2nd", "3rd", "4th"),
        columns=SimpleNamespace(accelerators=("h100", "tpu", "h100", "mi300x"), offers=("a", "b", "c", "d")),
    )
    assert ResultSet.first_of(results, lambda chip, _: chip, n) == firsts
    assert ResultSet.first_of(results, lambda _, __: "all alike", n) == firsts[:1]


def row(number: int, kind: str = "gpu", usd: float = 100.0) -> CandidateResult:
    """An option of a chip of its own that fits, at so many dollars."""
    one = sample_results().results[0]
    candidate = replace(one.candidate, id=f"c{number}", accelerator=chip(f"Chip {number}", "NVIDIA", kind))
    total = Range(usd, usd, usd)
    return replace(one, candidate=candidate, cost=replace(one.cost, total=total))


def results_of(*rows: CandidateResult, runner_up: str | None = None) -> ResultSet:
    made = sample_results()
    told = replace(made.recommendation, choice=rows[0].id, runner_up=runner_up)
    return replace(made, results=rows, recommendation=told)


def shown(results: ResultSet, most: int) -> list[str]:
    return [result.id for result in results.shown_feasible(most)]


def test_the_first_are_shown_where_nothing_else_is_named() -> None:
    rows = [row(number, usd=100.0 + number) for number in range(8)]
    assert shown(results_of(*rows), 3) == ["c0", "c1", "c2"]
    assert shown(results_of(*rows, runner_up="c1"), 3) == ["c0", "c1", "c2"]
    assert shown(results_of(*rows), 20) == [f"c{number}" for number in range(8)]


def test_runner_up_best_of_the_other_kind_and_cheapest_take_the_last_places_in_the_order_of_rank() -> None:
    rows = [row(number, usd=100.0 + number) for number in range(8)]
    assert shown(results_of(*rows, runner_up="c6"), 3) == ["c0", "c1", "c6"]
    rows[5], rows[7] = row(5, "tpu", 200.0), row(7, usd=5.0)
    assert shown(results_of(*rows, runner_up="c6"), 5) == ["c0", "c1", "c5", "c6", "c7"]
    assert shown(results_of(*rows, runner_up="c6"), 1) == ["c0", "c5", "c6", "c7"], "what is named is never left out"
