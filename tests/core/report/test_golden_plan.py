"""A plan of two workloads with phases, a portfolio and actuals, as JSON, on paper and as tables: no figure and no word
drifts unseen."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.calibration.accepted import AcceptedCalibration, AcceptedLesson
from core.catalogue.catalogue import Catalogue
from core.comparison.actuals.baseline import frozen
from core.comparison.as_json import budget_reach_json
from core.comparison.questions.budget_reach import budget_reach
from core.comparison.result import ResultSet
from core.plan.plan import Choice, Plan
from core.report.blocks import AnswerFigure, Block, Figure
from core.report.document import build
from core.report.masking import HandedOut
from core.report.tabular import candidate_rows, headers
from core.report.whole_json import whole_json
from core.report.workbook.write import sheets_of
from core.workload.actuals import Entry, Tracked
from core.workload.phase_templates import phases_from, template
from core.workload.portfolio import Pin, Portfolio
from tests.core.report.conftest import TODAY
from tests.golden import as_plain, assert_kept


class _Day(date):
    """The present day is that of the test."""

    @classmethod
    def today(cls) -> date:
        return TODAY


LESSON = AcceptedLesson(
    log_id="log", profile_id="train", term="kept", accelerator_id="h100-sxm", n_chips=64, measured=0.9, predicted=0.95,
    factor=0.947, spread=0.06, predicted_spread=0.1, how="10 % of 2 h went to 4 stalls",
)  # fmt: skip


def _calibration(profile_id: str, factor: float) -> AcceptedCalibration:
    return AcceptedCalibration(
        log_id="log", profile_id=profile_id, accelerator_id="h100-sxm", n_chips=8, work="training",
        measured_tokens_per_s=1000 * factor, predicted_tokens_per_s=1000, factor=factor, spread=0.07, window_s=(0, 1),
        how="The mean of steady steps",
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole(plan: Plan, results: dict[str, ResultSet]) -> Plan:
    """The plan with all that belongs to a plan beside its workloads."""
    baseline = frozen(results["train"], date(2026, 12, 1))
    entries = (
        Entry(day=date(2027, 1, 1), done=4e10, spend_usd=9e4, chip_hours=1.3e4),
        Entry(day=date(2027, 2, 1), done=1e11, spend_usd=2e5, chip_hours=3e4),
    )
    runner_up = results["serve"].recommendation.runner_up
    assert runner_up
    return plan.model_copy(
        update={
            "note": "Two workloads.",
            "phases": phases_from(template("gpu-then-tpu"), plan.profiles),
            "phases_deadline": date(2027, 12, 1),
            "actuals": (Tracked(workload="train", baseline=baseline, entries=entries),),
            "portfolio": Portfolio(shared_chips=64, pins=(Pin(workload="serve", chip=1),)),
            "calibrations": (_calibration("train", 1.1), _calibration("serve", 0.9)),
            "lessons": (LESSON, LESSON.model_copy(update={"is_on": False})),
            "choices": (Choice(profile_id="serve", candidate_id=runner_up, reason="Known here."),),
        }
    )


def test_json_is_kept(
    whole: Plan, results: dict[str, ResultSet], catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.comparison.as_json.date", _Day)
    assert_kept("plan_json", whole_json(HandedOut(whole, results, catalogue), 4, 90))


def test_paper_is_kept(whole: Plan, results: dict[str, ResultSet], catalogue: Catalogue) -> None:
    document = build(whole, results, catalogue, TODAY)
    sections = [[one.id, one.title, *map(_block, one.blocks)] for one in document.sections]
    assert_kept("plan_paper", [document.title, document.header, document.footer, document.keywords, *sections])


def _block(block: Block) -> Any:
    """A block in plain values; a chart without the answers that it draws."""
    if isinstance(block, Figure | AnswerFigure):
        return [block.chart, block.caption, block.alt, block.height_share]
    return [type(block).__name__, *as_plain(block).values()]


def test_tables_are_kept(whole: Plan, results: dict[str, ResultSet], catalogue: Catalogue) -> None:
    sheets = sheets_of(whole, results, catalogue, TODAY, 4)
    assert_kept(
        "plan_tables",
        {
            "workbook": {
                one.title: [one.heads, one.above, *one.rows, one.below, one.total, one.frozen, one.wraps]
                for one in sheets
            },
            "csv": {name: [headers(one.profile.unit_word), *candidate_rows(one, 4)] for name, one in results.items()},
        },
    )


def test_the_reach_of_a_budget_is_kept(results: dict[str, ResultSet]) -> None:
    reach = {
        name: [budget_reach_json(budget_reach(one, one.choice, usd)) for usd in (2e4, 5e5, 3e7)]
        for name, one in results.items()
    }
    assert_kept("plan_reach", reach)
