"""Typst lays out a document: a tagged PDF/UA-1, or pages to look at, from one template and our own typefaces."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import cache
from typing import Any

import typst
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer

from core import paths
from core.errors import MachineError
from core.report.blocks import Document
from gui.pdf.given import given
from gui.pdf.packed import packed

STANDARD = "ua-1"
DPI = 96
PAPER, SLIDE = "paper.typ", "slide.typ"
SLIDE_PPI = 144
AGES = 10
"""After so many papers typst forgets what it worked out for one that it met no more."""
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

    Raises MachineError when the page cannot be laid out.
    """
    return _pdf(document, PAPER)


def sheets(document: Document) -> Sheets:
    """The pages to look at. A QGuiApplication must exist. Raises MachineError as :func:`pdf_bytes`."""
    made = _compiled(document, PAPER, format="svg")
    pages = made if isinstance(made, list) else [made]
    return Sheets(document, tuple(zlib.compress(page, 1) for page in pages))


def slide_pdf(document: Document) -> bytes:
    """The first page of a document on one slide, as a PDF; otherwise as :func:`pdf_bytes`."""
    return _pdf(document, SLIDE)


def slide_png(document: Document) -> bytes:
    """The same as a picture of 1920 by 1080."""
    made: bytes = _compiled(document, SLIDE, format="png", ppi=SLIDE_PPI)
    return made


def _pdf(document: Document, template: str) -> bytes:
    return packed(_compiled(document, template, format="pdf", pdf_standards=STANDARD, timestamp=_midnight()))


def _compiled(document: Document, template: str, **how: Any) -> Any:
    """Reads nothing but the template, our typefaces, and the words of the document, which are data."""
    folder = paths.resources() / "paper"
    words = {"document": json.dumps(given(document))}
    try:
        compiler = typst.Compiler(
            folder / template, root=folder, font_paths=_typefaces(), ignore_system_fonts=True, sys_inputs=words
        )
        return compiler.compile(**how)
    except typst.TypstError as error:
        raise MachineError("lay out the paper", error.message) from error
    finally:
        _forget()


def _forget() -> None:
    """Lets the parts of a paper go, 200 MB for a full one, of which the next paper, of other figures, uses nothing."""
    blank = typst.Compiler(b"", font_paths=_typefaces(), ignore_system_fonts=True)
    for _ in range(AGES):
        blank.compile(input=b"", format="svg")


@cache
def _typefaces() -> typst.Fonts:
    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[paths.resources() / "fonts"]
    )


def _midnight() -> datetime:
    return datetime.combine(datetime.now(UTC).date(), time(), UTC)
