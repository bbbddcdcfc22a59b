"""A chart as a widget: mouse, keyboard, clipboard, files, paper."""

import errno
import gc
import os
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QPageSize, QPainter, QPdfWriter, QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from core.comparison.result import ResultSet
from core.errors import MachineError
from core.units import Money, money_in
from core.writing import whole_file
from gui.charts.figure.figure import Figure
from gui.charts.kinds.decision_map import CHART
from gui.charts.paint.picture import STALE_OPACITY, paint_figure
from gui.charts.registry import charts
from gui.charts.view.chart_view import ChartView
from gui.charts.view.export import save
from tests.gui.charts.paint.recorded_ink import RecordedInk, point
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import themes


@pytest.fixture
def chart(qtbot: QtBot) -> ChartView:
    made = ChartView(CHART)
    qtbot.addWidget(made)
    made.resize(900, 400)
    results = sample_results()
    made.set_results(results, results.results[0].id, themes().theme)
    with qtbot.waitExposed(made):
        made.show()
    return made


def viewport(chart: ChartView) -> QWidget:
    return chart._plot.viewport()


def spot(chart: ChartView, candidate_id: str) -> QPoint:
    picture = chart.picture()
    assert picture is not None
    mark = next(mark for mark in chart.figure.marks if mark.id == candidate_id)
    return QPoint(round(picture.view.px(mark.x)), round(picture.view.py(mark.y)))


def test_click_picks_and_shift_click_pins(qtbot: QtBot, chart: ChartView) -> None:
    wanted = chart.figure.marks[2].id
    with qtbot.waitSignal(chart.picked) as picked:
        qtbot.mouseClick(viewport(chart), Qt.MouseButton.LeftButton, pos=spot(chart, wanted))
    assert picked.args == [wanted]
    with qtbot.waitSignal(chart.pin_requested) as pinned:
        qtbot.mouseClick(
            viewport(chart), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, spot(chart, wanted)
        )
    assert pinned.args == [wanted]


def test_a_click_or_enter_asks_for_what_a_mark_explains_after_picking_it(qtbot: QtBot, chart: ChartView) -> None:
    marks = tuple(replace(mark, explains=f"part:{number}") for number, mark in enumerate(chart.figure.marks))
    chart.show_figure(replace(chart.figure, marks=marks), themes().theme)
    order: list[str] = []
    chart.picked.connect(order.append)
    chart.explain_requested.connect(order.append)
    qtbot.mouseClick(viewport(chart), Qt.MouseButton.LeftButton, pos=spot(chart, marks[2].id))
    assert order == [marks[2].id, "part:2"]
    chart.set_hovered(marks[1].id)
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert order[2:] == [marks[1].id, "part:1"]
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mouseClick(viewport(chart), Qt.MouseButton.LeftButton, shift, spot(chart, marks[2].id))
    assert len(order) == 4, "pinning explains nothing"


def test_a_chart_without_a_figure_is_named_by_its_kind(chart: ChartView) -> None:
    chart.show_figure(Figure("", empty="Wait"), themes().theme)
    assert chart.accessibleName() == "Decision map"


def test_a_dragged_limit_that_the_kind_declares_asks_for_its_edit(qtbot: QtBot) -> None:
    made = ChartView(charts()["spot-risk"])
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.edit_requested) as asked:
        made.move_limit("rate", -1.0, 0.1)
    assert asked.args == ["job.spot_stops_per_day", 2.4, "Drag interruptions"]


def test_a_click_on_nothing_picks_nothing(qtbot: QtBot, chart: ChartView) -> None:
    with qtbot.assertNotEmitted(chart.picked):
        qtbot.mouseClick(viewport(chart), Qt.MouseButton.LeftButton, pos=QPoint(895, 200))


def test_hover_rings_the_mark(qtbot: QtBot, chart: ChartView) -> None:
    wanted = chart.figure.marks[1].id
    qtbot.mouseMove(viewport(chart), spot(chart, wanted) + QPoint(30, 30))
    qtbot.mouseMove(viewport(chart), spot(chart, wanted))
    assert chart.lit.hovered == wanted


