"""Paints a chip with its models: names that can be taken, memory by what fills it, load with its limit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush

from gui.charts.paint.brush import Ink
from gui.tabs.portfolio.bins import (
    BAR_PX,
    NEW_CHIP,
    PILL_SIDE_PX,
    Bin,
    Pill,
    label_of,
    memory_words,
    percent,
)

WEIGHTS, ADAPTERS, CACHE, OTHER = 1.0, 0.65, 0.35, 0.3
"""How much of the chip's colour each part of the memory has; what the chip keeps for itself is grey."""
ROUND_PX = 4.0
_STATES = {"good": "Fits", "err": "Does not fit"}


def paint_bin(ink: Ink, one: Bin, colour: str, limit: float, lit: tuple[str, int] | None, state: str) -> None:
    """A chip; ``state`` is ``good`` or ``err`` while a model is held over it."""
    if state:
        _frame(ink, one.rect.adjusted(1, 1, -1, -1), state)
    if one.chip is None:
        _frame(ink, one.rect.adjusted(1, 1, -1, -1), state or "line2", is_dashed=True)
        ink.text(one.rect.center().x(), one.rect.center().y(), _STATES.get(state, NEW_CHIP), state or "ink3", "centre")
        return
    top = one.pills[0].rect.center().y() if one.pills else one.rect.top() + 12
    ink.text(one.rect.left() + 4, top, f"Chip {one.number}", "ink", strong=True)
    for pill in one.pills:
        _paint_pill(ink, pill, pill.key == lit)
    _paint_memory(ink, one, colour, lit)
    _paint_load(ink, one, colour, limit, lit)


def paint_carried(ink: Ink, rect: QRectF, name: str, is_refused: bool) -> None:
    """The model in the hand, over all else."""
    key = "err" if is_refused else "accent"
    ink.painter.setPen(ink.pen(key, 1.5))
    ink.painter.setBrush(QBrush(ink.colour("bg", 0.9)))
    ink.painter.drawRoundedRect(rect, ROUND_PX, ROUND_PX)
    ink.text(rect.left() + PILL_SIDE_PX, rect.center().y(), name, key, room=rect.width() - 2 * PILL_SIDE_PX)


def _frame(ink: Ink, rect: QRectF, key: str, is_dashed: bool = False) -> None:
    ink.painter.setPen(ink.pen(key, 1.0 if is_dashed else 1.5, dash=(4.0, 3.0) if is_dashed else None))
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.drawRoundedRect(rect, ROUND_PX, ROUND_PX)


def _paint_pill(ink: Ink, pill: Pill, is_lit: bool) -> None:
    ink.painter.setPen(ink.pen("accent", 2.0) if is_lit else ink.pen("line2", 1.0))
    ink.painter.setBrush(QBrush(ink.colour("tint")))
    ink.painter.drawRoundedRect(pill.rect.adjusted(0.5, 0.5, -0.5, -0.5), ROUND_PX, ROUND_PX)
    start, room = pill.rect.left() + PILL_SIDE_PX, pill.rect.width() - 2 * PILL_SIDE_PX + 1
    if pill.placed.is_pinned:
        ink.glyph(start + 2, pill.rect.center().y(), 3.0, "circle", "accent")
        start, room = start + 10, room - 10
    ink.text(start, pill.rect.center().y(), label_of(pill.placed), "ink", room=room)


def _paint_memory(ink: Ink, one: Bin, colour: str, lit: tuple[str, int] | None) -> None:
    chip = one.chip
    if chip is None:
        return
    _title(ink, one, one.memory, "memory")
    parts = []
    for pill in one.pills:
        placed, is_lit = pill.placed, pill.key == lit
        sizes = ((placed.weights_gib, WEIGHTS), (placed.adapters_gib, ADAPTERS), (placed.cache_gib, CACHE))
        parts += [(gib, colour, shade, is_lit) for gib, shade in sizes]
    parts.append((chip.other_gib, "ink3", OTHER, False))
    _fill(ink, one.memory, parts, chip.capacity_gib)
    ink.text(one.rect.right(), one.memory.center().y(), memory_words(chip), "ink2", "right")


def _paint_load(ink: Ink, one: Bin, colour: str, limit: float, lit: tuple[str, int] | None) -> None:
    chip = one.chip
    if chip is None:
        return
    _title(ink, one, one.load, "load")
    _fill(ink, one.load, [(pill.placed.load, colour, WEIGHTS, pill.key == lit) for pill in one.pills], 1.0)
    at = one.load.left() + one.load.width() * min(limit, 1.0)
    ink.line(at, one.load.top() - 3, at, one.load.bottom() + 3, ink.pen("ink", 1.5))
    over = chip.load > limit + 1e-9
    told = f"{percent(chip.load)} of {percent(limit)}"
    ink.text(one.rect.right(), one.load.center().y(), told, "err" if over else "ink2", "right")


def _title(ink: Ink, one: Bin, bar: QRectF, words: str) -> None:
    ink.text(one.rect.left() + 4, bar.center().y(), words, "ink3")
    ink.fill(bar, "tint")


def _fill(ink: Ink, bar: QRectF, parts: Sequence[tuple[float, str, float, bool]], whole: float) -> None:
    """Parts from the left, a pixel apart; those of the chosen model are outlined."""
    x = bar.left()
    for size, key, shade, is_lit in parts:
        width = min(bar.width() * size / whole, bar.right() - x) if whole > 0 else 0.0
        rect = QRectF(x, bar.top(), max(width - (1.0 if width > 3 else 0.0), 0.0), BAR_PX)
        ink.fill(rect, key, shade)
        if is_lit and width > 0:
            ink.painter.setPen(ink.pen("accent", 1.5))
            ink.painter.setBrush(Qt.BrushStyle.NoBrush)
            ink.painter.drawRect(rect)
        x += max(width, 0.0)
