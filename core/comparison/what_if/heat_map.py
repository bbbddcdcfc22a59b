"""Who is picked where two inputs move together, and where the picks meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.breath import breathe, tell_share
from core.comparison.what_if.contours import Polyline, contours
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import NONE_FITS, Study, Verdict

Array = NDArray[np.float64]
MOST_CELLS = 30
_COARSE, _RIDGE = 5, 1e-4


@dataclass(frozen=True, slots=True)
class Winner:
    """Who is picked all over a region: a chip's id and its short name, without a number of chips, which differs from
    cell to cell; ``chip`` is None where nothing fits."""

    chip: str | None
    name: str


@dataclass(frozen=True)
class HeatMap:
    """Picks over two inputs. ``xs`` and ``ys`` are the values in the middles of the cells.

    ``winner``, shape (n y, n x), points into ``winners``; ``lead_usd``, of the same shape, is its lead in regret, nan
    where it is alone or nothing fits. ``asked`` marks cells that were worked out; the others lie among cells of one
    winner, and between their leads. ``now`` is the pick where both inputs are as they are. ``is_whole`` is False for
    the coarse first picture.
    """

    x: Input
    y: Input
    now: Verdict
    xs: Array
    ys: Array
    winners: tuple[Winner, ...]
    winner: NDArray[np.intp]
    lead_usd: Array
    asked: NDArray[np.bool_]
    is_whole: bool

    @property
    def borders(self) -> tuple[Polyline, ...]:
        """Where picks meet, in the inputs' values, each polyline of shape (n points, 2)."""
        return contours(self.xs, self.ys, self.winner, self.lead_usd)

    @property
    def likely_box(self) -> tuple[float, float, float, float]:
        """Both 80 % ranges: left, bottom, right, top."""
        return self.x.low, self.y.low, self.x.high, self.y.high

    def winner_at(self, x: float, y: float) -> Winner:
        """Who is picked in the cell of two values."""
        column, row = int(np.argmin(np.abs(self.xs - x))), int(np.argmin(np.abs(self.ys - y)))
        return self.winners[int(self.winner[row, column])]


def window_of(one: Input) -> tuple[float, float]:
    """The values that a map shows of an input: twice as far as its 80 % range, and a fifth at least."""
    down = max(2 * (one.now - one.low), 0.2 * abs(one.now), 1e-9)
    up = max(2 * (one.high - one.now), 0.2 * abs(one.now), 1e-9)
    return max(one.now - down, one.least), min(one.now + up, one.most)


def heat_map(
    study: Study,
    x: Input,
    y: Input,
    n_x: int = MOST_CELLS,
    n_y: int = MOST_CELLS,
    x_window: tuple[float, float] | None = None,
    y_window: tuple[float, float] | None = None,
) -> Iterator[HeatMap]:
    """The map, a coarse picture first. Cells among others of one winner are filled in between, not asked."""
    field = _Field(study, x, y, _middles(x_window or window_of(x), n_x), _middles(y_window or window_of(y), n_y))
    field.ask_lattice(_COARSE)
    yield field.picture(_COARSE)
    field.refine(_COARSE)
    yield field.picture(1)


def _middles(window: tuple[float, float], n: int) -> Array:
    low, high = window
    return low + (high - low) * (np.arange(n) + 0.5) / n


