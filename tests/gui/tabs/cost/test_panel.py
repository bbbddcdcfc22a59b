"""The Cost tab."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.cost.bill.types import CostPart
from gui.charts.kinds.cost_bars import cost_bars
from gui.charts.paint.rows import bar_rect, row_band
from gui.tabs.cost.panel import CostPanel
from gui.window.main_window import MainWindow
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


def shown(qtbot: QtBot, serving: bool = False) -> CostPanel:
    panel = CostPanel(sample_session(qtbot, sample_results(serving)), themes())
    qtbot.addWidget(panel)
    panel.resize(1090, 640)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def test_a_click_on_a_bar_selects_its_candidate(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    picture = panel.by_id["cost-by-part"].picture()
    assert picture is not None
    y = round(row_band(1, picture.view).center().y())
    qtbot.mouseClick(panel.by_id["cost-by-part"]._plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, y))
    assert panel.session.selected_id == panel.by_id["cost-by-part"].figure.rows[1].id
    panel.session.close()


def test_hovering_a_segment_names_part_amount_and_share(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    waste = next(bar for bar in panel.by_id["cost-by-part"].figure.bars if bar.part == "commitment_waste")
    assert waste.tip.startswith("Commitment waste $92.8") and "8 % of 512 × TPU v6e" in waste.tip
    panel.session.close()


def test_curves_stand_for_the_selected_and_another_kind(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    panel.show_view("Use")
    assert {curve.colour for curve in panel.by_id["unit-cost"].figure.curves} >= {"nvidia_gpu", "google_tpu"}
    assert not panel.by_id["unit-cost"].figure.limits[0].draggable
    panel.session.close()


def test_mean_load_can_be_dragged_when_serving(qtbot: QtBot) -> None:
    panel = shown(qtbot, serving=True)
    panel.show_view("Use")
    assert panel.by_id["unit-cost"].figure.limits[0].draggable
    with qtbot.waitSignal(panel.session.results_changed):
        panel.by_id["unit-cost"].move_limit("use", 62.3, 62.3)
    profile = panel.session.profile
    assert profile is not None and getattr(profile.job, "mean_load_pct", 0) == 62
    panel.session.close()


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_theme_switch_repaints(qtbot: QtBot, name: str) -> None:
    panel = shown(qtbot)
    themes().choose("dark" if name == "dark" else "light")
    pixel = panel.by_id["cost-by-part"].grab().toImage().pixelColor(2, 2).lightness()
    themes().choose("light")
    assert (pixel > 200) == (name == "light")
    panel.session.close()


def segment(panel: CostPanel, row: int, part: str) -> QPoint:
    """The middle of a part of a bar, in pixels of the chart."""
    picture = panel.by_id["cost-by-part"].picture()
    assert picture is not None
    bar = next(bar for bar in panel.by_id["cost-by-part"].figure.bars if bar.row == row and bar.part == part)
    rect = bar_rect(bar, panel.by_id["cost-by-part"].figure, picture.view)
    return QPoint(round(rect.center().x()), round(rect.center().y()))


def test_a_click_on_a_segment_opens_its_formula_with_live_inputs(qtbot: QtBot, window: MainWindow) -> None:
    window.tabs.show_tab("cost")
    panel = window.tabs.panel("cost")
    assert isinstance(panel, CostPanel)
    qtbot.waitUntil(lambda: bool(panel.by_id["cost-by-part"].figure.bars))
    wanted = panel.by_id["cost-by-part"].figure.rows[1].id
    pos = segment(panel, 1, "commitment_waste")
    qtbot.mouseClick(panel.by_id["cost-by-part"]._plot.viewport(), Qt.MouseButton.LeftButton, pos=pos)
    assert window.session.selected_id == wanted
    qtbot.waitUntil(lambda: window.findChild(QLabel, "explained-title") is not None)
    told = {name: window.findChild(QLabel, f"explained-{name}") for name in ("title", "formula", "source", "input-1")}
    assert all(label is not None and label.isVisible() for label in told.values())
    texts = {name: label.text() for name, label in told.items() if label is not None}
    assert texts == {
        "title": "Commitment waste",
        "formula": "= chips × hours × price",
        "source": "Source: price list",
        "input-1": "Hours",
    }
    assert window.findChild(QLabel, "explained-estimate") is None


def test_an_estimate_is_marked_where_its_formula_opens(qtbot: QtBot, window: MainWindow) -> None:
    window.tabs.show_tab("cost")
    window.why.explain("part:idle")
    assert window.findChild(QLabel, "explained-estimate") is not None
    close = window.findChild(QPushButton, "explained-close")
    assert close is not None
    qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.findChild(QLabel, "explained-title") is None)


def test_arrow_keys_walk_the_parts_and_enter_opens_one(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    panel.by_id["cost-by-part"].setFocus()
    qtbot.keyClick(panel.by_id["cost-by-part"], Qt.Key.Key_Down)
    qtbot.keyClick(panel.by_id["cost-by-part"], Qt.Key.Key_Right)
    qtbot.keyClick(panel.by_id["cost-by-part"], Qt.Key.Key_Right)
    parts = [bar.part for bar in panel.by_id["cost-by-part"].figure.bars if bar.row == 0]
    assert panel.by_id["cost-by-part"].lit.part == parts[1]
    assert panel.by_id["cost-by-part"].accessibleDescription().startswith("Commitment waste")
    with qtbot.waitSignal(panel.explain_requested) as asked:
        qtbot.keyClick(panel.by_id["cost-by-part"], Qt.Key.Key_Return)
    assert asked.args == [f"part:{parts[1]}"]
    panel.session.close()


def test_parts_too_thin_to_see_stand_together_and_are_named_in_the_tip() -> None:
    results = sample_results()
    first = results.results[0]
    total = first.cost.total.likely
    shares = {"compute": 0.97, "storage": 0.01, "egress": 0.008, "operations": 0.012}
    parts = tuple(CostPart(name, share * total, "x", (), "list", name == "egress") for name, share in shares.items())
    thin = replace(first, cost=replace(first.cost, parts=parts))
    figure = cost_bars(replace(results, results=(thin, *results.results[1:])))
    row = next(number for number, one in enumerate(figure.rows) if one.id == first.id)
    bars = [bar for bar in figure.bars if bar.row == row]
    assert [bar.part for bar in bars] == ["compute", "other"]
    assert bars[-1].end == pytest.approx(total)
    assert all(word in bars[-1].tip for word in ("Storage", "Egress", "Operations", "Rests on an estimate"))
    assert figure.legend[-1].text == "Other"
    header = figure.table[0]
    assert {"storage_usd", "egress_usd"} <= set(header)
