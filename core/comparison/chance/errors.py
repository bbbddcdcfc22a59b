"""How far reality lies from what was predicted: seeded errors that move together where their cause is the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from statistics import NormalDist
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.ranges import Z_OF_80_PCT

Draws = NDArray[np.float32]
Spans = NDArray[np.float64]
"""Low, likely and high, shape (k, 3): the ends hold 80 % of outcomes."""
Cause = tuple[str, float]
"""What an error is of, such as ``speed of h100-sxm``, and its share of the variance."""

N_DRAWS, N_SCREENED = 10_000, 1_000
"""Draws of every contender, and those that put all candidates in order before."""
SEED = 20261122
_N_SHUFFLES = 64
KEPT_ERRORS_BYTES, KEPT_SHAPES_BYTES = 8 << 20, 16 << 20
"""Of errors, and of shapes, that several candidates share, for each number of draws. Serving takes 2,000 shapes of a
thousand draws; with a quarter of the errors 10,000 draws of 300 candidates take a third longer."""


@cache
def _shuffles(n_draws: int) -> Draws:
    """The middles of equally likely parts of the normal distribution in random orders, shape (64, 2 x n_draws): each
    part is drawn once (Latin hypercube sampling), and each order stands twice, so that it may start anywhere."""
    normal, random = NormalDist(), np.random.default_rng(SEED)
    parts = np.array([normal.inv_cdf((part + 0.5) / n_draws) for part in range(n_draws)], dtype=np.float32)
    return np.tile(np.array([random.permutation(parts) for _ in range(_N_SHUFFLES)]), 2)


def _error_of(cause: str, n_draws: int) -> Draws:
    """Standard normal errors of one cause: a shuffle and a place to start in it, both by the cause's name alone, so
    that no option's outcomes move when another one comes or goes."""
    number = crc32(cause.encode())
    start = n_draws - number // _N_SHUFFLES % n_draws
    return _shuffles(n_draws)[number % _N_SHUFFLES, start : start + n_draws]


class _Kept:
    """For each number of draws: :func:`_errors_of` and :func:`_shape` of the last ones asked for. Machines of one kind
    and edits of other things share a shape."""

    def __init__(self) -> None:
        self.errors: Callable[[int], Callable[[tuple[Cause, ...]], Draws]] = cache(_last_errors)
        self.shapes: Callable[[int], Callable[[bool, tuple[_Factor, ...]], Draws]] = cache(_last_shapes)


