"""Where a chart of points paints what, worked out in pixels: 40 px for each 1 of x, and of y upwards from 220."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gui.charts.figure.figure import Axis, Curve, Figure, Limit, Mapping, Mark, Note, Row
from gui.charts.figure.label_layout import Box, Placed
from gui.charts.paint.brush import text_width
from gui.charts.paint.notes import note_place, paint_notes
from gui.charts.paint.points import (
    DOTS,
    RING_PX,
    Highlights,
    is_inside,
    label_places,
    limit_label_at,
    line_boxes,
    paint_back,
    paint_curve_labels,
    paint_curves,
    paint_labels,
    paint_limits,
    paint_marks,
    paint_whiskers,
    plot_rect,
)
from tests.gui.charts.paint.recorded_ink import RecordedInk, rect

VIEW = Mapping(50, 20, 400, 200, (0.0, 10.0), (0.0, 5.0))
PLOT = (50, 20, 400, 200)
MARK = Mark("a", 5.0, 2.5, None, None, 6.0, "circle", "google_tpu", False, "v6e", "$1", "tip")

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def ink() -> RecordedInk:
    return RecordedInk()


def test_the_plot_is_the_view_in_pixels() -> None:
    assert rect(plot_rect(VIEW)) == PLOT


def test_the_grid_crosses_the_plot_at_its_ticks(ink: RecordedInk) -> None:
    paint_back(ink, Figure("f"), VIEW, [2.5], [1.0, 5.0])
    pen = ("grid", 1.0, 1.0, None)
    assert ink.of("line") == [
        ((150, 20), (150, 220), pen), ((50, 180), (450, 180), pen), ((50, 20), (450, 20), pen),
    ]  # fmt: skip
    assert ink.painter.drawn == [("clip", PLOT)]


@pytest.mark.parametrize(("shown", "n_lines"), [(True, 1), (False, 0)])
def test_a_bar_chart_has_upright_lines_only_where_its_axis_is_shown(
    ink: RecordedInk, shown: bool, n_lines: int
) -> None:
    paint_back(ink, Figure("f", x=Axis(shown=shown), rows=(Row("r", "r"),)), VIEW, [2.5], [])
    assert len(ink.of("line")) == n_lines


@pytest.mark.parametrize(
    ("axis", "at", "beyond"),
    [
        ("x", 7.5, (350, 20, 100, 200)),
        ("x", -3.0, PLOT),  # all of the plot lies beyond
        ("y", 3.0, (50, 20, 400, 80)),
        ("y", -1.0, PLOT),
    ],
)
def test_what_lies_beyond_a_limit_is_shaded_from_it_to_the_edge(
    ink: RecordedInk, axis: str, at: float, beyond: tuple[float, ...]
) -> None:
    shaded, plain = Limit("l", axis, at, "L"), Limit("m", axis, at, "M", past=False)
    paint_back(ink, Figure("f", limits=(shaded, plain)), VIEW, [], [])
    assert ink.of("fill") == [(beyond, "limit")]


def test_whiskers_span_their_ranges_fainter_where_hollow(ink: RecordedInk) -> None:
    both = replace(MARK, x_range=(4.0, 7.0), y_range=(2.0, 4.0))
    paint_whiskers(ink, [both, replace(both, y_range=None, hollow=True), MARK], VIEW)
    assert ink.of("line") == [
        ((210, 120), (330, 120), ("google_tpu", 1.25, 0.55, None)),
        ((250, 140), (250, 60), ("google_tpu", 1.25, 0.55, None)),
        ((210, 120), (330, 120), ("google_tpu", 1.25, 0.4, None)),
    ]


def test_what_is_on_paper_has_a_broken_mark_and_dotted_whiskers(ink: RecordedInk) -> None:
    paper = replace(MARK, x_range=(4.0, 7.0), fill="dashed")
    missed = replace(paper, id="b", hollow=True)
    paint_whiskers(ink, [paper, missed, replace(paper, fill="half")], VIEW)
    assert [pen[3] for _, _, pen in ink.of("line")] == [DOTS, None, None]
    paint_marks(ink, [paper, replace(MARK, id="c", fill="half"), MARK], VIEW, Highlights())
    assert [call[5:] for call in ink.of("glyph")] == [("dashed",), ("half",), ()]


@pytest.mark.parametrize(
    ("x", "y", "inside"),
    [
        (0.0, 0.0, True),
        (-0.02, 2.0, True),
        (-0.05, 2.0, False),
        (10.02, 5.02, True),
        (10.05, 2.0, False),
        (5.0, 5.05, False),
    ],
)
def test_a_mark_counts_as_inside_up_to_a_pixel_beyond_the_plot(x: float, y: float, inside: bool) -> None:
    assert is_inside(replace(MARK, x=x, y=y), VIEW) is inside


def test_marks_outside_are_left_out_and_the_selected_one_is_ringed(ink: RecordedInk) -> None:
    marks = [MARK, replace(MARK, id="out", x=11.0), replace(MARK, id="b", y=1.0, shape="square", hollow=True)]
    paint_marks(ink, marks, VIEW, Highlights(selected="a"))
    assert ink.of("ring") == [((250, 120), 10.5, "ink", 1.5, True)]
    assert ink.of("glyph") == [
        ((250, 120), 6.0, "circle", "google_tpu", False),
        ((250, 180), 6.0, "square", "google_tpu", True),
    ]
    assert ink.of("text") == []


def test_the_pinned_pair_is_lettered_above_right(ink: RecordedInk) -> None:
    marks = [MARK, replace(MARK, id="b", x=1.0)]
    paint_marks(ink, marks, VIEW, Highlights(pinned=("b", "a")))
    assert ink.of("text") == [
        ("B", (258, 110), "ink", "left", True, True), ("A", (98, 110), "ink", "left", True, True),
    ]  # fmt: skip


def test_curves_have_bands_below_and_dashes_and_the_selected_one_is_thicker(ink: RecordedInk) -> None:
    band = Curve((0.0, 10.0), (1.0, 2.0), "google_tpu", "c", low=(0.0, 1.0), high=(2.0, 3.0))
    dashed = Curve((0.0, 5.0), (5.0, 5.0), "ink2", "d", dashed=True, width_px=1.5)
    paint_curves(ink, [band, dashed], VIEW, "d")
    clip, polygon, first, second = ink.painter.drawn
    assert clip == ("clip", PLOT)
    assert polygon[1] == [(50, 220), (450, 180), (450, 100), (50, 140)]
    assert polygon[2:] == (("google_tpu", 0.0, 0.0, None), ("google_tpu", ink.theme.band_opacity))
    assert first[1:] == ([(50, 180), (450, 140)], ("google_tpu", 2.0, 1.0, None))
    assert second[1:] == ([(50, 20), (250, 20)], ("ink2", 2.5, 1.0, (6.0, 4.0)))


def test_nothing_selected_thickens_no_nameless_curve(ink: RecordedInk) -> None:
    paint_curves(ink, [Curve((0.0, 1.0), (1.0, 1.0), "google_tpu", "")], VIEW, "")
    assert ink.painter.drawn[-1][2] == ("google_tpu", 2.0, 1.0, None)


def test_names_of_curves_stand_right_of_their_ends_and_are_pushed_apart(ink: RecordedInk) -> None:
    """Two lines of 15 px each at 100 and at 110: the second begins 2 px under the first."""
    upper = Curve((0.0, 10.0), (0.0, 3.0), "google_tpu", "u", labels=("v6e", "$1"))
    lower = Curve((0.0, 10.0), (0.0, 2.75), "nvidia_gpu", "l", labels=("H100",))
    paint_curve_labels(ink, [lower, upper, Curve((0.0, 1.0), (1.0, 1.0), "google_tpu")], VIEW, None)
    assert ink.of("text") == [
        ("v6e", (460, 100), "google_tpu_label_text", "left", True, False),
        ("$1", (460, 115), "ink3", "left", False, False),
        ("H100", (460, 132), "nvidia_gpu_label_text", "left", True, False),
    ]


def test_names_of_curves_stay_within_the_plot_s_height(ink: RecordedInk) -> None:
    """Two names of one line each at the foot, 220: room for both above it; one at the top stays at it."""
    foot = [Curve((0.0, 10.0), (0.0, 0.0), "google_tpu", name, labels=(name,)) for name in "ab"]
    paint_curve_labels(ink, foot, VIEW, None)
    assert [y for _, (_, y), *_ in ink.of("text")] == [192, 209]
    top = RecordedInk()
    paint_curve_labels(top, [Curve((0.0, 10.0), (0.0, 9.0), "google_tpu", "t", labels=("t",))], VIEW, None)
    assert [y for _, (_, y), *_ in top.of("text")] == [18]


@pytest.mark.parametrize(
    ("limit", "rows", "place"),
    [
        (Limit("l", "y", 3.0, "L"), False, (444, 91, "right")),  # 9 px over its line at 100
        (Limit("l", "y", 4.9, "L"), False, (444, 34, "right")),  # no room above: 10 px under it
        (Limit("l", "x", 5.0, "L"), False, (257, 210, "left")),  # at the foot
        (Limit("l", "x", 5.0, "L", solid=True), False, (243, 29, "right")),
        (Limit("l", "x", 5.0, "L"), True, (243, 29, "right")),
        (Limit("l", "x", 9.9, "Label"), False, (439, 210, "right")),  # no room at its right
    ],
)
def test_where_a_limit_s_label_stands(limit: Limit, rows: bool, place: tuple[float, float, str]) -> None:
    x, y, align = limit_label_at(limit, VIEW, rows)
    assert ((x, y), align) == (pytest.approx(place[:2]), place[2])


def test_a_limit_s_label_turns_over_exactly_where_it_no_longer_fits() -> None:
    width = text_width("Budget", strong=True)
    last = (400 - 7 - width) / 40
    assert limit_label_at(Limit("l", "x", last - 0.01, "Budget"), VIEW, False)[2] == "left"
    assert limit_label_at(Limit("l", "x", last + 0.01, "Budget"), VIEW, False)[2] == "right"


def test_a_label_keeps_off_upright_lines_of_others() -> None:
    width = text_width("Deadline", strong=True) / 40
    deadline, budget = Limit("d", "x", 5.0, "Deadline"), Limit("b", "y", 3.0, "Budget", side="left")
    after, before = (Limit("t", "x", at, "Today", solid=True) for at in (5.0 + width / 2, 5.0 - width / 2))
    assert limit_label_at(deadline, VIEW, False, (deadline, after))[2] == "right"
    assert limit_label_at(deadline, VIEW, False, (deadline, before))[2] == "left"
    assert limit_label_at(deadline, VIEW, False, (deadline, before, after))[2] == "right"
    early = Limit("t", "x", 0.5, "Today")
    assert limit_label_at(budget, VIEW, False, (budget, early))[0] == VIEW.px(0.5) + 6
    assert limit_label_at(budget, VIEW, False, (budget, after))[0] == VIEW.left + 6


def test_a_level_label_is_not_struck_through() -> None:
    """A range that lay just over the deadline went through its words."""
    deadline = Limit("d", "y", 3.0, "Deadline")
    over, under = VIEW.py(3.0) - 9, VIEW.py(3.0) + 10
    right = VIEW.left + VIEW.width
    beside, through = Box(VIEW.left, over - 1, 20, 2), Box(right - 200, over - 1, 200, 2)
    assert limit_label_at(deadline, VIEW, False, (deadline,), [beside])[1] == over
    assert limit_label_at(deadline, VIEW, False, (deadline,), [beside, through])[1] == under
    below = Box(right - 200, under - 1, 200, 2)
    assert limit_label_at(deadline, VIEW, False, (deadline,), [through, below])[1] == over  # nowhere is free


def test_limits_are_dashed_lines_with_a_handle_where_they_can_be_dragged(ink: RecordedInk) -> None:
    limits = (Limit("x", "x", 5.0, "X", draggable=True), Limit("y", "y", 2.0, "Y", draggable=True, solid=True))
    paint_limits(ink, Figure("f", limits=limits), VIEW)
    assert ink.of("line") == [
        ((250, 20), (250, 220), ("ink2", 1.0, 1.0, (5.0, 4.0))), ((50, 140), (450, 140), ("ink2", 1.0, 1.0, None)),
    ]  # fmt: skip
    assert ink.painter.drawn == [
        ("rounded", (244, 217, 12, 6), ("ink2", 1.0)), ("rounded", (447, 134, 6, 12), ("ink2", 1.0)),
    ]  # fmt: skip
    assert [text for text, *_ in ink.of("text")] == ["X", "Y"]


@pytest.mark.parametrize(
    ("axis", "at", "is_shown"),
    [("x", 10.02, True), ("x", 10.05, False), ("x", -0.02, True), ("x", -0.05, False),
     ("y", 5.02, True), ("y", 5.05, False), ("y", -0.02, True), ("y", -0.05, False)],
)  # fmt: skip
def test_a_limit_beyond_the_plot_is_not_drawn(ink: RecordedInk, axis: str, at: float, is_shown: bool) -> None:
    paint_limits(ink, Figure("f", limits=(Limit("l", axis, at, "L"),)), VIEW)
    assert bool(ink.of("line")) is is_shown
    assert ink.painter.drawn == []


def test_notes_stand_at_their_points_shifted_by_pixels(ink: RecordedInk) -> None:
    note = Note(5.0, 2.5, "n", dx_px=3, dy_px=-4, align="right", strong=True, dot=True)
    paint_notes(ink, Figure("f", notes=(note,)), VIEW)
    assert ink.calls == [
        ("ring", (250, 120), 4.5, "ink", 1.5, True), ("text", "n", (253, 116), "ink2", "right", True, True),
    ]  # fmt: skip


def test_labels_have_the_colour_of_their_mark_and_the_value_below(ink: RecordedInk) -> None:
    named = replace(MARK, show_value=True)
    places = [
        (named, Placed(Box(100, 60, 40, 30), True, "left")),
        (replace(MARK, hollow=True), Placed(Box(100, 60, 40, 15), False, "right")),
        (MARK, Placed(Box(100, 60, 40, 15), False, "centre")),
    ]
    paint_labels(ink, places, "a")
    assert ink.of("text") == [
        ("v6e", (100, 67.5), "google_tpu_label_text", "left", True, True),
        ("$1", (100, 82.5), "ink2", "left", False, True),
        ("v6e", (140, 67.5), "ink2", "right", True, True),
        ("v6e", (120, 67.5), "google_tpu_label_text", "centre", True, True),
    ]
    other = RecordedInk()
    paint_labels(other, [(MARK, places[2][1]), (named, places[2][1])], None)
    assert [strong for *_, strong, _ in other.of("text")] == [False, True]


def test_only_named_marks_in_the_view_get_labels_beside_them() -> None:
    marks = (MARK, replace(MARK, id="out", x=12.0), replace(MARK, id="mute", x=1.0, show_name=False))
    [(mark, place)] = label_places(Figure("f", marks=marks), VIEW)
    assert mark is MARK and not place.full
    assert (place.box.width, place.box.height) == (text_width("v6e", strong=True), 15.0)
    assert not place.box.meets(Box(244, 114, 12, 12))


def test_a_label_keeps_off_the_mark_and_further_off_the_ring_of_the_selected_one() -> None:
    """Two pixels of air around a mark; the selected one's ring runs 4.5 px outside, with one pixel around it."""
    figure = Figure("f", marks=(MARK,))
    [(_, plain)], [(_, selected)] = (label_places(figure, VIEW, Highlights(selected=name)) for name in (None, "a"))
    gap = plain.box.x - (250 + 6)
    assert selected.box.x - plain.box.x == pytest.approx(RING_PX + 1 - 2)
    larger = label_places(Figure("f", marks=(replace(MARK, radius_px=9.0),)), VIEW)[0][1]
    assert larger.box.x - (250 + 9) == pytest.approx(gap)


