"""Records of columns: dataclasses whose fields hold one entry a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Ints = NDArray[np.intp]


class Rows:
    """Base of dataclasses whose fields are arrays, sequences or records of the same rows.

    A field without rows (None, or one number for all of them) stays as it is.
    """

    __slots__ = ()

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Self:
        """Some of the rows: one for each index, in that order, or those where a mask is true."""
        make: Any = type(self)
        made: Self = make(*(_taken(getattr(self, name), rows) for name in _names(make)))
        return made


@cache
def _names(record: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(record))


def _taken(column: Any, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Any:
    if type(column) is np.ndarray:  # most columns by far, and told in no time
        return column[rows] if column.ndim else column
    if isinstance(column, Rows):
        return column.take(rows)
    if isinstance(column, Sequence):
        return tuple(column[row] for row in np.arange(len(column))[rows].tolist())
    return column


def each_once(items: Sequence[T]) -> tuple[list[T], Ints]:
    """The objects among some items, each once, and which of them each item is, shape (n,). Equal ones differ."""
    names = list(map(id, items))
    once = dict(zip(names, items, strict=True))
    numbers = {name: number for number, name in enumerate(once)}
    return list(once.values()), np.fromiter(map(numbers.__getitem__, names), np.intp, len(names))


def numbered_whole(values: Ints) -> tuple[Ints, int]:
    """A number from 0 for each of some small whole values, equal for equal ones, and how many there are."""
    is_there = np.zeros(int(values.max(initial=0)) + 1, dtype=np.intp)
    is_there[values] = 1
    numbers = np.cumsum(is_there) - 1
    return numbers[values], int(numbers[-1]) + 1


def shared(codes: Ints) -> tuple[Ints, Ints]:
    """A row of each of some small codes, and which of these rows stands for each row."""
    numbers, n = numbered_whole(codes)
    first = np.empty(n, dtype=np.intp)
    first[numbers] = np.arange(len(codes))
    return first, numbers


def numbered_rows(table: NDArray[np.float64]) -> tuple[Ints, Ints]:
    """A number for each row of a table, equal for equal rows, and the first row of each number."""
    _, firsts, numbers = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return numbers.reshape(-1), firsts


def rows_of_groups(n_of_group: Ints, group_of: Ints) -> tuple[Ints, Ints]:
    """Each owner with each row of its group, owner by owner: numbers of owners and of rows.

    Rows of a group lie together, ``n_of_group`` of them, groups in order; ``group_of``, shape (n owners,).
    """
    starts, n = np.cumsum(n_of_group) - n_of_group, n_of_group[group_of]
    owner = np.repeat(np.arange(len(group_of), dtype=np.intp), n)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(n) - n, n)
    return owner, starts[group_of[owner]] + within
