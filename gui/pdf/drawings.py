"""Charts on paper: the figures of the screen as vector drawings, painted by the same painter."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSizeF

from core.report.blocks import AnswerFigure, Charted
from gui.charts.figure.figure import Figure as Chart
from gui.charts.paint.drawing import svg_of
from gui.charts.paint.picture import natural_height
from gui.charts.registry import OF_ANSWERS, charts
from gui.pdf.printable import printable
from gui.session.gui_thread import on_gui_thread
from gui.theme.theme import theme

WIDTH_PX = 718.0
"""At 503 pt of width, the charts' texts of 12 px are 8.4 pt."""

_PAGE_PX = 1063.0
"""Height of the room on a page, in the px of a chart."""
_EMPTY_PX = 60.0
_MOST_SHARE = 0.9


def drawn(block: Charted, section_title: str) -> tuple[Chart, str]:
    """The figure as it is printed and its drawing as SVG. A title that the section already says is left out."""
    chart = _chart(block)
    still = tuple(replace(limit, draggable=False) for limit in chart.limits)
    chart = replace(chart, limits=still, title="" if chart.title == section_title else chart.title)
    size = QSizeF(WIDTH_PX, _height_px(chart, block.height_share))
    svg = on_gui_thread(partial(svg_of, chart, theme("light"), size, _selected(block)))
    return chart, printable(svg)


def _chart(block: Charted) -> Chart:
    if isinstance(block, AnswerFigure):
        return OF_ANSWERS[block.chart](block.answer, block.day)
    return charts()[block.chart].draw(block.results, block.selected_id)


def _selected(block: Charted) -> str | None:
    return None if isinstance(block, AnswerFigure) else block.selected_id


def _height_px(chart: Chart, share: float) -> float:
    if chart.empty:
        return _EMPTY_PX
    return min(natural_height(chart, WIDTH_PX), _MOST_SHARE * _PAGE_PX) if chart.rows else share * _PAGE_PX
