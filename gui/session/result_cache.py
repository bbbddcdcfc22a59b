"""Answers kept for undo, scenarios and switching between workloads: the latest used, as many as memory allows."""

from __future__ import annotations

from collections.abc import Hashable

from core.comparison.result import ResultSet
from core.lazy_sequence import LazySequence

MOST_SETS = 40
MOST_KB = 48_000
KB_SIDE_BY_SIDE, KB_PUT_TOGETHER = 4, 9
"""Of a candidate in the columns of its set, and more for one that somebody looked at: measured."""


class KnownResults:
    """Result sets by what they answer. The one used longest ago goes first; the latest always stays."""

    def __init__(self, most_sets: int = MOST_SETS, most_kb: int = MOST_KB) -> None:
        self._most_sets, self._most_kb = most_sets, most_kb
        self._sets: dict[Hashable, ResultSet] = {}

    def __len__(self) -> int:
        return len(self._sets)

    @property
    def kb(self) -> int:
        """What all sets together take, in kB; it grows while somebody looks at candidates."""
        return sum(map(_kb, self._sets.values()))

    def get(self, key: Hashable) -> ResultSet | None:
        """The answer to a question, if it is still known; it is now the one used last."""
        known = self._sets.get(key)
        return None if known is None else self.put(key, known)

    def put(self, key: Hashable, results: ResultSet) -> ResultSet:
        """Keeps an answer, and forgets others where there are too many."""
        self._sets.pop(key, None)
        self._sets[key] = results
        while len(self._sets) > 1 and self._is_too_much():
            del self._sets[next(iter(self._sets))]
        return results

    def _is_too_much(self) -> bool:
        return len(self._sets) > self._most_sets or self.kb > self._most_kb


def _kb(known: ResultSet) -> int:
    results = known.results
    n_made = results.n_made if isinstance(results, LazySequence) else len(results)
    return KB_SIDE_BY_SIDE * len(results) + KB_PUT_TOGETHER * n_made
