"""Texts of charts over every shipped workload: labels of the decision map in usual windows, and ticks."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.workload.library import load_profiles
from gui.charts.figure.figure import Figure, Mapping, Mark
from gui.charts.figure.label_layout import CROSSING_PX2, MOST_CROSSINGS, Box, Placed, leader_boxes
from gui.charts.kinds.decision_map import decision_map
from gui.charts.paint.brush import text_width
from gui.charts.paint.picture import TICK_GAP_PX, Picture, mapping
from gui.charts.paint.points import Highlights, is_inside, label_places, limit_label_at, line_boxes, name_places
from gui.charts.registry import charts
from tests.gui.sample_session import themes

SIZES = {1024: (800, 240), 1280: (1050, 300), 1440: (920, 360), 1920: (1380, 480)}
"""Width of the window to the size of the map in it, at the heights 700, 800, 900 and 1080."""


@pytest.fixture(scope="module")
def results() -> dict[str, ResultSet]:
    catalogue = load_catalogue()
    return {name: evaluate(profile, catalogue) for name, profile in load_profiles().items()}


def drawn(results: ResultSet, window_px: int, selected: str) -> tuple[Figure, Mapping, list[tuple[Mark, Placed]]]:
    figure = decision_map(results, selected)
    view = mapping(figure, *SIZES[window_px], (figure.x.low, figure.x.high), (figure.y.low, figure.y.high))
    return figure, view, label_places(figure, view, Highlights(selected=selected))


def mark_boxes(figure: Figure, view: Mapping) -> list[Box]:
    inside = [(view.px(m.x), view.py(m.y), m.radius_px) for m in figure.marks if is_inside(m, view)]
    return [Box(x - radius, y - radius, 2 * radius, 2 * radius) for x, y, radius in inside]


def crossings(box: Box, lines: list[Box]) -> int:
    return round(sum(box.overlap(line) for line in lines) / CROSSING_PX2)


@pytest.mark.parametrize("window_px", SIZES)
def test_no_label_lies_on_another_or_on_a_mark(qtbot: QtBot, results: dict[str, ResultSet], window_px: int) -> None:
    assert themes() and len(results) >= 10
    for name, one in results.items():
        for selected in [result.id for result in one.results if result.feasible][:3]:
            figure, view, places = drawn(one, window_px, selected)
            boxes = [place.box for _, place in places]
            assert len(boxes) >= 4, name
            for number, box in enumerate(boxes):
                assert not any(box.meets(other) for other in boxes[number + 1 :]), name
                assert not any(box.meets(mark) for mark in mark_boxes(figure, view)), name


@pytest.mark.parametrize("window_px", SIZES)
def test_the_selected_option_is_always_named(qtbot: QtBot, results: dict[str, ResultSet], window_px: int) -> None:
    assert themes()
    for name, one in results.items():
        for selected in [result.id for result in one.results if result.feasible][:4]:
            figure, view, places = drawn(one, window_px, selected)
            if any(mark.id == selected and is_inside(mark, view) for mark in figure.marks):
                assert selected in [mark.id for mark, _ in places], (name, selected)


@pytest.mark.parametrize("window_px", SIZES)
def test_no_label_is_struck_through(qtbot: QtBot, results: dict[str, ResultSet], window_px: int) -> None:
    assert themes()
    crossed = n_labels = 0
    for name, one in results.items():
        figure, view, places = drawn(one, window_px, one.recommendation.choice or "")
        counts = [crossings(place.box, line_boxes(figure, view)) for _, place in places]
        assert max(counts[1:]) <= MOST_CROSSINGS, name
        crossed += sum(count > 0 for count in counts)
        n_labels += len(counts)
    assert crossed <= 0.2 * n_labels


def test_the_name_of_the_pareto_line_lies_on_nothing(qtbot: QtBot, results: dict[str, ResultSet]) -> None:
    """Over all widths: off marks, labels, their leaders and the words of limits, and on the map nearly always."""
    assert themes() and len(results) >= 10
    n_named = n_maps = 0
    for name, one in results.items():
        for width_px in range(800, 1901, 100):
            figure = decision_map(one, one.recommendation.choice)
            view = mapping(figure, width_px, 300, (figure.x.low, figure.x.high), (figure.y.low, figure.y.high))
            labels = label_places(figure, view, Highlights(selected=one.recommendation.choice))
            names = name_places(figure, view, labels)
            n_maps += any(curve.name for curve in figure.curves)
            n_named += len(names)
            others = [*mark_boxes(figure, view), *(place.box for _, place in labels), *limit_words(figure, view)]
            others += [box for _, place in labels for box in leader_boxes(place.leader)]
            for _, box in names:
                assert not any(box.meets(other) for other in others), (name, width_px)
                assert crossings(box, line_boxes(figure, view)) <= 1, (name, width_px)
    assert n_named >= 0.9 * n_maps


@pytest.mark.parametrize("window_px", SIZES)
def test_words_of_limits_are_crossed_by_no_other_limit(
    qtbot: QtBot, results: dict[str, ResultSet], window_px: int
) -> None:
    for name, one in results.items():
        figure, view, _ = drawn(one, window_px, one.recommendation.choice or "")
        upright = [view.px(limit.at) for limit in figure.limits if limit.axis == "x"]
        level = replace(figure, limits=tuple(limit for limit in figure.limits if limit.axis == "y"))
        for box in limit_words(figure, view)[len(figure.limits) - len(level.limits) :]:
            assert not any(box.x < x < box.x + box.width for x in upright), name


def limit_words(figure: Figure, view: Mapping) -> list[Box]:
    boxes = []
    for limit in figure.limits:
        x, y, align = limit_label_at(limit, view, False, figure.limits)
        width = text_width(limit.label, strong=True)
        boxes.append(Box(x - (width if align == "right" else 0), y - 7.5, width, 15))
    return boxes


@pytest.mark.parametrize("size", [(300, 170), (400, 200), (620, 240)])
def test_titles_of_axes_are_whole(qtbot: QtBot, results: dict[str, ResultSet], size: tuple[int, int]) -> None:
    for name, one in results.items():
        for chart, kind in charts().items():
            figure = kind.draw(one, one.recommendation.choice)
            views = (figure.x.low, figure.x.high), (figure.y.low, figure.y.high)
            places = Picture.laid_out(figure, themes().theme, *size, *views).title_places()
            for title, middle, room_px in zip((figure.x.title, figure.y.title), places, size, strict=True):
                half = min(text_width(title), room_px) / 2
                assert half - 0.1 <= middle <= room_px - half + 0.1, (name, chart, title)


def test_the_words_of_a_latency_limit_lie_on_no_curve(qtbot: QtBot, results: dict[str, ResultSet]) -> None:
    """The curves rise at the right end of the line, so the words stand at its left."""
    n_limits = 0
    for name, one in results.items():
        figure = charts()["latency-load"].draw(one, one.recommendation.choice)
        for size in ((460, 190), (620, 240), (960, 300)):
            views = (figure.x.low, figure.x.high), (figure.y.low, figure.y.high)
            view = mapping(figure, *size, *views)
            curves = line_boxes(replace(figure, limits=()), view)
            level = replace(figure, limits=tuple(limit for limit in figure.limits if limit.axis == "y"))
            n_limits += len(level.limits)
            for box in limit_words(level, view):
                assert not any(box.meets(segment) for segment in curves), (name, size)
    assert n_limits


@pytest.mark.parametrize("size", [(400, 200), (520, 260), (900, 400)])
def test_the_widest_tick_fits_in_the_margin(qtbot: QtBot, results: dict[str, ResultSet], size: tuple[int, int]) -> None:
    for name, one in results.items():
        for chart, kind in charts().items():
            figure = kind.draw(one, one.recommendation.choice)
            if figure.rows:
                continue
            views = (figure.x.low, figure.x.high), (figure.y.low, figure.y.high)
            picture = Picture.laid_out(figure, themes().theme, *size, *views)
            widest_px = max((text_width(text) for _, text in picture.y_ticks()), default=0.0)
            title_px = 14.0 if figure.y.title else 0.0
            assert picture.view.left - TICK_GAP_PX - widest_px >= title_px, (name, chart)
