"""Charts, table and Why over real evaluations of shipped workloads."""

import math
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSizeF
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.workload.jobs.kinds import FineTuning, OnlineServing, PreTraining
from core.workload.library import load_profiles, more_profiles
from gui.charts.figure.figure import Figure
from gui.charts.figure.shown import MOST_SHOWN, shown_results
from gui.charts.files import write_charts
from gui.charts.kinds.cost_bars import cost_bars
from gui.charts.kinds.decision_map import decision_map
from gui.charts.paint.drawing import svg_and_texts
from gui.charts.paint.picture import natural_height
from gui.charts.registry import charts
from gui.frame.why.time_and_cost import cost_chain, time_chain
from gui.tables.candidates.columns import columns_of
from gui.tabs.compare.panel import ComparePanel
from tests.golden import as_plain, assert_kept
from tests.gui.sample_session import sample_session, themes

WORKLOADS = ("llama3-70b-pretraining", "llama3-70b-finetune", "chat-serving-70b", "nightly-batch-scoring")


@pytest.fixture(params=WORKLOADS, scope="module")
def results(request: pytest.FixtureRequest) -> ResultSet:
    return evaluate(load_profiles()[request.param], load_catalogue())


def _has_no_sense(chart: str, results: ResultSet) -> bool:
    """Latency asks for a service, spot and budget reach for a run, places for users whose place is known."""
    job = results.profile.job
    if chart in ("spot-risk", "save-interval", "budget-reach"):
        return not isinstance(job, PreTraining | FineTuning)
    return chart == "places" or (chart == "latency-load" and not isinstance(job, OnlineServing))


def _fills_its_axis(figure: Figure) -> bool:
    """The longest bar takes two fifths of the axis or more, and of the others most end on it."""
    ends = [max(bar.end for bar in figure.bars if bar.row == row) for row in {bar.row for bar in figure.bars}]
    on_axis = sum(end <= figure.x.high for end in ends)
    return max(ends) >= 0.4 * figure.x.high and on_axis > len(ends) / 2


def test_every_chart_has_something_to_show(results: ResultSet) -> None:
    for chart, kind in charts().items():
        figure = kind.draw(results, results.recommendation.choice)
        if _has_no_sense(chart, results):
            assert figure.empty and not figure.curves and not figure.marks, chart
            continue
        assert not figure.empty and figure.summary, chart
        assert not figure.bars or _fills_its_axis(figure), chart
        assert len(figure.rows) <= MOST_SHOWN + 1 and len(figure.marks) <= MOST_SHOWN + 1, chart


def test_every_chart_of_the_registry_is_saved(qtbot: QtBot, results: ResultSet, tmp_path: Path) -> None:
    """As a picture and as a drawing of shapes and texts, which is what leaves the window by one command."""
    shown = {chart for chart in charts() if not _has_no_sense(chart, results)}
    files = write_charts(results, themes().theme, tmp_path, "w")
    assert {path.stem.removeprefix("w-") for path in files} == shown
    assert {path.suffix for path in files} == {".png", ".svg"} and len(files) == 2 * len(shown)
    for path in files:
        text = path.read_text(encoding="utf-8") if path.suffix == ".svg" else "<text"
        assert "<text" in text and "<image" not in text and path.stat().st_size > 2000, path.name


def _short(told: Any) -> Any:
    """Plain values with long lists of numbers as how many, their sum, the first and the last."""
    match told:
        case dict():
            return {name: _short(value) for name, value in told.items() if value not in ("", [], None)}
        case list() if len(told) > 8 and all(isinstance(one, int | float) for one in told):
            return as_plain([len(told), math.fsum(told), told[0], told[-1]])
        case list():
            return [_short(one) for one in told]
    return told


def _painted(figure: Figure) -> dict[str, Any]:
    """Of a drawing 600 px wide: how many shapes there are, the sum of their coordinates in 8 px, and the texts."""
    svg, texts = svg_and_texts(figure, themes().theme, QSizeF(600, natural_height(figure, 600) or 360))
    shapes = defaultdict(list)
    for tag, words in re.findall(r"<(rect|polyline|polygon|path|line|ellipse|circle)\b([^>]*)", svg):
        shapes[tag] += [float(number) for number in re.findall(r"-?\d+\.?\d*", words)]
    sums = {tag: [len(numbers), round(math.fsum(numbers) / 8)] for tag, numbers in shapes.items()}
    places = math.fsum(one.x + 2 * one.y for one in texts) / 8
    return {"shapes": sums, "texts": [one.words for one in texts], "places": round(places)}


@pytest.mark.usefixtures("qapp")
def test_figures_are_kept(results: ResultSet) -> None:
    """What charts draw and where, of which no figure drifts unseen."""
    selected = results.recommendation.choice
    drawn = {chart: kind.draw(results, selected) for chart, kind in charts().items()}
    told = {chart: _short(as_plain(figure)) | _painted(figure) for chart, figure in drawn.items() if not figure.empty}
    assert_kept(f"figures_{results.profile.id}", told)


def test_bars_and_chain_sum_to_the_bill(results: ResultSet) -> None:
    figure = cost_bars(results)
    for number, row in enumerate(figure.rows):
        total = results.by_id[row.id].cost.total.likely
        assert max(bar.end for bar in figure.bars if bar.row == number) == pytest.approx(total)
    pick = results.choice
    *parts, total_line = cost_chain(results.profile, pick).lines
    assert sum(line.number for line in parts) == pytest.approx(total_line.number)


def test_the_time_chain_ends_where_the_result_does(results: ResultSet) -> None:
    pick = results.choice
    chain = time_chain(results.profile, pick)
    if pick.days_to_finish is not None:
        assert chain.lines[-1].number == pytest.approx(pick.days_to_finish.likely)
        adding = [line for line in chain.lines if line.key in ("goodput", "waiting", "porting")]
        assert sum(line.number for line in adding) == pytest.approx(chain.lines[-1].number, rel=0.01)


def test_every_cell_says_something(results: ResultSet) -> None:
    for column in columns_of(results):
        assert all(column.cell(result).text for result in results.results)


def test_the_compare_tab_shows_the_pick_first(results: ResultSet, qtbot: QtBot) -> None:
    panel = ComparePanel(sample_session(qtbot, results), themes())
    qtbot.addWidget(panel)
    panel.resize(1090, 640)
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.table.candidates.rows[0].id == results.recommendation.choice == panel.map.lit.selected
    panel.session.close()


def test_the_best_tpu_is_shown_even_where_nine_gpus_are_better() -> None:
    results = evaluate(load_profiles()["chat-serving-70b"], load_catalogue())
    kinds = [result.candidate.accelerator.kind for result in shown_results(results) if result.feasible]
    assert len(kinds) <= 9
    assert {"gpu", "tpu"} <= set(kinds)


def test_the_runner_up_is_shown_even_where_nine_others_rank_before_it() -> None:
    """Speech to text: the pick costs "$2 255 more than 5 × RTX 6000 Ada", which ranks thirteenth."""
    results = evaluate(more_profiles()["speech-to-text"], load_catalogue())
    rival = results.runner_up
    assert rival is not None and rival not in results.best_feasible[:9]
    fitting = [result for result in shown_results(results) if result.feasible]
    assert rival in fitting and len(fitting) <= 9
    assert fitting == [result for result in results.best_feasible if result in fitting], "in the order of rank"
    assert rival.id in [mark.id for mark in decision_map(results).marks]
