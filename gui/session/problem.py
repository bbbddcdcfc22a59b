"""What the user should look at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """The field it belongs to (empty when it belongs to none), a sentence, and ``error`` or ``warning``."""

    path: str
    text: str
    severity: str = "error"
