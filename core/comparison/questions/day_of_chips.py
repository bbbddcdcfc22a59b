"""What a day more of a candidate's chips costs: their rent, or what servers of one's own cost while they are held."""

from __future__ import annotations

from core.comparison.result import CandidateResult
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH
from core.cost.parts.hardware import hardware_split


def is_bought(result: CandidateResult) -> bool:
    """True for chips whose servers the bill buys."""
    return hardware_split(result.cost.parts).bought_usd > 0


def day_usd(result: CandidateResult) -> float:
    """USD of a further day: ``chips x 24 h x price``; of servers that are bought what they lose in worth, capital,
    maintenance, rooms and power in a mean day of the plan, installing not counted."""
    if not is_bought(result):
        candidate = result.candidate
        return candidate.n_chips * HOURS_PER_DAY * candidate.usd_per_chip_hour
    split, cost = hardware_split(result.cost.parts), result.cost
    held_usd = sum(cost.part(part) for part in ("owning", "colocation", "energy")) - split.installing_usd
    return held_usd / (split.months * HOURS_PER_MONTH / HOURS_PER_DAY)
