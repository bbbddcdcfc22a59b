"""A figure as a vector drawing: SVG of shapes and texts, without pictures."""

from __future__ import annotations

import re
from typing import TypeVar

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSizeF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

from gui.charts.figure.figure import Figure
from gui.charts.paint.brush import PaintedText, WordlessPainter
from gui.charts.paint.picture import paint_figure
from gui.theme.plain import as_text
from gui.theme.theme import Theme

_Painter = TypeVar("_Painter", bound=QPainter)

_FINE = re.compile(r"(?<=\d\.\d\d)\d+")
"""Digits of a number beyond hundredths of a px, which are half of a drawing."""


def svg_of(figure: Figure, theme: Theme, size: QSizeF, selected: str | None = None) -> str:
    """The drawing of a figure at a size in px."""
    return _drawn(QPainter, figure, theme, size, selected)[0]


def svg_and_texts(
    figure: Figure, theme: Theme, size: QSizeF, selected: str | None = None
) -> tuple[str, list[PaintedText]]:
    """The drawing without its texts, and these: for paper, on which they are set as all others are."""
    svg, painter = _drawn(WordlessPainter, figure, theme, size, selected)
    return svg, painter.texts


def _drawn(
    kind: type[_Painter], figure: Figure, theme: Theme, size: QSizeF, selected: str | None
) -> tuple[str, _Painter]:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(size.toSize())
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle(as_text(figure.title))
    generator.setDescription(as_text(figure.summary))
    painter = kind(generator)
    paint_figure(painter, QRectF(0, 0, size.width(), size.height()), figure, theme, selected)
    painter.end()
    return _FINE.sub("", bytes(buffer.data().data()).decode()), painter
