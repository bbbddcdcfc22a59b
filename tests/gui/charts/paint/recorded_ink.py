"""An ink that writes down what is painted, in pixels, in place of painting it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPolygonF

from gui.charts.paint.brush import text_width
from tests.gui.sample_session import themes

Pen = tuple[str, float, float, tuple[float, float] | None]
"""Colour key, width, opacity, dash."""


def rect(box: QRectF) -> tuple[float, ...]:
    """Left, top, width and height."""
    return tuple(round(value, 6) for value in (box.x(), box.y(), box.width(), box.height()))


def point(x: float, y: float) -> tuple[float, float]:
    """A place in pixels, without what floating point leaves behind."""
    return round(x, 6), round(y, 6)


@dataclass
class RecordedPainter:
    """What is drawn past the ink: polygons and rectangles with the pen and brush that are set."""

    drawn: list[tuple[Any, ...]] = field(default_factory=list)
    pen: Any = None
    brush: Any = None

    def save(self) -> None:
        """Nothing to keep."""

    def restore(self) -> None:
        """Nothing to give back."""

    def hasClipping(self) -> bool:
        return False

    def setRenderHint(self, hint: Any) -> None:
        """Nothing to smooth."""

    def setOpacity(self, opacity: float) -> None:
        self.drawn.append(("opacity", opacity))

    def setClipRect(self, box: QRectF) -> None:
        self.drawn.append(("clip", rect(box)))

    def setPen(self, pen: Any) -> None:
        self.pen = pen

    def setBrush(self, brush: Any) -> None:
        self.brush = brush

    def drawPolygon(self, points: QPolygonF) -> None:
        self.drawn.append(("polygon", [point(p.x(), p.y()) for p in points.toList()], self.pen, self.brush))

    def drawPolyline(self, points: QPolygonF) -> None:
        self.drawn.append(("polyline", [point(p.x(), p.y()) for p in points.toList()], self.pen))

    def drawRect(self, box: QRectF) -> None:
        self.drawn.append(("rect", rect(box), self.pen))

    def drawRoundedRect(self, box: QRectF, x_radius: float, y_radius: float) -> None:
        self.drawn.append(("rounded", rect(box), self.brush))


class RecordedInk:
    """Stands for an ``Ink``: pens and colours are their keys, and calls are kept in ``calls``."""

    def __init__(self) -> None:
        self.painter, self.theme = RecordedPainter(), themes().theme
        self.calls: list[tuple[Any, ...]] = []
        self.rooms: dict[str, float] = {}
        self.is_screen, self.is_handed_out = True, False

    def of(self, kind: str) -> list[tuple[Any, ...]]:
        """The calls of one kind, without its name."""
        return [call[1:] for call in self.calls if call[0] == kind]

    def pen(self, key: str, width: float = 1.0, opacity: float = 1.0, dash: tuple[float, float] | None = None) -> Pen:
        return key, width, opacity, dash

    def colour(self, key: str, opacity: float = 1.0) -> tuple[str, float]:
        return key, opacity

    def line(self, x1: float, y1: float, x2: float, y2: float, pen: Pen) -> None:
        self.calls.append(("line", point(x1, y1), point(x2, y2), pen))

    def lines(self, lines: Sequence[tuple[float, float, float, float]], pen: Pen) -> None:
        for line in lines:
            self.line(*line, pen)

    def fill(self, box: QRectF, key: str, opacity: float = 1.0) -> None:
        self.calls.append(("fill", rect(box), key))

    def part(self, box: QRectF, key: str, opacity: float = 1.0) -> None:
        self.fill(box, key, opacity)

    def hatch(self, box: QRectF, key: str) -> None:
        self.calls.append(("hatch", rect(box), key))

    def text(
        self, x: float, y: float, text: str, key: str = "ink2", align: str = "left", strong: bool = False,
        halo: bool = False, px: int = 12, room: float = math.inf,
    ) -> float:  # fmt: skip
        self.calls.append(("text", text, point(x, y), key, align, strong, halo))
        self.rooms[text] = room
        return text_width(text, strong, px)

    def upright_text(self, x: float, y: float, text: str) -> None:
        self.calls.append(("upright", text, point(x, y)))

    def glyph(
        self, x: float, y: float, radius: float, shape: str, key: str, hollow: bool = False, fill: str = "full"
    ) -> None:
        """Full ones, which most are, go without a word for it."""
        self.calls.append(("glyph", point(x, y), radius, shape, key, hollow, *([] if fill == "full" else [fill])))

    def ring(self, x: float, y: float, radius: float, key: str, width: float, filled: bool = False) -> None:
        self.calls.append(("ring", point(x, y), radius, key, width, filled))
