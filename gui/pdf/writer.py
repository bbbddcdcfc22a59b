"""Writes a document as PDF: vectors, embedded type, tagged text that can be selected, searched and read aloud."""

from __future__ import annotations

from pathlib import Path

from core.errors import MachineError
from core.report.blocks import Document
from gui.headless import application
from gui.pdf.typeset import pdf_bytes


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
