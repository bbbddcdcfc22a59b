"""What stands in a vector drawing: one line a shape or text, with its pen, its fill and where it is."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

from gui.charts.figure.figure import Figure
from gui.charts.paint.brush import WordlessPainter
from gui.charts.paint.picture import Picture
from gui.charts.paint.points import Highlights
from tests.golden import FOLDER
from tests.gui.sample_session import themes

_PART = re.compile(
    r'<g clip-path="url\(#clipPath(?P<clip>\d+)|<(?P<tag>g|rect|polyline|polygon|path|line|ellipse|circle|text|image)\b'
    r"(?P<words>[^>]*)>(?P<text>[^<]*)"
)
_CLIP = re.compile(r'<clipPath id="clipPath(\d+)">\s*<path[^>]* d="([^"]*)"')
_PEN = ("fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "transform")
_AT_REST = {"fill-opacity": "1", "stroke-opacity": "1", "stroke-width": "1", "transform": "matrix(1,0,0,1,0,0)"}
_SHAPE = re.compile(r"(\d+ )?(rect|polyline|polygon|path|line|ellipse|circle|text|image) ")
_TEXT = re.compile(r"(text .*?-?\d+\.\d -?\d+\.\d )(.*)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
NEAR_PX = 0.3
MOST_IN_FULL = 5
"""Of more shapes of one kind in a row, such as stripes, it is told how many there are, how far they reach, and the
tenth of the sum of all."""
MOST_ROWS = 30
MOST_NUMBERS = 16
"""Of more numbers of one shape, such as the outline of letters, only how far they reach is told."""


def shapes_of(svg: str) -> list[str]:
    """One line a shape: what it is, its pen and fill where they are not at rest, the numbers that place it, words."""
    lines: list[str] = []
    for (kind, pen), run in groupby(_shapes(svg), key=lambda shape: shape[:2]):
        places = [place for _, _, place in run]
        if kind == "text" or len(places) <= MOST_IN_FULL:
            lines += [f"{kind} {pen} {place}" for place in places]
        else:
            numbers = [float(number) for place in places for number in _NUMBER.findall(place)]
            lines.append(f"{len(places)} {kind} {pen} {_extent(numbers)} all {math.fsum(numbers) / 10:.1f}")
    return lines


def _extent(numbers: Sequence[float]) -> str:
    """Left, top, right and lower edge of many places."""
    xs, ys = numbers[::2], numbers[1::2]
    return f"{min(xs):.1f} {min(ys):.1f} {max(xs):.1f} {max(ys):.1f}"


def _places(words: str) -> str:
    numbers = [float(number) for number in _NUMBER.findall(words)]
    if len(numbers) > MOST_NUMBERS:
        return f"{_extent(numbers)}"
    return " ".join(f"{number:.1f}" for number in numbers)


def _shapes(svg: str) -> Iterator[tuple[str, str, str]]:
    clips = {number: _places(path) for number, path in _CLIP.findall(svg)}
    body, pen, clip = svg[svg.index("</defs>") :], "", ""
    for match in _PART.finditer(body):
        told = dict(re.findall(r'([\w:-]+)="([^"]*)"', match["words"] or ""))
        if match["clip"]:
            clip = clips[match["clip"]] if clips[match["clip"]] != clips["1"] else ""
        elif match["tag"] == "g":
            pen = " ".join(f"{key}={told[key]}" for key in _PEN if told.get(key) not in (None, _AT_REST.get(key)))
        elif match["tag"] == "text":
            style = f"{told['fill']} {told['font-size']}px {told['font-weight']}"
            turned = pen[pen.find("transform") :] if "transform" in pen else ""
            yield "text", f"{style} {turned}".strip(), f"{_places(told['x'] + ' ' + told['y'])} {match['text'].strip()}"
        else:
            places = " ".join(value for key, value in told.items() if key not in ("fill-rule", "vector-effect"))
            yield match["tag"], f"{pen} within {clip}" if clip else pen, _places(places)


def drawn(
    figure: Figure, size: tuple[int, int], lit: Highlights | None = None, on_paper: bool = False, stale: bool = False
) -> list[str]:
    """The shapes of a whole figure; on paper its texts are taken out, and follow."""
    buffer, box = QBuffer(), QRectF(0, 0, *size)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(*size))
    generator.setViewBox(box)
    painter = WordlessPainter(generator) if on_paper else QPainter(generator)
    views = (figure.x.low, figure.x.high), (figure.y.low, figure.y.high)
    picture = Picture.laid_out(figure, themes().theme, *map(float, size), *views, stale)
    painter.setClipRect(box)
    picture.paint_below(painter)
    picture.paint_data(painter, lit or Highlights())
    picture.paint_empty(painter)
    painter.end()
    texts = [
        f"text {one.colour} {one.px}px {one.is_strong:d} {one.is_upright:d} {one.align} "
        f"{one.x:.1f} {one.y:.1f} {one.words}"
        for one in getattr(painter, "texts", ())
    ]
    return shapes_of(bytes(buffer.data().data()).decode()) + texts


def apart(kept: Sequence[str], told: Sequence[str], near_px: float) -> list[str]:
    """Lines that differ by more than so many pixels in a number, or by anything else."""
    pairs = [(one, two) for one, two in zip(kept, told, strict=False) if not _alike(one, two, near_px)]
    more = [f"{len(kept)} lines are now {len(told)}"] * (len(kept) != len(told))
    return more + [f"{one}\n  is now {two}" for one, two in pairs]


def _alike(one: str, two: str, near_px: float) -> bool:
    """Places may differ by so many pixels, figures that are told by a hundred thousandth."""
    if one == two:
        return True
    (place, words), (other_place, other_words) = _halves(one), _halves(two)
    return _near(place, other_place, near_px, 0.0) and _near(words, other_words, 0.0, 1e-5)


def _halves(line: str) -> tuple[str, str]:
    """What places a shape, and what is told."""
    if not _SHAPE.match(line):
        return "", line
    words = _TEXT.match(line)
    return (words[1], words[2]) if words else (line, "")


def _near(one: str, two: str, near: float, share: float) -> bool:
    if _NUMBER.sub("", one) != _NUMBER.sub("", two):
        return False
    pairs = zip(map(float, _NUMBER.findall(one)), map(float, _NUMBER.findall(two)), strict=True)
    return all(abs(a - b) <= near + share * abs(a) for a, b in pairs)


def whole(figure: Figure, size: tuple[int, int], lit: Highlights | None = None) -> list[str]:
    """All that a figure says, then its shapes; of a long table every tenth row."""
    said = [figure.summary, *(one.tip for one in (*figure.marks, *figure.bars, *figure.rows, *figure.curves))]
    said += [f"{one.id} {one.axis} {one.at:.5g} {one.draggable:d} {one.step:g}" for one in figure.limits]
    step = 10 if len(figure.table) > MOST_ROWS else 1
    table = [" | ".join(row) for row in (*figure.table[:2], *figure.table[2::step])]
    keys = [one.explains for one in (*figure.marks, *figure.bars, *figure.curves)]
    lines = [line for text in (*said, *table, " ".join(keys)) for line in text.splitlines() if line]
    return [*dict.fromkeys(lines), *drawn(figure, size, lit)]


def assert_drawn(name: str, told: dict[str, list[str]]) -> None:
    """``told`` is what the file of that name holds, a heading and the lines of each."""
    path = FOLDER / f"drawn_{name}.txt"
    lines = [line for heading, shapes in told.items() for line in (f"== {heading}", *shapes)]
    if os.environ.get("ROOFPLAN_UPDATE_GOLDEN"):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    differences = apart(path.read_text(encoding="utf-8").splitlines(), lines, NEAR_PX)
    assert not differences, f"{len(differences)} lines drifted:\n" + "\n".join(differences[:5])
