"""The whole plan's figures: in the project dock, the verdict, Why, on paper and in JSON they are the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.cli import program
from core.plan.plan import Plan
from core.plan.store import save
from core.report.blocks import KeyFigures, KpiTable
from core.report.plan_words import plan_line
from core.units import date_text, in_hundred, usd
from core.workload.library import load_profiles
from gui.window.main_window import MainWindow
from tests.gui.whole_window import PATIENCE_MS, shown_window

NAMES = ("resnet50-training", "chat-serving-8b")


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """The real engine behind it."""
    shipped = load_profiles()
    plan = Plan(id="p", name="Two", profiles=tuple(shipped[name] for name in NAMES))
    with shown_window(qtbot, plan, 1920, 1000) as made:
        qtbot.waitUntil(lambda: made.session.whole_plan.answer is not None, timeout=PATIENCE_MS)
        yield made


def test_one_plan_has_one_answer(qtbot: QtBot, window: MainWindow, tmp_path: Path, capsys) -> None:
    session = window.session
    answer = session.whole_plan.answer
    assert answer is not None and answer.chance_in_limits is not None
    total, ready = usd(answer.printed_usd), date_text(answer.done)

    model = window.project.view.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    told = {one.text: one.note for one in map(window.project.row, rows) if one is not None and one.kind == "whole"}
    assert told == {"Whole plan": total, "Ready": ready, "Limits": in_hundred(answer.chance_in_limits)}

    line = window.verdict.findChild(QPushButton, "verdict-whole")
    assert line is not None and line.isVisible() and line.text() == f"Whole plan {total}, all ready by {ready}"

    line.click()
    panel = window.findChild(QLabel, "why-plan-value")
    assert panel is not None and panel.text() == total

    file = tmp_path / "two.roofplan"
    save(session.plan, file)
    assert program.main(["compare", str(file), "--json", "--top", "1"]) == 0
    plan = json.loads(capsys.readouterr().out)["plan"]
    assert plan["line"] == plan_line(answer) and plan["line"].startswith(f"Whole plan: {total}, ")
    assert plan["total_usd"]["likely"] == round(answer.total_usd.likely, 2) and plan["done"] == answer.done.isoformat()
    assert plan["total_usd"]["low"] == round(answer.total_usd.low, 2)
    assert plan["total_usd"]["high"] == round(answer.total_usd.high, 2)
    assert plan["chance_in_limits"] == round(answer.chance_in_limits, 4)

    paper = session.paper(("decision",))
    page = paper.document(paper.handed_out(paper.results_here_and_now())).sections[0]
    facts = {fact.title: fact.value for block in page.blocks if isinstance(block, KeyFigures) for fact in block.items}
    days = [row.kpis[1].value for block in page.blocks if isinstance(block, KpiTable) for row in block.rows]
    assert facts["Total cost"] == total and ready in days


def test_the_page_in_why_closes_and_gives_way_to_a_candidate(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    row = next(i for i in range(99) if window.project.view.model().index(i, 0).data() == "Whole plan")
    window.project.activate(window.project.view.model().index(row, 0))

    def shows_plan() -> bool:
        value = window.findChild(QLabel, "why-plan-value")
        return value is not None and value.isVisible()

    assert shows_plan()
    assert session.results is not None
    session.select(session.results.results[1].id)
    assert not shows_plan()
    window.project.activate(window.project.view.model().index(row, 0))
    assert shows_plan()
    window.findChild(QPushButton, "explained-close").click()
    assert not shows_plan()
