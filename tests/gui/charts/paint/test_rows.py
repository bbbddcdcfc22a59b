"""Where a bar chart paints what, in pixels: rows of 40 px from 30 down, 40 px for each 1 of x from 100."""

from __future__ import annotations

import pytest

from gui.charts.figure.figure import Bar, Figure, LegendEntry, Limit, Mapping, Row
from gui.charts.paint.brush import text_width
from gui.charts.paint.rows import (
    bar_height,
    bar_middle,
    bar_rect,
    entry_width,
    header_height,
    header_lines,
    legend_width,
    note_on_screen,
    note_place,
    paint_header,
    paint_rows,
    row_band,
    whole_clauses,
)
from tests.gui.charts.paint.recorded_ink import RecordedInk, rect

VIEW = Mapping(100, 30, 400, 120, (0.0, 10.0), (-2.5, 0.5))
TWO = (Row("a", "First", shape="square", colour="google_tpu"), Row("b", "Second", hollow=True))

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def ink() -> RecordedInk:
    return RecordedInk()


def _figure(**parts: object) -> Figure:
    return Figure("f", **{"rows": TWO, **parts})


def test_a_row_s_strip_reaches_from_the_left_edge_over_the_plot() -> None:
    assert rect(row_band(0, VIEW)) == pytest.approx((0, 30, 500, 40))
    assert rect(row_band(1, VIEW)) == pytest.approx((0, 70, 500, 40))


def test_a_note_ends_before_the_line_of_a_limit(ink: RecordedInk) -> None:
    noted = Row("a", "First", note="Paid as spot, which is not allowed (2 offers)", note_at=1.0)
    free = _figure(rows=(noted,))
    limited = _figure(rows=(noted,), limits=(Limit("budget", "x", 6.0, "Budget"),))
    for figure, most_px in ((free, 500 - 152 - 8), (limited, 340 - 152 - 8)):
        paint_rows(ink, figure, VIEW, None, None, 600)
        (words,) = [text for text in ink.of("text") if "Paid" in str(text)][-1:]
        told = next(part for part in words if isinstance(part, str) and "Paid" in part)
        assert text_width(told) <= most_px and ("…" in told) == (figure is limited)


def test_the_last_column_is_cut_to_what_the_plot_and_the_other_columns_leave(ink: RecordedInk) -> None:
    """The plot ends at 500 px of 640, a gap of 12 px on either side of each column."""
    sentence = "a sentence that needs more room than there is"
    rows = (Row("a", "First", right=(("10", "ink2"), (sentence, "ink2"))),)
    for gives_px, room_px in ((200, 140 - 3 * 12 - text_width("10")), (0, text_width(sentence))):
        paint_rows(ink, _figure(rows=rows, gives_px=gives_px), VIEW, None, None, 640)
        assert ink.rooms[sentence] == pytest.approx(room_px, abs=1.0)
        assert ink.rooms["10"] == pytest.approx(text_width("10"), abs=1.0)


@pytest.mark.parametrize(
    ("line", "place"),
    [(700.0, (200.0, 492.0)), (204.0, (212.0, 480.0)), (300.0, (308.0, 384.0)), (596.0, (200.0, 388.0))],
)
def test_a_note_takes_the_room_that_holds_it_before_or_behind_a_line(line: float, place: tuple[float, float]) -> None:
    note = "Paid as spot, which is not allowed (2 offers)"
    assert 100 < text_width(note) < 380
    assert note_place(note, 200.0, 700.0, [line]) == pytest.approx(place)
    assert note_place(note * 9, 200.0, 700.0, [450.0, 500.0])[0] == 200.0, "the widest, where none holds it"


@pytest.mark.parametrize(
    ("below", "row_px", "height"), [(False, 40, 14), (False, 16, 10), (True, 40, 14), (True, 16, 8)]
)
def test_bars_are_lower_where_rows_are_tight(below: bool, row_px: float, height: float) -> None:
    assert bar_height(_figure(whisker_below=below), row_px) == height


def test_a_bar_stands_in_the_middle_or_lower_under_its_name() -> None:
    assert bar_middle(1, _figure(), VIEW) == pytest.approx(90)
    assert bar_middle(1, _figure(names_above=True), VIEW) == pytest.approx(98.5)


@pytest.mark.parametrize(
    ("bar", "below", "box"),
    [
        (Bar(0, 1.0, 3.0, "google_tpu", ""), False, (140, 43, 80, 14)),
        (Bar(0, 1.0, 3.0, "google_tpu", "", part="egress"), False, (140, 43, 79, 14)),  # apart from the next part
        (Bar(0, 1.0, 1.05, "google_tpu", "", part="egress"), False, (140, 43, 2, 14)),  # too small for a gap
        (Bar(0, 1.0, 1.0, "google_tpu", ""), False, (140, 43, 0.75, 14)),  # never invisible
        (Bar(1, 0.0, 3.0, "google_tpu", ""), True, (100, 80, 120, 14)),  # lifted for the whisker
    ],
)
def test_a_segment_in_pixels(bar: Bar, below: bool, box: tuple[float, ...]) -> None:
    assert rect(bar_rect(bar, _figure(whisker_below=below), VIEW)) == pytest.approx(box)


