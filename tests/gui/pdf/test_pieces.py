"""How pieces fall on pages, and how text and tables are broken."""

import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from core.report.blocks import (
    Bar,
    Cell,
    Column,
    Decide,
    Fact,
    KeyFigures,
    Kpi,
    KpiTable,
    OptionKpis,
    Paragraph,
    Section,
    Table,
)  # fmt: skip
from gui.pdf.canvas import Canvas, width_of, wrapped
from gui.pdf.kpi_pieces import kpi_pieces
from gui.pdf.layout import section_pieces
from gui.pdf.piece import INNER_PX, LEAST_GAP_SHARE, Piece, paginated, tightened
from gui.pdf.plan_pieces import decide_pieces, key_figure_pieces
from gui.pdf.table_pieces import table_pieces
from tests.gui.sample_session import themes

ROOM_PX = 100.0


def nothing(_canvas: Canvas, _x: float, _top: float) -> None:
    """Paints nothing."""


def piece(height_px: float, holds_next: bool = False, head: Piece | None = None, begins_page: bool = False) -> Piece:
    return Piece(height_px, nothing, holds_next=holds_next, head=head, begins_page=begins_page)


@pytest.fixture(autouse=True)
def fonts(qtbot: QtBot) -> None:
    themes()


@given(st.lists(st.lists(st.floats(1, 100), min_size=1, max_size=9), min_size=1, max_size=6))
def test_nothing_is_lost_and_nothing_leaves_its_page(heights: list[list[float]]) -> None:
    sections = [[piece(height) for height in section] for section in heights]
    sheets = paginated(sections, ROOM_PX)
    assert [p.piece.height_px for sheet in sheets for p in sheet] == [h for section in heights for h in section]
    for sheet in sheets:
        edges = [(p.top_px, p.top_px + p.piece.height_px) for p in sheet]
        assert edges[-1][1] <= ROOM_PX + 1e-6
        assert all(above[1] <= below[0] + 1e-6 for above, below in zip(edges, edges[1:], strict=False))


def test_a_heading_goes_with_what_it_heads() -> None:
    section = [piece(70), piece(20, holds_next=True), piece(30)]
    assert [len(sheet) for sheet in paginated([section], ROOM_PX)] == [1, 2]


def test_the_head_of_a_table_repeats_on_the_next_page() -> None:
    head = piece(10)
    rows = [piece(30, head=head) for _ in range(7)]
    sheets = paginated([[piece(10, holds_next=True), *rows]], ROOM_PX)
    assert len(sheets) == 3
    assert all(sheet[0].piece is head for sheet in sheets[1:])
    assert sheets[0][0].piece is not head


def test_a_decision_always_begins_a_page() -> None:
    sheets = paginated([[piece(10)], [piece(10)], [piece(10, begins_page=True)]], ROOM_PX)
    assert [len(sheet) for sheet in sheets] == [2, 1]


@pytest.mark.parametrize(("gap_px", "n_pages"), [(4.0, 1), (6.0, 1), (25.0, 1), (25.5, 2)])
def test_a_page_that_is_hardly_too_long_takes_the_room_from_its_gaps(gap_px: float, n_pages: int) -> None:
    pieces = [Piece(30.0, nothing, gap_px) for _ in range(3)]
    drawn = tightened(pieces, ROOM_PX)
    assert len(paginated([drawn], ROOM_PX)) == n_pages
    shares = {one.gap_px / gap_px for one in drawn}
    assert len(shares) == 1 and LEAST_GAP_SHARE <= shares.pop() <= 1
    assert (drawn == pieces) == (gap_px < 5 or n_pages == 2)


