"""Finds what stands behind a figure by its key: ``part:idle`` for a part of the bill, ``cash:owned`` for a line.

Every module of this package that declares ``EXPLAINS`` answers the keys that begin with its word.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import cache

import core.comparison.questions
from core.catalogue.details.source_names import cited
from core.comparison.questions.explanation import Explains, Explanation
from core.comparison.result import CandidateResult, ResultSet


@cache
def questions() -> dict[str, Explains]:
    """Those that explain figures, by the first word of their keys."""
    names = [module.name for module in pkgutil.iter_modules(core.comparison.questions.__path__)]
    modules = [importlib.import_module(f"core.comparison.questions.{name}") for name in names]
    declared: list[Explains] = [module.EXPLAINS for module in modules if hasattr(module, "EXPLAINS")]
    return {one.prefix: one for one in declared}


def explanation(results: ResultSet, result: CandidateResult, key: str) -> Explanation | None:
    """The explanation of a candidate's figure; None where there is no such figure (any more)."""
    prefix, _, name = key.partition(":")
    question = questions().get(prefix)
    told = question.find(results, result, name) if question else None
    if told is None or results.basis is None:
        return told
    return replace(told, source=cited(told.source, results.basis.catalogue.sources))
