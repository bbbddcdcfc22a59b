"""Writes a document as PDF: vectors, embedded type, text that can be selected and searched."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPdfWriter

from core.errors import MachineError
from core.report.blocks import Document
from gui.headless import application
from gui.pdf.layout import PdfLayout
from gui.pdf.piece import DPI
from gui.theme.plain import as_text


def write_pdf(document: Document, path: Path) -> None:
    """Writes the document; the file is either whole or as it was. Works without a display.

    Raises MachineError when the folder or the disk refuses.
    """
    application()
    data = pdf_bytes(document)
    aside = path.with_name(f"{path.name}.part")
    try:
        aside.write_bytes(data)
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise MachineError(f"write {path.name}", error.strerror or str(error)) from error


def pdf_bytes(document: Document) -> bytes:
    """The PDF as bytes. A QGuiApplication must exist."""
    layout = PdfLayout(document)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = _writer(buffer, document)
    painter = QPainter(writer)
    for index in range(layout.n_pages):
        if index:
            writer.newPage()
        layout.paint_page(painter, index)
    painter.end()
    return bytes(buffer.data().data())


def _writer(buffer: QBuffer, document: Document) -> QPdfWriter:
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    writer.setPageLayout(
        QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0))
    )
    writer.setTitle(as_text(document.title))
    writer.setAuthor("Roofplan")
    writer.setCreator("Roofplan")
    return writer