def test_a_table_of_five_columns_breaks_no_text_while_another_column_has_room() -> None:
    """Each broken row is a line more on the page to sign."""
    columns = tuple(
        Column(name, weight=weight) for name, weight in zip("abcde", (3.2, 2.1, 1.2, 2.2, 3.1), strict=True)
    )
    texts = ("B200 price per chip hour", "Chat serving 70B", "30 Jan 2027", "Before 31 Dec 2026", "Serve on 4 × B300")
    [_, row] = table_pieces(Table(columns, (tuple(map(Cell, texts)),)))
    [_, short] = table_pieces(Table(columns, (tuple(map(Cell, "abcde")),)))
    assert row.height_px == short.height_px


def test_a_long_name_is_cut_behind_its_hyphens() -> None:
    width_px = width_of("desmoines-usa")
    assert wrapped("in desmoines-usa-1, on demand", width_px) == ["in", "desmoines-", "usa-1, on", "demand"]


@given(st.text(alphabet="abc de-", max_size=200), st.floats(20, 300))
def test_wrapped_text_keeps_its_letters_and_its_width(text: str, width_px: float) -> None:
    lines = wrapped(text, width_px)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width_of(line) <= width_px + 0.01 or len(line) == 1 for line in lines)


def test_a_short_text_is_not_broken_by_a_narrow_column() -> None:
    columns = (Column("Name", weight=9), *(Column(f"Value {n}", "right", 0.2) for n in range(5)))
    row = (Cell("a name"), *(Cell("26 Aug 2026") for _ in range(5)))
    one_line = table_pieces(Table(columns, (tuple(Cell("x") for _ in columns),)))[1].height_px
    assert table_pieces(Table(columns, (row,)))[1].height_px == one_line
    assert width_of("26 Aug 2026", 12) * 5 < INNER_PX


def test_a_row_has_room_for_its_longest_range() -> None:
    def table(words: str) -> KpiTable:
        kpis = tuple(Kpi("$1 M", words, 1.0, 2.0, 3.0) for _ in range(4))
        return KpiTable(("A", "B", "C", "D"), (OptionKpis("Pick", "8 × X", "here", "gpu", "NVIDIA", kpis),))

    short, long = kpi_pieces(table("1–3"))[1], kpi_pieces(table("$350 k–$840 k of all, 80 % range and more"))[1]
    assert long.height_px > short.height_px


class Written(Canvas):
    """Notes where texts stand instead of painting them: left end, right end, top."""

    def __init__(self) -> None:
        self.spans: dict[str, tuple[float, float, float]] = {}
        self.rects: list[tuple[float, float]] = []
        self.painter = self.ink = self  # type: ignore[assignment]

    def text(self, x, top, text, px=13, key="ink", strong=False, align="left", room_px=math.inf) -> None:  # type: ignore[override]
        width = min(width_of(text, px, strong), room_px)
        left = x - {"left": 0.0, "right": 1.0, "centre": 0.5}[align] * width
        self.spans[text] = (left, left + width, top)

    def fillRect(self, x, y, width, height, _colour) -> None:
        self.rects.append((y, height))

    def line(self, *_) -> None: ...

    def pen(self, *_) -> None: ...

    def colour(self, *_) -> None: ...

    def rule(self, *_) -> None: ...  # type: ignore[override]

    def mark(self, *_) -> None: ...  # type: ignore[override]


def test_a_date_stands_apart_from_its_neighbour() -> None:
    """``26 Dec 2026`` and the score beside it."""
    values = ("$953 k", "26 Dec 2026", "93", "76")
    kpis = tuple(Kpi(value, "1–3", 1.0, 2.0, 3.0) for value in values)
    table = KpiTable(("A", "B", "C", "D"), (OptionKpis("Pick", "8 × X", "here", "gpu", "NVIDIA", kpis),), "Whose")
    written = Written()
    kpi_pieces(table)[1].paint(written, 0.0, 0.0)
    for value, following in pairwise(values):
        assert written.spans[following][0] - written.spans[value][1] >= 20
    assert len({written.spans[value][2] for value in values}) == 1, "on one line"


