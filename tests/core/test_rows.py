"""Records of columns: the same rows of every field, however nested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.rows import Rows


@dataclass(frozen=True)
class Inner(Rows):
    """A record within a record."""

    speed: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outer(Rows):
    """One field of each kind."""

    chips: Inner
    name: Sequence[str]
    time: NDArray[np.float64]
    spans: NDArray[np.float64]
    left_out: NDArray[np.float64] | None
    shared: float
    one: NDArray[np.float64]


def record() -> Outer:
    speed, spans = np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(3, 2)
    return Outer(Inner(speed), ["a", "b", "c"], 10 * speed, spans, None, 7.0, np.asarray(5.0))


def test_every_field_has_the_rows_asked_for_in_their_order() -> None:
    taken = record().take(np.array([2, 0, 2]))
    assert isinstance(taken, Outer) and isinstance(taken.chips, Inner)
    assert taken.chips.speed.tolist() == [3.0, 1.0, 3.0]
    assert taken.name == ("c", "a", "c")
    assert taken.time.tolist() == [30.0, 10.0, 30.0]
    assert taken.spans.tolist() == [[4.0, 5.0], [0.0, 1.0], [4.0, 5.0]]


def test_what_has_no_rows_stays() -> None:
    taken = record().take(np.array([1]))
    assert taken.left_out is None
    assert (taken.shared, float(taken.one)) == (7.0, 5.0)


def test_a_mask_keeps_the_rows_where_it_is_true() -> None:
    mask = np.array([True, False, True])
    assert record().take(mask).name == record().take(np.flatnonzero(mask)).name == ("a", "c")
    assert record().take(~mask).chips.speed.tolist() == [2.0]