def test_dragging_the_budget_line_tells_its_new_value(qtbot: QtBot, chart: ChartView) -> None:
    picture = chart.picture()
    assert picture is not None
    budget = next(limit for limit in chart.figure.limits if limit.id == "budget")
    start = QPoint(round(picture.view.px(budget.at)), 200)
    goal = QPoint(round(picture.view.px(6.3010)), 200)
    qtbot.mousePress(viewport(chart), Qt.MouseButton.LeftButton, pos=start)
    with qtbot.waitSignal(chart.limit_moved) as moved:
        qtbot.mouseMove(viewport(chart), goal)
    qtbot.mouseRelease(viewport(chart), Qt.MouseButton.LeftButton, pos=goal)
    assert moved.args is not None
    assert moved.args[0] == "budget" and moved.args[1] == pytest.approx(2e6, rel=0.02)


def test_wheel_zooms_and_double_click_resets(qtbot: QtBot, chart: ChartView) -> None:
    def x_view() -> tuple[float, float]:
        picture = chart.picture()
        assert picture is not None
        return picture.view.x_view

    whole = x_view()
    at = QPointF(400, 200)
    wheel = QWheelEvent(
        at,
        viewport(chart).mapToGlobal(at),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport(chart), wheel)
    assert x_view()[1] - x_view()[0] < (whole[1] - whole[0]) * 0.95
    qtbot.mouseDClick(viewport(chart), Qt.MouseButton.LeftButton, pos=QPoint(400, 200))
    assert x_view() == pytest.approx(whole)


def test_a_figure_is_drawn_anew_for_other_results_candidates_or_money_and_for_nothing_else(qtbot: QtBot) -> None:
    made, results, drawn = ChartView(CHART), sample_results(), list[str | None]()
    qtbot.addWidget(made)

    def draw(shown: ResultSet, selected_id: str | None) -> Figure:
        drawn.append(selected_id)
        return CHART.draw(shown, selected_id)

    made.draw = draw
    first, second = (result.id for result in results.results[:2])
    for selected_id in (first, first, second, first):
        made.set_results(results, selected_id, themes().theme)
    assert drawn == [first, second, first]
    made.set_results(replace(results), first, themes().theme)
    assert len(drawn) == 4, "other results"
    dollars = made.figure
    with money_in(Money("EUR", 0.5)):
        made.set_results(results, first, themes().theme)
    assert len(drawn) == 5 and made.figure != dollars, "other money"
    made.draw = CHART.draw
    made.set_results(results, first, themes().theme)
    assert len(drawn) == 5 and made.figure == dollars, "another way to draw"


def test_a_hidden_chart_keeps_its_figure_and_lets_the_results_go(chart: ChartView) -> None:
    results = replace(sample_results())
    chart.set_results(results, None, themes().theme)
    held = weakref.ref(results)
    del results
    gc.collect()
    assert held() is not None, "while it is seen, the same is not drawn twice"
    figure = chart.figure
    chart.hide()
    gc.collect()
    assert held() is None and chart.figure is figure


def test_a_plane_moves_both_ways_rows_sideways_and_nothing_not_at_all(chart: ChartView) -> None:
    assert chart._view_box.state["mouseEnabled"] == [True, True]
    chart.show_figure(charts()["cost-by-part"].draw(sample_results(), None), themes().theme)
    assert chart.figure.rows and chart._view_box.state["mouseEnabled"] == [True, False]
    chart.show_figure(Figure("", empty="Wait"), themes().theme)
    assert chart._view_box.state["mouseEnabled"] == [False, False]


def test_zoom_outlives_new_results(qtbot: QtBot, chart: ChartView) -> None:
    chart._view_box.setRange(xRange=(6.1, 6.2), padding=0)
    chart._on_zoom()
    results = sample_results()
    chart.set_results(results, None, themes().theme)
    picture = chart.picture()
    assert picture is not None and picture.view.x_view == pytest.approx((6.1, 6.2))


