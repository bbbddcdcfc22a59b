"""Answers kept for undo, scenarios and switching between workloads: the latest used, as many as memory allows."""

from __future__ import annotations

from collections.abc import Hashable

from core.comparison.result import ResultSet

MOST_SETS = 40
MOST_CANDIDATES = 12_000
"""Candidates in all sets together; one takes up to about 12 kB."""


class KnownResults:
    """Result sets by what they answer. The one used longest ago goes first; the latest always stays."""

    def __init__(self, most_sets: int = MOST_SETS, most_candidates: int = MOST_CANDIDATES) -> None:
        self._most_sets, self._most_candidates = most_sets, most_candidates
        self._sets: dict[Hashable, ResultSet] = {}

    def __len__(self) -> int:
        return len(self._sets)

    @property
    def n_candidates(self) -> int:
        """Candidates in all sets together."""
        return sum(len(known.results) for known in self._sets.values())

    def get(self, key: Hashable) -> ResultSet | None:
        """The answer to a question, if it is still known."""
        known = self._sets.pop(key, None)
        if known is not None:
            self._sets[key] = known  # now the one used last
        return known

    def put(self, key: Hashable, results: ResultSet) -> ResultSet:
        """Keeps an answer, and forgets others where there are too many."""
        self._sets.pop(key, None)
        self._sets[key] = results
        while len(self._sets) > 1 and self._is_too_much():
            del self._sets[next(iter(self._sets))]
        return results

    def _is_too_much(self) -> bool:
        return len(self._sets) > self._most_sets or self.n_candidates > self._most_candidates
