"""What stands behind one figure: its formula with live inputs, its source, and whether it is an estimate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.amounts import Text
from core.comparison.result import CandidateResult, ResultSet


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


@dataclass(frozen=True, slots=True)
class Explains:
    """What the file of a question declares as ``EXPLAINS``: the first word of its keys, and who answers them."""

    prefix: str
    find: Callable[[ResultSet, CandidateResult, str], Explanation | None]

    def key(self, name: str) -> str:
        """The key by which a figure asks for its explanation, such as ``part:idle``."""
        return f"{self.prefix}:{name}"
