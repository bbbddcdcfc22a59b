"""A flexibility score with its criteria and their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.amounts import Text
from core.ranges import Range


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """One criterion: value in 0..1 with its interval, weight, formula with live inputs, evidence.

    ``note`` is why the user set the value by hand; empty where nobody did.
    """

    id: str
    title: str
    value: Range
    weight: float
    formula: str
    inputs: tuple[tuple[str, Text], ...]
    evidence: str
    source: str
    estimate: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Flexibility:
    """Score 0..100 = 100 x sum(weight x value) / sum(weight), and the bill for leaving."""

    score: Range
    criteria: Sequence[CriterionScore]
    exit_usd: float
    exit_weeks: float
