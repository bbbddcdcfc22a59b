"""Records of columns: the same rows of every field, however nested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.rows import Rows, each_once, numbered_rows, numbered_whole, rows_of_groups, shared


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


def test_objects_are_listed_once_and_every_place_points_at_its_own() -> None:
    one, twin = [1], [1]
    once, of_item = each_once([one, twin, one])
    assert [once[number] for number in of_item] == [one, twin, one]
    assert once[0] is one and once[1] is twin, "equal objects are told apart"


@given(st.lists(st.integers(0, 40), max_size=60))
def test_a_row_of_each_code_stands_for_all_of_it(listed: list[int]) -> None:
    codes = np.array(listed, dtype=np.intp)
    numbers, n = numbered_whole(codes)
    assert n == len(set(listed)) or not listed
    assert (numbers < max(n, 1)).all()
    if listed:
        first, of_row = shared(codes)
        assert (codes[first][of_row] == codes).all()
        assert len(first) == len(set(listed))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6), st.data())
def test_each_owner_has_every_row_of_its_group(sizes: list[int], data: st.DataObject) -> None:
    group_of = np.array(data.draw(st.lists(st.integers(0, len(sizes) - 1), max_size=8)), dtype=np.intp)
    owner, row = rows_of_groups(np.array(sizes, dtype=np.intp), group_of)
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    expected = [(n, starts[group] + at) for n, group in enumerate(group_of.tolist()) for at in range(sizes[group])]
    assert list(zip(owner.tolist(), row.tolist(), strict=True)) == expected


def test_equal_rows_of_a_table_share_a_number() -> None:
    table = np.array([[2.0, 1.0], [0.0, 5.0], [2.0, 1.0]])
    numbers, firsts = numbered_rows(table)
    assert (table[firsts][numbers] == table).all() and len(firsts) == 2
