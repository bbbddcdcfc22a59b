"""A figure as SVG: whole, small, and without pictures."""

from xml.etree import ElementTree

from PySide6.QtCore import QSizeF
from pytestqt.qtbot import QtBot

from gui.charts.figure.figure import Axis, Bar, Figure, Limit, Row
from gui.charts.paint.drawing import svg_of
from gui.theme.theme import theme
from tests.gui.sample_session import themes

SVG = "{http://www.w3.org/2000/svg}"
FIGURE = Figure(
    "Bars",
    x=Axis("Cost", 0.0, 10.0),
    rows=(Row("a", "A name at the left", right=(("1.5", "ink"),)), Row("b", "Another")),
    bars=(Bar(0, 0.0, 4.0, "ink2", ""), Bar(1, 0.0, 30.0, "ink2", "")),
    limits=(Limit("budget", "x", 6.0, "Budget"),),
    left_px=150,
)


def drawing() -> ElementTree.Element:
    themes()
    return ElementTree.fromstring(svg_of(FIGURE, theme("light"), QSizeF(400, 200), None))


def test_what_stands_outside_the_plot_is_not_cut_off_with_it(qtbot: QtBot) -> None:
    """Qt's generator of drawings goes on cutting after a clip was restored: names and ticks were lost."""
    svg = drawing()
    left_of = {
        clip.get("id"): float(clip.findall(f"{SVG}path")[0].get("d", "").split(",")[0].lstrip("M"))
        for clip in svg.iter(f"{SVG}clipPath")
    }
    groups = [(one.get("clip-path", "")[5:-1], text) for one in svg.iter(f"{SVG}g") for text in one.iter(f"{SVG}text")]
    cut = [(left_of[clip], text) for clip, text in groups if clip]
    texts = {text.text for _, text in cut}
    assert {"A name at the left", "Another", "1.5", "Cost", "Budget"} <= texts
    assert [text.text for left, text in cut if float(text.get("x", "0")) < left] == []
    assert max(left_of.values()) > 100, "bars are cut at the plot's edge"


def test_numbers_are_no_finer_than_the_eye_and_nothing_is_a_picture(qtbot: QtBot) -> None:
    themes()
    svg = svg_of(FIGURE, theme("light"), QSizeF(400, 200), None)
    assert "<image" not in svg and "base64" not in svg
    assert not any(
        len(number.partition(".")[2]) > 2 for number in svg.replace(",", " ").split() if number[:1].isdigit()
    )