class _Field:
    def __init__(self, study: Study, x: Input, y: Input, xs: Array, ys: Array) -> None:
        self.study, self.x, self.y, self.xs, self.ys = study, x, y, xs, ys
        self.verdicts: dict[tuple[int, int], Verdict] = {}

    def ask(self, row: int, column: int) -> Verdict:
        place = row, column
        if place not in self.verdicts:
            breathe()
            moves = (self.x, float(self.xs[column])), (self.y, float(self.ys[row]))
            self.verdicts[place] = self.study.verdict(*moves)
        return self.verdicts[place]

    def ask_lattice(self, step: int) -> None:
        rows, columns = _lattice(len(self.ys), step), _lattice(len(self.xs), step)
        for number, row in enumerate(rows):
            tell_share(number / len(rows) / 3)
            for column in columns:
                self.ask(row, column)

    def refine(self, step: int) -> None:
        """Asks within blocks whose corners differ, and halves these again."""
        rows, columns = _lattice(len(self.ys), step), _lattice(len(self.xs), step)
        for number, (top, bottom) in enumerate(pairwise(rows)):
            tell_share((1 + 2 * number / len(rows)) / 3)
            for left, right in pairwise(columns):
                self._halve(top, bottom, left, right)

    def _halve(self, top: int, bottom: int, left: int, right: int) -> None:
        corners = {self.ask(row, column).chip for row in (top, bottom) for column in (left, right)}
        if len(corners) == 1 or (bottom - top <= 1 and right - left <= 1):
            return
        rows = sorted({top, (top + bottom) // 2, bottom})
        columns = sorted({left, (left + right) // 2, right})
        for upper, lower in pairwise(rows):
            for near, far in pairwise(columns):
                self._halve(upper, lower, near, far)

    def picture(self, step: int) -> HeatMap:
        """What is known, each other cell as the nearest one that was asked."""
        shape = len(self.ys), len(self.xs)
        asked = np.zeros(shape, dtype=bool)
        places = np.array(list(self.verdicts))
        asked[tuple(places.T)] = True
        told = list(self.verdicts.values())
        chips = list(dict.fromkeys(one.chip for one in told))
        winners = tuple(map(self._winner, chips))
        number = np.array([chips.index(one.chip) for one in told])
        lead = np.array([np.nan if one.lead_usd is None else one.lead_usd for one in told])
        nearest, leads = _filled(shape, places, number, lead)
        return HeatMap(
            self.x, self.y, self.study.verdict(), self.xs, self.ys, winners, number[nearest], leads, asked, step == 1
        )

    def _winner(self, chip: str | None) -> Winner:
        if chip is None:
            return Winner(None, NONE_FITS)
        return Winner(chip, self.study.basis.catalogue.accelerator_by_id[chip].short_name)


def _lattice(n: int, step: int) -> list[int]:
    return sorted({*range(0, n, step), n - 1})


def _filled(
    shape: tuple[int, int], places: NDArray[np.intp], number: NDArray[np.intp], lead: Array
) -> tuple[NDArray[np.intp], Array]:
    """The nearest asked cell of each, and a lead from a plane through those of its winner, the near ones above all."""
    cells = np.indices(shape).reshape(2, -1).T
    steps = (places[None] - cells[:, None]).astype(np.float64)
    away = np.square(steps).sum(axis=2)
    nearest = np.argmin(away, axis=1)
    counts = (number[nearest][:, None] == number) & ~np.isnan(lead)
    weights = np.where(counts, 1.0 / np.maximum(away, 1e-6) ** 2, 0.0)
    levels = _levels(weights, steps, np.nan_to_num(lead))
    low, high = np.nanmin(lead, initial=np.inf), np.nanmax(lead, initial=-np.inf)
    leads = np.where(counts.any(axis=1), np.clip(levels, low, high), np.nan)
    return nearest.reshape(shape), leads.reshape(shape)


def _levels(weights: Array, steps: Array, lead: Array) -> Array:
    """The height at each cell of the plane that fits best there by least squares, shape (n cells,); of few or of far
    points it is flat."""
    design = np.concatenate((np.ones((*weights.shape, 1)), steps), axis=2)
    weighted = design * weights[:, :, None]
    normal = np.einsum("cpi,cpj->cij", weighted, design) + np.diag([_RIDGE**2, _RIDGE, _RIDGE])
    return np.asarray(np.linalg.solve(normal, np.einsum("cpi,p->ci", weighted, lead)[:, :, None])[:, 0, 0])
