"""What may leave a chart, what a hand holds over it, and what lies over its title."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.errors import MachineError
from gui.charts.figure.figure import Axis, Figure, Mark
from gui.charts.files import write_charts
from gui.charts.paint.brush import text_width
from gui.charts.paint.rows import TITLE_PX
from gui.charts.registry import charts
from gui.charts.view import chart_view
from gui.charts.view.chart_view import ChartView
from gui.charts.view.title_term import BELOW_PX, TitleTerm
from tests.gui.charts.paint.recorded_ink import RecordedInk
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import themes

MARK = Mark("a", 2, 3, None, None, 6.0, "square", "nvidia_gpu", False, "Alpha", "", "", drag="both")
FIGURE = Figure("Roofline", "One point", x=Axis("Days", 0, 10), y=Axis("Cost", 0, 10), marks=(MARK,))


@pytest.fixture
def chart(qtbot: QtBot) -> ChartView:
    made = ChartView()
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show_figure(FIGURE, themes().theme)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_a_chart_with_private_prices_leaves_by_no_way(chart: ChartView, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def ask(_parent: object, _title: str, name: str, _kinds: str) -> tuple[str, str]:
        asked.append(name)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    chart.may_leave = lambda: False
    chart.copy()
    chart.ask_and_save()
    assert QGuiApplication.clipboard().text() == chart_view.KEPT and asked == []
    chart.may_leave = lambda: True
    chart.copy()
    chart.ask_and_save()
    assert QGuiApplication.clipboard().image().width() == 2 * chart.width() and asked == ["chart.png"]


def test_a_chart_without_a_figure_has_nothing_to_hand_out(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = ChartView()
    qtbot.addWidget(empty)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: pytest.fail("nothing to save"))
    QGuiApplication.clipboard().setText("before")
    empty.copy()
    empty.ask_and_save()
    assert QGuiApplication.clipboard().text() == "before" and empty.picture() is None


def test_a_held_mark_is_told_and_drawn_as_a_ghost_with_a_line_to_it(
    qtbot: QtBot, chart: ChartView, monkeypatch: pytest.MonkeyPatch
) -> None:
    ink = RecordedInk()
    monkeypatch.setattr(chart_view, "Ink", lambda *_: ink)
    picture = chart.picture()
    assert picture is not None
    start = round(picture.view.px(2), 6), round(picture.view.py(3), 6)
    end = round(picture.view.px(7), 6), round(picture.view.py(8), 6)
    with qtbot.waitSignal(chart.mark_held) as held:
        chart.hold_mark(MARK, 7.0, 8.0)
    assert held.args == ["a", 7.0, 8.0]
    chart._paint_over(ink.painter)
    assert ink.of("line") == [(start, end, ("accent", 1.5, 1.0, (4.0, 3.0)))]
    assert ink.of("glyph") == [(end, 6.0, "square", "accent", True)]
    with qtbot.assertNotEmitted(chart.mark_held):
        chart.hold_mark(None)
    ink.calls.clear()
    chart._paint_over(ink.painter)
    assert ink.calls == []


def test_layers_cover_the_chart_at_any_size(chart: ChartView) -> None:
    for width, height in ((500, 300), (320, 180)):
        chart.resize(width, height)
        assert {one.boundingRect() == QRectF(0, 0, width, height) for one in chart._layers} == {True}


def test_a_term_lies_over_its_title_alone(chart: ChartView) -> None:
    [term] = chart.findChildren(TitleTerm)
    box = term.geometry()
    width = round(text_width("Roofline", strong=True, px=TITLE_PX))
    assert (box.left(), box.top(), box.width(), box.height()) == (4, 0, width, 11 + BELOW_PX)
    assert term.term is not None and term.isVisible()
    chart.show_figure(Figure("Nothing to explain"), themes().theme)
    assert term.term is None and not term.isVisible()


@pytest.mark.usefixtures("qapp")
def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    with pytest.raises(MachineError, match="File exists"):
        write_charts(sample_results(), themes().theme, taken, "w")


@pytest.mark.usefixtures("qapp")
def test_the_share_of_charts_that_is_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gui.charts.files.save", lambda *_: None)
    told: list[float] = []
    files = write_charts(sample_results(), themes().theme, tmp_path / "new", "w", told.append)
    n_charts = len(charts())
    assert told == pytest.approx([number / n_charts for number in range(1, n_charts + 1)])
    assert (tmp_path / "new").is_dir() and len(files) == len({*files}) == 2 * len({path.stem for path in files})
