"""The mark of a chip, as on the charts, in a line of text."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from core.catalogue.entries import Accelerator
from gui.charts.figure.figure import Fill
from gui.charts.figure.shown import colour_key, shape_of
from gui.charts.paint.brush import Ink
from gui.theme.theme import Theme

PORTING = "part:porting"


class Glyph(QWidget):
    """The candidate's mark, as on the charts."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(QSize(14, 20))
        self.shown: Mark | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Circle or square in the chip's colour; stripes where code is ported to it."""
        if self.shown is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chip = self.shown.chip
        ink = Ink(painter, self.shown.theme)
        if self.shown.is_port:
            ink.hatch(QRectF(2, 5, 10, 10), PORTING)
            return
        ink.glyph(7, 10, 5.5, shape_of(chip), colour_key(chip), self.shown.hollow, self.shown.fill)


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a chip in a theme's colours, hollow when it meets not every limit, filled as it can be had."""

    chip: Accelerator
    theme: Theme
    hollow: bool
    fill: Fill = "full"
    is_port: bool = False

    @property
    def frame(self) -> tuple[object, ...]:
        """All are alike."""
        return ()

    def made(self) -> Glyph:
        """A small picture."""
        return Glyph()

    def tell(self, widget: Glyph) -> None:
        """Draws it anew where it is another."""
        if widget.shown != self:
            widget.shown = self
            widget.update()
