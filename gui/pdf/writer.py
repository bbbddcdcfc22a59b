"""Writes a document as PDF: vectors, embedded type, tagged text that can be selected, searched and read aloud."""

from __future__ import annotations

from pathlib import Path

from core.errors import MachineError
from core.report.blocks import Document
from core.writing.whole_file import hand_over
from gui.headless import application
from gui.pdf.typeset import pdf_bytes, slide_pdf, slide_png


def write_pdf(document: Document, path: Path) -> None:
    """Writes the document; the file is either whole or as it was. Works without a display.

    Raises MachineError when the folder or the disk refuses.
    """
    application()
    _write(pdf_bytes(document), path)


def write_slide(document: Document, path: Path) -> None:
    """Writes the document's first page as a slide: a picture where the name ends in ``.png``, else a PDF. As
    :func:`write_pdf` otherwise."""
    application()
    _write(slide_png(document) if path.suffix.lower() == ".png" else slide_pdf(document), path)


def _write(data: bytes, path: Path) -> None:
    try:
        hand_over(path, data)
    except OSError as error:
        raise MachineError(f"write {path}", error.strerror or str(error)) from error
