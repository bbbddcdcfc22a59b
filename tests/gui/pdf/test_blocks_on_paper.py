"""How blocks stand on paper: broken over pages, kept together, and hostile or long texts as texts."""

import json
import random
import re
from pathlib import Path
from unicodedata import category

import pytest
from pypdf import PdfReader
from PySide6.QtGui import QRawFont
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
    Figure,
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
from gui.charts.figure.figure import Figure as Chart
from gui.charts.paint.brush import PaintedText
from gui.pdf.drawings import Drawing
from gui.pdf.given import given
from gui.pdf.printable import INSTEAD, breakable, printable
from gui.pdf.typefaces import _FILES, FAMILIES, letters
from tests.gui.pdf.placed import n_blank_glyphs, placed
from tests.gui.pdf.read_pdf import ISOLATES, dense, fonts, one_page, pieces, plain, read, said, words
from tests.gui.sample_session import themes

EDGE = (595.28 + 769 * 72 / 110) / 2 + 0.1
"""Where the room for texts ends on A4, in points."""

SIDES = ("left", "centre", "right")
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


def rightmost(made: PdfReader) -> float:
    """Where the text ends that goes farthest to the right, in points."""
    return max(text.right for page in made.pages for text in placed(page)[0])


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
    """In every place at once; the templates read the words that they are given, how marks look, and nothing else."""
    text = "".join(HOSTILE.values())
    assert dense(words(read(everywhere(text)))).count(dense(HOSTILE["read"])) > 20
    templates = [one.read_text(encoding="utf-8") for one in (paths.resources() / "paper").glob("*.typ")]
    loaded = {line for template in templates for line in template.splitlines() if "import" in line}
    assert len(templates) == 3 and loaded == {'#import "marks.typ": mark, px'}
    assert [one for one in ("#include", "read(", "eval(", "plugin(") if any(one in text for text in templates)] == []


LETTERS = {
    "right to left": "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "east": "\u8a08\u753b \u30ab\u30ca \ud55c\uad6d \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "indic": "\u0928\u092e\u0938\u094d\u0924\u0947 \u0995\u09cd\u09b7 \u0ba4\u0bae\u0bbf\u0bb4\u0bcd",
    "emoji": "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "signs": "\u2200\u2208\u21d2 \u2610\u2611 \u2469 \u2500\u2588 \u2714",
}


@pytest.mark.parametrize("text", LETTERS.values(), ids=LETTERS)
def test_letters_of_other_scripts_are_printed(text: str) -> None:
    made = read(everywhere(f"begin {text} end"))
    shown = words(made)
    assert INSTEAD not in shown and n_blank_glyphs(made) == 0
    used = [font for page in made.pages for font in fonts(page)]
    assert all(embedded for _, embedded in used) and any("Inter" not in name for name, _ in used)
    assert {letter for letter in text if category(letter)[0] in "LS"} <= set(shown)
    assert text in "".join(letter for letter in str(made.metadata.title) if letter not in ISOLATES)  # type: ignore[union-attr]


def test_what_no_typeface_has_is_a_box_and_is_told() -> None:
    made = read(everywhere("begin a\x00b\x07c\x1bd\u202ee\u2066f\ufefeg\U00013000 end"))
    shown = words(made)
    assert "begin" in shown and f"e f{INSTEAD}g{INSTEAD} end".replace(" ", "") in dense(shown)
    assert shown.count(f"{INSTEAD}: a letter that our typefaces lack") == len(made.pages)


def test_what_is_written_from_right_to_left_stands_so_and_turns_nothing_around_it() -> None:
    """Two names after each other: the second stands to the right of the first, the words of each from the right."""
    first, second = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", "\u0645\u0631\u062d\u0628\u0627"
    placed = {text.strip(): x for x, _, text in pieces(read(one_page(said(f"begin {first}, {second}, end"))).pages[0])}
    one, two = first.split()
    assert (
        placed["begin"] < placed[two] < placed[one] < placed[second] < next(x for t, x in placed.items() if "end" in t)
    )


@pytest.mark.parametrize(
    "text", ["\u05d0", "\u8a08", "\u0915\u094d\u0937\u093f", "\u0e17\u0e35\u0e48", "\U0001f469\U0001f3fd"]
)
def test_a_word_without_end_breaks_between_letters_with_their_marks(text: str) -> None:
    made = read(one_page(said(text * 500), Table((Column("A"), Column("B")), ((Cell("x"), Cell(text * 100)),))))
    assert n_blank_glyphs(made) == 0 and "\u25cc" not in words(made), "no mark stands without its letter"
    assert rightmost(made) <= EDGE


