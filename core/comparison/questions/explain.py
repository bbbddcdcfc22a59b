"""Finds what stands behind a figure by its key: ``part:idle`` for a part of the bill, ``cash:owned`` for a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.catalogue.details.citing import cited
from core.comparison.questions.bill_parts import part_explanation
from core.comparison.questions.cash_words import cash_explanation
from core.comparison.questions.cost_by_use import unit_explanation
from core.comparison.questions.explanation import Explanation
from core.comparison.questions.leaving import exit_explanation
from core.comparison.questions.spot import spot_explanation
from core.comparison.result import CandidateResult, ResultSet


def explanation(results: ResultSet, result: CandidateResult, key: str) -> Explanation | None:
    """The explanation of a candidate's figure; None where there is no such figure (any more)."""
    kind, _, name = key.partition(":")
    find = _FINDERS.get(kind)
    told = find(results, result, name) if find else None
    if told is None or results.basis is None:
        return told
    return replace(told, source=cited(told.source, results.basis.catalogue.sources))


def _part(_: ResultSet, result: CandidateResult, name: str) -> Explanation | None:
    return part_explanation(result, name)


_FINDERS: dict[str, Callable[[ResultSet, CandidateResult, str], Explanation | None]] = {
    "part": _part,
    "cash": cash_explanation,
    "exit": exit_explanation,
    "spot": spot_explanation,
    "unit": unit_explanation,
}
