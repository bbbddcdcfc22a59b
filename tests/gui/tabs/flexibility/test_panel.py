"""The Flexibility tab."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.charts.paint.rows import row_band
from gui.tabs.flexibility.panel import FlexibilityPanel, hard_limit_lines
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


def shown(qtbot: QtBot) -> FlexibilityPanel:
    panel = FlexibilityPanel(sample_session(qtbot, sample_results()), themes())
    qtbot.addWidget(panel)
    panel.resize(1090, 640)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def text_of(panel: FlexibilityPanel, name: str) -> str:
    label = panel.findChild(QLabel, name)
    assert isinstance(label, QLabel)
    return label.text()


def test_score_and_exit_bill_follow_the_selection(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    assert text_of(panel, "flexibility-score") == "71"
    assert text_of(panel, "exit-bill") == "$120\u202fk and 6 weeks"
    assert text_of(panel, "exit-bill-rival").startswith("512 × H200 SXM")
    panel.session.select(sample_results().results[3].id)
    assert text_of(panel, "flexibility-score") == "47"
    assert text_of(panel, "exit-bill-rival").startswith("256 × B200")
    panel.session.close()


def test_a_click_on_a_criterion_opens_its_formula_with_live_inputs(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    picture = panel.bars.picture()
    assert picture is not None
    y = round(row_band(2, picture.view).center().y())
    qtbot.mouseClick(panel.bars._plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, y))
    text = text_of(panel, "criterion-formula")
    assert text.startswith("Frameworks: 71") and "= min(1, n / 9)" in text and "Sellers: 5" in text
    assert panel.bars.lit.selected == "frameworks"
    panel.session.close()


def test_a_click_on_an_exit_bill_selects_its_candidate(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    picture = panel.by_id["exit-bill"].picture()
    assert picture is not None
    y = round(row_band(3, picture.view).center().y())
    qtbot.mouseClick(panel.by_id["exit-bill"]._plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, y))
    assert panel.session.selected_id == panel.by_id["exit-bill"].figure.rows[3].id
    panel.session.close()


def test_a_part_of_an_exit_bill_asks_for_its_formula_here_too(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    exits = panel.by_id["exit-bill"]
    exits.setFocus()
    qtbot.keyClick(exits, Qt.Key.Key_Down)
    qtbot.keyClick(exits, Qt.Key.Key_Right)
    with qtbot.waitSignal(panel.explain_requested) as asked:
        qtbot.keyClick(exits, Qt.Key.Key_Return)
    assert asked.args == ["exit:porting@any"]
    panel.session.close()


def test_a_criterion_is_no_candidate_to_select_or_pin(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    before = panel.session.selected_id
    panel.bars.pick("frameworks")
    panel.bars.pin("frameworks")
    assert panel.session.selected_id == before and panel.session.pinned == ()
    panel.session.close()


def test_limits_that_ruled_options_out_are_counted() -> None:
    assert hard_limit_lines(sample_results()) == ["Deadline: 3 candidates"]


def test_limits_are_counted_on_the_road_and_told_when_they_are_known(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    told = panel.findChild(QLabel, "hard-limits")
    assert told is not None
    qtbot.waitUntil(lambda: told.text() == "Deadline: 3 candidates")
    panel.session.close()