def _last_errors(n_draws: int) -> Callable[[tuple[Cause, ...]], Draws]:
    return lru_cache(maxsize=KEPT_ERRORS_BYTES // (4 * n_draws))(partial(_errors_of, n_draws))


def _last_shapes(n_draws: int) -> Callable[[bool, tuple[_Factor, ...]], Draws]:
    return lru_cache(maxsize=KEPT_SHAPES_BYTES // (4 * n_draws))(partial(_shape, n_draws))


_kept: ContextVar[_Kept] = ContextVar("kept")
_always_kept = _Kept()


@contextmanager
def draws_forgotten() -> Iterator[None]:
    """What is worked out inside, in this thread, leaves no errors and shapes behind: for answers that no edit follows,
    10 MB for one of serving."""
    token = _kept.set(_Kept())
    try:
        yield
    finally:
        _kept.reset(token)


def _errors_of(n_draws: int, causes: tuple[Cause, ...]) -> Draws:
    """``sum of sqrt(share) x error of the cause``: standard normal, as the shares of variance sum to 1."""
    mixed, *others = (np.float32(math.sqrt(share)) * _error_of(cause, n_draws) for cause, share in causes)
    for one in others:
        mixed += one
    mixed.flags.writeable = False
    return mixed


@dataclass(frozen=True, slots=True)
class Errors:
    """Standard normal errors of k candidates, each with its causes, in so many draws."""

    causes: Sequence[tuple[Cause, ...]]
    n_draws: int

    @property
    def values(self) -> Draws:
        """Each of them, shape (k, n draws)."""
        errors = _kept.get(_always_kept).errors(self.n_draws)
        return np.array([errors(one) for one in self.causes], dtype=np.float32)


_Factor = tuple[tuple[Cause, ...], float, float]
"""What the errors of a quantity are of, and what it rises by for those above 0 and falls by for those below."""


def _shape(n_draws: int, is_log: bool, factors: tuple[_Factor, ...]) -> Draws:
    """What the likely value is multiplied with in each draw, or where it is not log-normal, what is added to it."""
    shape = _spread(n_draws, *factors[0])
    for factor in factors[1:]:
        shape += _spread(n_draws, *factor)
    if is_log:
        np.exp(shape, out=shape)
    shape.flags.writeable = False
    return shape


def _spread(n_draws: int, causes: tuple[Cause, ...], rise: float, fall: float) -> Draws:
    """``rise x error`` of errors above 0 and ``fall x error`` of those below: the steeper of both on the side where it
    counts, without looking at any error's sign."""
    errors = _kept.get(_always_kept).errors(n_draws)(causes)
    spread = errors * np.float32(rise)
    if rise != fall:
        (np.maximum if rise > fall else np.minimum)(spread, errors * np.float32(fall), out=spread)
    return spread


def drawn(spans: Spans, errors: Errors) -> Draws:
    """Outcomes whose median is the likely value and whose 10th and 90th percentiles are the ends, shape (k, n draws).

    Two halves of a log-normal distribution, or, where a span reaches 0, of a normal one that ends there.
    """
    low, likely, high = _ordered(spans)
    is_log = low > 0
    safe = np.where(is_log, low, 1.0), np.where(is_log, likely, 1.0), np.where(is_log, high, 1.0)
    rise = np.where(is_log, np.log(safe[2] / safe[1]), high - likely)
    fall = np.where(is_log, np.log(safe[1] / safe[0]), likely - low)
    outcomes = _outcomes(errors.n_draws, is_log, likely, _factors(errors, rise, fall))
    if not is_log.all():
        outcomes[~is_log] = np.maximum(outcomes[~is_log], np.float32(0))
    return outcomes


def product_drawn(likely: NDArray[np.float64], *factors: tuple[Spans, Errors]) -> Draws:
    """Outcomes of a product of log-normal factors, each over its own likely value, times ``likely``, shape (k,); all
    spans are above 0. Raises ValueError without a factor."""
    if not factors:
        raise ValueError("A product needs a factor")
    columns = []
    for spans, errors in factors:
        low, mid, high = _ordered(spans)
        columns.append(_factors(errors, np.log(high / mid), np.log(mid / low)))
    return _outcomes(factors[0][1].n_draws, np.ones(len(likely), dtype=bool), likely, *columns)


def _factors(errors: Errors, rise: NDArray[np.float64], fall: NDArray[np.float64]) -> Iterator[_Factor]:
    """Of each candidate; rises and falls are those of one standard deviation of an 80 % range."""
    one_rise, one_fall = ((by / Z_OF_80_PCT).astype(np.float32).tolist() for by in (rise, fall))
    return zip(errors.causes, one_rise, one_fall, strict=True)


def _outcomes(
    n_draws: int, is_log: NDArray[np.bool_], likely: NDArray[np.float64], *factors: Iterator[_Factor]
) -> Draws:
    """The shapes of k candidates, side by side, times the likely values, or added to them."""
    shape, outcomes = _kept.get(_always_kept).shapes(n_draws), np.empty((len(likely), n_draws), dtype=np.float32)
    each = zip(outcomes, is_log.tolist(), likely.astype(np.float32).tolist(), zip(*factors, strict=True), strict=True)
    for row, log, amount, own in each:
        (np.multiply if log else np.add)(shape(log, own), amount, out=row)
    return outcomes


def _ordered(spans: Spans) -> tuple[NDArray[np.float64], ...]:
    likely = spans[:, 1]
    return np.minimum(spans[:, 0], likely), likely, np.maximum(spans[:, 2], likely)
