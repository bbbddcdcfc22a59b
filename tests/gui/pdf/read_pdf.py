"""What a reader finds in a PDF of ours."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pypdf import PageObject, PdfReader

from core.report.blocks import Block, Document, PaperSize, Paragraph, Section
from core.units import THIN
from gui.pdf.typeset import pdf_bytes

ISOLATES = dict.fromkeys(range(0x2066, 0x206A))


def one_page(*blocks: Block, title: str = "One title", name: str = "A plan", paper: PaperSize = "a4") -> Document:
    """A document of one section."""
    section = Section("one", title, blocks)
    return Document(name, ("Roofplan", name), (name, "1 Dec 2026"), (section,), paper=paper)


def said(text: str, style: str = "body") -> Paragraph:
    return Paragraph(text, style)


def read(document: Document) -> PdfReader:
    return PdfReader(BytesIO(pdf_bytes(document)))


def words(reader: PdfReader) -> str:
    """All text, with plain single spaces."""
    return plain(" ".join(page.extract_text() for page in reader.pages))


def plain(text: str) -> str:
    """Text with plain single spaces, and without the marks that keep what is written from right to left to itself."""
    return " ".join(text.translate(ISOLATES).replace(THIN, " ").split())


def dense(text: str) -> str:
    """Text without any space, as lines may break anywhere."""
    return "".join(text.split())


def tags(reader: PdfReader) -> list[Any]:
    """Every element of the structure tree."""
    root: Any = reader.trailer["/Root"]
    return list(_elements(root["/StructTreeRoot"]))


def _elements(parent: Any) -> Iterator[Any]:
    kids = parent.get("/K", [])
    for kid in kids if isinstance(kids, list) else [kids]:
        one = kid.get_object() if hasattr(kid, "get_object") else kid
        if hasattr(one, "get") and one.get("/S"):
            yield one
            yield from _elements(one)


def fonts(page: PageObject) -> Iterator[tuple[str, bool]]:
    """Names of a page's typefaces, and whether they are embedded."""
    resources: Any = page["/Resources"]
    for font in resources.get("/Font", {}).values():
        descriptor = font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
        yield str(descriptor["/FontName"]), any(f"/FontFile{kind}" in descriptor for kind in ("", "2", "3"))


def has_picture(resources: Any) -> bool:
    """True where something is a bitmap, in drawings too."""
    inside = [one.get_object() for one in resources.get("/XObject", {}).values()]
    return any(one["/Subtype"] == "/Image" or has_picture(one.get("/Resources", {})) for one in inside)


def pieces(page: PageObject) -> list[tuple[float, float, str]]:
    """Texts of a page with the place of their first letter, in points from the lower left."""
    placed: list[tuple[float, float, str]] = []

    def note(text: str, current: list[float], matrix: list[float], *_: object) -> None:
        x, y = matrix[4], matrix[5]
        a, b, c, d, e, f = current
        if text.strip():
            placed.append((a * x + c * y + e, b * x + d * y + f, text))

    page.extract_text(visitor_text=note)
    return placed
