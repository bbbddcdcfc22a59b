"""Weights that a chip holds under a layout before data ranks share them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.throughput.model_shape import Floats, ModelShape
from core.throughput.training.layouts import Layouts
from core.throughput.transformer_work import dense_params, expert_params


@dataclass(frozen=True)
class Shares:
    """Parameters that one chip holds under a layout before data ranks share them, shape (n rows,).

    ``experts``: routed experts among ``held``, of which ``ep`` ranks have different ones; ``trained_share``: of all.
    """

    held: Floats
    experts: Floats
    trained_share: Floats
    shards: Floats
    ep: Floats

    @property
    def trained(self) -> Floats:
        """Weights that get gradients."""
        return np.asarray(self.held * self.trained_share)

    def over(self, ranks: Floats) -> Floats:
        """Weights that one chip keeps where ``ranks`` share them; experts only among the ``ranks / ep`` of a kind."""
        of_kind = np.maximum(ranks / self.ep, 1.0)
        return np.asarray((self.held - self.experts) / ranks + self.experts / of_kind)


def shares_of(model: ModelShape, trained_share: Floats, rows: Layouts) -> Shares:
    """Weights per chip before sharding over data ranks, trained ones among them, and the number of shards.

    ``trained_share``: trained over all weights, shape () or (n rows,).
    """
    slices = rows.tp * rows.pp
    experts = expert_params(model) / (slices * rows.ep)
    return Shares(dense_params(model) / slices + experts, experts, trained_share, rows.shards, rows.ep)
