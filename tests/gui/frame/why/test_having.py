"""Why says whether an option can be had, what the draws say of it, and what a lead brings and asks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.sellers.waits import Wait
from core.comparison.result import Chance, Lead, ResultSet
from core.plan.plan import Plan
from core.ranges import Evidence, Range
from core.report.having_words import letter_words
from core.workload.library import load_profiles
from gui.dialogs.prices.entry_editor import EntryDialog
from gui.frame.why.having import having_sections, lead_sections
from gui.frame.why.panel import WhyPanel
from gui.frame.why.section import Section, Title, Words
from gui.session.plan_session import PlanSession
from tests.gui.conftest import WindowMaker
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes

CHANCE = Chance(0.967, deadline=0.99, budget=0.98, best=0.61, regret_usd=30_000.0)


def with_pick(**update: object) -> ResultSet:
    results = sample_results()
    return replace(results, results=(replace(results.results[0], **update), *results.results[1:]))


def with_lead() -> ResultSet:
    """The fifth is on paper and would save money."""
    results = with_pick(chance=CHANCE)
    paper = replace(
        results.results[4],
        chance=Chance(0.5, deadline=0.5, budget=0.9),
        obtainable=replace(results.results[4].obtainable, status="on paper", is_joined=True, price="one source"),
    )
    lead = Lead(paper.id, 300_000.0, -4.0, ("size", "fabric", "price"), 2.7459, 0.784)
    told = replace(results.recommendation, leads=(lead,))
    return replace(results, results=(*results.results[:4], paper, *results.results[5:]), recommendation=told)


def texts(section: Section) -> list[str]:
    told = [put.cell for put in section.puts]
    return [f"{one.text} | {one.note}" if isinstance(one, Title) else one.text for one in told if hasattr(one, "text")]


def test_what_is_proved_is_ticked_and_what_is_not_is_questioned() -> None:
    pick = sample_results().results[0]
    had = replace(
        pick.obtainable, status="attested", why="The seller lists it", source="A+B", estimate=False, price="estimate",
        wait=Wait(Range(0, 4, 9), "A", "2026-11", True),
    )  # fmt: skip
    results = with_pick(obtainable=had)
    section = having_sections(results, results.results[0])["having"]
    assert texts(section) == [
        "Can be had | attested",
        "✓", "The seller lists it",
        "?", "Price is an estimate",
        "✓", "Speed: measured elsewhere",
        "?", "Waiting for capacity: 4 days, 0–9, an estimate",
    ]  # fmt: skip
    signs = [put.cell.kind for put in section.puts if isinstance(put.cell, Words) and put.column == 0]
    assert signs == ["good", "warn", "good", "warn"]
    assert section.spoken.startswith("Can be had: attested. The seller lists it.")
    tips = [put.cell.tip for put in section.puts if isinstance(put.cell, Words) and put.cell.tip]
    assert tips == ["Sources: A, B"]


def test_a_speed_that_only_its_vendor_tells_is_a_question() -> None:
    pick = sample_results().results[0]
    results = with_pick(throughput=replace(pick.throughput, evidence=Evidence.VENDOR))
    told = texts(having_sections(results, results.results[0])["having"])
    assert told[told.index("Speed: vendor figure") - 1] == "?"


@pytest.mark.parametrize(
    ("chance", "rows"),
    [
        (
            CHANCE,
            ["Keeps 30 Jan 2027", "99 of 100", "Keeps $3\u202fM", "98 of 100", "Keeps both", "97 of 100",
             "Best that can be had", "61 of 100", "If wrong, mean regret", "$30\u202fk"],
        ),
        (Chance(0.9, 1.0, 1.0, 0.9), ["Keeps 30 Jan 2027", "100 of 100", "Keeps $3\u202fM", "100 of 100",
                                      "Keeps the latency limits", "90 of 100", "Keeps all", "90 of 100"]),
        (Chance(0.9999, budget=0.9999), ["Keeps $3\u202fM", ">99 of 100"]),
        (Chance(0.7, window=0.7), ["Keeps the window of a batch", "70 of 100"]),
    ],
)  # fmt: skip
def test_the_draws_are_told_of_100(chance: Chance, rows: list[str]) -> None:
    results = with_pick(chance=chance)
    n_draws = "1\u202f000" if chance.best is None else "10\u202f000"
    assert texts(having_sections(results, results.results[0])["outcome"]) == [f"Outcome | {n_draws} draws", *rows]


def test_without_limits_or_draws_there_is_no_outcome() -> None:
    for chance in (None, Chance(1.0)):
        results = with_pick(chance=chance)
        assert list(having_sections(results, results.results[0])) == ["having"]


def test_a_lead_says_what_it_brings_and_what_to_ask() -> None:
    results = with_lead()
    lead = results.recommendation.leads[0]
    told = lead_sections(results, results.by_id[lead.id], lead, lambda: None)
    assert texts(told["lead"]) == [
        "If it holds | against 256 × B200",
        "Saves, of $1.48\u202fM", "$300\u202fk",
        "Ready later by", "4 days",
        "Best that can be had", "78 of 100",
        "Better up to, a chip hour", "$2.74",
        "Keeps the limits; the pick in 97", "50 of 100",
    ]  # fmt: skip
    question = letter_words(results.by_id[lead.id], lead, results.profile.limits.start_date)
    assert question.startswith("We need 512 × H100 SXM on one network from 1 Dec 2026, paid 1-year. Are 512 free at")
    assert question in texts(told["ask"]) and "measured" not in question
    dearer = replace(lead, saving_usd=-5_000.0, saving_days=None, better_up_to_usd_per_chip_hour=None)
    assert texts(lead_sections(results, results.by_id[lead.id], dearer, lambda: None)["lead"])[1:] == [
        "Costs more, of $1.48\u202fM", "$5\u202fk", "Best that can be had", "78 of 100",
        "Keeps the limits; the pick in 97", "50 of 100",
    ]  # fmt: skip


@pytest.mark.parametrize(("faster", "row"), [(0.12, ["Faster by", "12\u202f%"]), (-0.2, ["Slower by", "25\u202f%"])])
def test_a_lead_for_a_service_says_what_it_does_to_the_speed(faster: float, row: list[str]) -> None:
    results = with_lead()
    lead = replace(results.recommendation.leads[0], saving_days=None, faster_share=faster)
    told = texts(lead_sections(results, results.by_id[lead.id], lead, lambda: None)["lead"])
    assert told[3:5] == row


def shown(qtbot: QtBot, session: PlanSession) -> WhyPanel:
    panel = WhyPanel(session, themes())
    qtbot.addWidget(panel)
    panel.resize(296, 900)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def test_the_lead_that_is_selected_is_shown_with_its_button(qtbot: QtBot) -> None:
    session = sample_session(qtbot, with_lead())
    panel = shown(qtbot, session)
    assert panel.findChild(QPushButton, "why-answer") is None
    assert panel.findChild(QLabel, "why-outcome-4-value").text() == "61 of 100"
    lead = with_lead().recommendation.leads[0].id
    session.select(lead)
    button = panel.findChild(QPushButton, "why-answer")
    assert isinstance(button, QPushButton) and "512 × H100 SXM" in button.accessibleName()
    with qtbot.waitSignal(panel.answer_wanted) as asked:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked.args == [lead]
    session.close()


def test_another_chance_is_written_into_the_same_widgets(qtbot: QtBot) -> None:
    session = sample_session(qtbot, with_lead())
    panel = shown(qtbot, session)
    before = panel.findChildren(QWidget)
    changed = with_lead()
    less = replace(changed.results[0], chance=replace(CHANCE, best=0.4))
    panel.show_results(replace(changed, results=(less, *changed.results[1:])))
    assert panel.findChild(QLabel, "why-outcome-4-value").text() == "40 of 100"
    assert panel.findChildren(QWidget) == before
    session.close()


def test_the_button_in_why_opens_the_form_of_the_window(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(Plan(id="test", profiles=(load_profiles()["llama3-8b-pretraining"],)))
    window.session.evaluations.evaluate = lambda *_: replace(with_lead(), profile=window.session.profile)
    with qtbot.waitSignal(window.session.results_changed):
        window.session.edit(window.session.path("limits.budget_usd"), 151_000.0, "Budget")
    window.why.pin()
    window.session.select(with_lead().recommendation.leads[0].id)
    qtbot.waitUntil(lambda: window.findChild(QPushButton, "why-answer") is not None)
    button = window.findChild(QPushButton, "why-answer")
    assert isinstance(button, QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert isinstance(window.prices.dialog, EntryDialog)
