"""Inputs of cost as arrays: missing bounds, and the rows that are asked for."""

import numpy as np

from core.catalogue.entries import CostInput
from core.cost.bill.figures import figures


def _row(low: float | None, typical: float | None, high: float | None, estimate: bool = False) -> CostInput:
    return CostInput(
        name="x", scope="any", low=low, typical=typical, high=high, unit="", source=f"s{typical}", as_of="",
        estimate=estimate,
    )  # fmt: skip


def test_a_missing_bound_of_an_input_takes_the_value_that_is_there() -> None:
    rows = [
        _row(1.0, 2.0, 3.0), _row(1.0, None, None), _row(None, None, 3.0),
        _row(None, 2.0, None), _row(None, None, None), _row(0.0, 2.0, 0.0, True),
    ]  # fmt: skip
    made = figures(rows)
    assert made.values.tolist() == [[1, 2, 3], [1, 1, 1], [3, 3, 3], [2, 2, 2], [0, 0, 0], [0, 2, 0]]
    taken = made.take(np.array([5, 0]))
    assert taken.values.tolist() == [[0, 2, 0], [1, 2, 3]]
    assert (list(taken.sources), list(taken.estimates)) == (["s2.0", "s2.0"], [True, False])
