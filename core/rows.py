"""Records of columns: dataclasses whose fields hold one entry a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


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
    if isinstance(column, Rows):
        return column.take(rows)
    if isinstance(column, Sequence):
        return tuple(column[row] for row in np.arange(len(column))[rows].tolist())
    return column if column is None or np.ndim(column) == 0 else column[rows]
