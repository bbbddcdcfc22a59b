"""The PDF as a reader gets it: text, type, pages, figures equal to the results."""

from datetime import date
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.errors import MachineError
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.report.blocks import Document
from core.report.document import PRESETS, build
from core.units import THIN, usd
from gui.pdf.typeset import pdf_bytes
from gui.pdf.writer import write_pdf
from tests.gui.sample_session import themes

TODAY = date(2026, 11, 21)


@pytest.fixture(autouse=True)
def fonts(qtbot: QtBot) -> None:
    themes()


@cache
def results() -> dict[str, ResultSet]:
    return {profile.id: evaluate(profile, load_catalogue()) for profile in sample_plan().profiles}


def document(preset: str = "full") -> Document:
    return build(sample_plan(), results(), load_catalogue(), TODAY, PRESETS[preset])


@pytest.fixture
def reader(tmp_path: Path) -> PdfReader:
    path = tmp_path / "plan.pdf"
    write_pdf(document(), path)
    return PdfReader(path)


def words(text: str) -> str:
    """Text without the differences between kinds of space."""
    return " ".join(text.replace(THIN, " ").split())


def test_the_full_plan_has_its_pages_numbered_on_a4(reader: PdfReader) -> None:
    n_pages = len(reader.pages)
    assert n_pages >= 5
    for number, page in enumerate(reader.pages, start=1):
        assert f"{number} of {n_pages}" in words(page.extract_text())
        assert [round(float(edge)) for edge in page.mediabox[2:]] == [595, 842]


def test_page_one_answers_with_the_figures_of_the_results(reader: PdfReader) -> None:
    whole, ways, first = (words(reader.pages[number].extract_text()) for number in (0, 1, 2))
    assert "Pick per workload" in whole and "When the cash is due" in whole and "Approved, name and signature" in whole
    assert "Other ways for all workloads" in ways
    pick = results()[sample_plan().profiles[0].id].choice
    assert pick is not None
    assert words(pick.candidate.name) in first
    assert words(usd(pick.cost.total.likely)) in first and words(usd(pick.cost.total.likely)) in whole
    assert "What would change it" in first
    assert "Confidence" in first


def test_every_section_has_its_title_in_the_text(reader: PdfReader) -> None:
    text = words(" ".join(page.extract_text() for page in reader.pages))
    missing = [section.title for section in document().sections if words(section.title) not in text]
    assert missing == []


def test_type_is_embedded_and_nothing_is_a_bitmap(reader: PdfReader) -> None:
    names, embedded = set(), []
    for page in reader.pages:
        resources: Any = page["/Resources"]
        for font in resources.get("/Font", {}).values():
            descriptor = font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
            names.add(str(descriptor["/FontName"]))
            embedded.append(any(f"/FontFile{kind}" in descriptor for kind in ("", "2", "3")))
        kinds = [x.get_object()["/Subtype"] for x in resources.get("/XObject", {}).values()]
        assert "/Image" not in kinds
    assert all("Inter" in name for name in names)
    assert embedded and all(embedded)


def test_title_and_author_are_in_the_file(reader: PdfReader) -> None:
    assert reader.metadata is not None
    assert sample_plan().name in str(reader.metadata.title)
    assert reader.metadata.author == "Roofplan"


def test_one_page_is_one_page_for_each_workload_and_one_for_all() -> None:
    data = pdf_bytes(document("one-page"))
    assert data.startswith(b"%PDF-")
    assert len(PdfReader(BytesIO(data)).pages) == 1 + len(sample_plan().profiles)


def test_a_plan_without_a_workload_says_so(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdf"
    write_pdf(build(Plan(id="empty"), {}, load_catalogue(), TODAY), path)
    reader = PdfReader(path)
    assert len(reader.pages) == 1
    assert "describe a workload first" in words(reader.pages[0].extract_text())


def test_a_folder_that_refuses_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"plan\.pdf"):
        write_pdf(document("one-page"), tmp_path / "missing" / "plan.pdf")
    assert list(tmp_path.glob("**/*.part")) == []


def test_a_file_that_stands_there_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "plan.pdf"
    path.write_bytes(b"old")
    write_pdf(document("one-page"), path)
    assert path.read_bytes().startswith(b"%PDF-")
    assert [one.name for one in tmp_path.glob("plan.pdf*")] == ["plan.pdf"]
