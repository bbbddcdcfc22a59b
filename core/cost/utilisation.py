"""What a unit of work costs as the chips are used more or less: the trade between committing and paying per use.

Committed chips cost the same idle or busy, so their cost per unit falls as 1/use; chips paid per use are given back
when idle, so only the fixed parts of their bill (storage, operations, porting) fall.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.cost.bill.types import Cost
from core.cost.registry import components, rent_parts
from core.workload.profile import PurchaseModel

Floats = NDArray[np.float64]
COMMITTED: frozenset[PurchaseModel] = frozenset(
    {"commit_1y", "commit_3y", "dedicated_monthly", "owned", "capacity_block"}
)


def is_committed(purchase_model: PurchaseModel) -> bool:
    """True when chips are paid for whether they work or not."""
    return purchase_model in COMMITTED


def fixed_share(cost: Cost, committed: bool) -> float:
    """Share of the bill, 0..1, that stays when the chips are used less."""
    when = ("always",) if committed else ("always", "paid_by_use")
    moving_usd = sum(cost.part(one.part) for one in components() if one.follows_use in when)
    return 1.0 - moving_usd / cost.total.likely if cost.total.likely > 0 else 0.0


def use_in_plan(cost: Cost) -> float:
    """Share of the paid chip hours that work under this plan, 0..1: rent of chips at work over all rent."""
    paid_usd = sum(cost.part(part) for part in rent_parts())
    return 1.0 - unused_rent_usd(cost) / paid_usd if paid_usd > 0 else 1.0


def unused_rent_usd(cost: Cost) -> float:
    """USD of the paid chip hours that do no work: idle, waiting, done again, or left of a commitment."""
    return sum(cost.part(one.part) for one in components() if one.is_rent and one.is_unused)


def unit_cost_at(cost: Cost, committed: bool, plan_use: float, use: Floats) -> Floats:
    """USD per unit of work at other shares of use, shape of ``use`` (0..1].

    unit(u) = unit_plan x (fixed x u_plan / u + 1 - fixed): fixed money spread over u / u_plan times the work.
    """
    fixed = fixed_share(cost, committed)
    return np.asarray(cost.unit_usd * (fixed * plan_use / use + 1.0 - fixed), dtype=np.float64)


def crossings(use: Floats, first: Floats, second: Floats) -> list[float]:
    """Shares of use at which two cost curves meet, by linear interpolation between samples."""
    gap = first - second
    is_above = gap >= 0
    turns = np.flatnonzero(is_above[:-1] != is_above[1:])
    steps = gap[turns] / (gap[turns] - gap[turns + 1])
    return [float(value) for value in use[turns] + steps * (use[turns + 1] - use[turns])]
