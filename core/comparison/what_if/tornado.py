"""What moves the gap between two options: every input at the ends of its 80 % range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from core.breath import breathe
from core.comparison.what_if.few import Gap
from core.comparison.what_if.goal_seek import target_at
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Study

GapIn = Literal["regret", "cost", "time"]


@dataclass(frozen=True, slots=True)
class TornadoRow:
    """A less B with one input at either end of its range: below 0 where A is better. An end is None where it is
    not known (see :class:`~core.comparison.what_if.few.Gap`)."""

    input: Input
    now: Gap
    at_low: Gap
    at_high: Gap

    def ends(self, gap_in: GapIn) -> tuple[float | None, float | None]:
        """The gap at the low and the high end, in USD or the unit of time."""
        return amount(self.at_low, gap_in), amount(self.at_high, gap_in)

    def span(self, gap_in: GapIn) -> float:
        """How far the ends lie from each other, the gap of now between them; 0 where it is not known."""
        known = [one for one in (*self.ends(gap_in), amount(self.now, gap_in)) if one is not None]
        return max(known) - min(known) if known else 0.0


def amount(gap: Gap, gap_in: GapIn) -> float | None:
    """One of the amounts of a gap."""
    return {"regret": gap.regret_usd, "cost": gap.cost_usd, "time": gap.time}[gap_in]


def tornado(study: Study, inputs: Iterable[Input]) -> Iterator[TornadoRow]:
    """A row for each input as soon as it is known, in their order; none without B. Each holds all three gaps."""
    now = study.gap()
    if now is None:
        return
    for one in inputs:
        breathe()
        ends = [now if value == one.now else study.gap((one, value)) for value in (one.low, one.high)]
        low, high = (end or now for end in ends)
        yield TornadoRow(one, now, low, high)


@dataclass(frozen=True, slots=True)
class CostSwing:
    """By how much A's likely cost moves where one input is at either end of its range, USD."""

    input: Input
    at_low_usd: float
    at_high_usd: float


def cost_swings(study: Study, inputs: Iterable[Input]) -> Iterator[CostSwing]:
    """What each input's range does to A alone, in their order, in the worlds of the tornado."""
    now = None
    for one in inputs:
        now = target_at(study, "a", "cost", one, one.now) if now is None else now
        low, high = (
            now if value == one.now else target_at(study, "a", "cost", one, value) for value in (one.low, one.high)
        )
        yield CostSwing(one, low - now, high - now)
