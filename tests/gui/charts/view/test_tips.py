"""Every mark, bar, row and curve of every chart says its name and a value, to the pointer and to the keyboard."""

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.workload.library import load_profiles
from gui.charts.figure.figure import Figure, Mapping
from gui.charts.paint.rows import bar_rect, row_band
from gui.charts.registry import charts
from gui.charts.view.pointing import find_hit, tip_of

PROFILES = ("llama3-70b-pretraining", "chat-serving-70b")
CHARTS = tuple(charts())


@pytest.fixture(scope="module", params=PROFILES)
def results(request: pytest.FixtureRequest) -> ResultSet:
    return evaluate(load_profiles()[request.param], load_catalogue())


def drawn(results: ResultSet, chart: str) -> tuple[Figure, Mapping]:
    figure = charts()[chart].draw(results, results.recommendation.choice)
    y_view = (0.5 - len(figure.rows), 0.5) if figure.rows else (figure.y.low, figure.y.high)
    return figure, Mapping(60, 30, 900, 400, (figure.x.low, figure.x.high), y_view)


def says_a_value(tip: str) -> bool:
    words, digits = any(c.isalpha() for c in tip), any(c.isdigit() for c in tip)
    return words and digits


def tip_at(figure: Figure, view: Mapping, x: float, y: float) -> str:
    hit = find_hit(figure, view, x, y)
    return hit.tip if hit else ""


@pytest.mark.parametrize("chart", CHARTS)
def test_marks_are_named_and_say_their_values(results: ResultSet, chart: str) -> None:
    figure, view = drawn(results, chart)
    for mark in figure.marks:
        assert says_a_value(tip_at(figure, view, view.px(mark.x), view.py(mark.y)))
    for mark in (one for one in figure.marks if one.show_name or one.id):  # where lines cross says what it is itself
        assert mark.id and mark.name
        assert says_a_value(tip_of(figure, mark.id))


@pytest.mark.parametrize("chart", CHARTS)
def test_rows_and_bars_say_their_values(results: ResultSet, chart: str) -> None:
    figure, view = drawn(results, chart)
    for number, row in enumerate(figure.rows):
        assert row.name and row.tip
        assert tip_at(figure, view, 5.0, row_band(number, view).center().y()) == row.tip
    for bar in figure.bars:
        middle = bar_rect(bar, figure, view).center()
        assert says_a_value(bar.tip) and says_a_value(tip_at(figure, view, middle.x(), middle.y()))


@pytest.mark.parametrize("chart", CHARTS)
def test_curves_are_named_and_say_their_values(results: ResultSet, chart: str) -> None:
    figure, view = drawn(results, chart)
    for curve in figure.curves:
        name = curve.tip or curve.labels[0]
        alone = Figure(figure.title, x=figure.x, y=figure.y, curves=(curve,))
        x = curve.xs[0] + 0.487 * (curve.xs[-1] - curve.xs[0])
        tip = tip_at(alone, view, view.px(x), view.py(float(np.interp(x, curve.xs, curve.ys))))
        assert tip.startswith(name) and any(c.isdigit() for c in tip.removeprefix(name))
        if curve.id:
            assert says_a_value(tip_of(figure, curve.id)) and tip_of(figure, curve.id).startswith(name)
