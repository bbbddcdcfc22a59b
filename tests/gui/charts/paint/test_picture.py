"""How a figure is laid out at a size, its ticks, stripes and colours."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage, QPainter

from gui.charts.figure.figure import Axis, Bar, Figure, Mapping, Row, left_room, padded, right_room
from gui.charts.figure.ticks import linear_ticks, tick_text
from gui.charts.paint.brush import HATCH_GAP, HATCH_PITCH, Ink, colour_name, hatch_stripes
from gui.charts.paint.picture import (
    AXIS_BOTTOM_PX,
    TICKS_BOTTOM_PX,
    Picture,
    axis_ticks,
    mapping,
    margins,
    natural_height,
)
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