def _painted(figure: Figure, selected: str | None = None, hovered: str | None = None, part: str = "") -> RecordedInk:
    ink = RecordedInk()
    paint_rows(ink, figure, VIEW, selected, hovered, 620.0, part)
    return ink


def test_the_selected_row_is_marked_over_the_whole_width_and_the_hovered_one_tinted() -> None:
    assert _painted(_figure(), "a", "b").of("fill") == [
        (pytest.approx((0, 30, 620, 40)), "sel"), (pytest.approx((0, 30, 3, 40)), "ink"),
        (pytest.approx((0, 70, 620, 40)), "tint"),
    ]  # fmt: skip
    assert [key for _, key in _painted(_figure(), "b", "b").of("fill")] == ["sel", "ink"]
    assert _painted(_figure(rows=(Row("", "x"),)), "", "").of("fill") == []


def test_the_axis_and_the_clip_of_the_bars() -> None:
    ink = _painted(_figure())
    assert ink.of("line") == [((100, 30), (100, 150), ("line2", 1.0, 1.0, None))]
    assert ink.painter.drawn == [("clip", (99, 0, 402, 190))]


def test_bars_are_filled_or_hatched_and_those_beyond_the_view_cut_or_left_out() -> None:
    bars = (
        Bar(0, 0.0, 2.0, "google_tpu", ""), Bar(1, 0.0, 2.0, "ink3", "", hatched=True),
        Bar(1, 9.0, 12.0, "google_tpu", ""), Bar(1, 10.5, 12.0, "google_tpu", ""),
    )  # fmt: skip
    ink = _painted(_figure(bars=bars))
    assert [box for box, _ in ink.of("fill")] == [pytest.approx((100, 43, 80, 14)), pytest.approx((460, 83, 120, 14))]
    assert ink.of("hatch") == [(pytest.approx((100, 83, 80, 14)), "ink3")]
    cut = ("bg", 2.0, 1.0, None)
    assert ink.of("line")[1:] == [
        (pytest.approx((487, 99)), pytest.approx((493, 81)), cut),
        (pytest.approx((491, 99)), pytest.approx((497, 81)), cut),
    ]


def test_the_part_pointed_at_is_outlined_in_the_hovered_row_only() -> None:
    bars = (Bar(0, 0.0, 2.0, "google_tpu", "", part="egress"), Bar(1, 0.0, 2.0, "google_tpu", "", part="egress"))
    outlined = [call for call in _painted(_figure(bars=bars), None, "b", "egress").painter.drawn if call[0] == "rect"]
    assert outlined == [("rect", pytest.approx((98.5, 81.5, 82, 17)), ("ink", 1.5, 1.0, None))]
    for hovered, part in (("b", "storage"), (None, "egress"), ("b", "")):
        assert all(call[0] == "clip" for call in _painted(_figure(bars=bars), None, hovered, part).painter.drawn)


def test_a_whisker_on_a_bar_is_light_as_far_as_the_bar_and_dark_beyond() -> None:
    """Bar to 200 px, range from 180 to 260: caps of 5 px at both ends."""
    figure = Figure("f", rows=(Row("a", "x", range=(2.0, 4.0)),), bars=(Bar(0, 0.0, 2.5, "google_tpu", ""),))
    light, dark = ("bg", 1.25, 0.75, None), ("ink2", 1.25, 1.0, None)
    assert _painted(figure).of("line")[1:] == [
        (pytest.approx((180, 50)), pytest.approx((200, 50)), light),
        (pytest.approx((200, 50)), pytest.approx((260, 50)), dark),
        (pytest.approx((180, 47.5)), pytest.approx((180, 52.5)), light),
        (pytest.approx((260, 47.5)), pytest.approx((260, 52.5)), dark),
    ]


def test_a_whisker_below_its_bar_is_dark_all_along() -> None:
    """Half a bar and half a pixel under the middle: 50 + 7.5."""
    bars = (Bar(0, 0.0, 2.5, "google_tpu", ""),)
    figure = Figure("f", rows=(Row("a", "x", range=(2.0, 4.0)),), bars=bars, whisker_below=True)
    lines = [line for line in _painted(figure).of("line")[1:] if line[0] != line[1]]
    dark = ("ink2", 1.25, 1.0, None)
    assert lines[0] == (pytest.approx((180, 57.5)), pytest.approx((260, 57.5)), dark)
    assert [pen for *_, pen in lines] == [dark] * 3


