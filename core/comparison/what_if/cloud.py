"""How the outcomes of two options lie: the draws of the ranking, a fixed sample of them, and a table of one hundred."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.comparison.chance.cautious import Goodness, goodness_by_parts
from core.comparison.chance.contest import Contest
from core.comparison.chance.errors import N_DRAWS
from core.comparison.judge.assemble import Judged
from core.comparison.what_if.study import Study

Array = NDArray[np.float64]
N_SHOWN = 500
N_OF_OUTLINE = 48
INSIDE = 0.8


@dataclass(frozen=True)
class Dots:
    """Outcomes of one option: ``cost_usd`` and ``time`` of the sample, shapes (500,), the means over all draws, and the
    outline that holds 80 % of them, shape (n points, 2), closed. Time is days until done, or until a service can start;
    hours of a batch."""

    cost_usd: Array
    time: Array
    mean_cost_usd: float
    mean_time: float
    outline: Array


@dataclass(frozen=True, slots=True)
class OfHundred:
    """A row of the table: A and B of 100 draws. Rows of a ``pair`` sum to 100, ties split; of limits each counts
    alone."""

    id: str
    a: float
    b: float
    is_pair: bool


@dataclass(frozen=True)
class Cloud:
    """A and B over the same draws; ``rows`` are cheaper, sooner, each limit that is set, all together, better."""

    a: Dots
    b: Dots
    rows: tuple[OfHundred, ...]


def cloud(study: Study) -> Cloud | None:
    """The draws of A and B as the plan is now; None without B, or where nothing can be drawn as nothing fits."""
    contest = study.met()[1]
    if study.b is None or contest is None:
        return None
    judged, rows = study.sides()
    a, b = (_drawn(judged, contest, row) for row in rows)
    return Cloud(_dots(a), _dots(b), tuple(_rows(a, b)))


def _drawn(judged: Judged, contest: Contest, row: int) -> Goodness:
    (drawn,) = goodness_by_parts(judged, contest.yardstick, np.array([row], dtype=np.intp), N_DRAWS)
    return drawn


def _dots(drawn: Goodness) -> Dots:
    cost_usd, time = drawn.outcomes.cost_usd[0].astype(np.float64), drawn.outcomes.time[0].astype(np.float64)
    shown = np.arange(0, N_DRAWS, N_DRAWS // N_SHOWN)
    return Dots(cost_usd[shown], time[shown], float(cost_usd.mean()), float(time.mean()), outline(cost_usd, time))


def outline(cost_usd: Array, time: Array, inside: float = INSIDE) -> Array:
    """A closed line around the mean with so much of the draws in it: an ellipse in the logarithms, as errors are
    log-normal, shape (n points, 2)."""
    points = np.log(np.maximum(np.column_stack((cost_usd, time)), 1e-9))
    middle = points.mean(axis=0)
    spread = np.cov(points.T) + 1e-12 * np.eye(2)
    away = np.einsum("ij,ij->i", points - middle, np.linalg.solve(spread, (points - middle).T).T)
    radius = np.sqrt(np.quantile(away, inside))
    turns = np.linspace(0.0, 2 * np.pi, N_OF_OUTLINE + 1)
    circle = np.column_stack((np.cos(turns), np.sin(turns)))
    return np.asarray(np.exp(middle + radius * circle @ np.linalg.cholesky(spread).T))


def _rows(a: Goodness, b: Goodness) -> list[OfHundred]:
    one, other = a.outcomes, b.outcomes
    rows = [_pair("cheaper", -one.cost_usd[0], -other.cost_usd[0]), _pair("sooner", -one.time[0], -other.time[0])]
    rows += [_alone(limit, one.keeps[limit][0], other.keeps[limit][0]) for limit in one.keeps]
    if len(one.keeps) > 1 and one.keeps_all is not None and other.keeps_all is not None:
        rows.append(_alone("all limits", one.keeps_all[0], other.keeps_all[0]))
    return [*rows, _pair("better", a.total[0], b.total[0])]


def _pair(name: str, a: NDArray[np.float32], b: NDArray[np.float32]) -> OfHundred:
    share = 100 * float(np.mean(a > b) + np.mean(a == b) / 2)
    return OfHundred(name, share, 100.0 - share, True)


def _alone(name: str, a: NDArray[np.bool_], b: NDArray[np.bool_]) -> OfHundred:
    return OfHundred(name, 100 * float(a.mean()), 100 * float(b.mean()), False)
