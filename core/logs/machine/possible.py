"""What a chip can read at all: tools print overflows, sensors that failed and sums gone wrong as if they were readings.

Such readings are dropped and counted, with what was found: a mean over them would be of nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.logs.accelerator_names import recognise
from core.logs.machine.units import kind_of
from core.logs.quantities import SHARED
from core.logs.record import Series
from core.paths import resources
from core.reading.csv_rows import read_cells
from core.units import grouped, noun, plain

MOST_POWER_W = 5000.0
"""Of a chip whose name is not known: twice what a board of two dies with its processor takes (GB200, 2.7 kW)."""

TIMES_BOARD_POWER = 3.0
"""Of a known chip. Peaks of milliseconds reach twice the board power, and some limits may be raised a little."""

_BOUNDS: Mapping[str, tuple[float, float]] = {
    "pct": (0.0, 100.0),
    "w": (0.0, MOST_POWER_W),
    "c": (-50.0, 150.0),  # sensors stop there; chips slow down at 80 to 110
    "mhz": (0.0, 40_000.0),  # memory of 28 Gbit/s a pin is told as 14 GHz, of twice the speed at most as 28
    "gib": (0.0, 8192.0),  # the largest chip that is announced has 1 TB
    "gb_per_s": (0.0, 20_000.0),  # links between chips carry 3.6 TB/s at most
}
"""Lowest and highest reading by kind of unit."""

_ROUNDING_PCT = 2.0
"""So far above 100 % is rounding or sampling, as a TPU's duty cycle shows, and counts as 100."""

_ROUNDING_OF_TOTAL = 1.02
"""Used and whole memory are rounded apart, and by some tools to whole GB."""

_DIGITS = 5
_USED, _TOTAL = "memory_used_gib", "memory_total_gib"


_Mask = NDArray[np.bool_]


@dataclass
class Possible:
    """Keeps what is possible of readings, and counts the rows in which something is not, by what that is."""

    most_power_w: float = MOST_POWER_W
    _words: dict[str, str] = field(default_factory=dict)
    _n_rows: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def of(self, columns: Mapping[str, Series]) -> dict[str, Series]:
        """The columns, whose rows belong together, with NaN in the place of what is impossible."""
        kept, masks = dict(columns), dict[str, _Mask]()
        for name, values in columns.items():
            low, high = self._bounds(name)
            is_out = (values < low) | (values > high)
            if is_out.any():
                kept[name], masks[name] = self._without(name, values, is_out, low, high)
        if _USED in kept and _TOTAL in kept:
            is_over = kept[_USED] > kept[_TOTAL] * _ROUNDING_OF_TOTAL
            if is_over.any():
                self._note(_USED, kept[_USED], is_over, f"the chip has {plain(float(kept[_TOTAL][is_over][0]))} GiB")
                kept[_USED] = np.where(is_over, math.nan, kept[_USED])
                masks[_USED] = masks.get(_USED, is_over) | is_over
        self._count(masks)
        return kept

    @property
    def reasons(self) -> dict[str, int]:
        """In how many rows something was impossible, by what was found and what is possible."""
        told: dict[str, int] = {}
        for names, n in self._n_rows.items():
            words = ", ".join(self._words[name] for name in names)
            told[f"{noun(str(len(names)), 'impossible reading')}: {words}"] = n
        return told

    def _without(self, name: str, values: Series, is_out: _Mask, low: float, high: float) -> tuple[Series, _Mask]:
        if kind_of(name) == "pct":
            is_rounded = (values > high) & (values <= high + _ROUNDING_PCT)
            values, is_out = np.where(is_rounded, high, values), is_out & ~is_rounded
        unit = SHARED[name].unit if name in SHARED else ""
        self._note(name, values, is_out, f"possible: {plain(low)} to {grouped(high)} {unit}".rstrip())
        return np.where(is_out, math.nan, values), is_out

    def _note(self, name: str, values: Series, is_out: _Mask, why: str) -> None:
        """Keeps the words of the first reading of a quantity that is impossible."""
        if name not in self._words and is_out.any():
            title, unit = (SHARED[name].title, SHARED[name].unit) if name in SHARED else (name, "")
            number = plain(float(values[is_out][0]), _DIGITS)
            found = f"{number} {unit}".rstrip() if number != "0" else "below 0"
            self._words[name] = f"{title[:1].lower()}{title[1:]} {found} ({why})"

    def _count(self, masks: Mapping[str, _Mask]) -> None:
        if not masks:
            return
        names = sorted(masks)
        rows, n_rows = np.unique(np.stack([masks[name] for name in names]), axis=1, return_counts=True)
        for row, n in zip(rows.T.tolist(), n_rows.tolist(), strict=True):
            if any(row):
                self._n_rows[tuple(name for name, is_out in zip(names, row, strict=True) if is_out)] += n

    def _bounds(self, name: str) -> tuple[float, float]:
        low, high = _BOUNDS.get(kind_of(name), (-math.inf, math.inf))
        return (low, min(high, self.most_power_w)) if kind_of(name) == "w" else (low, high)


def most_power_w(names: Iterable[str]) -> float:
    """The highest power that a reading of one of these chips, by their printed names, can be."""
    ids = [recognise(name) for name in names]
    known = [_board_powers_w().get(one or "", math.inf) for one in ids]
    return min(TIMES_BOARD_POWER * max(known, default=math.inf), MOST_POWER_W)


@cache
def _board_powers_w() -> Mapping[str, float]:
    """By chip. Of the catalogue's table alone, as all of it takes far longer to load than a log to read."""
    (_, header), *rows = read_cells(resources() / "catalogue" / "accelerators.csv", "the table of chips")
    chip, power = header.index("id"), header.index("tdp_w")
    return {cells[chip]: float(cells[power]) for _, cells in rows if cells and cells[power]}