def test_ticks_stand_across_the_bar_with_a_rim() -> None:
    figure = Figure("f", rows=(Row("a", "x", ticks=(5.0,)),))
    rim, tick = _painted(figure).of("line")[1:]
    assert rim == (pytest.approx((300, 41)), pytest.approx((300, 59)), ("bg", 4.0, 1.0, None))
    assert tick == (pytest.approx((300, 41)), pytest.approx((300, 59)), ("ink", 2.0, 1.0, None))


@pytest.mark.parametrize(("strip_px", "half_px"), [(40, 9), (20, 9), (16, 7), (12, 5)])
def test_ticks_stay_within_a_tight_row(ink: RecordedInk, strip_px: float, half_px: float) -> None:
    """A pixel is left to the rows beside."""
    view = Mapping(100, 30, 400, 3.0 * strip_px, (0.0, 10.0), (-2.5, 0.5))
    paint_rows(ink, Figure("f", rows=(Row("a", "x", ticks=(5.0,)),)), view, None, None, 620.0, "")
    (_, top), (_, bottom), _ = ink.of("line")[-1]
    assert (bottom - top) / 2 == pytest.approx(half_px)


def test_names_stand_at_the_left_edge_after_their_glyph() -> None:
    ink = _painted(_figure(), "b")
    assert ink.of("glyph") == [(pytest.approx((20, 50)), 5.5, "square", "google_tpu", False)]
    assert ink.of("text") == [
        ("First", pytest.approx((34, 50)), "ink", "left", False, False),
        ("Second", pytest.approx((20, 90)), "ink3", "left", True, False),
    ]


def test_names_above_stand_over_their_bars_at_the_axis() -> None:
    """Middle of the bar 58.5, the name 17 px above it."""
    ink = _painted(_figure(names_above=True))
    assert ink.of("glyph")[0][0] == pytest.approx((105.5, 41.5))
    assert [at for _, at, *_ in ink.of("text")] == [pytest.approx((119.5, 41.5)), pytest.approx((105.5, 81.5))]


def test_a_note_follows_its_bar_where_there_is_room_for_it() -> None:
    """From 100 + 80 + 12 px 300 are left; from 432 only 60, too few for words."""
    rows = (Row("a", "x", note="short", note_at=2.0), Row("b", "y", note="short", note_at=8.0))
    notes = [call for call in _painted(Figure("f", rows=rows)).of("text") if call[0] == "short"]
    assert notes == [("short", pytest.approx((192, 49)), "ink3", "left", False, True)]
    long = Figure("f", rows=(Row("a", "x", note="many words " * 9, note_at=5.0),))
    [cut] = [text for text, *_ in _painted(long).of("text") if text.startswith("many")]
    assert text_width(cut) <= 180 < text_width("many words " * 9)


def test_columns_of_text_stand_flush_right_beside_each_other() -> None:
    """The last 12 px from the edge at 620, the one before by its widest text and 12 px further left."""
    rows = (
        Row("a", "x", right=(("12", "ink"), ("3 to 4", "ink3"))),
        Row("b", "y", right=(("1 234", "ink"), ("5 to 6 789", "ink3"))),
        Row("c", "z", right=(("7", "ink"),)),
    )
    texts = {text: call for text, *call in _painted(Figure("f", rows=rows)).of("text")}
    last = 608 - text_width("5 to 6 789") - 12
    assert texts["3 to 4"] == [pytest.approx((608, 50)), "ink3", "right", False, False]
    assert texts["12"] == [pytest.approx((last, 50)), "ink", "right", True, False]
    assert texts["1 234"][0] == pytest.approx((last, 90))
    assert texts["7"][0] == pytest.approx((608, 130))


BOX, WORDS, TICK = LegendEntry("box", "google_tpu"), LegendEntry("words only"), LegendEntry("tick", "ink", "tick")


def test_a_legend_is_as_wide_as_its_entries_and_the_gaps_between() -> None:
    assert entry_width(BOX) == pytest.approx(text_width("box") + 17)
    assert entry_width(WORDS) == pytest.approx(text_width("words only"))
    assert legend_width([BOX, WORDS]) == pytest.approx(entry_width(BOX) + 16 + entry_width(WORDS))
    assert legend_width([]) == 0.0


