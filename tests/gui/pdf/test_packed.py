"""Packing loses nothing: the same objects and pages in less room."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import IndirectObject, StreamObject

from core.report.blocks import Cell, Column, Table
from gui.pdf.layout_program import compiled
from gui.pdf.packed import packed
from gui.pdf.typeset import PAPER, order, words_of
from tests.gui.pdf.read_pdf import one_page, said, tags

ROWS = tuple((Cell(f"row {n}"), Cell(str(n))) for n in range(90))


@pytest.fixture(scope="module")
def plain(qapp: object) -> bytes:
    """A PDF as typst writes it."""
    document = one_page(said("Heading", "heading"), Table((Column("A"), Column("B")), ROWS))
    pdf: bytes = compiled(order(PAPER, "pdf"), words_of(document))
    return pdf


def told(made: Any) -> Any:
    """What an object holds, down to the bytes of its stream; other objects by their numbers."""
    if isinstance(made, IndirectObject):
        return made.idnum
    if isinstance(made, dict):
        held = {key: told(value) for key, value in dict.items(made)}
        return held, made.get_data() if isinstance(made, StreamObject) else b""
    return [told(one) for one in made] if isinstance(made, list) else made


def test_every_object_stays_as_it_is(plain: bytes) -> None:
    before, after = PdfReader(BytesIO(plain)), PdfReader(BytesIO(packed(plain)), strict=True)
    numbers = sorted(before.xref[0])
    assert len(numbers) > 400
    assert [n for n in numbers if told(before.get_object(n)) != told(after.get_object(n))] == []
    assert before.trailer["/ID"] == after.trailer["/ID"] and before.metadata == after.metadata
    assert [page.extract_text() for page in before.pages] == [page.extract_text() for page in after.pages]
    assert [one["/S"] for one in tags(before)] == [one["/S"] for one in tags(after)]


def test_it_takes_much_less_room_and_is_the_same_each_time(plain: bytes) -> None:
    assert len(packed(plain)) < 0.4 * len(plain)
    assert packed(plain) == packed(plain)


def test_a_file_of_another_shape_comes_back_as_it_is(plain: bytes) -> None:
    once = packed(plain)
    assert packed(once) == once
