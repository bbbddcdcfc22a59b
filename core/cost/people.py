"""Hours of the people who set it up and keep it running: a base, and a share a node, by the way it is run.

All of them are our estimates, rows of the catalogue; what the user types takes their place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.catalogue.sellers.waits import seller_class
from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.figures import Span, span_of

BARE_METAL = "bare_metal"
"""The way in which hardware of one's own is run."""


@dataclass(frozen=True)
class Effort:
    """Hours of people for each candidate, shape (n, 3): ``base + per node x nodes``, both times what the seller's class
    takes more; ``nodes`` has shape (n, 1)."""

    base_h: Array
    per_node_h: Array
    nodes: Array

    @property
    def hours(self) -> Array:
        """Together, shape (n, 3)."""
        return self.base_h + self.per_node_h * self.nodes


def running(batch: CostBatch) -> Effort:
    """Hours a month of keeping it running."""
    return _effort(batch, "operations_base", "operations_per_node")


def setting_up(batch: CostBatch) -> Effort:
    """Hours of setting it up, once for all runs or for the whole time in service."""
    return _effort(batch, "setting_up_base", "setting_up_per_node")


def usual_h_per_month(catalogue: Catalogue, delivery: str, n_nodes: int) -> Span:
    """Hours a month of keeping so many nodes running, low, likely and high, at a large cloud or in the house."""
    base, per_node = (span_of(cost_input(catalogue, name, delivery)) for name in _RUNNING)
    low, likely, high = (one + n_nodes * more for one, more in zip(base, per_node, strict=True))
    return low, likely, high


_RUNNING = ("operations_base", "operations_per_node")


def _effort(batch: CostBatch, base: str, per_node: str) -> Effort:
    more = batch.by_provider("operations_seller", lambda provider: seller_class(batch.catalogue, provider)).values
    is_own = batch.per_offer(lambda offer: offer.purchase_model == "owned") > 0
    return Effort(_hours(batch, base, is_own) * more, _hours(batch, per_node, is_own) * more, nodes(batch))


def _hours(batch: CostBatch, name: str, is_own: NDArray[np.bool_]) -> Array:
    """Hours by the way in which each candidate is run, shape (n, 3)."""
    rented, own = (span_of(cost_input(batch.catalogue, name, way)) for way in (batch.profile.team.delivery, BARE_METAL))
    return np.where(is_own, np.array(own), np.array(rented))


def nodes(batch: CostBatch) -> Array:
    """Machines that hold the chips of each candidate, whole ones, shape (n, 1)."""
    per_node = batch.per_offer(lambda offer: max(offer.chips_per_host, 1))
    return np.ceil(batch.n_chips.reshape(-1, 1) / per_node)