def test_a_label_takes_two_lines_where_its_value_is_shown() -> None:
    mark = replace(MARK, show_value=True, value="a long value of it")
    [(_, place)] = label_places(Figure("f", marks=(mark,)), VIEW)
    assert place.full
    assert (place.box.width, place.box.height) == (text_width(mark.value), 30.0)


@pytest.mark.parametrize(
    "figure",
    [
        Figure("f", limits=(Limit("l", "x", 5.6, "X"),)),
        Figure("f", limits=(Limit("l", "y", 2.5, "Y"),)),
        Figure("f", curves=(Curve((4.0, 10.0), (2.5, 2.5), "google_tpu"),)),
        Figure("f", notes=(Note(5.3, 2.5, "a note at the right of it"),)),
        Figure("f", notes=(Note(8.0, 2.5, "a note at the right of it", align="right", dx_px=-2),)),
    ],
)
def test_labels_keep_off_what_is_drawn(figure: Figure) -> None:
    """Alone it would stand right of its mark, where a limit, a curve or a note is now."""
    alone = label_places(replace(figure, limits=(), curves=(), notes=(), marks=(MARK,)), VIEW)[0][1]
    beside = label_places(replace(figure, marks=(MARK,)), VIEW)[0][1]
    assert alone.box != beside.box


