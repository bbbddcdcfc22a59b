"""A bill with its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.amounts import Amount, Text
from core.constants import MONTHS_PER_YEAR
from core.cost.bill.given import Given
from core.ranges import Range


@dataclass(frozen=True, slots=True)
class CostPart:
    """One line of the bill: likely USD, the formula in words with its live inputs, and where the inputs come from.

    ``kinds`` says what each of the inputs is where others work with it; empty for a line whose inputs nobody needs.
    """

    id: str
    usd: float
    formula: str
    inputs: tuple[tuple[str, Text], ...]
    source: str
    estimate: bool
    kinds: tuple[Given | None, ...] = ()

    @property
    def given(self) -> Mapping[Given, float]:
        """The inputs that others work with, by what they are; amounts as the bill counted with them."""
        pairs = zip(self.kinds, self.inputs, strict=bool(self.kinds))
        return {kind: told.value for kind, (_, told) in pairs if kind is not None and isinstance(told, Amount)}


@dataclass(frozen=True, slots=True)
class Cost:
    """Total cost of one candidate for the profile's whole term.

    ``parts`` sum to ``total.likely`` to the cent. ``unit_usd`` is USD per ``unit`` (such as "1M tokens").
    ``per_epoch_usd`` and ``per_experiment_usd`` (what one more run would add: all but work done once) are None where
    nothing is trained. ``months`` is how long the plan lasts.
    """

    total: Range
    parts: Sequence[CostPart]
    unit_usd: float
    unit: str
    per_month_usd: float
    per_run_usd: float
    per_epoch_usd: float | None = None
    per_experiment_usd: float | None = None
    months: float = 12.0

    @property
    def per_year_usd(self) -> float:
        """The mean of a year of the plan; all of a plan that is over within one."""
        return self.total.likely / max(self.months / MONTHS_PER_YEAR, 1.0)

    @property
    def per_month(self) -> Range:
        """A month of the plan, with the range of the whole bill; all of a run that is over within one."""
        return self.total.scaled(self.per_month_usd / self.total.likely) if self.total.likely > 0 else self.total

    def part(self, part_id: str) -> float:
        """Likely USD of one part; 0 when the bill has no such line."""
        return next((part.usd for part in self.parts if part.id == part_id), 0.0)
