"""A plan's key figures with bars beside them, and the line on which it is signed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.report.blocks import Bar, Decide, Fact, KeyFigures
from gui.pdf.canvas import BODY_PX, SECTION_PX, SMALL_PX, Canvas, line_px, width_of, wrapped
from gui.pdf.piece import INNER_PX, Piece

_BARS_SHARE = 0.46
_FIRST_SHARE = 1.5
"""The first figure has a range below it."""
_BAR_PX = 42.0
"""Height of the longest bar."""
_AIR_PX = 16.0
_SIGNED = ("Owner", "Approved, name and signature", "Date")
_SIGN_EDGES = ((0.31, 0.49), (0.52, 0.84), (0.87, 1.0))


def key_figure_pieces(block: KeyFigures) -> list[Piece]:
    """Figures at the left, bars at the right; all of the width where there are no bars."""
    whole = INNER_PX * (1 - _BARS_SHARE) if block.bars else INNER_PX
    shares = [_FIRST_SHARE, *[1.0] * (len(block.items) - 1)]
    edges = [whole * sum(shares[:number]) / sum(shares) for number in range(len(shares) + 1)]
    rooms = [right - left - _AIR_PX for left, right in pairwise(edges)]
    notes = [wrapped(fact.note, room, SMALL_PX) for fact, room in zip(block.items, rooms, strict=True)]
    texts_px = 18 + line_px(SECTION_PX) + 2 + max((len(lines) for lines in notes), default=0) * line_px(SMALL_PX)
    height = max(texts_px, 18 + line_px(SMALL_PX) * 2 + _BAR_PX + 6) if block.bars else texts_px

    def paint(canvas: Canvas, x: float, top: float) -> None:
        for number, (fact, lines) in enumerate(zip(block.items, notes, strict=True)):
            _paint_figure(canvas, x + edges[number], top, fact, lines, rooms[number])
        if block.bars:
            left = x + INNER_PX * (1 - _BARS_SHARE)
            canvas.text(left, top, block.title, SMALL_PX, "ink3")
            _paint_bars(canvas, left, top + 18, block.bars)

    return [Piece(height, paint, 18.0)]


def _paint_figure(canvas: Canvas, x: float, top: float, fact: Fact, notes: Sequence[str], room_px: float) -> None:
    canvas.text(x, top, fact.title, SMALL_PX, "ink3")
    size = next((px for px in (SECTION_PX, 16, BODY_PX) if width_of(fact.value, px, True) <= room_px), BODY_PX)
    canvas.text(x, top + 17, fact.value, size, strong=True)
    canvas.lines(x, top + 19 + line_px(SECTION_PX), notes, SMALL_PX, "ink3")


def _paint_bars(canvas: Canvas, x: float, top: float, bars: Sequence[Bar]) -> None:
    """Values above, names below a common line."""
    step = INNER_PX * _BARS_SHARE / len(bars)
    width, base = min(step - 10, 44.0), top + line_px(SMALL_PX) + _BAR_PX + 2
    for number, bar in enumerate(bars):
        middle, length = x + (number + 0.5) * step, max(bar.share * _BAR_PX, 1.0)
        canvas.painter.fillRect(
            round(middle - width / 2), round(base - length), round(width), round(length), canvas.ink.colour("ink2")
        )
        canvas.text(middle, base - length - line_px(SMALL_PX) - 1, bar.value, SMALL_PX, "ink", align="centre")
        canvas.text(middle, base + 3, bar.name, SMALL_PX, "ink2", align="centre")
    canvas.rule(x, base, INNER_PX * _BARS_SHARE, "line2")


def decide_pieces(block: Decide) -> list[Piece]:
    """The day by which it is decided, and lines for owner, name and date; kept together."""
    line_y = 21 + line_px(BODY_PX)

    def paint(canvas: Canvas, x: float, top: float) -> None:
        canvas.text(x, top, block.title, SMALL_PX, "ink3")
        canvas.text(x, top + 18, block.day, BODY_PX, strong=True)
        canvas.text(x, top + line_y + 2, block.note, SMALL_PX, "ink3")
        for (left, right), title in zip(_SIGN_EDGES, _SIGNED, strict=True):
            canvas.text(x + left * INNER_PX, top, title, SMALL_PX, "ink3")
            canvas.rule(x + left * INNER_PX, top + line_y, (right - left) * INNER_PX, "ink2")

    return [Piece(line_y + (18 if block.note else 1), paint, 20.0)]
