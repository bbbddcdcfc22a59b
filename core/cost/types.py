"""A bill with its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.ranges import Range

PART_ORDER = ("compute", "commitment_waste", "storage", "egress", "idle", "operations", "porting", "energy")
PART_WORDS = {
    "compute": "Compute",
    "commitment_waste": "Commitment waste",
    "storage": "Storage",
    "egress": "Egress",
    "idle": "Idle",
    "operations": "Operations",
    "porting": "Porting",
    "energy": "Energy",
}


@dataclass(frozen=True, slots=True)
class CostPart:
    """One line of the bill: likely USD, the formula in words with its live inputs, and where the inputs come from."""

    id: str
    usd: float
    formula: str
    inputs: Sequence[tuple[str, str]]
    source: str
    estimate: bool


@dataclass(frozen=True, slots=True)
class Cost:
    """Total cost of one candidate for the profile's whole term.

    ``parts`` sum to ``total.likely`` to the cent. ``unit_usd`` is USD per ``unit`` (such as "1M tokens").
    """

    total: Range
    parts: tuple[CostPart, ...]
    unit_usd: float
    unit: str
    per_month_usd: float
    per_run_usd: float

    def part(self, part_id: str) -> float:
        """Likely USD of one part; 0 when the bill has no such line."""
        return next((part.usd for part in self.parts if part.id == part_id), 0.0)
