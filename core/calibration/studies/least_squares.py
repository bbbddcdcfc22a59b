"""Bounded, robust least squares for the engine's coefficients: Levenberg-Marquardt through a sigmoid, with priors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

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
) -> Floats:
    """Values that minimise ``sum w (r / noise)^2 + sum ((value - prior) / sigma)^2`` within bounds, shape (n fitted,).

    Each value is ``low + (high - low) / (1 + exp(-x))`` of an unbounded x, which converges where a solver with hard
    bounds stalls on them. Rows with large errors are weighted down anew in every iteration.
    """
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

        x, damping, gain = _step(weighted, x, now, _jacobian(weighted, x, now), damping)
        if gain < 1e-5:
            break
    return np.asarray(low + (high - low) / (1.0 + np.exp(-x)))


_FIELDS = ("low", "high", "prior", "sigma")


def _unbounded(values: Floats, low: Floats, high: Floats) -> Floats:
    share = np.clip((values - low) / (high - low), 0.02, 0.98)
    return np.asarray(np.log(share / (1.0 - share)))


def _robust(weights: Floats, errors: Floats) -> Floats:
    return np.asarray(weights / (1.0 + (errors / HEAVY_TAIL) ** 2))


def _jacobian(function: ResidualFunction, x: Floats, at_x: Floats) -> Floats:
    """Forward differences, shape (n residuals, n parameters)."""
    return np.stack([(function(x + STEP * unit) - at_x) / STEP for unit in np.eye(len(x))], axis=1)


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