def test_a_sentence_below_an_option_has_room() -> None:
    kpis = (Kpi("$1 M", "1–3"), Kpi("2", ""))
    bare = OptionKpis("Chat", "8 × X", "here", "gpu", "NVIDIA", kpis)
    noted = OptionKpis("Chat", "8 × X", "here", "gpu", "NVIDIA", kpis, "Runner-up 4 × Y")
    heights = [kpi_pieces(KpiTable(("A", "B"), (one,)))[1].height_px for one in (bare, noted)]
    assert heights[1] >= heights[0] + 16
    written = Written()
    kpi_pieces(KpiTable(("A", "B"), (noted,)))[1].paint(written, 0.0, 0.0)
    assert written.spans["here"][2] + 14 <= written.spans["Runner-up 4 × Y"][2] <= heights[1] - 16


def test_bars_stand_on_one_line_with_their_values_above() -> None:
    bars = tuple(Bar(f"Q{n} 27", f"${n}0 k", n / 4) for n in range(1, 5))
    (piece,) = key_figure_pieces(
        KeyFigures((Fact("Total", "$100 k", "all"), Fact("Ready", "1 Feb 2027")), "Cash", bars)
    )
    written = Written()
    piece.paint(written, 0.0, 0.0)
    assert len({y + height for y, height in written.rects}) == 1
    heights = [height for _, height in written.rects]
    assert heights == sorted(heights) and heights[3] == pytest.approx(4 * heights[0], abs=2)
    ends = [written.spans[bar.value] for bar in bars]
    assert all(one[1] + 4 < other[0] for one, other in pairwise(ends))
    assert written.spans["$40 k"][0] > written.spans["1 Feb 2027"][1]
    assert max(top for _, _, top in written.spans.values()) + 16 <= piece.height_px


def test_a_plan_is_signed_on_one_line() -> None:
    (piece,) = decide_pieces(Decide("Decide by", "1 Dec 2026"))
    written = Written()
    piece.paint(written, 0.0, 0.0)
    titles = ["Decide by", "Owner", "Approved, name and signature", "Date"]
    assert list(filter(None, written.spans)) == ["Decide by", "1 Dec 2026", *titles[1:]]
    assert all(written.spans[one][1] < written.spans[other][0] for one, other in pairwise(titles))


def test_the_question_stands_above_the_title_and_begins_the_page() -> None:
    section = Section("decision", "Choose this", (Paragraph("Where?", "question"), Paragraph("There.", "lead")))
    pieces = section_pieces(section)
    assert pieces[0].begins_page
    assert len(pieces) == 3
    assert not pieces[-1].holds_next


class TextPainter:
    """Notes the texts that are drawn, with the widths they take."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def setFont(self, _: object) -> None: ...

    def setPen(self, _: object) -> None: ...

    def drawText(self, _: object, text: str) -> None:
        self.drawn.append(text)


def test_a_long_name_gives_way_to_what_stands_beside_it() -> None:
    painter: Any = TextPainter()
    Canvas(painter).text(0, 0, "Name " * 50, room_px=120)
    Canvas(painter).text(0, 0, "Name", room_px=120)
    assert painter.drawn[0].endswith("\u2026") and width_of(painter.drawn[0]) <= 120
    assert painter.drawn[1] == "Name"


def test_names_that_steer_the_direction_are_drawn_calm() -> None:
    painter: Any = TextPainter()
    Canvas(painter).text(0, 0, "a\u202eb\x07 \u05e9\u05dc")
    assert painter.drawn == ["ab  \u2067\u05e9\u05dc\u2069"]


def test_a_word_of_many_letters_is_cut_and_nothing_of_it_lost() -> None:
    word = "abcdefghij" * 2000
    lines = wrapped(word, 200.0)
    assert "".join(lines) == word
    assert max(width_of(line) for line in lines) <= 200.0
    assert min(width_of(line) for line in lines[:-1]) > 180.0
