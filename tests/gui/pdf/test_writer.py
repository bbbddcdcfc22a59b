"""The PDF as a reader gets it: text, type, tags, links, pages, figures equal to the results."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.errors import MachineError
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.report.blocks import Figure
from core.report.document import PRESETS, build
from core.units import usd
from gui.pdf.typeset import pdf_bytes
from gui.pdf.writer import write_pdf
from tests.bench.native_memory import native_mib, needs_mallinfo
from tests.gui.pdf.read_pdf import fonts, has_picture, one_page, plain, said, tags, words
from tests.gui.pdf.sample_paper import TODAY, data, document, reader, results
from tests.gui.sample_session import themes

MOST_KEPT_MIB = 5.0


@pytest.fixture(autouse=True)
def typeface(qtbot: QtBot) -> None:
    themes()


@cache
def texts() -> list[str]:
    """What stands on each page of the full plan."""
    return [plain(page.extract_text()) for page in reader().pages]


def n_pages(preset: str) -> int:
    return len(reader(preset).pages)


def test_the_full_plan_has_its_pages_numbered_on_a4() -> None:
    count = len(reader().pages)
    assert count >= 5
    for number, page in enumerate(reader().pages, start=1):
        assert f"{number} of {count}" in texts()[number - 1]
        assert [round(float(edge)) for edge in page.mediabox[2:]] == [595, 842]


def test_page_one_answers_with_the_figures_of_the_results() -> None:
    whole = texts()[0]
    assert "Pick per workload" in whole and "When the cash is due" in whole and "Approved, name and signature" in whole
    pick = results()[sample_plan().profiles[0].id].choice
    assert pick is not None
    assert plain(pick.candidate.name) in whole and plain(usd(pick.cost.total.likely)) in whole


def test_every_section_has_its_title_in_the_text() -> None:
    text = " ".join(texts())
    assert [one.title for one in document().sections if plain(one.title) not in text] == []


def test_type_is_embedded_and_nothing_is_a_bitmap() -> None:
    used = [font for page in reader().pages for font in fonts(page)]
    assert used and all("Inter" in name and embedded for name, embedded in used)
    assert not any(has_picture(page["/Resources"]) for page in reader().pages)


def test_it_is_tagged_as_pdf_ua_with_title_author_and_language() -> None:
    root: Any = reader().trailer["/Root"]
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_object().get_data()
    assert root["/MarkInfo"]["/Marked"] and root["/Lang"] == "en" and root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert reader().metadata is not None and reader().metadata.author == "Roofplan"  # type: ignore[union-attr]
    assert sample_plan().name in str(reader().metadata.title)  # type: ignore[union-attr]


def test_its_parts_are_tagged_and_each_chart_says_what_is_seen_with_two_numbers() -> None:
    elements = tags(reader())
    kinds = {str(one["/S"]) for one in elements}
    assert {"/H1", "/H2", "/P", "/Table", "/TH", "/TD", "/Figure"} <= kinds
    alts = [str(one.get("/Alt", "")) for one in elements if one["/S"] == "/Figure"]
    assert len(alts) == sum(isinstance(block, Figure) for one in document().sections for block in one.blocks)
    assert [alt for alt in alts if len(re.findall(r"\d+", alt)) < 2] == []


def test_its_outline_and_contents_lead_to_all_sections() -> None:
    outline = [one for one in reader().outline if not isinstance(one, list)]
    assert [plain(str(one.title)) for one in outline] == [plain(one.title) for one in document().sections]
    pages = [reader().get_destination_page_number(one) for one in outline]
    assert pages == sorted(pages)
    notes = [note.get_object() for page in reader().pages[:2] for note in page.get("/Annots", [])]
    assert sum(one["/Subtype"] == "/Link" for one in notes) >= len(outline) - 1


def test_one_page_is_one_page() -> None:
    assert n_pages("one-page") == 1 if len(document("one-page").sections) == 1 else len(sample_plan().profiles) + 1


def test_the_same_plan_gives_the_same_bytes_small_enough_to_be_mailed() -> None:
    assert pdf_bytes(document("one-page")) == pdf_bytes(document("one-page"))
    assert len(data()) < 500_000


def test_a_plan_without_a_workload_says_so(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdf"
    write_pdf(build(Plan(id="empty"), {}, load_catalogue(), TODAY), path)
    empty = PdfReader(path)
    assert len(empty.pages) == 1
    assert "describe a workload first" in words(empty)


def test_a_folder_that_refuses_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"write .*/plan\.pdf: "):
        write_pdf(one_page(said("One")), tmp_path / "missing" / "plan.pdf")
    assert list(tmp_path.glob("**/*.part")) == []


def test_a_file_that_stands_there_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "plan.pdf"
    path.write_bytes(b"old")
    write_pdf(one_page(said("One")), path)
    assert path.read_bytes().startswith(b"%PDF-")
    assert [one.name for one in tmp_path.glob("plan.pdf*")] == ["plan.pdf"]


@needs_mallinfo
def test_what_was_worked_out_for_a_paper_goes_with_it() -> None:
    """Edits made the papers of ten answers stay, 2 GB of them."""
    made = [
        build(named(name), results(), load_catalogue(), TODAY, PRESETS["one-page"]) for name in ("Ada", "Dot", "Max")
    ]
    pdf_bytes(document("one-page"))
    before = native_mib()
    for one in made:
        pdf_bytes(one)
    assert native_mib() - before < MOST_KEPT_MIB


def named(name: str) -> Plan:
    return sample_plan().model_copy(update={"name": name})
