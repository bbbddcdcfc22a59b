"""The views of the Cost tab as a person uses them."""

import re

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult
from core.units import THIN
from core.workload.profile import Outlook
from gui.charts.figure.shown import subject
from gui.charts.registry import pages_of
from gui.charts.view.chart_view import ChartView
from gui.tabs.cost import controls
from gui.tabs.cost.panel import CostPanel
from tests.gui.charts.kinds.test_cost_figures import of_chip, served, trained
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import sample_session, themes

VIEWS = tuple(pages_of("cost"))


def shown(qtbot: QtBot, results: object = None, view: str = "By part") -> CostPanel:
    panel = CostPanel(sample_session(qtbot, results or trained()), themes())
    qtbot.addWidget(panel)
    panel.resize(1090, 620)
    with qtbot.waitExposed(panel):
        panel.show()
    if results is None:
        panel.session.select(of_chip(trained(), "h100-sxm").id)
    panel.show_view(view)
    if panel.session.results and panel.session.results.results:
        qtbot.waitUntil(lambda: knows_counts(panel))
    return panel


def knows_counts(panel: CostPanel) -> bool:
    """The engine has answered which numbers of chips the selected offer has."""
    results = panel.session.results
    chosen = subject(results, panel.session.selected_id) if results else None
    return bool(results and panel.answer_of(panel.by_id["chips-days-cost"], results, chosen))


def text_of(panel: CostPanel, name: str) -> str:
    found = panel.findChild(QLabel, name)
    assert found is not None
    return found.text()


def point_on(chart: ChartView, curve_id: str, share: float = 0.5) -> QPoint:
    picture = chart.picture()
    assert picture is not None
    curve = next(curve for curve in chart.figure.curves if curve.id == curve_id)
    number = int(share * (len(curve.xs) - 1))
    return QPoint(round(picture.view.px(curve.xs[number])), round(picture.view.py(curve.ys[number])))


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_opens_by_a_click_and_draws_its_charts(qtbot: QtBot, view: str) -> None:
    panel = shown(qtbot)
    qtbot.mouseClick(panel.views, Qt.MouseButton.LeftButton, pos=panel.views.tabRect(VIEWS.index(view)).center())
    assert panel.views.tabText(panel.views.currentIndex()) == view
    for chart in panel.charts():
        if chart.kind.question is not None:
            qtbot.waitUntil(lambda chart=chart: chart.figure.empty != chart.kind.question.at_work)
        assert chart.isVisible() and not chart.figure.empty and chart.figure.summary
    panel.session.close()


