"""Charts, table and Why over real evaluations of shipped workloads."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.workload.jobs.kinds import FineTuning, OnlineServing, PreTraining
from core.workload.library import load_profiles
from gui.charts.figure.shown import MOST_SHOWN, shown_results
from gui.charts.files import write_charts
from gui.charts.kinds.cost_bars import cost_bars
from gui.charts.registry import charts
from gui.frame.why.time_and_cost import cost_chain, time_chain
from gui.tables.candidates.columns import columns_of
from gui.tabs.compare.panel import ComparePanel
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


def test_every_chart_has_something_to_show(results: ResultSet) -> None:
    for chart, kind in charts().items():
        figure = kind.draw(results, results.recommendation.choice)
        if _has_no_sense(chart, results):
            assert figure.empty and not figure.curves and not figure.marks, chart
            continue
        assert not figure.empty and figure.summary, chart
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
