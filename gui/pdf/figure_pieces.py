"""Charts on paper: the same figures as on screen, as vectors."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF

from core.report.blocks import Figure
from gui.charts.paint.picture import natural_height, paint_figure
from gui.charts.registry import charts
from gui.pdf.canvas import SMALL_PX, Canvas, line_px, wrapped
from gui.pdf.piece import INNER_PX, ROOM_PX, Piece

_EMPTY_PX = 60.0


def figure_pieces(block: Figure, section_title: str) -> list[Piece]:
    """A chart with its caption, in one piece. Its title is left out where the section already says it."""
    made = charts()[block.chart].draw(block.results, block.selected_id)
    if made.title == section_title:
        made = replace(made, title="")
    chart_px = _height_px(made.rows != (), made.empty, block, natural_height(made, INNER_PX))
    lines = wrapped(block.caption, INNER_PX, SMALL_PX) if block.caption else []

    def paint(canvas: Canvas, x: float, top: float) -> None:
        paint_figure(canvas.painter, QRectF(x, top, INNER_PX, chart_px), made, canvas.theme, block.selected_id)
        canvas.lines(x, top + chart_px + 4, lines, SMALL_PX, "ink2")

    return [Piece(chart_px + 4 + len(lines) * line_px(SMALL_PX), paint, 18.0)]


def _height_px(has_rows: bool, empty: str, block: Figure, natural_px: float) -> float:
    if empty:
        return _EMPTY_PX
    wanted = block.height_share * ROOM_PX
    return min(natural_px, ROOM_PX * 0.9) if has_rows else wanted
