"""Where steps of areas are painted, in pixels: 40 px for each 1 of x, and of y upwards from 220."""

from __future__ import annotations

from typing import Any

import pytest

from gui.charts.figure.figure import Area, Figure, Mapping, Step
from gui.charts.paint.areas import LABEL_GAP_PX, SWATCH_PX, paint_areas, paint_pointed
from gui.charts.paint.points import Highlights
from gui.charts.paint.stripes import HATCH_PITCH
from tests.gui.charts.paint.recorded_ink import RecordedInk

VIEW = Mapping(50, 20, 400, 200, (0.0, 10.0), (0.0, 5.0))
LOW = Area("low", (Step(0.0, 5.0, 0.0, 1.0), Step(5.0, 10.0, 0.0, 2.0)), "nvidia_gpu", 0.5, labels=("Low", "1 to 2"))

pytestmark = pytest.mark.usefixtures("qapp")


def _shapes(ink: RecordedInk) -> list[Any]:
    """Every shape is painted on a ground of its own, so the second one counts."""
    return [call for call in ink.painter.drawn if call[0] == "polygon"]


def test_steps_that_touch_are_one_shape_on_a_ground_of_its_own() -> None:
    ink = RecordedInk()
    paint_areas(ink, Figure("f", areas=(LOW,)), VIEW)
    corners = [(50, 180), (250, 180), (250, 140), (450, 140), (450, 220), (250, 220), (250, 220), (50, 220)]
    assert [(one[1], one[3]) for one in _shapes(ink)] == [(corners, ("bg", 1.0)), (corners, ("nvidia_gpu", 0.5))]


def test_steps_apart_or_without_height_part_the_shape() -> None:
    ink = RecordedInk()
    steps = (Step(0.0, 1.0, 0.0, 1.0), Step(1.0, 2.0, 0.0, 0.0), Step(2.0, 3.0, 0.0, 1.0), Step(4.0, 5.0, 0.0, 1.0))
    paint_areas(ink, Figure("f", areas=(Area("a", steps, "ink"),)), VIEW)
    assert len(_shapes(ink)) == 2 * 3


def test_stripes_stay_in_their_step_and_go_on_in_the_next() -> None:
    ink = RecordedInk()
    steps = (Step(0.0, 5.0, 1.0, 2.0), Step(5.0, 10.0, 1.0, 2.0))
    paint_areas(ink, Figure("f", areas=(Area("idle", steps, "ink3", stripes="thin"),)), VIEW)
    lines = ink.of("line")
    assert lines and not _shapes(ink)
    for (x0, y0), (x1, y1), _ in lines:
        assert 50 <= x0 <= x1 <= 450 and 140 <= y1 <= y0 <= 180
        assert x0 + y0 == pytest.approx(x1 + y1) and (x0 + y0) % HATCH_PITCH == pytest.approx(0.0)
    assert {x for (x, _), _, _ in lines} & {250.0} and {x for _, (x, _), _ in lines} & {250.0}


def test_names_stand_beside_the_last_step_and_never_over_each_other() -> None:
    ink = RecordedInk()
    thin = Area("thin", (Step(5.0, 10.0, 2.0, 2.1),), "nvidia_gpu", labels=("Thin",))
    paint_areas(ink, Figure("f", areas=(LOW, thin), right_px=150), VIEW)
    places = {call[0]: call[1] for call in ink.of("text")}
    x = 450 + LABEL_GAP_PX + SWATCH_PX + 6
    assert places["Thin"][0] == places["Low"][0] == x and places["1 to 2"] == (x, places["Low"][1] + 15)
    assert places["Low"][1] - places["Thin"][1] >= 15
    assert set(ink.rooms.values()) == {150 - (x - 450)}, "longer names are cut at the picture's edge"


def test_the_step_pointed_at_is_outlined() -> None:
    ink = RecordedInk()
    paint_pointed(ink, Figure("f", areas=(LOW,)), VIEW, Highlights(hovered="low", part="1"))
    assert [call[1] for call in ink.painter.drawn] == [(250, 140, 200, 80)]
    for lit in (Highlights(hovered="low"), Highlights(hovered="none", part="1"), Highlights(hovered="low", part="9")):
        paint_pointed(ink, Figure("f", areas=(LOW,)), VIEW, lit)
    assert len(ink.painter.drawn) == 1
