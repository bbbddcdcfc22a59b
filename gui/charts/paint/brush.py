"""Pens, fonts and text for charts: one place that turns theme tokens into what QPainter wants."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QImage,
    QPaintDevice,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)

from gui.charts.figure.figure import Fill
from gui.charts.paint.stripes import hatch_stripes
from gui.charts.paint.textures import texture
from gui.theme.chip_colours import TEXT_OF
from gui.theme.fonts import typeface, width_px
from gui.theme.painted import without_painter
from gui.theme.plain import as_text
from gui.theme.theme import Theme

TEXT_PX = 12
HALO_PX = 3.5
N_HALO_COPIES = 12
"""Copies of a text around it that make its halo in pictures: round enough, and ten times as fast as a stroked path."""
MOST_HALOS = 256
"""Pictures of halos that are kept, some 20 kB each; all charts of a plan have fewer."""
LARGE = 64
"""Times the size of the screen: letters are outlined so large and drawn smaller."""
OUTLINE_PX = 1.5
N_DASHES, DASH_SHARE = 8, 0.55
"""Dashes of the broken outline of what is on paper, and how much of it they cover."""


def text_width(text: str, strong: bool = False, px: int = TEXT_PX) -> float:
    """Width in px of a line of chart text."""
    return width_px(text, px, strong)


def _dashes(shape: str, size: float) -> list[float]:
    """A whole number of dashes round a mark, in widths of its outline."""
    around = 8 * size if shape == "square" else 2 * math.pi * size
    step = around / N_DASHES / OUTLINE_PX
    return [DASH_SHARE * step, (1 - DASH_SHARE) * step]


def colour_name(theme: Theme, key: str) -> str:
    """The colour of a figure's key: a token name, ``part:<cost part>``, or ``<series>_label_text`` for its texts."""
    if key.endswith(TEXT_OF) and key not in theme.colours:
        return theme.colours["ink2"]
    if key.startswith("part:"):
        return theme.part_colour(key.removeprefix("part:"))
    return theme.colours[key]


@contextmanager
def clipped(painter: QPainter, rect: QRectF) -> Iterator[None]:
    """Paints within a rectangle alone. The clip before is set anew: a drawing (SVG) does not see what is restored."""
    before = painter.clipBoundingRect() if painter.hasClipping() else None
    painter.save()
    painter.setClipRect(rect)
    yield
    painter.restore()
    if before is not None:
        painter.setClipRect(before)


@lru_cache(maxsize=512)
def _colour(name: str, opacity: float) -> QColor:
    made = QColor(name)
    made.setAlphaF(opacity)
    return made


