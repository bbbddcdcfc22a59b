"""Which rows of an answer are worth looking at, on small columns made by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.comparison.columns import columns_of, contending_rows, first_rejected_rows, trusted_rows
from core.comparison.result import Chance


def _columns(rows: list[tuple[str, str, int, float]], trust: list[int] | None = None) -> Any:
    """Rows of chip, seller, number of chips and cost; the feasible ones first, best first."""
    return SimpleNamespace(
        accelerators=[SimpleNamespace(id=chip) for chip, *_ in rows],
        offers=[SimpleNamespace(provider=seller) for _, seller, *_ in rows],
        n_chips=np.array([n for _, _, n, _ in rows]),
        cost_usd=np.array([usd for *_, usd in rows]),
        trust=np.array(trust or [0] * len(rows)),
    )


ROWS = [
    ("a", "s", 8, 90.0),
    ("a", "s", 8, 80.0),
    ("a", "s", 16, 85.0),
    ("b", "s", 4, 70.0),
    ("b", "s", 2, 60.0),
    ("b", "s", 2, 50.0),
    ("b", "t", 4, 65.0),
    ("c", "t", 1, 1.0),
    ("a", "u", 1, 0.5),
    ("c", "u", 1, 0.1),
]


@pytest.mark.parametrize(
    ("n_feasible", "rows"),
    [
        (0, []),
        (1, [0]),
        (2, [0, 1]),  # the second is the cheapest
        (3, [0, 1, 2]),
        (7, [0, 2, 3, 5, 6]),  # 8 and 16 of the first one's chips, b at s and at t, and the cheapest
        (8, [0, 2, 3, 6, 7]),
    ],
)
def test_the_first_of_each_chip_and_seller_each_number_of_the_first_chip_and_the_cheapest(
    n_feasible: int, rows: list[int]
) -> None:
    assert contending_rows(_columns(ROWS), n_feasible).tolist() == rows


def test_of_the_rejected_the_first_of_each_chip() -> None:
    assert first_rejected_rows(_columns(ROWS), 7).tolist() == [7, 8]
    assert first_rejected_rows(_columns(ROWS), 10).tolist() == []
    assert first_rejected_rows(_columns(ROWS), 0).tolist() == [0, 3, 7]


@pytest.mark.parametrize(
    ("trust", "n_feasible", "rows"),
    [([0, 1, 2, 2, 3], 4, [2, 3]), ([0, 1, 0, 1, 3], 4, [1, 3]), ([0, 0, 0], 2, [0, 1]), ([2], 0, [])],
)
def test_the_pick_is_taken_among_the_most_trusted(trust: list[int], n_feasible: int, rows: list[int]) -> None:
    assert trusted_rows(_columns(ROWS[: len(trust)], trust), n_feasible).tolist() == rows


def test_columns_of_results_made_one_by_one_tell_what_each_says(make_result: Any) -> None:
    kept, unknown = Chance(0.75, best=0.4), None
    made = [
        replace(make_result(cost=2e5, days=12.0, n_chips=8), chance=kept, rank=1),
        replace(make_result("tpu-v6e", cost=3e5, days=None, n_chips=16), chance=unknown),
        replace(make_result(cost=4e5), chance=replace(kept, best=None)),
    ]
    columns = columns_of(made)
    assert columns.ids == [one.id for one in made] and columns.n_chips.tolist() == [8, 16, 64]
    assert columns.days.tolist() == [12.0, np.inf, 30.0]
    assert columns.cost_usd.tolist() == [2e5, 3e5, 4e5]
    assert columns.in_limits.tolist() == pytest.approx([0.75, np.nan, 0.75], nan_ok=True)
    assert columns.best.tolist() == pytest.approx([0.4, np.nan, np.nan], nan_ok=True)
