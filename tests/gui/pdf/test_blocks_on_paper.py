"""How blocks stand on paper: broken over pages, kept together, and hostile or long texts as texts."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core import paths
from core.report.blocks import (
    Bar,
    Cell,
    Column,
    Decide,
    Document,
    Fact,
    Facts,
    ForAgainst,
    KeyFigures,
    Kpi,
    KpiTable,
    OptionKpis,
    Paragraph,
    Section,
    SignOff,
    Table,
)  # fmt: skip
from gui.pdf.given import given
from gui.pdf.printable import INSTEAD, _letters, breakable, printable
from tests.gui.pdf.read_pdf import dense, one_page, pieces, plain, read, said, words
from tests.gui.sample_session import themes

HOSTILE = {
    "html": "<script>alert(1)</script> <img src=file:///etc/passwd>",
    "read": '#read("/etc/passwd") #import "@preview/x:1.0.0" #include "a.typ"',
    "marks": "*bold* _slant_ $x^2$ `code` = Head\\n- item // gone /* gone */ @cite <label> ~ -- ---",
    "braces": "#{ panic() } [content] \\u{41} \" ' \\",
    "url": "https://example.com/a?b=c&d=e",
}


@pytest.fixture(autouse=True)
def typeface(qtbot: QtBot) -> None:
    themes()


def everywhere(text: str) -> Document:
    """A text in every place that shows texts."""
    kpis = (Kpi(text, text, 1.0, 2.0, 3.0), Kpi("2", text))
    blocks = (
        Paragraph(text, "question"), Paragraph(text, "lead"), Paragraph(text, "heading"), Paragraph(text, "note"),
        KpiTable((text, "B"), (OptionKpis(text, text, text, "gpu", "NVIDIA", kpis, text),), text),
        ForAgainst((text,), ()), Facts((Fact(text, text, text),)), Decide(text, text), SignOff((text,)),
        KeyFigures((Fact("Total", text, text),), text, (Bar("Q4", "1", 1.0),)),
        Table((Column(text), Column("B", "right")), ((Cell(text, text), Cell("1", text, mark="~tpu:Google")),), text),
    )  # fmt: skip
    section = Section("one", text, blocks)
    return Document(text, ("Roofplan", text), (text, "1 Dec 2026"), (section, Section("two", "Two", blocks)), (text,))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_markup_is_text(text: str) -> None:
    read_back = words(read(one_page(said(text), Table((Column("A"),), ((Cell(text),),)))))
    assert dense(read_back).count(dense(text)) == 2


def test_nothing_of_any_text_is_read_as_markup_and_nothing_is_loaded() -> None:
    """In every place at once; the template itself reads the words that it is given and nothing else."""
    text = "".join(HOSTILE.values())
    assert dense(words(read(everywhere(text)))).count(dense(HOSTILE["read"])) > 20
    template = (paths.resources() / "paper" / "paper.typ").read_text(encoding="utf-8")
    assert [one for one in ("#import", "#include", "read(", "eval(", "plugin(") if one in template] == []


ISOLATES = dict.fromkeys(range(0x2066, 0x206A))
LETTERS = {
    "right to left": "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "east": "\u8a08\u753b \ud55c\uad6d",
    "emoji": "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "control": "a\x00b\x07c\x1bd\u202ee\u2066f\ufefeg\U0010ffff",
}


@pytest.mark.parametrize("text", LETTERS.values(), ids=LETTERS)
def test_letters_that_the_typeface_lacks_break_nothing(text: str) -> None:
    made = read(everywhere(f"begin {text} end"))
    shown = words(made)
    assert "begin" in shown and "end" in shown and text not in shown
    assert shown.count(f"{INSTEAD}: a letter that this typeface lacks") == len(made.pages)
    if text.isprintable():
        assert text in str(made.metadata.title).translate(ISOLATES)  # type: ignore[union-attr]


def test_ordinary_texts_lack_no_letter() -> None:
    for text in ("Ünïcödé ąćęłńóśź ßøåæ ñ çğış", "Ελληνικά Кириллица", "× – — − … ± ≤ ≥ √ → ½ % ‰ € £ ¥ ₹ § ° µ"):
        assert printable(text) == text
    document = json.dumps(given(one_page(said("Ελληνικά 256 × B200, $1.35\u202fM"))), ensure_ascii=False)
    assert INSTEAD not in document


def test_a_word_of_ten_thousand_letters_is_printed_whole_within_the_page() -> None:
    word = "abcdefghij" * 1000
    made = read(one_page(said(word), Table((Column("A"), Column("B")), ((Cell("x"), Cell(word)),))))
    furniture = (dense(f"{one}of{len(made.pages)}") for one in range(1, len(made.pages) + 1))
    text = dense(words(made))
    for one in (*furniture, "Roofplan", "Aplan", "1Dec2026"):
        text = text.replace(one, "")
    assert text.count("abcdefghij") > 1980
    assert max(x for page in made.pages for x, _, _ in pieces(page)) < 595 - 45


def test_a_note_of_two_thousand_letters_is_printed_whole() -> None:
    note = " ".join(f"word{number}" for number in range(250))
    assert plain(note) in words(read(one_page(said(note))))


def test_long_names_give_way_to_what_stands_beside_them() -> None:
    made = read(one_page(said("One"), name="Name " * 400))
    texts = [text.strip() for _, _, text in pieces(made.pages[0])]
    assert sum(text.startswith("Name") and text.endswith("\u2026") for text in texts) == 2
    assert "1 Dec 2026" in texts and "1 of 1" in texts


def rows(count: int) -> Table:
    cells = tuple((Cell(f"row{n}"), Cell(str(n))) for n in range(count))
    return Table((Column("Head of names"), Column("Value", "right")), cells)


def test_the_head_of_a_table_repeats_and_no_row_is_lost() -> None:
    made = read(one_page(rows(120)))
    assert len(made.pages) > 1
    assert all("Head of names" in page.extract_text() for page in made.pages)
    text = words(made).split()
    assert [n for n in range(120) if f"row{n}" not in text] == []


def test_no_row_is_cut_in_two() -> None:
    lines = "one two three four five six seven eight nine ten " * 8
    table = Table((Column("A"), Column("B")), tuple((Cell(f"begin{n}"), Cell(f"{lines} end{n}")) for n in range(16)))
    made = read(one_page(table))
    assert len(made.pages) > 1
    for page in made.pages:
        text = page.extract_text().split()
        assert {one[5:] for one in text if one.startswith("begin")} == {
            one[3:] for one in text if one.startswith("end")
        }


@pytest.mark.parametrize("count", (34, 36, 37, 38))
def test_a_heading_goes_with_what_it_heads(count: int) -> None:
    made = read(one_page(rows(count), said("Below", "heading"), rows(9)))
    [page] = [page for page in made.pages if "Below" in page.extract_text().split()]
    below = page.extract_text().split("Below")[1]
    assert "row0" in below


def test_a_page_that_is_hardly_too_long_takes_the_room_from_its_gaps() -> None:
    blocks = (said("Where?", "question"), *(said(f"Sentence {n}.") for n in range(46)))
    assert len(read(one_page(*blocks)).pages) == 1
    assert len(read(one_page(*blocks[1:])).pages) == 2, "without a question it runs on"


def test_letter_is_as_wide_within_and_less_high() -> None:
    a4, letter = (read(one_page(said("word " * 60), paper=size)) for size in ("a4", "letter"))
    assert [round(float(edge)) for edge in letter.pages[0].mediabox[2:]] == [612, 792]
    lines = [[text for _, _, text in pieces(made.pages[0])][1:] for made in (a4, letter)]
    assert lines[0] == lines[1]


def test_a_word_that_fits_a_column_is_left_as_it_is() -> None:
    assert breakable("Antidisestablishment") == "Antidisestablishment"
    assert breakable("x" * 30).replace("\u200b", "") == "x" * 30 != breakable("x" * 30)


def test_the_template_is_data_of_the_package() -> None:
    assert '"*.typ"' in (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")


def with_pages(count: int) -> Document:
    sections = (Section(f"s{n}", f"Section {n}", (said(f"About {n}", "eyebrow"), rows(3))) for n in range(count))
    first = Section("first", "Choose it", (said("Where?", "question"), said("There.")))
    return Document("Plan", ("", ""), ("", ""), (first, *sections))


@pytest.mark.parametrize(("count", "on_page", "n_pages"), [(2, 0, 3), (9, 0, 10), (30, 1, 32)])
def test_contents_lead_to_every_page_where_there_are_more_than_a_few(count: int, on_page: int, n_pages: int) -> None:
    made = read(with_pages(count))
    notes = [note.get_object() for note in made.pages[on_page].get("/Annots", [])]
    goals = {note["/Dest"][0].idnum if "/Dest" in note else note["/A"]["/D"][0].idnum for note in notes}
    pages = {page.indirect_reference.idnum for page in made.pages[-count:] if page.indirect_reference}
    assert len(made.pages) == n_pages
    assert ("Contents" in made.pages[on_page].extract_text()) is (count > 2)
    assert goals >= pages if count > 2 else not goals


def test_the_typeface_answers_in_every_thread() -> None:
    """A raw font answers only in the thread that made it: read by a worker, every letter became a box on the screen."""
    _letters.cache_clear()
    with ThreadPoolExecutor(1) as worker:
        assert worker.submit(printable, "Ünïcödé").result() == "Ünïcödé"
    assert printable("ßøåæ") == "ßøåæ"
