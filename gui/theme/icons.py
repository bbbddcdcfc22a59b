"""Icons, drawn as strokes on a 16 px grid and tinted by the theme."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPainterPath, QPen, QPixmap

from core import paths
from core.writing.whole_file import write_whole
from gui.theme.painted import png_of, without_painter

_GRID = 16
# Polylines of (x, y) points; "o" entries are circles (centre x, y, radius).
_STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "menu": (((2, 4), (14, 4)), ((2, 8), (14, 8)), ((2, 12), (14, 12))),
    "undo": (
        ((6, 3), (2.5, 6.5), (6, 10)),
        ((2.5, 6.5), (10, 6.5), (12.5, 7.6), (13.5, 10), (12.5, 12.4), (10, 13.5), (7, 13.5)),
    ),
    "redo": (
        ((10, 3), (13.5, 6.5), (10, 10)),
        ((13.5, 6.5), (6, 6.5), (3.5, 7.6), (2.5, 10), (3.5, 12.4), (6, 13.5), (9, 13.5)),
    ),
    "plus": (((8, 3), (8, 13)), ((3, 8), (13, 8))),
    "search": (((10.6, 10.6), (14, 14)),),
    "chevron-down": (((3.5, 6), (8, 10.5), (12.5, 6)),),
    "chevron-right": (((6, 3.5), (10.5, 8), (6, 12.5)),),
    "chevron-left": (((10, 3.5), (5.5, 8), (10, 12.5)),),
    "close": (((3.5, 3.5), (12.5, 12.5)), ((12.5, 3.5), (3.5, 12.5))),
    "check": (((3, 8.5), (6.5, 12), (13, 4.5)),),
    "reset": (
        ((3, 3), (3, 6.5), (6.5, 6.5)),
        (
            (3, 6.5),
            (4.5, 4.4),
            (7, 3.2),
            (9.5, 3.3),
            (11.9, 4.8),
            (13, 7.2),
            (12.7, 9.8),
            (11, 12),
            (8.5, 13),
            (5.8, 12.6),
            (3.9, 11),
        ),
    ),
    "warning": (((8, 2.5), (14.5, 13.5), (1.5, 13.5), (8, 2.5)), ((8, 6.5), (8, 10)), ((8, 11.6), (8, 11.9))),
    "pin": (
        ((5.5, 2.5), (10.5, 2.5)),
        ((6.5, 2.5), (6.5, 7), (4.5, 9.5), (11.5, 9.5), (9.5, 7), (9.5, 2.5)),
        ((8, 9.5), (8, 14)),
    ),
    "open": (((2, 13), (2, 3.5), (6, 3.5), (7.5, 5.5), (14, 5.5), (14, 13), (2, 13)),),
}
_CIRCLES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "search": ((7, 7, 4.6),),
    "theme": ((8, 8, 5.6),),
}


def icon(name: str, colour: QColor | str, size_px: int = 16) -> QIcon:
    """An icon in a colour, sharp on high-density screens. Raises KeyError for an unknown name."""
    return QIcon(_pixmap(name, QColor(colour).name(), size_px))


@cache
def _pixmap(name: str, colour: str, size_px: int) -> QPixmap:
    pixmap = QPixmap.fromImage(_image(name, colour, size_px, 2.0))
    pixmap.setDevicePixelRatio(2.0)
    return pixmap


def _image(name: str, colour: str, size_px: int, ratio: float) -> QImage:
    path = _path(name)
    image = QImage(round(size_px * ratio), round(size_px * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size_px * ratio / _GRID, size_px * ratio / _GRID)
    pen = QPen(QColor(colour), 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(path, pen)
    if name == "theme":
        _half_disc(painter, colour)
    painter.end()
    return without_painter(image)


def _path(name: str) -> QPainterPath:
    if name not in _STROKES and name not in _CIRCLES:
        raise KeyError(name)
    path = QPainterPath()
    for line in _STROKES.get(name, ()):
        path.moveTo(*line[0])
        for point in line[1:]:
            path.lineTo(*point)
    for x, y, radius in _CIRCLES.get(name, ()):
        path.addEllipse(x - radius, y - radius, 2 * radius, 2 * radius)
    return path


def _half_disc(painter: QPainter, colour: str) -> None:
    path = QPainterPath()
    path.moveTo(8, 2.4)
    path.arcTo(2.4, 2.4, 11.2, 11.2, 90, -180)
    path.closeSubpath()
    painter.fillPath(path, QColor(colour))


@cache
def icon_file(name: str, colour: str) -> str:
    """A PNG of an icon in the user's cache, for style sheets, which take files only."""
    folder = paths.user_data() / "cache"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-{colour.removeprefix('#')}.png"
    with suppress(OSError):  # A sheet without this arrow can be used; a disk that refuses is told elsewhere.
        write_whole(path, png_of(_image(name, colour, 16, 2.0)))
    return path.as_posix()
