"""The Performance tab: charts and the selected candidate in words."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.throughput.types import Layout
from core.workload.library import load_profiles
from gui.charts.paint.brush import TEXT_PX
from gui.charts.paint.rows import bar_middle
from gui.tabs.performance.panel import PerformancePanel, layout_text
from gui.theme.fonts import typeface
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


def shown(qtbot: QtBot, serving: bool = False) -> PerformancePanel:
    panel = PerformancePanel(sample_session(qtbot, sample_results(serving)), themes())
    qtbot.addWidget(panel)
    panel.resize(1090, 700)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def text_of(panel: PerformancePanel, name: str) -> str:
    label = panel.findChild(QLabel, name)
    assert isinstance(label, QLabel)
    return label.text()


def test_the_words_follow_the_selection(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    assert text_of(panel, "performance-name").startswith("256 × B200")
    panel.session.select(sample_results().results[3].id)
    assert text_of(panel, "performance-name").startswith("512 × TPU v6e")
    assert "64-way data, 8-way tensor" in text_of(panel, "performance-layout")
    assert "MFU 41" in text_of(panel, "performance-layout")
    assert "80\u202f% range" in text_of(panel, "performance-layout")
    assert "compute 66\u202f% of the step; network 18" in text_of(panel, "performance-layout")
    assert text_of(panel, "evidence-words").startswith("Measured elsewhere: ")
    assert "your stack: own team, 2025" in text_of(panel, "evidence-words")
    panel.session.close()


def test_serving_tells_latency(qtbot: QtBot) -> None:
    panel = shown(qtbot, serving=True)
    assert "First token 360" in text_of(panel, "performance-layout")
    assert panel.by_id["step-time"].figure.title == "Decode step"
    assert panel.by_id["latency-load"].isVisible() and [
        curve.id for curve in panel.by_id["latency-load"].figure.curves
    ] == ["p99", "p50"]
    assert "your engine: vLLM of 2025, online" in text_of(panel, "evidence-words")
    panel.session.close()


def test_layouts_read_as_words() -> None:
    assert (
        layout_text(Layout(dp=4, tp=8, micro_batch=2), False) == "4-way data, 8-way tensor, micro-batch 2, no recompute"
    )
    assert layout_text(Layout(recompute="full"), False) == "one copy, micro-batch 1, full recompute"
    assert layout_text(Layout(tp=8, replicas=3, max_batch=64), True) == "3 replicas, 8-way tensor, batch up to 64"


def test_all_three_charts_draw(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    assert [bool(chart.figure.ids) for chart in panel.charts()] == [True, False, True, True]
    assert not panel.by_id["latency-load"].isVisible()
    panel.session.close()


@pytest.mark.parametrize("profile", ["llama3-70b-pretraining", "chat-serving-70b"])
@pytest.mark.parametrize("size", [(835, 520), (1090, 620), (1090, 700)], ids=["1024x700", "1280x800", "1440x900"])
def test_rows_never_print_over_each_other(qtbot: QtBot, profile: str, size: tuple[int, int]) -> None:
    results = evaluate(load_profiles()[profile], load_catalogue())
    panel = PerformancePanel(sample_session(qtbot, results), themes())
    qtbot.addWidget(panel)
    panel.resize(*size)
    with qtbot.waitExposed(panel):
        panel.show()
    text_px = typeface(TEXT_PX, False)[1].height()
    for chart in (panel.by_id["step-time"], panel.by_id["memory"]):
        picture = chart.picture()
        assert picture is not None and len(chart.figure.rows) >= 10
        middles = [bar_middle(number, chart.figure, picture.view) for number in range(len(chart.figure.rows))]
        assert min(b - a for a, b in zip(middles, middles[1:], strict=False)) >= text_px
        assert picture.view.top + picture.view.height <= chart.height()
    panel.session.close()


@pytest.mark.parametrize("profile", ["llama3-70b-pretraining", "chat-serving-70b"])
def test_bars_have_room_beside_their_names_and_figures(qtbot: QtBot, profile: str) -> None:
    """Where two charts side by side would leave none, one stands below the other."""
    results = evaluate(load_profiles()[profile], load_catalogue())
    panel = PerformancePanel(sample_session(qtbot, results), themes())
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    for width_px in range(720, 1500, 40):
        panel.resize(width_px, 700)
        for _ in range(3):
            QApplication.processEvents()
        for chart in (panel.by_id["step-time"], panel.by_id["memory"]):
            picture = chart.picture()
            assert picture is not None and picture.view.width >= 130, (width_px, chart.kind.id)
    panel.session.close()


def test_without_latency_the_chart_beside_it_has_the_whole_width(qtbot: QtBot) -> None:
    training, serving = shown(qtbot), shown(qtbot, serving=True)
    for panel in (training, serving):
        panel.resize(1400, 900)
        qtbot.waitUntil(lambda panel=panel: panel.by_id["step-time"].width() > 300)
    wide, half = (panel.by_id["step-time"].width() for panel in (training, serving))
    assert wide > 1300 > 750 > half
    for panel in (training, serving):
        panel.session.close()