@lru_cache(maxsize=MOST_HALOS)
def _halo_picture(text: str, px: int, strong: bool, rgba: int, ratio: float) -> QImage:
    """The halo of a text, whose left end stands ``HALO_PX`` from the left edge on the middle line."""
    font, metrics = typeface(px, strong)
    width, height = metrics.horizontalAdvance(text) + 3 * HALO_PX, 2 * (metrics.height() + HALO_PX)
    picture = QImage(math.ceil(width * ratio), math.ceil(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = picture.deviceIndependentSize().height() / 2
    painter.setFont(font)
    painter.setPen(QColor.fromRgba(rgba))
    for dx, dy in _AROUND_PX:
        painter.drawText(QPointF(HALO_PX + dx, middle + dy), text)
    painter.end()
    return without_painter(picture)


_TURNS = tuple(2 * math.pi * copy / N_HALO_COPIES for copy in range(N_HALO_COPIES))
_AROUND_PX = tuple((HALO_PX / 2 * math.cos(turn), HALO_PX / 2 * math.sin(turn)) for turn in _TURNS)


def _stroke(painter: QPainter, at: QPointF, font: QFont, text: str, colour: QColor) -> None:
    pen = QPen(colour, HALO_PX)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(_outline(at, font, text), pen)


def _outline(at: QPointF, font: QFont, text: str) -> QPainterPath:
    """The letters as a path, made large: at the size of the screen, letters that it painted before move by 1/64 px."""
    large = QFont(font)
    large.setPixelSize(LARGE * font.pixelSize())
    path = QPainterPath()
    path.addText(QPointF(), large, text)
    return QTransform.fromTranslate(at.x(), at.y()).scale(1 / LARGE, 1 / LARGE).map(path)


@dataclass(frozen=True, slots=True)
class PaintedText:
    """A text that was not painted: the point of its line by which it is aligned, px from the upper left."""

    x: float
    y: float
    words: str
    align: str
    px: int
    is_strong: bool
    is_upright: bool
    colour: str


class WordlessPainter(QPainter):
    """Paints all but texts, which it keeps: on paper what sets the rest of the page sets them too."""

    def __init__(self, device: QPaintDevice) -> None:
        super().__init__(device)
        self.texts: list[PaintedText] = []

    def keep(self, at: QPointF, words: str, align: str, px: int, strong: bool, colour: QColor) -> None:
        """Takes a text aligned at a point of the painter's own coordinates."""
        whole = self.worldTransform()
        place = whole.map(at)
        if words:
            painted = PaintedText(place.x(), place.y(), words, align, px, strong, whole.isRotating(), colour.name())
            self.texts.append(painted)


@dataclass(frozen=True)
class Ink:
    """A painter with the theme it paints in."""

    painter: QPainter
    theme: Theme

    def colour(self, key: str, opacity: float = 1.0) -> QColor:
        """A colour by key, at an opacity."""
        return _colour(colour_name(self.theme, key), opacity)

    def pen(self, key: str, width: float = 1.0, opacity: float = 1.0, dash: tuple[float, float] | None = None) -> QPen:
        """A pen with flat caps; ``dash`` in px."""
        pen = QPen(self.colour(key, opacity), width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        if dash:
            pen.setDashPattern([dash[0] / width, dash[1] / width])
        return pen

    def line(self, x1: float, y1: float, x2: float, y2: float, pen: QPen) -> None:
        """A straight line; nothing where it has no length, which PDF readers take for an error."""
        if x1 == x2 and y1 == y2:
            return
        self.painter.setPen(pen)
        self.painter.drawLine(QPointF(x1, y1), QPointF(x2, y2))

    def lines(self, lines: Sequence[tuple[float, float, float, float]], pen: QPen) -> None:
        """Many straight lines at once; those without length are left out."""
        self.painter.setPen(pen)
        self.painter.drawLines([QLineF(*line) for line in lines if line[:2] != line[2:]])

    def fill(self, rect: QRectF, key: str, opacity: float = 1.0) -> None:
        """A flat rectangle."""
        self.painter.fillRect(rect, self.colour(key, opacity))

    def hatch(self, rect: QRectF, key: str) -> None:
        """A rectangle with stripes of the background: 45 degrees, 5 px pitch, 1.6 px gap, cut at its edge."""
        self.fill(rect, key)
        self._cut_out(hatch_stripes(rect.left(), rect.right(), rect.top(), rect.bottom()))

    def part(self, rect: QRectF, key: str, opacity: float = 1.0) -> None:
        """A segment of a bar, or its swatch: flat, and on paper and in files with the texture of its part."""
        self.fill(rect, key, opacity)
        if self.is_handed_out:
            self._cut_out(texture(key, (rect.left(), rect.right(), rect.top(), rect.bottom())))

    def _cut_out(self, polygons: Iterable[Sequence[tuple[float, float]]]) -> None:
        """Polygons in the colour of the background."""
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.colour("bg"))
        for polygon in polygons:
            self.painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in polygon]))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        key: str = "ink2",
        align: str = "left",
        strong: bool = False,
        halo: bool = False,
        px: int = TEXT_PX,
        room: float = math.inf,
    ) -> float:
        """Text with its middle height at y; returns its width. A halo in the background colour parts it from lines.

        What has no room is left out, with an ellipsis.
        """
        text = as_text(text)
        font, metrics = typeface(px, strong, self.is_screen)
        if width_px(text, px, strong, self.is_screen) > room:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        width = width_px(text, px, strong, self.is_screen)
        start = x - {"left": 0.0, "centre": width / 2, "right": width}[align]
        at = QPointF(start, y + metrics.capHeight() / 2)
        if halo:
            self._halo(at, text, px, strong)
        if isinstance(self.painter, WordlessPainter):
            self.painter.keep(QPointF(x, at.y()), text, align, px, strong, self.colour(key))
            return width
        self.painter.setFont(font)
        self.painter.setPen(self.colour(key))
        self.painter.drawText(at, text)
        return width

    @cached_property
    def is_screen(self) -> bool:
        """False for PDF and SVG: tabular figures are other glyphs there, and copied text would lose its digits."""
        engine = self.painter.paintEngine()
        return engine is None or engine.type() not in (QPaintEngine.Type.Pdf, QPaintEngine.Type.SVG)

    @cached_property
    def is_handed_out(self) -> bool:
        """True for paper and files, where nobody can point at what is cut, and which may be printed in grey."""
        return not self.is_screen or isinstance(self.painter.device(), QImage)

    def _halo(self, at: QPointF, text: str, px: int, strong: bool) -> None:
        whole = self.painter.combinedTransform()
        if not self._is_raster or whole.isRotating():
            _stroke(self.painter, at, typeface(px, strong, self.is_screen)[0], text, self.colour("bg"))
            return
        picture = _halo_picture(text, px, strong, self.colour("bg").rgba(), whole.m11())
        middle = picture.deviceIndependentSize().height() / 2
        self.painter.drawImage(QPointF(at.x() - HALO_PX, at.y() - middle), picture)

    @cached_property
    def _is_raster(self) -> bool:
        """True on screens and in picture files, where ready pictures are as good as paths and much faster."""
        engine = self.painter.paintEngine()
        return engine is not None and engine.type() == QPaintEngine.Type.Raster

    def glyph(
        self, x: float, y: float, radius: float, shape: str, key: str, hollow: bool = False, fill: Fill = "full"
    ) -> None:
        """A circle, or a square of 0.9 radius; all but full ones have a 1.5 px outline and the background inside."""
        size = radius * (0.9 if shape == "square" else 1.0)
        box = QRectF(x - size, y - size, 2 * size, 2 * size)
        is_full = fill == "full" and not hollow
        outline = self.pen("bg", 1.0) if is_full else self.pen(key, OUTLINE_PX)
        if fill == "dashed" and not hollow:
            outline.setDashPattern(_dashes(shape, size))
        self._shape(box, shape, outline, key if is_full else "bg")
        if fill == "half" and not hollow:
            self._left_half(box, shape, key)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _shape(self, box: QRectF, shape: str, outline: QPen, inside: str) -> None:
        self.painter.setPen(outline)
        self.painter.setBrush(QBrush(self.colour(inside)))
        if shape == "square":
            self.painter.drawRect(box)
        else:
            self.painter.drawEllipse(box)

    def _left_half(self, box: QRectF, shape: str, key: str) -> None:
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QBrush(self.colour(key)))
        if shape == "square":
            self.painter.drawRect(QRectF(box.left(), box.top(), box.width() / 2, box.height()))
        else:
            self.painter.drawPie(box, 90 * 16, 180 * 16)

    def ring(self, x: float, y: float, radius: float, key: str, width: float, filled: bool = False) -> None:
        """A circle around a mark."""
        self.painter.setPen(self.pen(key, width))
        self.painter.setBrush(QBrush(self.colour("bg")) if filled else QBrush(Qt.BrushStyle.NoBrush))
        self.painter.drawEllipse(QPointF(x, y), radius, radius)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def upright_text(self, x: float, y: float, text: str, key: str = "ink2") -> None:
        """Text turned to read upwards, centred at the point."""
        self.painter.save()
        self.painter.setTransform(QTransform().translate(x, y).rotate(-90), True)
        self.text(0, 0, text, key, "centre")
        self.painter.restore()