def test_a_legend_stands_beside_the_title_or_wraps_below_it() -> None:
    figure = Figure("Title", subtitle="and more", legend=(BOX, WORDS, TICK))
    needed = text_width("Title", True, 13) + text_width("and more") + 60 + legend_width(figure.legend)
    assert header_lines(figure, needed) == [[BOX, WORDS, TICK]]
    assert header_lines(figure, needed - 1) == [[], [BOX, WORDS, TICK]]
    narrow = legend_width([BOX, WORDS]) + 24
    assert header_lines(figure, narrow) == [[], [BOX, WORDS], [TICK]]
    assert header_lines(figure, narrow - 1) == [[], [BOX], [WORDS], [TICK]]
    assert header_height(figure, needed) == 26.0
    assert header_height(figure, narrow) == 70.0
    assert header_height(Figure(""), 500) == 4.0


def test_the_header_at_its_places(ink: RecordedInk) -> None:
    figure = Figure("Title", subtitle="and more", legend=(BOX, WORDS))
    paint_header(ink, figure, 600.0, 10.0)
    used, start = text_width("Title", True, 13), 592 - legend_width(figure.legend)
    assert ink.of("text") == [
        ("Title", (10, 11), "ink", "left", True, False),
        ("and more", (22 + used, 11), "ink3", "left", False, False),
        ("box", (start + 17, 11), "ink2", "left", False, False),
        ("words only", (start + entry_width(BOX) + 16, 11), "ink2", "left", False, False),
    ]
    assert ink.of("fill") == [(pytest.approx((start, 5.5, 11, 11)), "google_tpu")]


def test_a_wrapped_legend_begins_at_the_left_a_line_lower(ink: RecordedInk) -> None:
    paint_header(ink, Figure("Title", legend=(WORDS,)), 60.0, 10.0)
    assert ink.of("text")[-1][:2] == ("words only", (10, 33))


@pytest.mark.parametrize("swatch", ["circle", "square", "hollow"])
def test_round_and_square_swatches_are_glyphs(ink: RecordedInk, swatch: str) -> None:
    paint_header(ink, Figure("", legend=(LegendEntry("x", "google_tpu", swatch),)), 600.0, 0.0)
    [(at, radius, shape, key, hollow)] = ink.of("glyph")
    assert (at[0], at[1], radius) == (
        pytest.approx(592 - entry_width(BOX) + text_width("box") - text_width("x") + 5.5),
        11,
        5.5,
    )
    assert (shape, key, hollow) == (swatch, "google_tpu", swatch == "hollow")


def test_lines_dashes_ticks_and_hatches_of_a_legend() -> None:
    def painted(swatch: str, colour: str = "google_tpu") -> tuple[RecordedInk, float]:
        entry, ink = LegendEntry("x", colour, swatch), RecordedInk()
        paint_header(ink, Figure("", legend=(entry,)), 600.0, 0.0)
        return ink, 592 - entry_width(entry)

    for swatch, dash in (("line", None), ("dash", (4.0, 3.0))):
        ink, x = painted(swatch)
        assert ink.of("line") == [((x, 11), (x + 11, 11), ("google_tpu", 2.0, 1.0, dash))]
    ink, x = painted("tick")
    assert ink.of("line") == [((x + 5.5, 4), (x + 5.5, 18), ("ink", 2.0, 1.0, None))]
    ink, x = painted("hatch")
    assert ink.of("hatch") == [(pytest.approx((x, 5.5, 11, 11)), "google_tpu")]
    for swatch in ("circle", "hatch", "tick", "line", "box"):
        ink, x = painted(swatch, "")
        assert [call[0] for call in ink.calls if call[:2] != ("text", "")] == ["text"]


def test_a_note_on_paper_ends_with_a_clause_or_is_left_out() -> None:
    """ "Paid as spot, which is n..." was cut on paper, where nothing shows the rest."""
    note = "Needs 1 200 GiB a chip, 47 are there. Fits on more."
    assert whole_clauses(note, 1000.0) == note.rstrip(".")
    assert (
        whole_clauses(note, text_width("Needs 1 200 GiB a chip, 47 are there") + 1)
        == "Needs 1 200 GiB a chip, 47 are there"
    )
    assert whole_clauses(note, text_width("Needs 1 200 GiB a chip") + 1) == "Needs 1 200 GiB a chip"
    assert whole_clauses(note, 40.0) == ""


def test_a_note_on_screen_ends_with_a_clause_too_and_says_that_there_is_more() -> None:
    """ "Paid as spot, whic..." stood in the bars of a window 1024 px wide."""
    note = "Paid as spot, which is not allowed. Allow spot"
    assert note_on_screen(note, text_width(note) + 1) == note
    assert note_on_screen(note, 200.0) == "Paid as spot\u2026"
    assert note_on_screen(note, 70.0).startswith("Paid as")


@pytest.mark.parametrize("room", range(60, 400, 20))
def test_a_note_on_screen_always_has_room(room: int) -> None:
    told = note_on_screen("Needs 1 200 GiB a chip, 47 are there. Fits on more.", room)
    assert told and text_width(told) <= room
