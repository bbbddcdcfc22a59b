"""A document as paper: a tagged PDF/UA-1, or pages to look at, from one template and our own typefaces."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import partial

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer

from core import paths
from core.report.blocks import Document
from gui.pdf.given import given
from gui.pdf.layout_process import laid_out
from gui.pdf.layout_program import Form, Order

STANDARD = "ua-1"
DPI = 96
PAPER, SLIDE = "paper.typ", "slide.typ"
SLIDE_PPI = 144
SIZES_PX = {"a4": (8.27 * DPI, 11.69 * DPI), "letter": (8.5 * DPI, 11.0 * DPI)}


@dataclass(frozen=True, slots=True)
class Sheets:
    """The pages of a document as they will be printed, to be painted one by one."""

    document: Document
    drawings: tuple[bytes, ...]

    @property
    def n_pages(self) -> int:
        """How many pages there are."""
        return len(self.drawings)

    @property
    def size_px(self) -> tuple[float, float]:
        """Width and height of a page at 96 dots per inch."""
        return SIZES_PX[self.document.paper]

    def paint_page(self, painter: QPainter, index: int) -> None:
        """Paints one page, counted from 0, in px at 96 dots per inch."""
        QSvgRenderer(zlib.decompress(self.drawings[index])).render(painter, QRectF(0, 0, *self.size_px))


def pdf_bytes(document: Document) -> bytes:
    """The PDF. The same document gives the same bytes all day. A QGuiApplication must exist.

    Raises MachineError when the page cannot be laid out; ends early where it is no longer wanted (:mod:`core.breath`).
    """
    return _made(document, PAPER, "pdf")[0]


def sheets(document: Document) -> Sheets:
    """The pages to look at; otherwise as :func:`pdf_bytes`."""
    return Sheets(document, tuple(_made(document, PAPER, "svg")))


def slide_pdf(document: Document) -> bytes:
    """The first page of a document on one slide, as a PDF; otherwise as :func:`pdf_bytes`."""
    return _made(document, SLIDE, "pdf")[0]


def slide_png(document: Document) -> bytes:
    """The same as a picture of 1920 by 1080."""
    return _made(document, SLIDE, "png")[0]


def order(template: str, form: Form) -> Order:
    """What is asked for a template of ours, as ``form`` pdf, svg or png: a PDF is dated today, so that the same
    document gives the same bytes all day."""
    folder, fonts = str(paths.resources() / "paper"), str(paths.resources() / "fonts")
    if form == "pdf":
        return Order(folder, template, fonts, form, standard=STANDARD, made_at=_midnight().isoformat())
    return Order(folder, template, fonts, form, ppi=SLIDE_PPI if form == "png" else 0.0)


def words_of(document: Document) -> str:
    """All that the template is told of a document. A QGuiApplication must exist."""
    return json.dumps(given(document))


def _made(document: Document, template: str, form: Form) -> list[bytes]:
    return laid_out(order(template, form), partial(words_of, document))


def _midnight() -> datetime:
    return datetime.combine(datetime.now(UTC).date(), time(), UTC)
