"""A figure as SVG: whole, small, and without pictures."""

from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QSizeF
from pytestqt.qtbot import QtBot

from gui.charts.figure.figure import Axis, Bar, Figure, Limit, Row
from gui.charts.paint.drawing import svg_and_texts, svg_of
from gui.theme.fonts import width_px
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


def test_texts_for_paper_are_those_of_the_drawing_at_the_same_places(qtbot: QtBot) -> None:
    """The paper sets them itself: in a drawing, a letter with a mark of its own could stop the whole file."""
    whole = drawing()
    svg, texts = svg_and_texts(FIGURE, theme("light"), QSizeF(400, 200))
    shapes = ElementTree.fromstring(svg)
    assert not list(shapes.iter(f"{SVG}text"))
    for kind in ("path", "rect", "polyline", "circle"):
        assert len(list(shapes.iter(f"{SVG}{kind}"))) == len(list(whole.iter(f"{SVG}{kind}")))
    drawn = {(one.text, one.get("fill"), one.get("font-weight")): one for one in whole.iter(f"{SVG}text")}
    assert {(one.words, one.colour, "600" if one.is_strong else "400") for one in texts} == set(drawn)
    for one in texts:
        element = drawn[one.words, one.colour, "600" if one.is_strong else "400"]
        width = width_px(one.words, one.px, one.is_strong, False)
        left = one.x - {"left": 0.0, "centre": width / 2, "right": width}[one.align]
        assert (left, one.y) == pytest.approx((float(element.get("x", "0")), float(element.get("y", "0"))), abs=0.02)


def test_an_upright_text_for_paper_says_so(qtbot: QtBot) -> None:
    themes()
    marked = Figure("Map", x=Axis("Cost", 0.0, 10.0), y=Axis("Days", 0.0, 10.0))
    texts = svg_and_texts(marked, theme("light"), QSizeF(400, 200))[1]
    assert [one.words for one in texts if one.is_upright] == ["Days"]
    assert [one.align for one in texts if one.is_upright] == ["centre"]
