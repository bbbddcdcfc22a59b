"""What stands behind one figure: its formula with live inputs, its source, and whether it is an estimate."""

from __future__ import annotations

from dataclasses import dataclass

from core.amounts import Text


@dataclass(frozen=True, slots=True)
class Explanation:
    """A figure in words: what it is, its value, a note such as its share, and how it comes about."""

    title: str
    value: Text
    note: Text
    formula: str
    inputs: tuple[tuple[str, Text], ...]
    source: str
    estimate: bool
