"""What lies under a pixel, and what a hand does there: 40 px for each 1 of x from 50, and of y upwards from 220."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from gui.charts.figure.figure import Area, Axis, Bar, Curve, Figure, Limit, Mapping, Mark, Row, Step
from gui.charts.paint.points import Highlights
from gui.charts.view.interaction import ChartInteraction
from gui.charts.view.pointing import explained_by, find_hit, find_limit, parts_of, tip_of

VIEW = Mapping(50, 20, 400, 200, (0.0, 10.0), (0.0, 5.0))
ROWS_VIEW = Mapping(100, 30, 400, 80, (0.0, 10.0), (-1.5, 0.5))
MARK = Mark("a", 5.0, 2.5, None, None, 6.0, "circle", "google_tpu", False, "v6e", "$1", "tip of a")
POINTS = Figure("f", marks=(MARK, replace(MARK, id="b", x=5.5, tip="tip of b")))
BARS = Figure(
    "f",
    rows=(Row("r", "R", tip="row r"), Row("s", "S", tip="row s")),
    bars=(
        Bar(0, 0.0, 2.0, "google_tpu", "first", part="compute"),
        Bar(0, 2.0, 5.0, "google_tpu", "second", part="egress", explains="why egress"),
        Bar(0, 5.0, 6.0, "google_tpu", "third", part="storage"),
        Bar(1, 0.0, 2.0, "google_tpu", "whole", explains="why whole"),
    ),
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("x", "y", "hit"),
    [
        (250, 120, "a"), (270, 120, "b"), (236, 120, "a"), (235.9, 120, None), (250, 134, "a"), (250, 134.1, None),
        (259, 120, "a"), (261, 120, "b"), (400, 50, None),
    ],
)  # fmt: skip
def test_the_nearest_mark_within_eight_pixels_of_its_rim(x: float, y: float, hit: str | None) -> None:
    found = find_hit(POINTS, VIEW, x, y)
    assert (found.id if found else None) == hit
    if hit == "a":
        assert found is not None and (found.x, found.y, found.radius, found.tip) == (250, 120, 6.0, "tip of a")


@pytest.mark.parametrize(
    ("x", "y", "hit"),
    [
        (120, 50, ("r", "compute", "first")), (200, 50, ("r", "egress", "second")), (500, 50, ("r", "", "row r")),
        (10, 69.9, ("r", "", "row r")), (120, 70, ("s", "", "whole")), (190, 110, None), (190, 29, None),
    ],
)  # fmt: skip
def test_rows_are_hit_all_along_and_parts_where_they_are(x: float, y: float, hit: tuple[str, ...] | None) -> None:
    found = find_hit(BARS, ROWS_VIEW, x, y)
    assert ((found.id, found.part, found.tip) if found else None) == hit
    assert found is None or (found.x, found.y, found.radius) == (x, y, 0.0)


@pytest.mark.parametrize(("y", "is_near"), [(140, True), (148, True), (148.1, False), (132, True), (131.9, False)])
def test_a_curve_is_hit_within_eight_pixels_and_says_its_value_there(y: float, is_near: bool) -> None:
    """From (0, 1) to (5, 3) it passes 2 at 2.5, which is 140 px down."""
    curve = Curve((0.0, 5.0), (1.0, 3.0), "google_tpu", "c", labels=("Renting",))
    found = find_hit(Figure("f", curves=(curve,)), VIEW, 150, y)
    assert (found is not None) is is_near
    if found:
        assert (found.id, found.tip, found.x, found.y, found.radius) == ("c", "Renting: 2", 150, 140, 3.0)
    money = Figure("f", y=Axis(money=True), curves=(replace(curve, tip="Buying"),))
    said = find_hit(money, VIEW, 150, 140)
    assert said is not None and said.tip == "Buying: $2.00"


def test_a_curve_is_not_hit_beyond_its_ends_nor_without_a_name() -> None:
    curve = Curve((1.0, 5.0), (2.0, 2.0), "google_tpu", "c")
    assert find_hit(Figure("f", curves=(curve,)), VIEW, 89, 140) is None
    assert find_hit(Figure("f", curves=(curve,)), VIEW, 251, 140) is None
    assert find_hit(Figure("f", curves=(replace(curve, id=""),)), VIEW, 150, 140) is None
    near = find_hit(Figure("f", curves=(replace(curve, ys=(2.1, 2.1), id="d"), curve)), VIEW, 150, 140)
    assert near is not None and near.id == "c"


@pytest.mark.parametrize(
    ("axis", "x", "y", "is_held"),
    [
        ("x", 255, 100, True), ("x", 255.1, 100, False), ("x", 245, 100, True), ("x", 250, 224, True),
        ("x", 250, 224.1, False), ("x", 250, 19, False), ("y", 100, 125, True), ("y", 100, 125.1, False),
        ("y", 454, 120, True), ("y", 454.1, 120, False), ("y", 49, 120, False),
    ],
)  # fmt: skip
def test_a_limit_is_held_within_five_pixels_of_its_line(axis: str, x: float, y: float, is_held: bool) -> None:
    limit = Limit("l", axis, 5.0 if axis == "x" else 2.5, "L", draggable=True)
    assert (find_limit(Figure("f", limits=(limit,)), VIEW, x, y) is limit) is is_held
    assert find_limit(Figure("f", limits=(replace(limit, draggable=False),)), VIEW, x, y) is None


def test_parts_and_tips_of_what_is_picked() -> None:
    assert parts_of(BARS, "r") == ["compute", "egress", "storage"]
    assert parts_of(BARS, "s") == parts_of(BARS, None) == []
    assert [tip_of(BARS, "r", part) for part in ("egress", "none", "")] == ["second", "", "row r"]
    assert (tip_of(POINTS, "b"), tip_of(POINTS, None)) == ("tip of b", "")


class Board:
    """A chart that only writes down what it is told."""

    def __init__(self, figure: Figure, hovered: str | None = None, part: str = "", selected: str | None = None) -> None:
        self.figure, self.lit = figure, Highlights(hovered, selected, (), part)
        self.view = ROWS_VIEW if figure.rows else VIEW
        self.told: list[tuple[Any, ...]] = []

    def picture(self) -> Any:
        return self

    def set_hovered(self, candidate_id: str | None, part: str = "") -> None:
        self.told.append(("hover", candidate_id, part))

    def setFocus(self, reason: Qt.FocusReason) -> None:
        self.told.append(("focus",))

    def show_cursor(self, shape: Qt.CursorShape) -> None:
        self.told.append(("cursor", shape))

    def show_tip(self, text: str, at: QPoint) -> None:
        self.told.append(("tip", text))

    def __getattr__(self, name: str) -> Any:
        return lambda *words: self.told.append((name, *words))


def _key(board: Board, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
    return ChartInteraction(board).key(QKeyEvent(QEvent.Type.KeyPress, key, modifiers))


@pytest.mark.parametrize(
    ("key", "part", "expected"),
    [
        (Qt.Key.Key_Right, "compute", "egress"), (Qt.Key.Key_Right, "storage", "compute"),
        (Qt.Key.Key_Left, "compute", "storage"), (Qt.Key.Key_Left, "storage", "egress"),
        (Qt.Key.Key_Right, "", "compute"), (Qt.Key.Key_Left, "", "storage"),
    ],
)  # fmt: skip
def test_left_and_right_walk_the_parts_of_a_bar_round(key: Qt.Key, part: str, expected: str) -> None:
    board = Board(BARS, "r", part)
    assert _key(board, key)
    assert board.told == [("hover", "r", expected)]
    chosen = Board(BARS, None, part, selected="r")
    assert _key(chosen, key) and chosen.told == [("hover", "r", expected)]


@pytest.mark.parametrize(
    ("key", "hovered", "expected"),
    [
        (Qt.Key.Key_Down, "r", "s"), (Qt.Key.Key_Down, "s", "r"), (Qt.Key.Key_Up, "r", "s"), (Qt.Key.Key_Up, None, "r"),
        (Qt.Key.Key_Right, "s", "r"), (Qt.Key.Key_Left, "s", "r"),
    ],
)  # fmt: skip
def test_up_and_down_walk_the_rows_round(key: Qt.Key, hovered: str | None, expected: str) -> None:
    board = Board(BARS, hovered)
    assert _key(board, key)
    assert board.told == [("hover", expected, "")]


def test_an_empty_chart_has_nothing_to_walk() -> None:
    board = Board(Figure("f"))
    assert _key(board, Qt.Key.Key_Down) and board.told == []


def test_enter_picks_the_hovered_one_with_its_part_and_shift_pins_it() -> None:
    board = Board(BARS, "r", "egress")
    assert _key(board, Qt.Key.Key_Return)
    assert board.told == [("pick", "r"), ("explain", "why egress")]
    whole = Board(BARS, "r")
    assert _key(whole, Qt.Key.Key_Enter) and whole.told == [("pick", "r")]
    pinned = Board(BARS, "r", "egress")
    assert _key(pinned, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier) and pinned.told == [("pin", "r")]
    assert not _key(Board(BARS), Qt.Key.Key_Return)


def test_what_a_bar_a_point_and_a_curve_explain() -> None:
    """For the keyboard and under the pointer alike; a part without a key explains nothing."""
    assert [explained_by(BARS, "r", part) for part in ("egress", "compute", "")] == ["why egress", "", ""]
    assert [explained_by(BARS, row) for row in ("s", "none")] == ["why whole", ""]
    under = [find_hit(BARS, ROWS_VIEW, x, y) for x, y in ((200, 50), (120, 50), (120, 70))]
    assert [hit.explains if hit else None for hit in under] == ["why egress", "", "why whole"]
    curve = Curve((0.0, 5.0), (1.0, 1.0), "google_tpu", "c", explains="why c")
    drawn = Figure("f", marks=(replace(MARK, explains="why a"),), curves=(curve,))
    under = [find_hit(drawn, VIEW, x, y) for x, y in ((250, 120), (150, 180))]
    assert [hit.explains if hit else None for hit in under] == ["why a", "why c"]
    assert [explained_by(drawn, name) for name in ("a", "c")] == ["why a", "why c"]


def test_escape_clears_and_only_ctrl_c_copies() -> None:
    board = Board(BARS)
    assert _key(board, Qt.Key.Key_Escape) and _key(board, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert board.told == [("clear",), ("copy",)]
    assert not _key(board, Qt.Key.Key_C) and not _key(board, Qt.Key.Key_A)


NO_KEY, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


def _mouse(
    kind: QEvent.Type, x: float, y: float, button: Qt.MouseButton = Qt.MouseButton.LeftButton,
    modifiers: Qt.KeyboardModifier = NO_KEY,
) -> QMouseEvent:  # fmt: skip
    return QMouseEvent(kind, QPointF(x, y), QPointF(x, y), button, button, modifiers)


PRESS, MOVE, RELEASE = QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease


@pytest.mark.parametrize(("moved_px", "is_click"), [(4, True), (5, False)])
def test_a_click_is_a_press_that_hardly_moves(moved_px: float, is_click: bool) -> None:
    board = Board(POINTS)
    hand = ChartInteraction(board)
    assert not hand.press(_mouse(PRESS, 250, 120))
    assert not hand.release(_mouse(RELEASE, 250, 120 + moved_px))
    assert board.told == ([("focus",), ("pick", "a")] if is_click else [])
    assert not hand.release(_mouse(RELEASE, 250, 120)) and len(board.told) == (2 if is_click else 0)


def test_a_click_explains_what_lies_there_and_with_shift_only_pins_it() -> None:
    """A bar whose row has no name is explained without anything being picked."""
    nameless = replace(BARS, rows=(replace(BARS.rows[0], id=""), BARS.rows[1]))
    for figure, modifier, told in (
        (BARS, NO_KEY, [("pick", "r"), ("explain", "why egress")]), (BARS, SHIFT, [("pin", "r")]),
        (nameless, NO_KEY, [("explain", "why egress")]), (nameless, SHIFT, [("explain", "why egress")]),
    ):  # fmt: skip
        board = Board(figure)
        hand = ChartInteraction(board)
        hand.press(_mouse(PRESS, 200, 50))
        hand.release(_mouse(RELEASE, 200, 50, modifiers=modifier))
        assert board.told == [("focus",), *told]


def test_another_button_begins_nothing() -> None:
    board = Board(POINTS)
    hand = ChartInteraction(board)
    assert not hand.press(_mouse(PRESS, 250, 120, Qt.MouseButton.RightButton)), "the menu opens at it"
    hand.release(_mouse(RELEASE, 250, 120, Qt.MouseButton.RightButton))
    assert board.told == []


@pytest.mark.parametrize(
    ("axis", "log", "moved"), [("x", False, (7.5, 7.5)), ("x", True, (7.5, 10**7.5)), ("y", False, (3.0, 3.0))]
)
def test_a_limit_follows_the_hand_in_the_units_of_its_axis(axis: str, log: bool, moved: tuple[float, float]) -> None:
    limit = Limit("budget", axis, 5.0 if axis == "x" else 2.5, "L", draggable=True)
    board = Board(Figure("f", x=Axis(log=log), limits=(limit,)))
    hand = ChartInteraction(board)
    assert hand.press(_mouse(PRESS, 250, 120)) and hand.is_dragging
    assert hand.move(_mouse(MOVE, 350, 100))
    assert board.told == [("move_limit", "budget", *(pytest.approx(value) for value in moved))]
    assert hand.release(_mouse(RELEASE, 350, 100)) and not hand.is_dragging
    assert board.told[1:] == [("drop_limit", "budget", pytest.approx(moved[1]))]
    hand.press(_mouse(PRESS, 250, 120))
    hand.release(_mouse(RELEASE, 250, 120))
    assert len(board.told) == 2, "a line that did not move is not dropped anywhere"


def test_a_limit_with_steps_goes_by_them_under_the_hand_and_the_keys() -> None:
    base = Limit("base", "y", 2.5, "L", draggable=True, step=0.5)
    board = Board(Figure("f", limits=(base,)))
    hand = ChartInteraction(board)
    hand.press(_mouse(PRESS, 250, 120))
    hand.move(_mouse(MOVE, 250, 103))
    hand.release(_mouse(RELEASE, 250, 103))
    assert board.told == [("move_limit", "base", 3.0, 3.0), ("drop_limit", "base", 3.0)]
    for key, value in ((Qt.Key.Key_Up, 3.0), (Qt.Key.Key_Down, 2.0)):
        board.told.clear()
        assert _key(board, key, SHIFT) and board.told == [
            ("move_limit", "base", value, value),
            ("drop_limit", "base", value),
        ]
    board.told.clear()
    assert _key(Board(Figure("f", limits=(replace(base, at=0.0),))), Qt.Key.Key_Down, SHIFT)
    assert base.near(-7.0) == 0.0 and replace(base, step=0.0).near(-7.2) == -7.2
    across = Board(Figure("f", limits=(replace(base, axis="x", draggable=False),)))
    _key(across, Qt.Key.Key_Right, SHIFT)
    assert across.told == []


AREAS = Figure(
    "f",
    areas=(
        Area(
            "one",
            (Step(0.0, 5.0, 0.0, 1.0, "first"), Step(5.0, 10.0, 0.0, 2.0, "second")),
            "nvidia_gpu",
            labels=("One", "1 to 2"),
        ),
        Area(
            "two",
            (Step(0.0, 5.0, 1.0, 1.0, "none"), Step(5.0, 10.0, 2.0, 4.0, "on top")),
            "nvidia_gpu",
            explains="why two",
        ),
    ),
)


def test_steps_of_areas_are_parts_that_pointer_and_arrows_find() -> None:
    under = [find_hit(AREAS, VIEW, x, y) for x, y in ((100, 200), (300, 200), (300, 80), (100, 175))]
    assert [(hit.id, hit.part, hit.tip) if hit else None for hit in under] == [
        ("one", "0", "first"), ("one", "1", "second"), ("two", "1", "on top"), None,
    ]  # fmt: skip
    assert parts_of(AREAS, "one") == ["0", "1"] and parts_of(AREAS, "two") == ["1"]
    assert [tip_of(AREAS, *one) for one in (("two", "1"), ("one", ""), ("one", "7"))] == [
        "on top",
        "One, 1 to 2",
        "One, 1 to 2",
    ]
    assert explained_by(AREAS, "two", "1") == "why two"
    board = Board(AREAS, "one", "1")
    assert _key(board, Qt.Key.Key_Left) and _key(board, Qt.Key.Key_Down)
    assert board.told == [("hover", "one", "0"), ("hover", "two", "")]


@pytest.mark.parametrize(("axis", "shape"), [("x", Qt.CursorShape.SplitHCursor), ("y", Qt.CursorShape.SplitVCursor)])
def test_hovering_shows_what_can_be_dragged_and_what_lies_there(axis: str, shape: Qt.CursorShape) -> None:
    limit = Limit("l", axis, 5.0 if axis == "x" else 2.5, "L", draggable=True)
    board = Board(replace(POINTS, limits=(limit,)))
    assert not ChartInteraction(board).move(_mouse(MOVE, 250, 120))
    assert board.told == [("cursor", shape), ("hover", "a", ""), ("tip", "tip of a")]
    board.told.clear()
    ChartInteraction(board).move(_mouse(MOVE, 400, 50))
    assert board.told == [("cursor", Qt.CursorShape.ArrowCursor), ("hover", None, ""), ("tip", "")]


MOVABLE = Figure("f", x=Axis("", 0.0, 10.0), y=Axis("", 0.0, 5.0), marks=(replace(MARK, drag="both"),))
UPRIGHT = replace(MOVABLE, marks=(replace(MARK, drag="y"),))


@pytest.mark.parametrize(
    ("figure", "x", "y", "place"),
    [(MOVABLE, 350, 100, (7.5, 3.0)), (UPRIGHT, 350, 100, (5.0, 3.0)), (MOVABLE, 2000, -900, (10.0, 5.0)),
     (MOVABLE, -900, 2000, (0.0, 0.0))],
)  # fmt: skip
def test_a_mark_follows_the_hand_within_its_axes(figure: Figure, x: float, y: float, place: tuple[float, ...]) -> None:
    board, mark = Board(figure), figure.marks[0]
    hand = ChartInteraction(board)
    assert hand.press(_mouse(PRESS, 250, 120)) and hand.is_dragging
    assert hand.move(_mouse(MOVE, x, y))
    assert board.told == [("cursor", Qt.CursorShape.ClosedHandCursor), ("hold_mark", mark, *place)]
    board.told.clear()
    assert hand.release(_mouse(RELEASE, x, y)) and not hand.is_dragging
    assert board.told == [("hold_mark", None), ("drop_mark", mark, *place)]


def test_a_click_on_a_mark_that_can_be_moved_picks_it() -> None:
    board = Board(MOVABLE)
    hand = ChartInteraction(board)
    assert hand.press(_mouse(PRESS, 250, 120)) and hand.move(_mouse(MOVE, 252, 122))
    assert not hand.release(_mouse(RELEASE, 252, 122))
    assert board.told == [("hold_mark", None), ("focus",), ("pick", "a")]


def test_a_mark_that_came_back_to_where_it_was_is_dropped_there() -> None:
    board = Board(MOVABLE)
    hand = ChartInteraction(board)
    for kind, x in ((PRESS, 250), (MOVE, 350), (MOVE, 250)):
        (hand.press if kind is PRESS else hand.move)(_mouse(kind, x, 120))
    assert hand.release(_mouse(RELEASE, 250, 120))
    assert board.told[-1] == ("drop_mark", MOVABLE.marks[0], 5.0, 2.5)


@pytest.mark.parametrize(
    ("key", "place"),
    [(Qt.Key.Key_Right, (7.0, 2.5)), (Qt.Key.Key_Left, (0.0, 2.5)), (Qt.Key.Key_Up, (2.0, 5.0)),
     (Qt.Key.Key_Down, (2.0, 0.0))],
)  # fmt: skip
def test_shift_and_an_arrow_push_what_can_be_moved(key: Qt.Key, place: tuple[float, float]) -> None:
    mark = replace(MARK, x=2.0, drag="both")
    board = Board(replace(MOVABLE, marks=(mark,)), selected="a")
    assert _key(board, key, SHIFT)
    assert board.told == [("drop_mark", mark, *place)]


def test_an_arrow_walks_where_nothing_can_be_pushed() -> None:
    for board, key in ((Board(UPRIGHT, "a"), Qt.Key.Key_Right), (Board(POINTS, "a"), Qt.Key.Key_Down)):
        assert _key(board, key, SHIFT) and board.told[0][0] == "hover"
    free = Board(MOVABLE, "a")
    assert _key(free, Qt.Key.Key_Down) and free.told[0][0] == "hover", "without Shift"
