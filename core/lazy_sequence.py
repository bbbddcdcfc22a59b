"""A sequence whose entries are made when somebody looks at them: of thousands of candidates few are ever looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")
K = TypeVar("K")
R = TypeVar("R")


class LazySequence(Sequence[T], Generic[T]):
    """``n`` entries, each made by ``make(row)`` at most once and then kept; slices are tuples.

    Equal to any sequence with equal entries. ``make`` must give the same entry for the same row at any time. It holds
    nothing that holds the sequence: an answer goes when nobody has it any more, not when a collector comes by.
    """

    __slots__ = ("_known", "_make", "_n")

    def __init__(self, n: int, make: Callable[[int], T]) -> None:
        self._n, self._make = n, make
        self._known: dict[int, T] = {}

    def __len__(self) -> int:
        return self._n

    @property
    def n_made(self) -> int:
        """How many entries somebody has looked at so far."""
        return len(self._known)

    def in_passing(self) -> Iterator[T]:
        """All entries for one look: those that nobody has looked at before are made and not kept."""
        return (self._known[row] if row in self._known else self._make(row) for row in range(self._n))

    def is_made(self, row: int) -> bool:
        """True where somebody has looked at a row."""
        return row in self._known

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[row] for row in range(len(self))[index])
        if not -self._n <= index < self._n:
            raise IndexError(index)
        row = index % self._n
        if row not in self._known:
            self._known[row] = self._make(row)
        return self._known[row]

    def __iter__(self) -> Iterator[T]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return False
        return all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))


class MadeByKey(Mapping[K, T], Generic[K, R, T]):
    """A mapping whose values are made by ``make(row)`` when somebody looks; ``rows`` says where each key stands."""

    __slots__ = ("_make", "_rows")

    def __init__(self, rows: Mapping[K, R], make: Callable[[R], T]) -> None:
        self._rows = rows
        self._make = make

    def __getitem__(self, key: K) -> T:
        return self._make(self._rows[key])

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[K]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)
