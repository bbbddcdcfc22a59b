"""The first result of each kind of chip or way to pay, among results made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.comparison.result import ResultSet


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
