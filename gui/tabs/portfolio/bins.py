"""Where chips with their models stand in the view of what is packed, in pixels; no painting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from core.comparison.portfolio.first_fit import WHY_WORDS, refused_on, with_one_more
from core.comparison.portfolio.packing import PackedChip, Packing, Placed
from core.units import THIN, gib_text, plain
from gui.charts.paint.brush import text_width

PILL_PX, PILL_GAP_PX, PILL_SIDE_PX = 22.0, 4.0, 9.0
BAR_PX, BAR_ROW_PX, TOP_PX, BIN_GAP_PX = 11.0, 19.0, 26.0, 12.0
TITLE_PX, VALUE_PX, EDGE_PX = 58.0, 104.0, 4.0
EMPTY_PX = 30.0
PIN_PX = 12.0
COLUMN_PX, COLUMN_GAP_PX = 280.0, 28.0
NEW_CHIP = "A chip of its own"


@dataclass(frozen=True, slots=True)
class Pill:
    """A model that a hand can take."""

    rect: QRectF
    placed: Placed

    @property
    def key(self) -> tuple[str, int]:
        """Workload and copy."""
        return self.placed.workload, self.placed.copy


@dataclass(frozen=True, slots=True)
class Bin:
    """A chip: where a model may be dropped, its models, and the bars below them; ``chip`` is None for one that is not
    there yet."""

    number: int
    rect: QRectF
    pills: tuple[Pill, ...]
    memory: QRectF
    load: QRectF
    chip: PackedChip | None


def bins_of(packing: Packing, width: float, has_new: bool) -> tuple[Bin, ...]:
    """Chips in as many columns as there is room for, each below the shortest so far, then room for one more."""
    n_columns = max(int((width + COLUMN_GAP_PX) // (COLUMN_PX + COLUMN_GAP_PX)), 1)
    wide = (width - COLUMN_GAP_PX * (n_columns - 1)) / n_columns
    tops = [0.0] * n_columns
    bins: list[Bin] = []
    for chip in (*packing.chips, *((None,) if has_new else ())):
        at = tops.index(min(tops))
        left = at * (wide + COLUMN_GAP_PX)
        bins.append(_bin(chip, left, tops[at], wide) if chip else _new_bin(len(bins) + 1, left, tops[at], wide))
        tops[at] = bins[-1].rect.bottom() + BIN_GAP_PX
    return tuple(bins)


def _new_bin(number: int, left: float, top: float, width: float) -> Bin:
    return Bin(number, QRectF(left, top, width, EMPTY_PX), (), QRectF(), QRectF(), None)


def height_of(bins: Sequence[Bin]) -> int:
    """Height that all need."""
    return round(max(one.rect.bottom() for one in bins) + 2) if bins else 0


def _bin(chip: PackedChip, left: float, top: float, width: float) -> Bin:
    pills: list[Pill] = []
    x, y, right = left + TITLE_PX, top + EDGE_PX, left + width
    for one in chip.items:
        wide = min(text_width(label_of(one)) + 2 * PILL_SIDE_PX + (PIN_PX if one.is_pinned else 0), width - TITLE_PX)
        if x > left + TITLE_PX and x + wide > right:
            x, y = left + TITLE_PX, y + PILL_PX + PILL_GAP_PX
        pills.append(Pill(QRectF(x, y, wide, PILL_PX), one))
        x += wide + PILL_GAP_PX
    below = y + PILL_PX + PILL_GAP_PX
    length = width - TITLE_PX - VALUE_PX
    bars = [QRectF(left + TITLE_PX, below + row * BAR_ROW_PX + 4, length, BAR_PX) for row in (0, 1)]
    rect = QRectF(left, top, width, below + 2 * BAR_ROW_PX + EDGE_PX - top)
    return Bin(chip.number, rect, tuple(pills), bars[0], bars[1], chip)


def bin_at(bins: Sequence[Bin], at: QPointF) -> Bin | None:
    """The chip below a point."""
    return next((one for one in bins if one.rect.contains(at)), None)


def pill_at(bins: Sequence[Bin], at: QPointF) -> Pill | None:
    """The model below a point."""
    return next((pill for one in bins for pill in one.pills if pill.rect.contains(at)), None)


def label_of(placed: Placed) -> str:
    """``Support 8B``; of further copies with their number."""
    return placed.name if placed.copy == 1 else f"{placed.name}, copy {placed.copy}"


def item_words(placed: Placed, chip: PackedChip) -> str:
    """What a model takes of its chip, for hovering and for a screen reader."""
    gib = placed.weights_gib + placed.adapters_gib + placed.cache_gib
    parts = [f"weights {gib_text(placed.weights_gib)}", f"cache {gib_text(placed.cache_gib)}"]
    if placed.adapters_gib:
        parts.insert(1, f"adapters {gib_text(placed.adapters_gib)}")
    hand = ", put there by hand" if placed.is_pinned else ""
    return (
        f"{label_of(placed)} on chip {chip.number}{hand}: {gib_text(gib)} ({', '.join(parts)}), "
        f"load {percent(placed.load)}"
    )


def memory_words(chip: PackedChip) -> str:
    """``78.4 of 141 GiB``."""
    return f"{plain(chip.memory_gib)} of {gib_text(chip.capacity_gib)}"


def percent(share: float) -> str:
    """A share as per cent."""
    return f"{plain(100 * share, 2)}{THIN}%"


def table_of(packing: Packing) -> list[list[str]]:
    """A line a model, for the clipboard."""
    heads = ["Chip", "Model", "Weights, GiB", "Adapters, GiB", "Cache, GiB", "Load, %", "By hand"]
    return [heads, *(_line(chip.number, one) for chip in packing.chips for one in chip.items)]


def _line(number: int, one: Placed) -> list[str]:
    sizes = [f"{gib:.3f}" for gib in (one.weights_gib, one.adapters_gib, one.cache_gib)]
    return [str(number), label_of(one), *sizes, f"{100 * one.load:.2f}", "yes" if one.is_pinned else "no"]


WhyNot = Callable[[Packing, Placed, int], str]
"""Why a model does not fit on the chip of a number, in words; empty where it does."""


def why_not(packing: Packing, placed: Placed, number: int) -> str:
    """As the engine has it: by another copy, load, time or memory, with figures where these say it best."""
    reason = refused_on(packing, placed.workload, number)
    if reason not in ("load", "memory"):
        return WHY_WORDS.get(reason, "")
    chip = with_one_more(packing, placed.workload, number)
    if reason == "load":
        return f"load {percent(chip.load)}, the limit is {percent(packing.load_limit)}"
    return f"{gib_text(chip.memory_gib - chip.capacity_gib)} of memory too much"
