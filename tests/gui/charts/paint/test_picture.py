"""How a figure is laid out at a size, its ticks, stripes and colours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFont, QImage, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from gui.charts.figure.figure import Axis, Bar, Figure, Limit, Mapping, Row, left_room, padded, right_room, still
from gui.charts.figure.ticks import linear_ticks, tick_text
from gui.charts.paint.brush import Ink, colour_name, text_width
from gui.charts.paint.picture import (
    AXIS_BOTTOM_PX,
    STALE_OPACITY,
    TICKS_BOTTOM_PX,
    Picture,
    axis_ticks,
    least_height,
    mapping,
    margins,
    natural_height,
)
from gui.charts.paint.points import Highlights
from gui.charts.paint.stripes import HATCH_GAP, HATCH_PITCH, hatch_stripes
from gui.charts.view.export import picture_of
from gui.theme.fonts import typeface
from tests.gui.charts.paint.recorded_ink import RecordedInk
from tests.gui.sample_session import themes

ROWS = tuple(Row(name, name) for name in "abc")

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("axis", "bottom"), [(Axis("days"), AXIS_BOTTOM_PX), (Axis(), TICKS_BOTTOM_PX), (Axis("days", shown=False), 6.0)]
)
def test_room_under_the_plot_by_its_axis(axis: Axis, bottom: float) -> None:
    """Without a title the header takes 4 px and 6 px follow it."""
    edge = margins(Figure("", x=axis, left_px=60, right_px=20), 600)
    assert (edge.left, edge.top, edge.right, edge.bottom) == (60, 10.0, 20, bottom)


@pytest.mark.parametrize(("width", "right"), [(900, 300.0), (640, 300.0), (560, 220.0), (500, 200.0), (300, 200.0)])
def test_the_last_column_gives_way_to_bars_under_240_px(width: int, right: float) -> None:
    figure = Figure("", rows=ROWS, left_px=100, right_px=300, gives_px=100)
    assert margins(figure, width).right == right


def test_points_fill_the_room_that_is_left() -> None:
    view = mapping(Figure("", x=Axis("t"), left_px=60, right_px=20), 600, 300, (1.0, 2.0), (3.0, 4.0))
    assert view == Mapping(60, 10.0, 520, 300 - 10 - 44, (1.0, 2.0), (3.0, 4.0))
    tiny = mapping(Figure(""), 5, 5, (0.0, 1.0), (0.0, 1.0))
    assert (tiny.width, tiny.height) == (10.0, 10.0)


def test_rows_keep_their_height_and_stand_at_the_top() -> None:
    figure = Figure("", x=Axis("t"), rows=ROWS, row_px=40)
    assert natural_height(figure, 600) == 10 + 44 + 120
    tall, low = (mapping(figure, 600, height, (0.0, 1.0), (9.0, 9.9)) for height in (500, 114))
    assert (tall.height, tall.y_view) == (120, (-2.5, 0.5))
    assert (low.height, low.y_view) == (60, (-2.5, 0.5))


@pytest.mark.parametrize(("width", "shown"), [(600.0, ["0", "50", "100"]), (34.0, ["0", "100"]), (10.0, ["0"])])
def test_ticks_of_a_narrow_axis_do_not_touch_and_keep_its_end(width: float, shown: list[str]) -> None:
    """An axis of 40 px read "0 50100"."""
    axis = Axis("Points of 100", names=((0.0, "0"), (50.0, "50"), (100.0, "100")))
    figure = Figure("", x=axis, rows=ROWS)
    view = Mapping(60, 10.0, width, 200, (0.0, 100.0), (-2.5, 0.5))
    picture = Picture(figure, themes().theme, 600, 300, view)
    assert [text for _, text in picture.x_ticks()] == shown


@pytest.mark.parametrize(("length_px", "n_ticks"), [(100.0, 3), (600.0, 7), (9600.0, 11), (0.0, 3)])
def test_ticks_by_the_length_two_at_least_and_ten_or_so_at_most(length_px: float, n_ticks: int) -> None:
    """From 0 to 6 or 10: at a pitch of 100 px one, six, 96 and no steps are asked for."""
    high = 6.0 if length_px == 600.0 else 10.0
    assert len(axis_ticks(Axis(), (0.0, high), length_px, 100.0)) == n_ticks


def test_ticks_are_written_in_the_scale_of_their_axis() -> None:
    assert axis_ticks(Axis(scale=1e6), (0.0, 2e6), 200.0, 100.0) == [(0.0, "0"), (1e6, "1"), (2e6, "2")]
    named = Axis(names=((0.0, "none"), (1.0, "one"), (2.0, "two")))
    assert axis_ticks(named, (0.0, 1.0), 200.0, 100.0) == [(0.0, "none"), (1.0, "one")]
    logs = axis_ticks(Axis(log=True, scale=1e3), (3.0, 5.0), 300.0, 100.0)
    assert (3.0, "1") in [(round(at, 9), text) for at, text in logs]
    assert (5.0, "100") in [(round(at, 9), text) for at, text in logs]


@pytest.mark.parametrize(
    ("low", "high", "wanted", "ticks"),
    [
        (0.0, 1.0, 4, [0.0, 0.25, 0.5, 0.75, 1.0]), (0.0, 10.0, 5, [0, 2, 4, 6, 8, 10]), (0.0, 100.0, 2, [0, 50, 100]),
        (-1.0, 1.0, 2, [-1, 0, 1]), (3.0, 3.0, 5, [3.0]), (0.0, 9.0, 9, list(range(10))),
    ],
)  # fmt: skip
def test_steps_are_1_2_2_5_or_5(low: float, high: float, wanted: int, ticks: list[float]) -> None:
    assert linear_ticks(low, high, wanted) == pytest.approx(ticks)


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [(1e5, 0.0, "100\u202fk"), (99_999.0, 0.0, "99\u202f999"),
     (0.001, 0.0, "0.001"), (0.0002, 0.0, "0.0002"), (2.5, 0.5, "2.5")],
)  # fmt: skip
def test_texts_of_ticks_at_their_bounds(value: float, step: float, text: str) -> None:
    assert tick_text(value, step) == text


def test_stripes_rise_every_seven_pixels_and_end_at_the_sides() -> None:
    """A box of 20 by 10: stripes from 10 px left of it on, each 2.2 px wide and as high as the box."""
    stripes = hatch_stripes(100.0, 120.0, 50.0, 60.0)
    for stripe in stripes:
        assert all(100 - 1e-9 <= x <= 120 + 1e-9 and 50 <= y <= 60 for x, y in stripe)
    whole = next(stripe for stripe in stripes if min(x for x, _ in stripe) > 100 and max(x for x, _ in stripe) < 120)
    left = min(x for x, _ in whole)
    corners = sorted((round(x - left, 6), y) for x, y in whole)
    assert corners == [(0.0, 60), (HATCH_GAP, 60), (10.0, 50), (10.0 + HATCH_GAP, 50)]
    assert (left - 90) % HATCH_PITCH == pytest.approx(0.0)
    starts = range(90, 120, 7)
    assert len(stripes) == sum(start + 10 + HATCH_GAP > 100 for start in starts)


def test_colours_of_keys() -> None:
    """Texts beside a mark have a colour of their own in the family of its chip; beside anything else a plain one."""
    theme = themes().theme
    assert colour_name(theme, "google_tpu") == theme.colours["google_tpu"]
    assert colour_name(theme, "part:egress") == theme.part_colour("egress")
    for key in ("nvidia_gpu", "amd_gpu", "google_tpu"):
        words = f"{key}_label_text"
        assert colour_name(theme, words) == theme.colours[words] != theme.colours[key]
    assert colour_name(theme, "amd_gpu_label_text") == colour_name(theme, "nvidia_gpu_label_text")
    for key in ("ctl", "ink3"):
        assert colour_name(theme, f"{key}_label_text") == theme.colours["ink2"]


def test_room_for_names_and_columns_by_their_letters() -> None:
    rows = (Row("a", "x" * 10, right=(("123", "ink"),)), Row("b", "x", right=(("1", "ink"), ("12345", "ink3"))))
    assert left_room(rows) == 24 + 80
    assert left_room((Row("a", "x", shape="square"),)) == 34 + 17
    assert left_room((Row("a", "x" * 99),)) == 24 + 230
    assert right_room(rows) == (3 * 7 + 12) + (5 * 7 + 12) + 24
    assert right_room(()) == 24
    assert left_room(()) == 24 + 10


@pytest.mark.parametrize(
    ("low", "high", "ends"), [(0.0, 10.0, (-1.0, 11.0)), (5.0, 5.0, (4.5, 5.5)), (0.0, 0.0, (-0.1, 0.1))]
)
def test_a_range_gets_air_and_is_never_empty(low: float, high: float, ends: tuple[float, float]) -> None:
    assert padded(low, high, 0.1) == pytest.approx(ends)


def test_what_can_be_picked_stands_once_and_in_order() -> None:
    figure = Figure("f", rows=(*ROWS, Row("", "none"), Row("a", "again")), bars=(Bar(0, 0.0, 1.0, "google_tpu", ""),))
    assert figure.ids == ("a", "b", "c")


def test_the_ground_is_filled_to_the_last_pixel() -> None:
    theme = themes().theme
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill("#123456")
    painter = QPainter(image)
    Picture.laid_out(Figure("f", empty="nothing"), theme, 40, 30, (0.0, 1.0), (0.0, 1.0)).paint_below(painter)
    painter.end()
    corners = {image.pixelColor(x, y).name() for x in (0, 39) for y in (0, 29)}
    assert corners == {Ink(QPainter(), theme).colour("bg").name()}


def test_figures_have_one_width_on_screens_and_stay_plain_text_in_files(tmp_path: Path) -> None:
    """Tabular figures are other glyphs, which a reader of a PDF or SVG could not copy."""
    picture, paper = QImage(40, 30, QImage.Format.Format_RGB32), QPdfWriter(str(tmp_path / "a.pdf"))
    drawing = QSvgGenerator()
    drawing.setFileName(str(tmp_path / "a.svg"))
    fonts = []
    for device in (picture, paper, drawing):
        painter = QPainter(device)
        Ink(painter, themes().theme).text(5, 15, "11")
        fonts.append(QFont(painter.font()))
        painter.end()
    assert fonts == [typeface(12, False, tabular)[0] for tabular in (True, False, False)]
    assert typeface(12, False, True)[0] != typeface(12, False, False)[0]


@pytest.fixture
def ink(monkeypatch: pytest.MonkeyPatch) -> RecordedInk:
    """What a picture paints is written down instead."""
    ink = RecordedInk()
    monkeypatch.setattr("gui.charts.paint.picture.Ink", lambda painter, theme: ink)
    return ink


def _laid_out(figure: Figure, stale: bool = False) -> Picture:
    """A picture of 600 by 300 px: the plot is 460 wide from 100 on, and as high as header and axis leave it."""
    return Picture.laid_out(figure, themes().theme, 600, 300, (0.0, 2.0), (0.0, 4.0), stale)


NAMED = Axis("Days", names=((-0.5, "before"), (0.0, "zero"), (2.0, "two"), (2.5, "beyond")))
UP = Axis("Speed", names=((0.0, "none"), (4.0, "four")))


def test_axes_stand_below_and_left_of_the_plot_with_their_ticks_and_titles(ink: RecordedInk) -> None:
    """Without title and legend the plot begins 10 px from the top; 44 px below it stay for ticks and title."""
    _laid_out(Figure("", x=NAMED, y=UP, left_px=100, right_px=40)).paint_below(ink.painter)
    assert ink.of("text")[2:] == [
        ("zero", (100, 269), "ink3", "centre", False, False), ("two", (560, 269), "ink3", "centre", False, False),
        ("Days", (330, 289), "ink2", "centre", False, False),
        ("none", (92, 256), "ink3", "right", False, False), ("four", (92, 10), "ink3", "right", False, False),
    ]  # fmt: skip
    assert ink.of("upright") == [("Speed", (8, 133))]
    lines = [(start, end) for start, end, (key, *_) in ink.of("line") if key == "line2"]
    assert lines == [((100, 256), (560, 256))]


def test_rows_have_no_upright_axis_and_their_header_stands_over_the_names(ink: RecordedInk) -> None:
    figure = Figure("Rows", x=NAMED, y=UP, rows=ROWS, left_px=100, right_px=40)
    _laid_out(figure).paint_below(ink.painter)
    assert ink.of("upright") == [] and not {"none", "four"} & {text for text, *_ in ink.of("text")}
    assert [key for *_, (key, *_) in ink.of("line") if key == "line2"] == []
    assert ink.of("text")[0][:2] == ("Rows", (20, 11))
    ink.calls.clear()
    _laid_out(Figure("Rows", x=NAMED, rows=ROWS, names_above=True)).paint_below(ink.painter)
    assert ink.of("text")[0][:2] == ("Rows", (4, 11))


def test_an_axis_that_is_not_shown_and_an_empty_figure_have_no_ticks(ink: RecordedInk) -> None:
    _laid_out(Figure("", x=Axis(shown=False, names=NAMED.names), y=UP)).paint_below(ink.painter)
    assert [text for text, *_ in ink.of("text")][2:] == ["none", "four"]
    ink.calls.clear()
    empty = _laid_out(Figure("", x=NAMED, y=UP, empty="Nothing yet"))
    empty.paint_below(ink.painter)
    empty.paint_data(ink.painter, Highlights())
    assert {text for text, *_ in ink.of("text")} == {""}
    empty.paint_empty(ink.painter)
    assert ink.of("text")[-1] == ("Nothing yet", (300, 150), "ink2", "centre", False, False)


def test_a_title_is_moved_as_far_as_both_its_ends_need() -> None:
    """A title of some 200 px over a plot in the left or right 60 px of a picture of 220."""
    words = "Tokens per second and chip, all"
    half = text_width(words) / 2
    for left, right, middle in ((0, 160, half), (160, 0, 220 - half)):
        figure = Figure("", x=Axis(words), rows=ROWS, left_px=left, right_px=right)
        picture = Picture.laid_out(figure, themes().theme, 220, 300, (0.0, 1.0), (0.0, 1.0))
        assert half < 110 and picture.title_places()[0] == pytest.approx(middle)


def test_stale_data_is_painted_faint_and_opacity_given_back(ink: RecordedInk) -> None:
    for stale, opacity in ((False, 1.0), (True, STALE_OPACITY)):
        ink.painter.drawn.clear()
        _laid_out(Figure("f"), stale).paint_data(ink.painter, Highlights())
        assert [call[1] for call in ink.painter.drawn if call[0] == "opacity"] == [opacity, 1.0]


def test_rows_stand_closer_down_to_eighteen_pixels() -> None:
    """Three rows of 40 px may lose 22 px each; rows of 16 px lose nothing."""
    for row_px, least in ((40, natural_height(Figure("", rows=ROWS, row_px=40), 600) - 66), (16, None)):
        figure = Figure("", rows=ROWS, row_px=row_px)
        assert least_height(figure, 600) == (natural_height(figure, 600) if least is None else least)


def test_files_have_no_handles() -> None:
    """A line that can be dragged carried its handle into saved pictures and drawings."""
    line = Limit("budget", "x", 6.0, "Budget", draggable=True)
    figure = Figure("Bars", x=Axis("Cost", 0.0, 10.0), y=Axis("Days", 0.0, 10.0), limits=(line,))
    plain = replace(figure, limits=(replace(line, draggable=False),))
    assert still(figure) == plain != figure
    size = QSizeF(300, 200)
    assert picture_of(figure, themes().theme, size) == picture_of(plain, themes().theme, size)
