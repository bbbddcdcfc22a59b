"""The Cost tab."""

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from gui.charts.paint_rows import row_band
from gui.panels.cost import CostPanel
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
    picture = panel.bars.picture()
    assert picture is not None
    y = round(row_band(1, picture.view).center().y())
    qtbot.mouseClick(panel.bars._plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, y))
    assert panel.session.selected_id == panel.bars.figure.rows[1].id == panel.unit.lit.selected
    panel.session.close()


def test_hovering_a_segment_names_part_amount_and_share(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    waste = next(bar for bar in panel.bars.figure.bars if bar.part == "commitment_waste")
    assert waste.tip.startswith("Commitment waste $92.8") and "8 % of 512 × TPU v6e" in waste.tip
    panel.session.close()


def test_curves_stand_for_the_selected_and_another_kind(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    assert {curve.colour for curve in panel.unit.figure.curves} >= {"gpu_nvidia", "tpu"}
    assert not panel.unit.figure.limits[0].draggable
    panel.session.close()


def test_mean_load_can_be_dragged_when_serving(qtbot: QtBot) -> None:
    panel = shown(qtbot, serving=True)
    assert panel.unit.figure.limits[0].draggable
    with qtbot.waitSignal(panel.session.results_changed):
        panel.unit.limit_moved.emit("use", 62.3)
    profile = panel.session.profile
    assert profile is not None and getattr(profile.job, "mean_load_pct", 0) == 62
    panel.session.close()


def test_charts_stand_side_by_side_when_very_wide(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    assert panel.unit.mapTo(panel, QPoint(0, 0)).y() > panel.bars.mapTo(panel, QPoint(0, 0)).y() + 100
    panel.resize(2100, 900)
    qtbot.waitUntil(lambda: panel.unit.mapTo(panel, QPoint(0, 0)).x() > 700)
    panel.session.close()


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_theme_switch_repaints(qtbot: QtBot, name: str) -> None:
    panel = shown(qtbot)
    themes().choose("dark" if name == "dark" else "light")
    pixel = panel.bars.grab().toImage().pixelColor(2, 2).lightness()
    themes().choose("light")
    assert (pixel > 200) == (name == "light")
    panel.session.close()
