"""Charts draw whatever an evaluation may give: nothing that fits, zeros, endless spans, a single option."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.types import Cost
from core.ranges import Range
from core.throughput.types import Layout, Reason
from gui.charts.paint.picture import paint_figure
from gui.charts.registry import charts
from gui.tables.candidates.columns import columns_of
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import themes

Change = Callable[[CandidateResult], CandidateResult]
NOTHING = Range(0.0, 0.0, 0.0)


def does_not_fit(result: CandidateResult) -> CandidateResult:
    speed = replace(
        result.throughput,
        fits=False,
        tokens_per_s=NOTHING,
        step_time_s=0.0,
        step_terms_s={},
        memory_gib={},
        layout=Layout(),
        mfu=0.0,
        latency=None,
        roofline=(),
        reasons=(Reason("memory", "Needs 3 more chips"),),
    )
    return replace(
        result,
        feasible=False,
        throughput=speed,
        rank=0,
        days_to_finish=None,
        run_h=NOTHING,
        time_terms_days={},
        cost=Cost(NOTHING, (), 0.0, "1M tokens", 0.0, 0.0),
        reasons=speed.reasons,
    )


def costs_nothing(result: CandidateResult) -> CandidateResult:
    return replace(result, cost=Cost(NOTHING, (), 0.0, "1M tokens", 0.0, 0.0))


def takes_for_ever(result: CandidateResult) -> CandidateResult:
    return replace(result, days_to_finish=Range(1e6, 1e7, 1e12), feasible=False, rank=0)


def has_no_spread(result: CandidateResult) -> CandidateResult:
    total = result.cost.total.likely
    return replace(result, days_to_finish=Range(5, 5, 5), cost=replace(result.cost, total=Range(total, total, total)))


def changed(change: Change) -> ResultSet:
    results = sample_results()
    return replace(results, results=tuple(change(r) for r in results.results))


def only_one() -> ResultSet:
    results = sample_results()
    return replace(results, results=results.results[:1])


CASES = {
    "nothing fits": lambda: changed(does_not_fit),
    "all is free": lambda: changed(costs_nothing),
    "no end": lambda: changed(takes_for_ever),
    "no spread": lambda: changed(has_no_spread),
    "one option": only_one,
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("chart", charts())
@pytest.mark.parametrize("size", [(900, 400), (240, 120)])
def test_every_chart_survives(qtbot: QtBot, case: str, chart: str, size: tuple[int, int]) -> None:
    results = CASES[case]()
    figure = charts()[chart].draw(results, results.results[0].id)
    assert all(math.isfinite(edge) for edge in (figure.x.low, figure.x.high, figure.y.low, figure.y.high))
    image = QImage(*size, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    paint_figure(painter, QRectF(0, 0, *size), figure, themes().theme, results.results[0].id)
    assert painter.end()


@pytest.mark.parametrize("case", CASES)
def test_every_cell_has_a_text_and_can_be_sorted(case: str) -> None:
    results = CASES[case]()
    for column in columns_of(results):
        assert all(column.cell(r).text for r in results.results)
        assert len(sorted(column.sort_keys(results))) == len(results.results)
