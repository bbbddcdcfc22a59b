"""The slide: one page of 16:9, the words and values of page 1, and nothing that a user wrote as more than text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from core.report.blocks import (
    Cell,
    Column,
    Document,
    Fact,
    ForAgainst,
    KeyFigures,
    KpiTable,
    OptionKpis,
    Paragraph,
    Section,
    Table,
)
from core.report.document import PRESETS, build
from core.report.masking import MARK, marked
from gui import entry
from gui.pdf.typeset import slide_pdf, slide_png
from tests.core.report.masked_cases import CASES, SERVE, TODAY, TRAIN
from tests.gui.sample_session import themes

HOSTILE = '#read("/etc/passwd") *b* $x$ <script> \u202eabc\u202c 聊天 😀 \x07 ' + "long " * 400


@pytest.fixture(autouse=True)
def fonts(qtbot: QtBot) -> None:
    themes()


@cache
def page_one() -> Document:
    """Of two workloads with a private price, as it is."""
    case = replace(CASES[3], plan=CASES[3].plan.model_copy(update={"profiles": (TRAIN, SERVE)}))
    true = case.open(case.price)
    return build(true.plan, true.results, true.catalogue, TODAY, PRESETS["one-page"])


def words_of(document: Document) -> str:
    pages = PdfReader(BytesIO(slide_pdf(document))).pages
    assert len(pages) == 1 and float(pages[0].mediabox.width) / float(pages[0].mediabox.height) == pytest.approx(16 / 9)
    return "".join(pages[0].extract_text().split())


def block(section: Section, kind: type) -> object:
    return next(one for one in section.blocks if isinstance(one, kind))


def test_it_says_what_page_one_says() -> None:
    told, first = words_of(page_one()), page_one().sections[0]
    figures, picks, why = (block(first, kind) for kind in (KeyFigures, KpiTable, ForAgainst))
    assert isinstance(figures, KeyFigures) and isinstance(picks, KpiTable) and isinstance(why, ForAgainst)
    wanted = [first.title, *(bar.value for bar in figures.bars), *why.reasons_for, *why.reasons_against]
    wanted += [row.name for row in picks.rows] + [row.kpis[0].value for row in picks.rows]
    wanted += [text for fact in figures.items for text in (fact.title, fact.value)]
    changes = next(one for one in first.blocks if isinstance(one, Table) and "change it" in one.columns[0].title)
    wanted += [cell.text for cell in changes.rows[0] if cell.text != changes.rows[0][1].text]
    assert [text for text in wanted if "".join(text.split()) not in told] == []


def test_of_many_workloads_each_pick_stands_with_its_seller() -> None:
    """Sellers and chances were left out, and the question was cut."""
    picks = Table(
        (Column("Workload", weight=2.4), Column("Pick", weight=3), Column("Cost"), Column("Flexibility")),
        (
            (
                Cell("Run"),
                Cell("512 × B200", "Lambda, on demand", mark="/gpu:NVIDIA", tone="strong"),
                Cell("$1 M"),
                Cell("93"),
            ),
        ),
    )
    asked = "Where do we run one thing, " + "another thing, " * 8 + "and a last one?"
    figures = KeyFigures((Fact("Total cost", "$1 M"), Fact("Dates held", "79", "of 100 draws")), "", ())
    one = Section("plan", "Title", (Paragraph(asked, "question"), figures, picks))
    told = words_of(replace(page_one(), sections=(one,)))
    for text in (asked, "512 × B200", "Lambda, on demand", "Dates held", "79of 100 draws"):
        assert "".join(text.split()) in told
    assert "Flexibility" not in told


def test_it_is_tagged_and_titled() -> None:
    reader = PdfReader(BytesIO(slide_pdf(page_one())))
    assert "/StructTreeRoot" in reader.trailer["/Root"] and reader.metadata
    assert reader.metadata.title == page_one().title


def test_the_picture_is_of_full_hd() -> None:
    image = QImage.fromData(slide_png(page_one()))
    assert (image.width(), image.height()) == (1920, 1080)


def test_what_users_write_is_text_and_is_cut() -> None:
    first = page_one().sections[0]
    picks = block(first, KpiTable)
    assert isinstance(picks, KpiTable)
    rows: tuple[OptionKpis, ...] = tuple(replace(row, role=HOSTILE, place=HOSTILE) for row in picks.rows)
    blocks = tuple(replace(one, rows=rows) if one is picks else one for one in first.blocks)
    evil = replace(page_one(), title=HOSTILE, sections=(replace(first, title=HOSTILE, blocks=blocks),))
    assert '#read("/etc/passwd")*b*$x$<script>' in words_of(evil)


def test_a_masked_slide_says_so() -> None:
    """What stands on it is that of the document, which is made of answers at public prices."""
    assert "".join(MARK.split()) in words_of(marked(page_one()))
    assert "".join(MARK.split()) not in words_of(page_one())


def test_the_commands_write_paper_and_slide(tmp_path: Path) -> None:
    """Each its own: a paper is upright, a slide lies."""
    entry.write_pdf(page_one(), tmp_path / "paper.pdf")
    entry.write_slide(page_one(), tmp_path / "slide.pdf")
    boxes = [PdfReader(tmp_path / f"{name}.pdf").pages[0].mediabox for name in ("paper", "slide")]
    assert [box.width > box.height for box in boxes] == [False, True]


def test_names_in_scripts_of_high_lines_stand_on_it() -> None:
    """Arabic is higher than a line of ours: of such a name nothing but an ellipsis was left."""
    name, reason = "خطة تدريب النموذج", "خطة تدريب النموذج الكبير is 17 days late at the late end of its range"
    row = (Cell(name), Cell("16 × B200", "Lambda", mark="gpu:NVIDIA"), Cell("$1 M"))
    picks = Table((Column("Workload", weight=2.4), Column("Pick", weight=3), Column("Cost")), (row,))
    one = Section("plan", "Title", (picks, ForAgainst((), (reason,))))
    told = words_of(replace(page_one(), sections=(one,)))
    assert told.count(name.split()[0][::-1]) + told.count(name.split()[0]) == 2
    assert "is17dayslateatthelateendofitsrange" in told and "…" not in told
