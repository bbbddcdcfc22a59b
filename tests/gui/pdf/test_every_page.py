"""Every page of every preset, on A4 and on Letter: how many there are, how full, and nothing on top of anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from pypdf import PageObject, PdfReader
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.sample_plan import sample_plan
from core.report.blocks import Figure, PaperSize
from core.report.document import PRESETS, build
from gui.pdf.typeset import pdf_bytes
from tests.gui.pdf.placed import BLANK, Text, placed
from tests.gui.pdf.read_pdf import fonts, has_picture, plain, tags
from tests.gui.pdf.sample_paper import TODAY, document, reader, results
from tests.gui.sample_session import themes

PX = 72 / 110
MOST_PAGES = {"one-page": 1, "finance": 8, "engineering": 14, "full": 24}
LEAST_FULL = 1 / 3
HEADING_PT = 17 * PX - 0.1
"""Size of the smallest heading."""
WIDE = 769 * PX
TOUCH_PT = 0.6
"""Boxes may share so much: they are those of capitals, not of the ink."""


@pytest.fixture(autouse=True)
def typeface(qtbot: QtBot) -> None:
    themes()


def edges(page: PageObject) -> tuple[float, float]:
    """Left and right end of the room for texts."""
    width = float(page.mediabox.width)
    return (width - WIDE) / 2, (width + WIDE) / 2


def overlaps(texts: list[Text]) -> Iterator[str]:
    """Texts that stand on each other."""
    listed = sorted((one for one in texts if one.words.strip()), key=lambda one: one.box[1])
    for place, one in enumerate(listed):
        for other in listed[place + 1 :]:
            if other.box[1] > one.box[3]:
                break
            wide = min(one.right, other.right) - max(one.left, other.left)
            high = min(one.box[3], other.box[3]) - max(one.box[1], other.box[1])
            if wide > TOUCH_PT and high > TOUCH_PT:
                yield f"{one.words!r} on {other.words!r}"


def outside(page: PageObject, texts: list[Text]) -> Iterator[str]:
    """Texts that leave the room between the margins."""
    left, right = edges(page)
    top = float(page.mediabox.height)
    for one in texts:
        if one.left < left - 0.5 or one.right > right + 0.5 or one.box[1] < 12 or one.box[3] > top - 12:
            yield f"{one.words!r} outside"


def fullness(page: PageObject, texts: list[Text], ink: list[tuple[float, float]]) -> float:
    """How far down the page something stands, of the room between head and foot."""
    lines = [y for one in texts if one.is_furniture for y in (one.box[1], one.box[3])]
    middle = float(page.mediabox.height) / 2
    top, bottom = min(y for y in lines if y > middle) - 17 * PX, max(y for y in lines if y < middle) + 31 * PX
    lowest = min([one.box[1] for one in texts if not one.is_furniture] + [y for _, y in ink])
    return (top - lowest) / (top - bottom)


def heads_alone(texts: list[Text]) -> Iterator[str]:
    """A heading below which its page has nothing."""
    own = [one for one in texts if not one.is_furniture and one.words.strip()]
    last = min(own, key=lambda one: one.box[1])
    if last.size > HEADING_PT and "SemiBold" in last.font:
        yield f"{last.words!r} heads nothing"


def page_faults(made: PdfReader) -> Iterator[str]:
    for number, page in enumerate(made.pages, start=1):
        texts, ink = placed(page)
        faults = [*overlaps(texts), *outside(page, texts), *heads_alone(texts)]
        if fullness(page, texts, ink) < LEAST_FULL:
            faults.append("less than a third full")
        if any(BLANK in one.words for one in texts):
            faults.append("a letter is missing")
        if has_picture(page["/Resources"]) or not all(embedded for _, embedded in fonts(page)):
            faults.append("a bitmap, or type that is not embedded")
        if f"{number} of {len(made.pages)}" not in {plain(one.words) for one in texts}:
            faults.append("no number")
        yield from (f"page {number}: {fault}" for fault in faults)


def pages_of(element: Any) -> set[int]:
    """Pages on which parts of an element stand, by the numbers of their objects."""
    kids = element.get("/K", [])
    found = {element.raw_get("/Pg").idnum} if "/Pg" in element else set()
    for kid in kids if isinstance(kids, list) else [kids]:
        inner = kid.get_object() if hasattr(kid, "get_object") else kid
        found |= pages_of(inner) if hasattr(inner, "get") else set()
    return found


def body_rows(table: Any) -> list[set[int]]:
    """The pages of each row of a table, its head aside."""
    rows = []
    for kid in table["/K"]:
        part = kid.get_object()
        inner = [one.get_object() for one in part["/K"]] if part["/S"] == "/TBody" else [part]
        rows += [pages_of(row) for row in inner if row.get("/S") == "/TR"]
    return rows


def table_faults(made: PdfReader) -> Iterator[str]:
    """Rows cut in two, and rows that stand alone above or below a break."""
    for number, table in enumerate(one for one in tags(made) if one["/S"] == "/Table"):
        rows = body_rows(table)
        if any(len(row) > 1 for row in rows):
            yield f"table {number}: a row is cut"
        on_pages = Counter(page for row in rows for page in row)
        if len(on_pages) > 1 and min(on_pages.values()) < 2:
            yield f"table {number}: a row stands alone"


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("preset", PRESETS)
def test_pages_are_few_full_and_whole(preset: str, paper: PaperSize) -> None:
    made = reader(preset, paper)
    assert len(made.pages) <= MOST_PAGES[preset]
    assert [*page_faults(made), *table_faults(made)] == []
    sections = [plain(one.title) for one in document(preset, paper).sections]
    outline = [one for one in made.outline if not isinstance(one, list)]
    assert [plain(str(one.title)) for one in outline] == sections
    kinds = Counter(str(one["/S"]) for one in tags(made))
    figures = sum(isinstance(block, Figure) for one in document(preset, paper).sections for block in one.blocks)
    assert kinds["/H1"] == len(sections) and kinds["/Figure"] == figures and kinds["/Table"] and kinds["/TH"]


@pytest.mark.parametrize("name", ["A" * 60, "計画" * 30, "A long name of a workload, as people write them"])
def test_the_page_to_sign_is_one_page_with_long_names(name: str) -> None:
    """Names of 60 letters made it two, with the signatures on the second; the other pages have them whole."""
    plan = sample_plan()
    named = tuple(one.model_copy(update={"name": f"{n}{name}"[:60]}) for n, one in enumerate(plan.profiles))
    found = {one.id: replace(results()[one.id], profile=one) for one in named}
    of_plan = build(plan.model_copy(update={"profiles": named}), found, load_catalogue(), TODAY, PRESETS["one-page"])
    made = PdfReader(BytesIO(pdf_bytes(of_plan)))
    assert len(made.pages) == 1 and [*page_faults(made)] == []


def test_faults_are_found() -> None:
    """Each check fails on what it looks for."""
    box = (100.0, 100.0, 200.0, 108.0)
    one = Text("One", box, 11.2, "ABC+Inter-SemiBold", True, False)
    below = Text("Low", (150.0, 104.0, 700.0, 112.0), 8.0, "ABC+Inter", True, False)
    assert list(overlaps([one, below])) == ["'One' on 'Low'"] and list(overlaps([one])) == []
    assert list(outside(reader("one-page").pages[0], [one, below])) == ["'Low' outside"]
    assert list(heads_alone([one])) == ["'One' heads nothing"] and list(heads_alone([below])) == []
