"""Names with values in two columns, one piece a line of both."""

from __future__ import annotations

from itertools import zip_longest

from core.report.blocks import Pair, Pairs
from gui.pdf.canvas import SMALL_PX, Canvas, line_px, wrapped
from gui.pdf.piece import INNER_PX, Piece
from gui.pdf.text_pieces import text_piece

_COLUMN_PX = INNER_PX / 2 - 14
_NAME_PX = _COLUMN_PX * 0.46
_VALUE_PX = _COLUMN_PX - _NAME_PX - 8


def pair_pieces(block: Pairs) -> list[Piece]:
    """A heading and the lines."""
    half = -(-len(block.items) // 2)
    lines = [_line_piece(one, other) for one, other in zip_longest(block.items[:half], block.items[half:])]
    return [text_piece(block.title, "heading"), *lines]


def _line_piece(one: Pair, other: Pair | None) -> Piece:
    pairs = [pair for pair in (one, other) if pair]
    laid = [(pair, wrapped(pair.name, _NAME_PX, SMALL_PX), wrapped(pair.value, _VALUE_PX, SMALL_PX)) for pair in pairs]
    height = max(len(lines) for _, *both in laid for lines in both) * line_px(SMALL_PX) + 2

    def paint(canvas: Canvas, x: float, top: float) -> None:
        for number, (pair, names, values) in enumerate(laid):
            left, key = x + number * (_COLUMN_PX + 28), "ink3" if pair.tone == "muted" else "ink"
            canvas.lines(left, top, names, SMALL_PX, key)
            canvas.lines(left + _NAME_PX + 8, top, values, SMALL_PX, key)

    return Piece(height, paint)
