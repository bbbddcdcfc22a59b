"""Charts on paper: the figures of the screen as vector drawings, painted by the same painter."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QSizeF

from core.report.blocks import AnswerFigure, Charted
from gui.charts.figure.figure import Figure as Chart
from gui.charts.figure.figure import still
from gui.charts.paint.brush import PaintedText
from gui.charts.paint.drawing import svg_and_texts
from gui.charts.paint.picture import natural_height
from gui.charts.registry import OF_ANSWERS, charts
from gui.session.gui_thread import on_gui_thread
from gui.theme.theme import theme

WIDTH_PX = 718.0
"""At 503 pt of width, the charts' texts of 12 px are 8.4 pt."""

_PAGE_PX = 1063.0
"""Height of the room on a page, in the px of a chart."""
_EMPTY_PX = 60.0
_MOST_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as it is printed: its figure, its shapes as SVG, and the texts on it, all in px."""

    chart: Chart
    svg: str
    texts: list[PaintedText]
    height: float


def drawn(block: Charted, section_title: str) -> list[Drawing]:
    """The figure as it is printed, at its own height and then at the larger ones. A title that the section already says
    is left out."""
    chart = _chart(block)
    chart = replace(still(chart), title="" if chart.title == section_title else chart.title)
    heights = (math.ceil(_height_px(chart, share)) for share in (block.height_share, *_larger(block)))
    return [_drawing(chart, height, _selected(block)) for height in dict.fromkeys(heights)]


def _drawing(chart: Chart, height: float, selected_id: str | None) -> Drawing:
    paint = partial(svg_and_texts, chart, theme("light"), QSizeF(WIDTH_PX, height), selected_id)
    return Drawing(chart, *on_gui_thread(paint), height)


def _chart(block: Charted) -> Chart:
    if isinstance(block, AnswerFigure):
        return OF_ANSWERS[block.chart](block.answer, block.day)
    return charts()[block.chart].draw(block.results, block.selected_id)


def _larger(block: Charted) -> tuple[float, ...]:
    return () if isinstance(block, AnswerFigure) else block.larger


def _selected(block: Charted) -> str | None:
    return None if isinstance(block, AnswerFigure) else block.selected_id


def _height_px(chart: Chart, share: float) -> float:
    if chart.empty:
        return _EMPTY_PX
    return min(natural_height(chart, WIDTH_PX), _MOST_SHARE * _PAGE_PX) if chart.rows else share * _PAGE_PX
