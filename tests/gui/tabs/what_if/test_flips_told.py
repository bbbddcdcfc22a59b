"""What would change the pick is the same on the What-if tab, in the answer, on paper, in the workbook and in JSON."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.as_json import recommendation_json
from core.comparison.evaluate import evaluate
from core.comparison.recommendation.flip_points import DEADLINE, flip_told
from core.comparison.result import ResultSet
from core.comparison.what_if.rival import rival_of
from core.plan.plan import Plan
from core.report.blocks import Table
from core.report.document import build
from core.report.workbook.bills import bills_of
from core.report.workbook.verdict import verdict_sheet
from core.workload.library import load_profiles
from gui.tabs.what_if.gap_rows import gap_table
from gui.tabs.what_if.studies import Engine, Told

NAME = "mixtral-8x7b-training"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def results(catalogue: Catalogue) -> ResultSet:
    return evaluate(load_profiles()[NAME], catalogue)


@pytest.fixture(scope="module")
def on_the_tab(results: ResultSet) -> dict[str, str]:
    """The words of the tab's rows by the id of the input, asked as the tab asks."""
    assert results.choice is not None
    rival, engine = rival_of(results, results.choice), Engine()
    assert rival is not None
    told = Told(results, results.choice.id, rival.id, engine.study(results, results.choice.id, rival.id))
    wanted = {point.input_id for point in results.recommendation.would_change_it}
    told.inputs = tuple(one for one in told.study.inputs if one.id in wanted)
    told.flips = {one.id: engine.flip(told.study, one) for one in told.inputs}
    return {row.input.id: f"{row.title}: {row.flip_words}" for row in gap_table(told, "regret").rows}


def without_day(words: str) -> str:
    return words.partition(" (")[0]


def test_the_tab_words_every_row_that_the_answer_tells(results: ResultSet, on_the_tab: dict[str, str]) -> None:
    points = results.recommendation.would_change_it
    assert len(points) >= 4 and set(on_the_tab) == {point.input_id for point in points}
    for point in points:
        assert on_the_tab[point.input_id] == f"{point.input_name}: {without_day(str(point.flips_at or 'never'))}"


def test_paper_workbook_and_json_tell_the_same_rows(results: ResultSet, catalogue: Catalogue) -> None:
    plan = Plan(id="p", profiles=(results.profile,))
    answers = {results.profile.id: results}
    document = build(plan, answers, catalogue, date(2026, 11, 22), ("decision",))
    tables = [block for block in document.sections[0].blocks if isinstance(block, Table)]
    rows = next(table.rows for table in tables if table.columns[0].title == "What would change it")
    points = results.recommendation.would_change_it
    told = [(point.input_name, str(point.now), str(point.flips_at or "Never")) for point in points]
    assert [tuple(cell.text for cell in row[:3]) for row in rows] == told
    json_rows = recommendation_json(results.recommendation)["would_change_it"]
    assert [(row["input"], row["now"], row["flips_at"] or "Never") for row in json_rows] == told
    below = verdict_sheet(plan, [results], None, bills_of([results]), date(2026, 11, 22)).below
    lines = {tuple(str(cell) for cell in line[1:]) for line in below}
    for name, now, at in told:
        words = "no value changes the pick" if at == "Never" else f"changes the pick: {at}"
        assert (f"{name}, now {now}", words) in lines


def test_of_the_speed_the_answer_tells_nothing(results: ResultSet) -> None:
    """The tab asks it of its study."""
    assert results.choice is not None
    assert flip_told(results, f"speed {results.choice.candidate.accelerator.id}") is None
    deadline = flip_told(results, DEADLINE)
    assert deadline is not None and deadline.is_checked