def test_arrows_walk_enter_picks_and_escape_clears(qtbot: QtBot, chart: ChartView) -> None:
    ids = chart.figure.ids
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.lit.hovered == ids[1]
    assert chart.accessibleDescription().startswith("512 × H200 SXM, AWS us-east-2")
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.lit.hovered == ids[-1]
    with qtbot.waitSignal(chart.picked) as picked:
        qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert picked.args == [ids[-1]]
    with qtbot.waitSignal(chart.pin_requested):
        qtbot.keyClick(chart, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    with qtbot.waitSignal(chart.cleared):
        qtbot.keyClick(chart, Qt.Key.Key_Escape)


def test_ctrl_c_copies_a_picture_of_twice_the_size(qtbot: QtBot, chart: ChartView) -> None:
    qtbot.keyClick(chart, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (1800, 800)


@pytest.mark.parametrize(
    ("ending", "kind", "begins"),
    [
        (".png", "Picture (*.png)", b"\x89PNG"),
        (".svg", "Drawing (*.svg)", b"<?xml"),
        (".csv", "Table (*.csv)", b"candidate,"),
    ],
)
def test_export_writes_what_the_name_says(
    chart: ChartView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, kind: str, begins: bytes
) -> None:
    path = tmp_path / f"map{ending}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), kind))
    chart.ask_and_save()
    assert path.read_bytes().startswith(begins)


@pytest.mark.parametrize(("typed", "kind", "written"), [
    ("map", "Drawing (*.svg)", "map.svg"), ("map.v2", "Table (*.csv)", "map.v2.csv"), ("map.csv", "Picture", "map.csv"),
    ("map", "?", "map.png"),
])  # fmt: skip
def test_a_name_without_a_known_ending_gets_that_of_the_kind(
    chart: ChartView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, kind: str, written: str
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / typed), kind))
    chart.ask_and_save()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [written]


def test_a_picture_is_offered_under_the_name_of_its_kind(
    qtbot: QtBot, chart: ChartView, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *words: (offered.append(words[2]) or "", ""))
    nameless = ChartView()
    qtbot.addWidget(nameless)
    nameless.show_figure(chart.figure, themes().theme)
    for one in (chart, nameless):
        one.ask_and_save()
    assert offered == ["decision-map.png", "chart.png"]


def test_only_the_hovered_mark_is_ringed_over_the_data(chart: ChartView, monkeypatch: pytest.MonkeyPatch) -> None:
    ink, picture, mark = RecordedInk(), chart.picture(), chart.figure.marks[2]
    assert picture is not None
    monkeypatch.setattr("gui.charts.view.chart_view.Ink", lambda painter, theme: ink)
    chart._paint_over(ink.painter)
    assert ink.of("ring") == []
    chart.set_hovered(mark.id)
    chart._paint_over(ink.painter)
    at = point(picture.view.px(mark.x), picture.view.py(mark.y))
    assert ink.of("ring") == [(at, mark.radius_px + 3, "ink3", 1.0, False)]


def test_on_paper_it_is_text_and_lines_not_a_bitmap(chart: ChartView, tmp_path: Path) -> None:
    writer = QPdfWriter(str(tmp_path / "map.pdf"))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setResolution(96)
    painter = QPainter(writer)
    paint_figure(painter, QRectF(20, 20, 680, 320), chart.figure, themes().theme)
    painter.end()
    page = PdfReader(tmp_path / "map.pdf").pages[0]
    text = page.extract_text().replace("\t", " ")
    assert "Decision map" in text and "Total cost" in text and "36" in text
    assert len(page.images) == 0


def test_empty_state_is_a_sentence(qtbot: QtBot, chart: ChartView) -> None:
    chart.set_results(empty_results(), None, themes().theme)
    assert chart.summary() == "Fill in tokens and deadline to see a ranking"
    assert chart.accessibleDescription() == chart.summary()
    assert chart.figure.ids == ()


def test_stale_data_fades(chart: ChartView) -> None:
    def ink(stale: bool) -> int:
        chart.set_stale(stale)
        image = chart.grab().toImage()
        colour = image.pixelColor(spot(chart, chart.figure.marks[1].id) - QPoint(3, 0))  # in its filled half
        return colour.lightness()

    fresh, faded = ink(False), ink(True)
    assert 0 < STALE_OPACITY < 1 and faded > fresh + 30


def test_dark_theme_repaints_the_background(qtbot: QtBot, chart: ChartView) -> None:
    light = chart.grab().toImage().pixelColor(2, 390).lightness()
    themes().choose("dark")
    chart.set_results(sample_results(), None, themes().theme)
    dark = chart.grab().toImage().pixelColor(2, 390).lightness()
    themes().choose("light")
    assert light > 240 and dark < 60


@pytest.mark.parametrize("ending", [".png", ".svg", ".csv"])
def test_a_full_disk_leaves_the_file_that_was_there(
    chart: ChartView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    file = tmp_path / f"chart{ending}"
    file.write_bytes(b"of yesterday")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(whole_file.os, "fsync", full)
    with pytest.raises(MachineError, match="No space left"):
        save(chart.figure, themes().theme, QSizeF(300, 200), file)
    assert file.read_bytes() == b"of yesterday" and list(tmp_path.iterdir()) == [file]