def test_a_letter_keeps_its_marks_or_they_are_told_to_be_missing() -> None:
    """A letter and a mark that no typeface has together would stop the whole paper."""
    assert printable("e\u0301 \u05e9\u05b8 \u0915\u094d") == "e\u0301 \u2067\u05e9\u05b8\u2069 \u0915\u094d"
    assert printable("\u8a08\u093f\u0301") == f"\u8a08{INSTEAD}"
    chance = random.Random(1)
    drawn = [[chr(code) for code in chance.sample(sorted(letters(family)), 30)] for family in FAMILIES]
    marks = [chr(code) for code in range(0x300, 0x1E00) if category(chr(code)).startswith("M")]
    mixed = " ".join(
        f"{letter}{chance.choice(marks)}{chance.choice(more)}"
        for one in drawn
        for letter in one
        for more in [chance.choice(drawn)]
    )
    assert n_blank_glyphs(read(one_page(said(mixed)))) == 0


@pytest.mark.parametrize("family", ["Inter", "Noto Sans Tamil", "Noto Emoji", "DejaVu Sans", "Droid Sans Fallback"])
def test_the_letters_of_a_typeface_are_those_that_qt_finds(family: str) -> None:
    font = QRawFont(str(paths.resources() / "fonts" / _FILES[family]), 12.0)
    codes = [*range(0x20, 0x3100, 3), *range(0x4E00, 0xFFFF, 97), *range(0x1F000, 0x1FB00, 5)]
    assert [code for code in codes if font.supportsCharacter(code) != (code in letters(family))] == []


def test_charts_print_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter with a mark, such as q with an accent, on a chart stopped the whole paper."""
    text = " ".join((*LETTERS.values(), "q\u0301 \u05e9\u05b8\u05dc \U00013000"))
    painted = [
        PaintedText(9.0, 20.0 * n, f"row {text}", align, 12, True, False, "#1a1f25") for n, align in enumerate(SIDES, 1)
    ]
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="700" height="60"><rect width="9" height="9"/></svg>'
    drawing = Drawing(Chart("Chart", summary="Seen"), svg, painted, 60)
    monkeypatch.setattr("gui.pdf.given.drawn", lambda *_: [drawing])
    made = read(one_page(Figure("map", None, None, "", "")))  # type: ignore[arg-type]
    shown = words(made)
    assert n_blank_glyphs(made) == 0 and shown.count(INSTEAD) == 4, "one on each line, and one in the foot"
    assert {letter for letter in text if category(letter)[0] in "LS"} - {"\U00013000"} <= set(shown)
    placed_at = [one for one in placed(made.pages[0])[0] if one.words.startswith("row")]
    left, middle, right = (one.left for one in sorted(placed_at, key=lambda one: -one.base))
    assert right < middle < left


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
    assert rightmost(made) <= EDGE


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


def with_pages(count: int, n_rows: int = 0) -> Document:
    """Pages with a first one of so many rows before them."""
    sections = (Section(f"s{n}", f"Section {n}", (said(f"About {n}", "eyebrow"), rows(3))) for n in range(count))
    first = Section(
        "first", "Choose it", (said("Where?", "question"), said("There."), *([rows(n_rows)] if n_rows else []))
    )
    return Document("Plan", ("", ""), ("", ""), (first, *sections))


@pytest.mark.parametrize(
    ("count", "n_rows", "on_page", "n_pages"), [(2, 0, 0, 3), (9, 0, 0, 10), (30, 0, 0, 31), (30, 37, 1, 32)]
)
def test_contents_lead_to_every_page_where_there_are_more_than_a_few(
    count: int, n_rows: int, on_page: int, n_pages: int
) -> None:
    """They stand below the first page; where that is full and pages are many, on one of their own."""
    made = read(with_pages(count, n_rows))
    notes = [note.get_object() for note in made.pages[on_page].get("/Annots", [])]
    goals = {note["/Dest"][0].idnum if "/Dest" in note else note["/A"]["/D"][0].idnum for note in notes}
    pages = {page.indirect_reference.idnum for page in made.pages[-count:] if page.indirect_reference}
    assert len(made.pages) == n_pages
    assert ("Contents" in made.pages[on_page].extract_text()) is (count > 2)
    assert goals >= pages if count > 2 else not goals


def test_sections_of_one_kind_stand_together_in_the_contents() -> None:
    """Thirty titles of three workloads took a page of their own."""
    named = ("Pre-training: 70B", "Chat")
    sections = [Section("cost", f"Cost: {name}", (rows(40),)) for name in named]
    sections += [Section("advice", f"Common advice: {name}", (rows(40),)) for name in named]
    first = Section("first", "Choose it", (said("Where?", "question"), said("There.")))
    made = read(Document("Plan", ("", ""), ("", ""), (first, *sections)))
    told = plain(made.pages[0].extract_text()).replace("\xa0", " ")
    assert re.search(r"Contents: Cost \d+, \d+; Common advice \d+, \d+ 1 of 6", told)