def test_labels_keep_off_strips_of_two_pixels_along_every_line() -> None:
    mark = replace(MARK, x_range=(4.0, 7.0), y_range=(2.0, 4.0))
    limits = (Limit("l", "x", 5.0, "X"), Limit("m", "y", 1.0, "Y"))
    curve = Curve((1.0, 3.0, 2.0), (1.0, 2.0, 5.0), "google_tpu")
    boxes = line_boxes(Figure("f", limits=limits, marks=(mark, MARK), curves=(curve,)), VIEW)
    assert [tuple(round(side, 6) for side in (b.x, b.y, b.width, b.height)) for b in boxes] == [
        (249, 20, 2, 200), (50, 179, 400, 2),  # limits, from edge to edge
        (210, 119, 120, 2), (249, 60, 2, 80),  # whiskers, as long as their ranges
        (89, 139, 82, 42), (129, 19, 42, 122),  # stretches of the curve, rising and running back
    ]  # fmt: skip


def test_a_note_moves_off_curves_and_upright_limits_near_its_point() -> None:
    """ "Below 54 % use ... costs less" stood on a curve of Unit cost and use."""
    note = Note(5.0, 2.5, "Below 54 % use it costs less", dx_px=-10.0, dy_px=-24.0, strong=True, dot=True)
    level = Curve((0.0, 10.0), (3.1, 3.1), "ink")
    here = VIEW.py(2.5) - 24
    assert note_place(note, Figure("f", notes=(note,)), VIEW) == (240, here, "left")
    x, y, _ = note_place(note, Figure("f", notes=(note,), curves=(level,)), VIEW)
    assert x == 240 and abs(y - VIEW.py(3.1)) > 8 and 20 < abs(y - VIEW.py(2.5)) < 80
    limit = Limit("use", "x", 6.0, "This plan")
    x, y, align = note_place(note, Figure("f", notes=(note,), limits=(limit,)), VIEW)
    assert (y, align) == (here, "right") and x < VIEW.px(6.0)
    crowded = tuple(Curve((0.0, 10.0), (at / 4, at / 4), "ink") for at in range(21))
    assert note_place(note, Figure("f", notes=(note,), curves=crowded), VIEW) == (240, here, "left")


def test_words_of_a_limit_stay_in_the_plot() -> None:
    """Of a rate near the left edge they ran over the axis' numbers."""
    near, far = (Limit("rate", "x", at, "Catalogue, one in 304 days", solid=True) for at in (0.5, 9.0))
    assert limit_label_at(near, VIEW, False)[2] == "left" and limit_label_at(far, VIEW, False)[2] == "right"
