"""The few states of the world in which being wrong costs most: inputs at the ends of their ranges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe
from core.comparison.what_if.front import RegretMatrix, regret_matrix
from core.comparison.what_if.inputs import Input, is_wish
from core.comparison.what_if.study import Move, Study

MOST_STATES = 6
State = Move | None
"""An input at one value; None for the plan as it is now."""


@dataclass(frozen=True)
class Regrets:
    """What each option would cost in regret in each state; the first state is the plan as it is now."""

    states: tuple[State, ...]
    matrix: RegretMatrix

    @property
    def n_fits(self) -> NDArray[np.intp]:
        """States in which each option fits, shape (n,)."""
        return np.asarray(np.isfinite(self.matrix.regret_usd).sum(axis=1))

    @property
    def largest_usd(self) -> NDArray[np.float64]:
        """Largest regret of each option in the states in which it fits, shape (n,)."""
        return np.asarray(np.where(np.isnan(self.matrix.regret_usd), -np.inf, self.matrix.regret_usd).max(axis=1))

    @property
    def mean_usd(self) -> NDArray[np.float64]:
        """Mean over the states in which it fits, each with equal weight, shape (n,)."""
        return np.asarray(np.nansum(self.matrix.regret_usd, axis=1) / np.maximum(self.n_fits, 1))

    def least(self, values_usd: NDArray[np.float64]) -> int | None:
        """Row of the smallest value among the options that fit in most states; None without any."""
        if not len(values_usd):
            return None
        return int(np.argmin(np.where(self.n_fits == self.n_fits.max(), values_usd, np.inf)))


def regrets(study: Study, most: int = MOST_STATES) -> Regrets:
    """The plan as it is, and of the inputs that move some option's regret most the end at which they do so, the most
    telling first."""
    inputs = [one for one in study.inputs if not is_wish(one)]
    chosen = (None, *telling(study, inputs, most))
    return Regrets(chosen, regret_matrix(study, [() if one is None else (one,) for one in chosen]))


def telling(study: Study, inputs: Sequence[Input], most: int) -> list[Move]:
    """One end of each of a few inputs: that at which the regret of an option is furthest from what it is now."""
    moves: list[tuple[float, Move]] = []
    for one in inputs:
        breathe()
        moves.append(max(((_moved_usd(study, one, end), (one, end)) for end in _ends(one)), key=lambda told: told[0]))
    moves.sort(key=lambda told: -told[0])
    return [move for moved_usd, move in moves[:most] if moved_usd > 0]


def _ends(one: Input) -> tuple[float, float]:
    return one.low, one.high


def _moved_usd(study: Study, one: Input, value: float) -> float:
    """How far regret moves for the option that it moves most, of those that fit in both worlds."""
    told = regret_matrix(study, [(), ((one, value),)]).regret_usd
    moved = np.abs(told[:, 1] - told[:, 0]) if len(told) else np.zeros(0)
    return float(np.nanmax(moved)) if np.isfinite(moved).any() else 0.0
