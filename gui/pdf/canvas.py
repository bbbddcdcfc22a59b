"""A painter with the light theme, text that wraps, and the marks of the charts."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from core.report.pages.context import MARK_SIGNS, MISSES
from gui.charts.figure.shown import FILLS
from gui.charts.paint.brush import Ink, chart_font
from gui.theme.chip_colours import chip_key
from gui.theme.plain import as_text
from gui.theme.theme import theme

BODY_PX = 13
SMALL_PX = 12
HEADING_PX = 16
SECTION_PX = 20
TITLE_PX = 28
_FILLS = {sign: FILLS[status] for status, sign in MARK_SIGNS.items()}


def line_px(px: int) -> float:
    """Distance between lines of text of a size."""
    return {SMALL_PX: 16.0, BODY_PX: 19.0, HEADING_PX: 22.0, SECTION_PX: 26.0, TITLE_PX: 36.0}.get(px, px * 1.4)


@lru_cache(maxsize=20_000)
def width_of(text: str, px: int = BODY_PX, strong: bool = False) -> float:
    """Width of a text in px."""
    return QFontMetricsF(chart_font(px, strong, tabular=False)).horizontalAdvance(text)


def wrapped(text: str, width_px: float, px: int = BODY_PX, strong: bool = False) -> list[str]:
    """The text in lines no wider than asked; words that are too long alone are cut."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines.extend(_wrapped_line(paragraph.split(" "), width_px, px, strong))
    return lines


def _wrapped_line(words: Sequence[str], width_px: float, px: int, strong: bool) -> list[str]:
    lines, line = [], ""
    for word in words:
        trial = f"{line} {word}" if line else word
        if width_of(trial, px, strong) <= width_px:
            line = trial
            continue
        if line:
            lines.append(line)
        *cut, line = _cut(word, width_px, px, strong)
        lines.extend(cut)
    return [*lines, line]


def _cut(word: str, width_px: float, px: int, strong: bool) -> list[str]:
    """A word in pieces that fit, cut behind a hyphen where there is one; nearly always just the word."""
    pieces = []
    while width_of(word, px, strong) > width_px and len(word) > 1:
        most = min(len(word), int(width_px) + 1)  # no letter is narrower than a px
        fits = max(1, bisect_right(range(1, most), width_px, key=lambda n: width_of(word[:n], px, strong)))
        fits = word.rfind("-", 0, fits) + 1 or fits
        pieces.append(word[:fits])
        word = word[fits:]
    return [*pieces, word]


class Canvas:
    """What pieces paint on. Vectors and text only, so that PDFs hold no pictures."""

    def __init__(self, painter: QPainter) -> None:
        self.painter = painter
        self.theme = theme("light")
        self.ink = Ink(painter, self.theme)

    def text(
        self,
        x: float,
        top: float,
        text: str,
        px: int = BODY_PX,
        key: str = "ink",
        strong: bool = False,
        align: str = "left",
        room_px: float = math.inf,
    ) -> None:
        """One line of text whose line box begins at ``top``; ``x`` is its left end, right end or middle. What has no
        room is left out, with an ellipsis."""
        text = as_text(text)
        if not text:
            return
        font = chart_font(px, strong, tabular=False)
        if width_of(text, px, strong) > room_px:
            text = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room_px)
        start = x - {"left": 0.0, "right": 1.0, "centre": 0.5}[align] * width_of(text, px, strong)
        metrics = QFontMetricsF(font)
        self.painter.setFont(font)
        self.painter.setPen(self.ink.colour(key))
        self.painter.drawText(QPointF(start, top + line_px(px) / 2 + metrics.capHeight() / 2), text)

    def lines(
        self,
        x: float,
        top: float,
        lines: Sequence[str],
        px: int = BODY_PX,
        key: str = "ink",
        strong: bool = False,
        align: str = "left",
    ) -> None:
        """Lines of text below each other."""
        for number, line in enumerate(lines):
            self.text(x, top + number * line_px(px), line, px, key, strong, align)

    def rule(self, x: float, y: float, width: float, key: str = "line") -> None:
        """A thin line."""
        self.ink.line(x, y, x + width, y, self.ink.pen(key, 1.0))

    def mark(self, x: float, y: float, mark: str, radius: float = 5.0) -> None:
        """The mark of a candidate around a point: ``gpu:NVIDIA``, the sign of its filling in front; see ``Cell``."""
        chip = mark.lstrip("".join((MISSES, *_FILLS)))
        sign, (kind, _, vendor) = mark.removesuffix(chip), chip.partition(":")
        shape = "square" if kind == "tpu" else "circle"
        fill = _FILLS.get(sign, "full")
        self.ink.glyph(x, y, radius, shape, chip_key(kind, vendor), hollow=sign == MISSES, fill=fill)

    def meter(self, x: float, y: float, filled: int) -> None:
        """Four small bars, so many of them dark."""
        for number in range(4):
            left = x + number * 5.0
            self.painter.fillRect(
                round(left), round(y - 4), 4, 8, self.ink.colour("ink2" if number < filled else "line2")
            )
