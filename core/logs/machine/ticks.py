"""Readings of several chips gathered tick by tick into grids of bounded size: (ticks, chips), one a quantity."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.constants import SECONDS_PER_HOUR
from core.logs.machine.possible import Possible
from core.logs.quantities import SHARED, QuantityKind
from core.logs.record import Grid, Quantity, Series
from core.reading.pace import too_many

MOST_CELLS = 1_000_000
"""Ticks x chips kept of each quantity: where a log has more, neighbouring ticks become one, their mean."""

MOST_CHIPS = 4096
_ROWS_HELD = 4096
_KWH_PER_JOULE = 1 / 3.6e6
_LONGEST_GAPS = 20.0
"""Times the usual distance of two ticks: over a longer pause nothing is known of the power."""

_LONGEST_GAP_S = 60.0

Whole = NDArray[np.int64]
_Float = TypeVar("_Float", np.float32, np.float64)


@dataclass(frozen=True)
class Gathered:
    """All ticks in order of time; ``time_s`` counts from the first. ``quantities`` are of all readings, not of ticks.

    Means, counts and maxima are exact; percentiles are of the kept cells, which are the readings themselves up to
    :data:`MOST_CELLS`, and means of neighbouring ones above.
    """

    time_s: Series
    series: Mapping[str, Series]
    by_chip: Mapping[str, Grid]
    chips: tuple[str, ...]
    quantities: Mapping[str, Quantity]
    has_times: bool


@dataclass
class _Tally:
    n: int = 0
    total: float = 0.0
    most: float = -math.inf

    def take(self, known: Series) -> None:
        if len(known):
            self.n += len(known)
            self.total += float(known.sum())
            self.most = max(self.most, float(known.max()))


@dataclass
class _Piece:
    """Some ticks after one another. ``means`` are over the chips of a tick, ``grids`` may know fewer chips than all."""

    time_s: Series
    means: dict[str, Series]
    grids: dict[str, Grid]

    @property
    def n_ticks(self) -> int:
        return len(self.time_s)


@dataclass
class ChipTicks:
    """Takes readings a row (:meth:`add`) or many rows (:meth:`add_rows`) at a time. A chip that repeats begins a tick.

    Readings that no chip can have are left out and counted by ``possible``.
    A time that is NaN is unknown: where no tick has one, ticks count as seconds. Raises TooMuchError, which names
    ``where``, beyond :data:`MOST_CHIPS`.
    """

    where: str
    most_cells: int = MOST_CELLS
    numbers: dict[str, int] = field(default_factory=dict)
    n_rows: int = 0
    possible: Possible = field(default_factory=Possible)
    _tick: int = 0
    _seen: set[int] = field(default_factory=set)
    _ticks: array[int] = field(default_factory=lambda: array("q"))
    _chips: array[int] = field(default_factory=lambda: array("q"))
    _times: array[float] = field(default_factory=lambda: array("d"))
    _values: dict[str, array[float]] = field(default_factory=dict)
    _open: tuple[Whole, Whole, Series, dict[str, Series]] | None = None
    _pieces: list[_Piece] = field(default_factory=list)
    _pending: list[_Piece] = field(default_factory=list)
    _level: int = 0
    _tallies: dict[str, _Tally] = field(default_factory=dict)

    def number(self, chip: str) -> int:
        """The chip's place among all, given at its first sight. Raises TooMuchError beyond the most chips of a log."""
        place = self.numbers.setdefault(chip, len(self.numbers))
        if place >= MOST_CHIPS:
            raise too_many(self.where, MOST_CHIPS, "GPUs")
        return place

    def add(self, chip: str, values: Mapping[str, float], time_s: float = math.nan) -> None:
        """What one row says of a chip; a quantity that it does not name is unknown."""
        self.add_numbered(self.number(chip), values, time_s)

    def add_numbered(self, place: int, values: Mapping[str, float], time_s: float = math.nan) -> None:
        """The same for a chip that has its :meth:`number`."""
        if place in self._seen:
            self.end_tick()
        self._seen.add(place)
        n_held = len(self._ticks)
        for name in values.keys() - self._values.keys():
            self._values[name] = array("d", [math.nan]) * n_held
        for name, held in self._values.items():
            held.append(values.get(name, math.nan))
        self._ticks.append(self._tick)
        self._chips.append(place)
        self._times.append(time_s)
        self.n_rows += 1
        if n_held >= _ROWS_HELD:
            self._let_go()

    def end_tick(self) -> None:
        """What follows is of a later moment, whichever chip it is of."""
        if self._seen:
            self._tick += 1
            self._seen = set()

    def add_rows(self, chips: Whole, time_s: Series, values: Mapping[str, Series]) -> None:
        """Many rows in turn, their chips by number."""
        self._let_go()
        self.n_rows += len(chips)
        self._close(self._tick_numbers(chips), chips, time_s, dict(values))

    def finish(self, kinds: Mapping[str, QuantityKind] = SHARED) -> Gathered:
        """Everything, once nothing more is added; KeyError for a quantity that no kind describes."""
        self._let_go()
        self._tick += 1
        self._close(*_no_rows())
        self._keep(is_last=True)
        return self._gathered(_joined(self._pieces, len(self.numbers)), kinds)

    def _let_go(self) -> None:
        if self._ticks:
            rows = [np.array(held) for held in (self._ticks, self._chips, self._times)]
            values = {name: np.array(held) for name, held in self._values.items()}
            self._ticks, self._chips, self._times = array("q"), array("q"), array("d")
            self._values = {name: array("d") for name in self._values}
            self._close(rows[0], rows[1], rows[2], values)

    def _tick_numbers(self, chips: Whole) -> Whole:
        """Tick of each row. Where each tick begins with the same chip and counts upwards nothing is looped over."""
        starts = np.flatnonzero(chips[1:] <= chips[:-1]) + 1
        first = set(chips[: starts[0]].tolist() if len(starts) else chips.tolist())
        is_new = int(chips[0]) in self._seen
        seen = first if is_new else self._seen | first
        if not is_new and self._seen & first:
            return self._slowly_numbered(chips)
        if len(starts) and (int(chips[starts[0]]) not in seen or np.any(chips[starts] != chips[starts[0]])):
            return self._slowly_numbered(chips)
        steps = np.zeros(len(chips), np.int64)
        steps[starts] = 1
        steps[0] = is_new
        numbers: Whole = np.cumsum(steps) + self._tick
        self._tick = int(numbers[-1])
        self._seen = set(chips[starts[-1] :].tolist()) if len(starts) else seen
        return numbers

    def _slowly_numbered(self, chips: Whole) -> Whole:
        numbers = array("q")
        for chip in chips.tolist():
            if chip in self._seen:
                self.end_tick()
            self._seen.add(chip)
            numbers.append(self._tick)
        return np.array(numbers)

    def _close(self, ticks: Whole, chips: Whole, time_s: Series, values: dict[str, Series]) -> None:
        """Keeps all ticks that are over and holds the rows of the one that goes on."""
        if self._open is not None:
            held_ticks, held_chips, held_times, held = self._open
            values = _with_all(held, values, len(held_ticks), len(ticks))
            ticks, chips = np.concatenate((held_ticks, ticks)), np.concatenate((held_chips, chips))
            time_s = np.concatenate((held_times, time_s))
        n_over = int(np.searchsorted(ticks, self._tick))
        self._open = ticks[n_over:], chips[n_over:], time_s[n_over:], {n: v[n_over:] for n, v in values.items()}
        n_at_once = max(self.most_cells // max(len(self.numbers), 1), 1)
        starts = _first_of_each(ticks[:n_over], n_at_once)
        for start, end in zip(starts, [*starts[1:], n_over], strict=False):
            rows = slice(start, end)
            self._keep_ticks(ticks[rows], chips[rows], time_s[rows], {name: v[rows] for name, v in values.items()})

    def _keep_ticks(self, ticks: Whole, chips: Whole, time_s: Series, values: dict[str, Series]) -> None:
        first_of = np.concatenate(([True], ticks[1:] != ticks[:-1]))
        tick: Whole = np.cumsum(first_of) - 1
        n_ticks = int(tick[-1]) + 1
        shape = (n_ticks, len(self.numbers))
        means, grids = {}, {}
        for name, column in self.possible.of(values).items():
            known = ~np.isnan(column)
            readings, at = (column, tick) if known.all() else (column[known], tick[known])
            self._tallies.setdefault(name, _Tally()).take(readings)
            means[name] = _mean_of_each(readings, at, n_ticks)
            grids[name] = np.full(shape, np.nan, np.float32)
            grids[name][tick, chips] = column
        stamped = ~np.isnan(time_s)
        self._pending.append(_Piece(_mean_of_each(time_s[stamped], tick[stamped], n_ticks), means, grids))
        self._keep()

    def _keep(self, is_last: bool = False) -> None:
        """Merges pending ticks to the size of the kept ones, keeps them, and halves all where they are too many."""
        run = 2**self._level
        n_pending = sum(piece.n_ticks for piece in self._pending)
        if run > 1 and self._pending and (is_last or n_pending >= run):
            pending = _joined(self._pending, len(self.numbers))
            n_whole = n_pending if is_last else n_pending // run * run
            self._pieces.append(_merged(_part(pending, 0, n_whole), run))
            self._pending = [_part(pending, n_whole, n_pending)] if n_whole < n_pending else []
        elif run == 1:
            self._pieces += self._pending
            self._pending = []
        if sum(piece.n_ticks for piece in self._pieces) * len(self.numbers) > self.most_cells:
            self._pieces = [_merged(_joined(self._pieces, len(self.numbers)), 2)]
            self._level += 1

    def _gathered(self, piece: _Piece, kinds: Mapping[str, QuantityKind]) -> Gathered:
        has_times = bool(np.any(~np.isnan(piece.time_s)))
        time_s = _filled(piece.time_s) if has_times else np.arange(float(piece.n_ticks)) * 2**self._level
        time_s = _without_clock_change(time_s)
        order = np.argsort(time_s, kind="stable")
        names = sorted(name for name, tally in self._tallies.items() if tally.n)
        if np.any(order[1:] < order[:-1]):
            piece = _Piece(
                piece.time_s,
                {name: piece.means[name][order] for name in names},
                {name: piece.grids[name][order] for name in names},
            )
        return Gathered(
            _since_first(time_s[order]),
            {name: piece.means[name] for name in names},
            {name: piece.grids[name] for name in names},
            tuple(self.numbers),
            {name: _summary(kinds[name].unit, self._tallies[name], piece.grids[name]) for name in names},
            has_times,
        )


def energy_kwh(time_s: Series, power_w: Grid) -> float:
    """Energy of all chips, kWh: power of (ticks, chips) over time by the trapezoid rule, a chip's readings in turn.

    Unknown readings are bridged from the one before to the one after, as long as no pause is longer than a minute and
    twenty times the usual distance of two ticks. NaN where no chip has two readings.
    """
    if len(time_s) < 2:
        return math.nan
    longest_s = max(_LONGEST_GAPS * float(np.median(np.diff(time_s))), _LONGEST_GAP_S)
    total_j, n_chips = 0.0, 0
    for chip in range(power_w.shape[1]):
        known = ~np.isnan(power_w[:, chip])
        if np.count_nonzero(known) > 1:
            power, gaps_s = power_w[known, chip].astype(np.float64), np.diff(time_s[known])
            gaps_s[gaps_s > longest_s] = 0.0
            total_j += float(np.sum(gaps_s * (power[1:] + power[:-1]) / 2))
            n_chips += 1
    return total_j * _KWH_PER_JOULE if n_chips else math.nan


def _no_rows() -> tuple[Whole, Whole, Series, dict[str, Series]]:
    return np.array([], np.int64), np.array([], np.int64), np.array([]), {}


def _first_of_each(ticks: Whole, n_at_once: int) -> list[int]:
    """Where every ``n_at_once``-th tick begins."""
    if not len(ticks):
        return []
    begins = np.flatnonzero(np.concatenate(([True], ticks[1:] != ticks[:-1])))
    return [int(start) for start in begins[::n_at_once]]


def _with_all(held: Mapping[str, Series], new: Mapping[str, Series], n_held: int, n_new: int) -> dict[str, Series]:
    """Columns of both, one after the other; NaN where one does not have a quantity."""
    return {
        name: np.concatenate((_or_unknown(held.get(name), n_held), _or_unknown(new.get(name), n_new)))
        for name in {**held, **new}
    }


def _or_unknown(values: Series | None, n: int) -> Series:
    return np.full(n, np.nan) if values is None else values


def _mean_of_each(readings: Series, tick: Whole, n_ticks: int) -> Series:
    """Mean of the readings of each tick; NaN where there is none."""
    count = np.bincount(tick, minlength=n_ticks)
    mean = np.full(n_ticks, np.nan)
    np.divide(np.bincount(tick, weights=readings, minlength=n_ticks), count, out=mean, where=count > 0)
    return mean


def _joined(pieces: list[_Piece], n_chips: int) -> _Piece:
    """All pieces as one that knows every chip and quantity. The pieces are emptied, so that memory is freed early."""
    names = sorted({name for piece in pieces for name in piece.means})
    times = [piece.time_s for piece in pieces]
    means = {name: [_or_unknown(piece.means.get(name), piece.n_ticks) for piece in pieces] for name in names}
    grids = {}
    for name in names:
        grids[name] = _stacked([(piece.grids.pop(name, None), piece.n_ticks) for piece in pieces], n_chips)
    return _Piece(
        np.concatenate(times) if times else np.array([]),
        {name: np.concatenate(parts) for name, parts in means.items()},
        grids,
    )


def _stacked(parts: list[tuple[Grid | None, int]], n_chips: int) -> Grid:
    whole = np.full((sum(n for _, n in parts), n_chips), np.nan, np.float32)
    at = 0
    for grid, n_ticks in parts:
        if grid is not None:
            whole[at : at + n_ticks, : grid.shape[1]] = grid
        at += n_ticks
    return whole


def _part(piece: _Piece, start: int, end: int) -> _Piece:
    rows = slice(start, end)
    return _Piece(
        piece.time_s[rows],
        {name: values[rows] for name, values in piece.means.items()},
        {name: grid[rows] for name, grid in piece.grids.items()},
    )


def _merged(piece: _Piece, run: int) -> _Piece:
    """Each ``run`` ticks as one, the last perhaps of fewer."""
    return _Piece(
        _mean_of_runs(piece.time_s, run),
        {name: _mean_of_runs(values, run) for name, values in piece.means.items()},
        {name: _mean_of_runs(grid, run) for name, grid in piece.grids.items()},
    )


def _mean_of_runs(values: NDArray[_Float], run: int) -> NDArray[_Float]:
    starts = np.arange(0, len(values), run)
    known = ~np.isnan(values)
    total = np.add.reduceat(np.where(known, values, 0), starts, axis=0)
    count = np.add.reduceat(known.astype(np.int32), starts, axis=0)
    mean = np.full(total.shape, np.nan, values.dtype)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


def _summary(unit: str, tally: _Tally, grid: Grid) -> Quantity:
    middle, high, highest = np.percentile(grid[~np.isnan(grid)], (50, 90, 99)).tolist()
    return Quantity(unit, tally.n, tally.total / tally.n, middle, tally.most, high, highest)


def _since_first(time_s: Series) -> Series:
    return time_s - time_s[0] if len(time_s) else time_s


def _without_clock_change(time_s: Series) -> Series:
    """Times that go on where the clock was set back by an hour once, as local time is each autumn."""
    back = np.flatnonzero(np.diff(time_s) < 0)
    if len(back) != 1:
        return time_s
    set_back_s = time_s[back[0]] - time_s[back[0] + 1]
    if not SECONDS_PER_HOUR - _LONGEST_GAP_S <= set_back_s <= SECONDS_PER_HOUR:
        return time_s
    return np.where(np.arange(len(time_s)) > back[0], time_s + SECONDS_PER_HOUR, time_s)


def _filled(time_s: Series) -> Series:
    """Times of ticks that have none lie evenly between their neighbours'; seconds where no tick has one."""
    known = ~np.isnan(time_s)
    places = np.arange(float(len(time_s)))
    return np.interp(places, places[known], time_s[known]) if known.any() else places
