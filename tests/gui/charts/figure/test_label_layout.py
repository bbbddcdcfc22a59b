"""Where a label goes, worked out in pixels: right of its mark, else left, below, above, then the corners."""

from __future__ import annotations

import pytest

from gui.charts.figure.label_layout import Box, LabelWish, _beside_steps, leader_boxes, place_along, place_labels

BOUNDS = Box(0, 0, 400, 400)
WISH = LabelWish(200.0, 200.0, 5.0, None, (60.0, 15.0))
PLACES = {
    "right": Box(211, 192.5, 60, 15), "left": Box(129, 192.5, 60, 15),
    "below": Box(170, 208.6, 60, 15), "above": Box(170, 176.4, 60, 15),
    "below right": Box(206, 208.6, 60, 15), "below left": Box(134, 208.6, 60, 15),
    "above right": Box(206, 176.4, 60, 15), "above left": Box(134, 176.4, 60, 15),
}  # fmt: skip
BLOCKS = {
    "right": Box(250, 198, 1, 4), "left": Box(150, 198, 1, 4), "below": Box(180, 215, 1, 4),
    "above": Box(180, 180, 1, 4),
}  # fmt: skip


def _at(place: Box) -> object:
    return pytest.approx((place.x, place.y, place.width, place.height))


def _box(*taken: Box, lines: tuple[Box, ...] = ()) -> tuple[float, float, float, float] | None:
    [placed] = place_labels([WISH], lines, taken, BOUNDS)
    return None if placed is None else (placed.box.x, placed.box.y, placed.box.width, placed.box.height)


@pytest.mark.parametrize(
    ("blocked", "place"),
    [
        ((), "right"), (("right",), "left"), (("right", "left"), "below"), (("right", "left", "below"), "above"),
    ],
)  # fmt: skip
def test_sides_are_taken_in_their_order(blocked: tuple[str, ...], place: str) -> None:
    assert _box(*(BLOCKS[name] for name in blocked)) == _at(PLACES[place])


def test_corners_come_after_the_sides_and_places_further_off_after_them() -> None:
    """Under and over the mark itself something 1 px wide stands in the way of both middles, not of the corners."""
    taken = [BLOCKS["right"], BLOCKS["left"], Box(200, 215, 1, 1), Box(200, 180, 1, 1)]
    order = ["below right", "below left", "above right", "above left"]
    for place in order:
        assert _box(*taken) == _at(PLACES[place])
        taken.append(Box(PLACES[place].x + (55 if "right" in place else 2), PLACES[place].y + 5, 1, 1))
    assert _box(*taken) not in [None, *(_at(place) for place in PLACES.values())]


def test_a_line_is_avoided_where_there_is_a_choice_and_crossed_where_there_is_none() -> None:
    line = Box(211, 199, 60, 2)
    assert _box(lines=(line,)) == _at(PLACES["left"])
    everywhere = tuple(Box(place.x, place.y + 6, place.width, 2) for place in PLACES.values())
    assert _box(lines=everywhere) is not None


@pytest.mark.parametrize(("x", "side"), [(270.0, "left"), (278.9, "left"), (279.1, "right"), (130.0, "right")])
def test_a_label_keeps_two_pixels_off_other_marks(x: float, side: str) -> None:
    """The label at the right ends at 271; a mark of 6 px around 279 begins at 273."""
    other = LabelWish(x, 200.0, 6.0, None, (1.0, 1.0))
    [placed, _] = place_labels([WISH, other], (), (), BOUNDS)
    assert placed is not None and (placed.align == "left") is (side == "right")


@pytest.mark.parametrize(("width", "x"), [(272.0, 211), (270.0, 129)])
def test_labels_stay_within_the_bounds(width: float, x: float) -> None:
    [placed] = place_labels([WISH], (), (), Box(0, 0, width, 400))
    assert placed is not None and placed.box.x == x


