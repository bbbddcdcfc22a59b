"""Bounded, robust least squares for the engine's coefficients: Levenberg-Marquardt through a sigmoid, with priors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.throughput.parameters import Floats, Parameter

ResidualFunction = Callable[[Floats], Floats]
"""Coefficient values, shape (n fitted,), to ``ln(predicted / measured)`` of every row, shape (n rows,)."""

STEP = 1e-4
"""Difference step of the Jacobian on the unbounded scale."""
HEAVY_TAIL = 0.25
"""Log error beyond which a row loses weight: ``1 / (1 + (r / c)^2)``, the Cauchy weight."""


def fit_values(
    parameters: Sequence[Parameter],
    residuals: ResidualFunction,
    weights: Floats,
    noise: float = 0.1,
    iterations: int = 25,
    touched: NDArray[np.bool_] | None = None,
    least_gain: float = 1e-5,
) -> Floats:
    """Values that minimise ``sum w (r / noise)^2 + sum ((value - prior) / sigma)^2`` within bounds, shape (n fitted,).

    Each value is ``low + (high - low) / (1 + exp(-x))`` of an unbounded x, which converges where a solver with hard
    bounds stalls on them. Rows with large errors are weighted down anew in every iteration. ``touched``, shape (n rows,
    n fitted), tells the rows that each coefficient can move, all without it: those of different rows vary together.
    It ends where a step gains less than ``least_gain`` of the sum.
    """
    n_rows, n_fitted = len(weights), len(parameters)
    moves = np.ones((n_rows, n_fitted), dtype=np.bool_) if touched is None else touched
    moves = np.concatenate([moves, np.eye(n_fitted, dtype=np.bool_)])
    groups = apart(moves)
    low, high, prior, sigma = (np.array([getattr(row, name) for row in parameters]) for name in _FIELDS)
    x = _unbounded(np.array([row.value for row in parameters]), low, high)

    def both(at: Floats) -> tuple[Floats, Floats]:
        values = low + (high - low) / (1.0 + np.exp(-at))
        return residuals(values) / noise, (values - prior) / sigma

    damping = 1e-2
    for _ in range(iterations):
        data, held = both(x)
        scale = np.concatenate([np.sqrt(_robust(weights, data * noise)), np.ones_like(held)])
        now = scale * np.concatenate([data, held])

        def weighted(at: Floats, by: Floats = scale) -> Floats:
            return np.asarray(by * np.concatenate(both(at)))

        x, damping, gain = _step(weighted, x, now, _jacobian(weighted, x, now, moves, groups), damping)
        if gain < least_gain:
            break
    return np.asarray(low + (high - low) / (1.0 + np.exp(-x)))


_FIELDS = ("low", "high", "prior", "sigma")


def _unbounded(values: Floats, low: Floats, high: Floats) -> Floats:
    share = np.clip((values - low) / (high - low), 0.02, 0.98)
    return np.asarray(np.log(share / (1.0 - share)))


def _robust(weights: Floats, errors: Floats) -> Floats:
    return np.asarray(weights / (1.0 + (errors / HEAVY_TAIL) ** 2))


def apart(touched: NDArray[np.bool_]) -> list[list[int]]:
    """Columns in groups none of which share a row, each in the first group with room (Curtis, Powell, Reid 1974)."""
    groups: list[list[int]] = []
    taken: list[NDArray[np.bool_]] = []
    for column in range(touched.shape[1]):
        room = next((n for n, rows in enumerate(taken) if not (rows & touched[:, column]).any()), len(groups))
        if room == len(groups):
            groups.append([])
            taken.append(np.zeros(touched.shape[0], dtype=np.bool_))
        groups[room].append(column)
        taken[room] |= touched[:, column]
    return groups


def _jacobian(
    function: ResidualFunction, x: Floats, at_x: Floats, touched: NDArray[np.bool_], groups: Sequence[Sequence[int]]
) -> Floats:
    """Forward differences, shape (n residuals, n parameters), the columns of a group by one call."""
    jacobian = np.zeros(touched.shape)
    for group in groups:
        shifted = x.copy()
        shifted[list(group)] += STEP
        slope = (function(shifted) - at_x) / STEP
        for column in group:
            jacobian[:, column] = np.where(touched[:, column], slope, 0.0)
    return jacobian


def _step(
    function: ResidualFunction, x: Floats, now: Floats, jacobian: Floats, damping: float
) -> tuple[Floats, float, float]:
    """The next point, the next damping and the relative gain; the same point when no step helps."""
    normal, gradient, loss = jacobian.T @ jacobian, jacobian.T @ now, float(now @ now)
    for _ in range(8):
        shift = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -gradient)
        tried = np.clip(x + np.clip(shift, -2.0, 2.0), -6.0, 6.0)
        after = function(tried)
        if (new := float(after @ after)) < loss:
            return tried, damping / 3.0, (loss - new) / loss
        damping *= 4.0
    return x, damping, 0.0
