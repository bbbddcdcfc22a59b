"""Titles and words of a plot are read whole, however small it is."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.tabs.what_if.plots import PlotHolder, in_lines
from tests.gui.sample_session import themes

LONG = "Speed of GH200 96 GB, % of the prediction"


def shown(qtbot: QtBot, width_px: int, height_px: int, up: str, x: float = 0.5) -> PlotHolder:
    """A plot from 0 to 1 both ways, with the name of a region at ``x``."""
    made, theme = PlotHolder("plot", "Plot"), themes().theme
    qtbot.addWidget(made)
    made.resize(width_px, height_px)
    made.colour(theme)
    made.add_words("30 × A100 80 GB PCIe", x, 0.5, theme, (0.5, 0.5))
    made.plot.setXRange(0.0, 1.0, padding=0)
    made.plot.setYRange(0.0, 1.0, padding=0)
    made.name_axes("Price", up, theme)
    with qtbot.waitExposed(made):
        made.show()
    return made


def told(plot: PlotHolder, side: str) -> str:
    return " ".join(plot.plot.getAxis(side).label.toPlainText().split())


@pytest.mark.parametrize(("height_px", "n_lines"), [(220, 2), (520, 1)])
def test_a_title_stands_in_two_lines_where_one_is_too_long(qtbot: QtBot, height_px: int, n_lines: int) -> None:
    """At 1280 by 800 it was cut: "Speed of GH200 96 GB, % of th"."""
    plot = shown(qtbot, 460, height_px, LONG)
    assert told(plot, "left") == LONG and len(plot.titles["left"]) == n_lines
    title, axis = (plot.plot.getAxis("left").label.sceneBoundingRect(), plot.plot.getAxis("left").sceneBoundingRect())
    assert title.top() >= 0 and title.bottom() <= plot.height()
    assert title.right() <= axis.right()


def test_a_title_follows_the_room(qtbot: QtBot) -> None:
    plot = shown(qtbot, 460, 220, LONG)
    plot.resize(460, 520)
    qtbot.waitUntil(lambda: len(plot.titles["left"]) == 1)
    plot.resize(460, 220)
    qtbot.waitUntil(lambda: len(plot.titles["left"]) == 2)


def test_what_has_no_room_in_two_lines_ends_in_dots() -> None:
    assert in_lines(LONG, 60.0)[1].endswith("…")
    assert in_lines("Speed", 10.0) == ["Speed"]


@pytest.mark.parametrize("x", [0.0, 0.02, 0.5, 0.98, 1.0])
def test_the_name_of_a_region_at_an_edge_stands_inside(qtbot: QtBot, x: float) -> None:
    """It was cut: "30 x A100 80 GI"."""
    plot = shown(qtbot, 460, 220, "Speed", x)
    ((item,), box) = plot.items, plot.plot.getViewBox().sceneBoundingRect()
    words = item.mapRectToScene(item.boundingRect())
    assert box.left() - 1 <= words.left() and words.right() <= box.right() + 1