def test_answers_stand_on_top_of_every_view(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Cash")
    panel.resize(1500, panel.height())
    told = {cell.accessibleName() for cell in panel.answers.cells if cell.isVisible()}
    questions = {name.split(":")[0] for name in told}
    assert {"Per run", "Per month", "Per year", "Per 1M tokens", "Cheapest", "Fewest in time"} <= questions
    [fewest] = [cell for cell in panel.answers.cells if cell.title.text() == "Fewest in time"]
    assert re.search(r"\bin (>99|\d+) of 100$", fewest.note.text()), "how often the fewest chips are in time"
    pick = of_chip(trained(), "h100-sxm")
    assert text_of(panel, "cost-name") == pick.candidate.name
    panel.session.close()


def test_answers_give_way_where_it_is_narrow_and_the_name_still_tells_them(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Cash")
    panel.resize(760, panel.height())
    questions = [cell.title.text() for cell in panel.answers.cells if cell.isVisible()]
    assert "Per run" in questions
    assert "Per year" not in questions
    name = panel.findChild(QLabel, "cost-name")
    assert name is not None
    assert "Per year: " in name.toolTip()
    panel.session.close()


def test_what_has_no_answer_says_why(qtbot: QtBot) -> None:
    panel = shown(qtbot, served())
    none = [cell for cell in panel.answers.cells if cell.isVisible() and cell.value.text() == "n/a"]
    assert none and all(cell.toolTip() for cell in none)
    assert any("None in a service" in cell.toolTip() for cell in none)
    panel.session.close()


@pytest.mark.parametrize("width_px", [755, 835, 1090, 1460])
def test_no_question_is_cut(qtbot: QtBot, width_px: int) -> None:
    panel = shown(qtbot, served())
    panel.resize(width_px, 600)
    for _ in range(3):
        QApplication.processEvents()
    titles = [cell.title.text() for cell in panel.answers.cells if cell.isVisible()]
    assert titles and not [title for title in titles if "…" in title]
    panel.session.close()


def test_cash_is_counted_for_its_own_view_only_and_anew_when_that_opens(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, counted = shown(qtbot), list[str]()

    def count(_: object, one: CandidateResult) -> None:
        counted.append(one.id)

    monkeypatch.setattr(controls, "cash_plan", count)
    chosen = next(one.id for one in trained().results if one.id != panel.session.selected_id)
    panel.session.select(chosen)
    assert counted == []
    panel.show_view("Cash")
    assert set(counted) == {chosen}
    panel.session.close()


def test_a_click_on_a_cash_line_asks_for_its_formula(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Cash")
    pos = point_on(panel.by_id["cumulative-cash"], "on_demand", 0.9)
    with qtbot.waitSignal(panel.explain_requested) as asked:
        qtbot.mouseClick(panel.by_id["cumulative-cash"]._plot.viewport(), Qt.MouseButton.LeftButton, pos=pos)
    assert asked.args == ["cash:on_demand"]
    panel.session.close()


def test_a_click_on_a_line_of_use_selects_its_candidate_and_asks_for_the_formula(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Use")
    other = next(c for c in panel.by_id["unit-cost"].figure.curves if c.id != panel.session.selected_id)
    pos = point_on(panel.by_id["unit-cost"], other.id, 0.7)
    with qtbot.waitSignal(panel.explain_requested) as asked:
        qtbot.mouseClick(panel.by_id["unit-cost"]._plot.viewport(), Qt.MouseButton.LeftButton, pos=pos)
    assert asked.args == ["unit:cost"] and panel.session.selected_id == other.id
    panel.session.close()


def test_arrow_keys_and_enter_open_a_cash_line(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Cash")
    panel.by_id["cumulative-cash"].setFocus()
    qtbot.keyClick(panel.by_id["cumulative-cash"], Qt.Key.Key_Down)
    with qtbot.waitSignal(panel.explain_requested) as asked:
        qtbot.keyClick(panel.by_id["cumulative-cash"], Qt.Key.Key_Return)
    assert asked.args == [f"cash:{panel.by_id['cumulative-cash'].figure.curves[0].id}"]
    panel.session.close()


def test_words_under_the_cash_tell_break_even_and_what_is_left_out(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Cash")
    words = text_of(panel, "cost-words-cash")
    assert "if sold then at book value" in words and "by cash alone" in words
    assert "use on" in words and "left out" in words
    panel.session.close()


def test_the_interval_can_be_dragged_and_the_plan_follows(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Spot")
    drag(qtbot, panel.by_id["save-interval"], "interval", 0.4771)
    profile = panel.session.profile
    assert profile is not None and getattr(profile.job, "checkpoint_interval_h", 0) == pytest.approx(3.0, abs=0.1)
    panel.session.close()


def drag(qtbot: QtBot, chart: ChartView, limit_id: str, to: float) -> None:
    """Drags a vertical limit line to another place of its axis."""
    picture = chart.picture()
    assert picture is not None
    line = next(limit for limit in chart.figure.limits if limit.id == limit_id)
    y = round(picture.view.top + picture.view.height * 0.6)
    start, goal = (QPoint(round(picture.view.px(at)), y) for at in (line.at, to))
    qtbot.mousePress(chart._plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(chart._plot.viewport(), goal)
    qtbot.mouseRelease(chart._plot.viewport(), Qt.MouseButton.LeftButton, pos=goal)


def test_the_horizon_can_be_dragged_and_undone(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Cash")
    with qtbot.waitSignal(panel.session.results_changed):
        drag(qtbot, panel.by_id["cumulative-cash"], "horizon", 24.0)
    profile = panel.session.profile
    assert profile is not None and profile.outlook.horizon_months == 24
    assert max(panel.by_id["cumulative-cash"].figure.curves[0].xs) == 24
    with qtbot.waitSignal(panel.session.results_changed):
        panel.session.undo_stack.undo()
    assert max(panel.by_id["cumulative-cash"].figure.curves[0].xs) == 36
    panel.session.close()


def test_use_moves_the_lines_of_renting_by_the_hour_only(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Cash")
    before = {curve.id: curve.ys[-2] for curve in panel.by_id["cumulative-cash"].figure.curves}
    with qtbot.waitSignal(panel.session.results_changed):
        panel.cash_tools.use.slider.setValue(50)
    after = {curve.id: curve.ys[-2] for curve in panel.by_id["cumulative-cash"].figure.curves}
    assert after["on_demand"] == pytest.approx(0.5 * before["on_demand"], rel=0.02)
    assert after["commit_3y"] == before["commit_3y"]
    assert 0.9 * before["owned"] < after["owned"] < before["owned"]
    assert "365 of 730" in text_of(panel, "cost-words-cash")
    panel.session.close()


def test_resale_can_be_slid_and_buying_comes_cheaper(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Cash")
    assert panel.cash_tools.resale.slider.value() == 30
    before = {curve.id: curve.ys[-1] for curve in panel.by_id["cumulative-cash"].figure.curves}
    with qtbot.waitSignal(panel.session.results_changed):
        panel.cash_tools.resale.slider.setFocus()
        qtbot.keyClick(panel.cash_tools.resale.slider, Qt.Key.Key_PageUp)
    after = {curve.id: curve.ys[-1] for curve in panel.by_id["cumulative-cash"].figure.curves}
    profile = panel.session.profile
    assert profile is not None and profile.owning.resale_pct == 40
    assert after["owned"] < before["owned"] and after["commit_1y"] == before["commit_1y"]
    panel.session.close()


def test_usual_takes_back_what_was_entered(qtbot: QtBot) -> None:
    as_usual = trained().profile.model_copy(update={"outlook": Outlook()})
    panel = shown(qtbot, evaluate(as_usual, load_catalogue()), view="Cash")
    before = panel.cash_tools.use.slider.value()
    assert not panel.cash_tools.back.isVisible() and before != 50
    with qtbot.waitSignal(panel.session.results_changed):
        panel.cash_tools.use.slider.setValue(50)
    assert panel.cash_tools.back.isVisible()
    with qtbot.waitSignal(panel.session.results_changed):
        qtbot.mouseClick(panel.cash_tools.back, Qt.MouseButton.LeftButton)
    profile = panel.session.profile
    assert profile is not None and profile.outlook.use_pct is None
    assert panel.cash_tools.use.slider.value() == before and not panel.cash_tools.back.isVisible()
    panel.session.close()


def test_the_rate_of_interruptions_can_be_dragged(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Spot")
    before = panel.by_id["save-interval"].figure.notes[0].y
    with qtbot.waitSignal(panel.session.results_changed):
        drag(qtbot, panel.by_id["spot-risk"], "rate", -1.0)
    profile = panel.session.profile
    assert profile is not None and getattr(profile.job, "spot_stops_per_day", 0) == pytest.approx(2.4, abs=0.1)
    assert panel.by_id["spot-risk"].figure.limits[0].label.startswith("Entered")
    assert panel.by_id["save-interval"].figure.notes[0].y > before, "more interruptions, more days"
    panel.session.close()


def test_a_count_that_the_comparison_kept_can_be_selected_and_another_not(qtbot: QtBot) -> None:
    panel = shown(qtbot, view="Chips")
    ids = panel.session.results.by_id if panel.session.results else {}
    before = panel.session.selected_id
    unknown = next(row.id for row in panel.by_id["chips-days-cost"].figure.rows if row.id not in ids)
    panel.by_id["chips-days-cost"].picked.emit(unknown)
    assert panel.session.selected_id == before
    known = next(row.id for row in panel.by_id["chips-days-cost"].figure.rows if row.id in ids)
    panel.by_id["chips-days-cost"].picked.emit(known)
    assert panel.session.selected_id == known
    panel.session.close()


def test_views_say_what_is_missing_instead_of_drawing(qtbot: QtBot) -> None:
    panel = shown(qtbot, empty_results())
    for view in VIEWS:
        panel.show_view(view)
        assert all("Fill in" in chart.figure.empty for chart in panel.charts()), view
    assert not panel.answers.isVisible()
    panel.session.close()


def test_very_wide_the_curves_of_use_stand_beside_the_bars(qtbot: QtBot) -> None:
    panel = shown(qtbot, sample_results())
    assert not panel.beside.isVisible()
    panel.resize(2100, 900)
    qtbot.waitUntil(lambda: panel.beside.isVisible())
    assert panel.beside.mapTo(panel, QPoint(0, 0)).x() > 700
    assert panel.beside.figure.curves
    panel.session.close()


def test_a_part_of_the_exit_bill_asks_for_its_formula(qtbot: QtBot) -> None:
    panel = shown(qtbot, sample_results(), view="Exit")
    figure = panel.by_id["exit-bill"].figure
    for number, row in enumerate(figure.rows):
        bars = [bar for bar in figure.bars if bar.row == number]
        bill = next(r for r in sample_results().results if r.id == row.id).flexibility.exit_usd
        assert bars[-1].end == pytest.approx(bill)
    panel.by_id["exit-bill"].setFocus()
    qtbot.keyClick(panel.by_id["exit-bill"], Qt.Key.Key_Down)
    qtbot.keyClick(panel.by_id["exit-bill"], Qt.Key.Key_Right)
    with qtbot.waitSignal(panel.explain_requested) as asked:
        qtbot.keyClick(panel.by_id["exit-bill"], Qt.Key.Key_Return)
    assert asked.args == ["exit:porting@any"]
    panel.session.close()


def test_tall_windows_have_use_below_the_bars_and_low_ones_do_not(qtbot: QtBot) -> None:
    panel = shown(qtbot, sample_results())
    assert not panel.beside.isVisible()
    panel.resize(1090, 1000)
    qtbot.waitUntil(lambda: panel.beside.isVisible())
    below = panel.beside.mapTo(panel, QPoint(0, 0)).y() - panel.by_id["cost-by-part"].mapTo(panel, QPoint(0, 0)).y()
    assert below > 200 and panel.beside.figure.curves
    panel.resize(1090, 620)
    qtbot.waitUntil(lambda: not panel.beside.isVisible())
    panel.session.close()


def test_a_candidate_that_does_not_hold_the_model_has_no_cost(qtbot: QtBot) -> None:
    panel = shown(qtbot)
    small = next(r for r in trained().results if not r.throughput.fits)
    panel.session.select(small.id)
    qtbot.waitUntil(lambda: knows_counts(panel))
    told = [cell for cell in panel.answers.cells if cell.isVisible()]
    assert [cell.value.text() for cell in told] == ["n/a"] and "hold the model" in told[0].toolTip()
    for view in ("Cash", "Spot", "Chips"):
        panel.show_view(view)
        assert all("hold" in chart.figure.empty for chart in panel.charts())
    panel.show_view("Use")
    assert small.id not in [curve.id for curve in panel.by_id["unit-cost"].figure.curves]
    panel.session.close()


def test_the_target_of_leaving_can_be_chosen(qtbot: QtBot) -> None:
    panel = shown(qtbot, served(), view="Exit")
    panel.session.select(of_chip(served(), "h100-sxm").id)
    combo = panel.exit_target.combo
    names = [combo.itemText(n) for n in range(combo.count())]
    assert names[0] == "Another seller or chip" and "Google TPU" in names
    assert "To another seller or chip;" in panel.by_id["exit-bill"].figure.subtitle
    row = next(row for row in panel.by_id["exit-bill"].figure.rows if "H100" in row.name)
    assert row.right[1][0] == "0 weeks"
    combo.setFocus()
    qtbot.keyClicks(combo, "Google")
    row = next(row for row in panel.by_id["exit-bill"].figure.rows if "H100" in row.name)
    assert row.right[1][0] != "0 weeks" and "To Google TPU" in panel.by_id["exit-bill"].figure.subtitle
    assert next(r for r in panel.by_id["exit-bill"].figure.rows if r.shape == "square").right[1][0] == "0 weeks"
    panel.session.close()


@pytest.mark.parametrize(("percent", "text"), [(12.5, "12.5"), (12.0, "12"), (100 / 3, "33.3"), (100.0, "100")])
def test_a_share_is_told_as_it_was_typed(qtbot: QtBot, percent: float, text: str) -> None:
    slider = controls.PercentSlider("resale", "Resale", 0, 100)
    qtbot.addWidget(slider)
    slider.show_percent(percent)
    assert slider.slider.accessibleDescription() == f"Resale: {text}{THIN}%"
    assert slider._value.text() == f"{text}{THIN}%"