def test_boxes_that_only_touch_do_not_meet_unless_a_gap_is_asked_for() -> None:
    one = Box(0, 0, 10, 10)
    for other in (Box(10, 0, 5, 5), Box(-5, 0, 5, 5), Box(0, 10, 5, 5), Box(0, -5, 5, 5)):
        assert not one.meets(other) and one.meets(other, 1.0)
        assert one.overlap(other) == 0.0
    assert one.meets(Box(9, 9, 5, 5)) and one.overlap(Box(8, 7, 5, 5)) == 6.0
    assert one.holds(Box(0, 0, 10, 10)) and one.holds(Box(2, 3, 4, 5))
    for other in (Box(-1, 0, 5, 5), Box(6, 0, 5, 5), Box(0, -1, 5, 5), Box(0, 6, 5, 5)):
        assert not one.holds(other)


STEPS = ((0.0, 100.0), (100.0, 100.0), (100.0, 200.0), (400.0, 200.0))


def test_a_line_is_named_over_the_end_of_its_last_level_step() -> None:
    assert place_along(STEPS, (60.0, 15.0), [], [], BOUNDS) == Box(332, 182.5, 60, 15)
    taken = [Box(360, 185, 4, 4)]
    assert place_along(STEPS, (60.0, 15.0), taken, [], BOUNDS) == Box(332, 202.5, 60, 15)
    crossed = [Box(380, 0, 2, 400)]
    assert place_along(STEPS, (60.0, 15.0), taken, crossed, BOUNDS) == Box(220, 182.5, 60, 15)


def test_a_name_without_a_free_place_is_left_out() -> None:
    assert place_along(STEPS, (290.0, 15.0), [], [], BOUNDS) is None
    assert place_along(STEPS, (60.0, 15.0), [Box(0, 0, 400, 400)], [], BOUNDS) is None
    rain = [Box(x, 0, 2, 400) for x in range(0, 400, 20)]
    assert place_along(STEPS, (60.0, 15.0), [], rain, BOUNDS) is None


@pytest.mark.parametrize("end", [(30.0, 40.0), (-30.0, 40.0), (30.0, -40.0), (0.0, -50.0)])
def test_boxes_along_a_leader_follow_it_without_a_gap(end: tuple[float, float]) -> None:
    """50 px long: 17 boxes of 3 px, from its beginning on, each next one not further than its own width."""
    boxes = leader_boxes(((10.0, 20.0), (10.0 + end[0], 20.0 + end[1])))
    middles = [(box.x + box.width / 2, box.y + box.height / 2) for box in boxes]
    assert len(boxes) == 17 and middles[0] == (10.0, 20.0) and {(b.width, b.height) for b in boxes} == {(3.0, 3.0)}
    for number, (x, y) in enumerate(middles):
        assert (x, y) == pytest.approx((10 + end[0] * number / 17, 20 + end[1] * number / 17))
    assert leader_boxes(None) == []


def test_boxes_apart_in_one_direction_only_do_not_meet() -> None:
    one = Box(0, 100, 10, 10)
    for y, meets in ((111, False), (89, False), (109, True), (91, True)):
        assert one.meets(Box(2, y, 5, 10)) is meets and Box(2, y, 5, 10).meets(one) is meets


@pytest.mark.parametrize(("long_px", "n_places"), [(75.5, 0), (76.0, 34), (200.0, 34)])
def test_a_name_stands_over_or_under_a_level_step_that_leaves_its_gaps(long_px: float, n_places: int) -> None:
    """60 px of name and 8 px at each end: 17 places along the step, each over it and under it."""
    steps = [(10.0, 100.0), (10.0 + long_px, 100.0), (10.0 + long_px, 50.0)]
    places = list(_beside_steps(steps, (60.0, 15.0)))
    assert len(places) == n_places
    assert all(18.0 <= one.x <= 10.0 + long_px - 8.0 - 60.0 for one in places)
    assert {one.y for one in places} <= {100.0 - 2.5 - 15.0, 100.0 + 2.5}
