"""The program that lays out one paper and ends: what typst takes for it, 100 to 300 MB, ends with it.

It is this program again, started by :mod:`gui.pdf.layout_process` with :data:`ASKED_BY`; it knows neither Qt nor the
engine. An order comes on standard input, a line of JSON and the document's words; on standard output goes a line of
JSON and the pieces that were made.
"""

from __future__ import annotations

import json
import sys
import zlib
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from gui.pdf.packed import packed

Form = Literal["pdf", "svg", "png"]
ASKED_BY = "--lay-out"
"""The only word of the command line by which a packaged app becomes this program."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made: ``form`` pdf, svg or png of a ``template`` in a folder, with the typefaces of another.

    ``standard`` is one of typst's names of PDF standards, ``made_at`` an ISO time; both are for a PDF alone, ``ppi``
    for a PNG.
    """

    folder: str
    template: str
    fonts: str
    form: Form
    standard: str = ""
    made_at: str = ""
    ppi: float = 0.0

    def line(self) -> bytes:
        """As it is sent."""
        return json.dumps(asdict(self)).encode() + b"\n"


def compiled(order: Order, words: str) -> Any:
    """What typst makes of the document, whose words are data: it reads nothing besides but template and typefaces.

    Raises typst.TypstError when the page cannot be laid out.
    """
    import typst

    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[order.fonts])
    template, inputs = f"{order.folder}/{order.template}", {"document": words}
    compiler = typst.Compiler(
        template, root=order.folder, font_paths=fonts, ignore_system_fonts=True, sys_inputs=inputs
    )
    return compiler.compile(format=order.form, **_how(order))


def _how(order: Order) -> dict[str, Any]:
    if order.form == "pdf":
        return {"pdf_standards": order.standard, "timestamp": datetime.fromisoformat(order.made_at)}
    return {"ppi": order.ppi} if order.ppi else {}


def pieces(order: Order, words: str) -> list[bytes]:
    """A PDF in little room, a picture, or the pages as compressed SVG."""
    made = compiled(order, words)
    if order.form == "svg":
        return [zlib.compress(page, 1) for page in (made if isinstance(made, list) else [made])]
    return [packed(made) if order.form == "pdf" else made]


def main() -> int:
    """Takes one order and answers it; 1 where it could not be laid out, which the answer then tells."""
    import typst

    order = Order(**json.loads(sys.stdin.buffer.readline()))
    words = sys.stdin.buffer.read().decode()
    try:
        made, told = pieces(order, words), dict[str, str]()
    except typst.TypstError as error:
        made, told = [], {"trouble": error.message}
    head = {"sizes": [len(one) for one in made], **told}
    sys.stdout.buffer.writelines((json.dumps(head).encode(), b"\n", *made))
    sys.stdout.buffer.flush()
    return 1 if told else 0
