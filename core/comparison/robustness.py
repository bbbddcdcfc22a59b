"""How firmly an option stands first when the weights are anybody's guess."""

from __future__ import annotations

import numpy as np

from core.comparison.rank import Array, Axes, normalised

N_WEIGHTINGS = 1000
SEED = 20261121


def random_weightings(n: int = N_WEIGHTINGS, seed: int = SEED) -> Array:
    """Weight shares drawn evenly from all that sum to 1 (flat Dirichlet), shape (n, 3); the same for the same seed."""
    return np.random.default_rng(seed).dirichlet(np.ones(3), size=n)


def first_place_pct(axes: Axes) -> Array:
    """Percent of the random weightings in which each option is first, shape (n,)."""
    goodness = normalised(axes)
    if not len(goodness):
        return np.zeros(0)
    winners = np.argmax(random_weightings() @ goodness.T, axis=1)
    return np.asarray(np.bincount(winners, minlength=len(goodness)) * (100 / N_WEIGHTINGS), dtype=float)
