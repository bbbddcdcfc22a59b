"""Amounts by period: bars over the columns of their own table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise

from core.report.blocks import PeriodRow, Periods
from gui.pdf.canvas import SMALL_PX, Canvas
from gui.pdf.piece import INNER_PX, Piece

_NAME_PX, _TOTAL_PX = 118.0, 50.0
_BAR_PX, _ROW_PX = 70.0, 20.0
_DENSE, _DENSE_PX = 12, 10
"""So many columns and more are set smaller."""
_TONES = {"": "ink", "strong": "ink", "muted": "ink3"}


def period_pieces(block: Periods) -> list[Piece]:
    """All of it in one piece."""
    rows = list(_rows(block))
    top_px = (20.0 if block.groups else 0.0) + _BAR_PX + 6
    height = top_px + (len(rows) + 1) * _ROW_PX + 2

    def paint(canvas: Canvas, x: float, top: float) -> None:
        _paint_groups(canvas, x, top, top_px, block)
        _paint_bars(canvas, x, top + top_px, block)
        _paint_row(canvas, x, top + top_px, PeriodRow(block.unit, block.periods, "Total", "muted"), _edges(block))
        for number, (row, edges) in enumerate(rows):
            _paint_row(canvas, x, top + top_px + (number + 1) * _ROW_PX, row, edges)

    return [Piece(height, paint, 12.0)]


def _rows(block: Periods) -> Iterator[tuple[PeriodRow, list[float]]]:
    for row in block.rows:
        yield row, _edges(block)
    if block.group_row:
        yield block.group_row, _group_edges(block)
    if block.last:
        yield block.last, _edges(block)


def _edges(block: Periods) -> list[float]:
    step = (INNER_PX - _NAME_PX - _TOTAL_PX) / max(len(block.periods), 1)
    return [_NAME_PX + number * step for number in range(len(block.periods) + 1)]


def _group_edges(block: Periods) -> list[float]:
    edges = _edges(block)
    return [edges[end] for end in accumulate((count for _, count in block.groups), initial=0)]


def _paint_groups(canvas: Canvas, x: float, top: float, height: float, block: Periods) -> None:
    for (name, _), (left, right) in zip(block.groups, pairwise(_group_edges(block)), strict=True):
        canvas.text(x + (left + right) / 2, top, name, SMALL_PX, "ink2", align="centre")
        canvas.ink.line(x + left, top, x + left, top + height, canvas.ink.pen("line", 1.0))


def _paint_bars(canvas: Canvas, x: float, base: float, block: Periods) -> None:
    for share, (left, right) in zip(block.shares, pairwise(_edges(block)), strict=True):
        length = max(share, 0.0) * (_BAR_PX - 10)
        canvas.painter.fillRect(
            round(x + left + 5), round(base - length), round(right - left - 7), round(length), canvas.ink.colour("ink2")
        )
    canvas.rule(x, base, INNER_PX, "line2")


def _paint_row(canvas: Canvas, x: float, top: float, row: PeriodRow, edges: list[float]) -> None:
    px = SMALL_PX if len(edges) <= _DENSE else _DENSE_PX
    key, strong = _TONES.get(row.tone, "ink"), row.tone == "strong"
    canvas.text(x, top + 2, row.name, SMALL_PX, key, strong, room_px=_NAME_PX - 6)
    for value, right in zip(row.values, edges[1:], strict=True):
        canvas.text(x + right - 3, top + 2, value, px, key, strong, "right")
    canvas.text(x + INNER_PX, top + 2, row.total, px, key, strong, "right")
    canvas.rule(x, top + _ROW_PX, INNER_PX)
