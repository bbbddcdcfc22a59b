"""How far reality lies from what was predicted: seeded errors that move together where their cause is the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from statistics import NormalDist
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Draws = NDArray[np.float32]
Spans = NDArray[np.float64]
"""Low, likely and high, shape (k, 3): the ends hold 80 % of outcomes."""
Cause = tuple[str, float]
"""What an error is of, such as ``speed of h100-sxm``, and its share of the variance."""

N_DRAWS, N_SCREENED = 10_000, 1_000
"""Draws of every contender, and those that put all candidates in order before."""
SEED = 20261122
Z_OF_80_PCT = NormalDist().inv_cdf(0.9)
"""Standard deviations between the likely value and either end of an 80 % range."""
_N_SHUFFLES = 64


@cache
def _shuffles(n_draws: int) -> Draws:
    """The middles of equally likely parts of the normal distribution in random orders, shape (64, n_draws): each part
    is drawn once (Latin hypercube sampling)."""
    normal, random = NormalDist(), np.random.default_rng(SEED)
    parts = np.array([normal.inv_cdf((part + 0.5) / n_draws) for part in range(n_draws)], dtype=np.float32)
    return np.array([random.permutation(parts) for _ in range(_N_SHUFFLES)])


def _error_of(cause: str, n_draws: int) -> Draws:
    """Standard normal errors of one cause: a shuffle and a place to start in it, both by the cause's name alone, so
    that no option's outcomes move when another one comes or goes."""
    number = crc32(cause.encode())
    return np.roll(_shuffles(n_draws)[number % _N_SHUFFLES], number // _N_SHUFFLES % n_draws)


@lru_cache(maxsize=1024)
def _errors_of(causes: tuple[Cause, ...], n_draws: int) -> Draws:
    """``sum of sqrt(share) x error of the cause``: standard normal, as the shares of variance sum to 1."""
    mixed = np.zeros(n_draws, dtype=np.float32)
    for cause, share in causes:
        mixed += np.float32(math.sqrt(share)) * _error_of(cause, n_draws)
    mixed.flags.writeable = False
    return mixed


@dataclass(frozen=True, slots=True)
class Errors:
    """Standard normal errors of k candidates, shape (k, n draws), split at 0: ``up`` at least, ``down`` at most 0."""

    up: Draws
    down: Draws

    @classmethod
    def of(cls, causes: Sequence[tuple[Cause, ...]], n_draws: int) -> Errors:
        """The errors of candidates, each with its causes."""
        mixed = np.array([_errors_of(one, n_draws) for one in causes], dtype=np.float32)
        return cls(np.maximum(mixed, 0), np.minimum(mixed, 0))


def drawn(spans: Spans, errors: Errors) -> Draws:
    """Outcomes whose median is the likely value and whose 10th and 90th percentiles are the ends, shape (k, n draws).

    Two halves of a log-normal distribution, or, where a span reaches 0, of a normal one that ends there.
    """
    low, likely, high = _ordered(spans)
    is_log = low > 0
    safe = np.where(is_log, low, 1.0), np.where(is_log, likely, 1.0), np.where(is_log, high, 1.0)
    rise = np.where(is_log, np.log(safe[2] / safe[1]), high - likely)
    fall = np.where(is_log, np.log(safe[1] / safe[0]), likely - low)
    outcomes = _spread(rise, fall, errors)
    if is_log.all():
        return _risen(outcomes, likely)
    flat = ~is_log
    outcomes[is_log] = _risen(outcomes[is_log], likely[is_log])
    outcomes[flat] = np.maximum(outcomes[flat] + _column(likely[flat]), np.float32(0))
    return outcomes


def product_drawn(likely: NDArray[np.float64], *factors: tuple[Spans, Errors]) -> Draws:
    """Outcomes of a product of log-normal factors, each over its own likely value, times ``likely``, shape (k,); all
    spans are above 0."""
    outcomes: Draws | None = None
    for spans, errors in factors:
        low, mid, high = _ordered(spans)
        spread = _spread(np.log(high / mid), np.log(mid / low), errors)
        outcomes = spread if outcomes is None else np.add(outcomes, spread, out=outcomes)
    if outcomes is None:
        raise ValueError("A product needs a factor")
    return _risen(outcomes, likely)


def _ordered(spans: Spans) -> tuple[NDArray[np.float64], ...]:
    likely = spans[:, 1]
    return np.minimum(spans[:, 0], likely), likely, np.maximum(spans[:, 2], likely)


def _spread(rise: NDArray[np.float64], fall: NDArray[np.float64], errors: Errors) -> Draws:
    """``rise`` times the errors above 0, ``fall`` times those below, each in standard deviations of an 80 % range."""
    spread = np.multiply(errors.up, _column(rise / Z_OF_80_PCT))
    spread += np.multiply(errors.down, _column(fall / Z_OF_80_PCT))
    return spread


def _risen(spread: Draws, likely: NDArray[np.float64]) -> Draws:
    np.exp(spread, out=spread)
    spread *= _column(likely)
    return spread


def _column(values: NDArray[np.float64]) -> Draws:
    return values.astype(np.float32)[:, None]
