"""The verdict strip as it is painted: one state at a time."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.amounts import Sentence
from core.comparison.result import AdviceRule
from core.plan.plan import Plan
from core.workload.library import load_profiles
from gui.frame.verdict import KpiView, VerdictStrip
from gui.widgets.elided import ElidedLabel
from tests.gui.conftest import WindowMaker
from tests.gui.frame.test_whole_rows import answer
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


def facts_on_screen(strip: VerdictStrip) -> list[QLabel]:
    labels = strip.findChildren(QLabel)
    return [label for label in labels if label.property("kind") == "fact" and not label.isHidden()]


def test_old_facts_are_gone_before_new_ones_are_painted(qtbot: QtBot) -> None:
    """Before the event loop turns: until then deleted widgets are still there."""
    themes()
    session = sample_session(qtbot, sample_results())
    strip = VerdictStrip(session)
    qtbot.addWidget(strip)
    strip.resize(1280, 60)
    with qtbot.waitExposed(strip):
        strip.show()
    before = facts_on_screen(strip)
    assert before
    session.stale = True
    session.results = None
    strip.refresh()
    assert not set(before) & set(facts_on_screen(strip))
    session.close()


def test_the_tip_of_advice_says_which_rules_are_divided(qtbot: QtBot) -> None:
    themes()
    rule = AdviceRule("R01", "Framework runs", "gpu", "So", True, "Framework fit")
    words = "Framework fit says GPU; workload maturity says TPU"
    results = replace(sample_results(), advice=(rule,), advice_conflicts=(words,))
    session = sample_session(qtbot, results)
    strip = VerdictStrip(session)
    qtbot.addWidget(strip)
    strip.resize(1600, 60)
    with qtbot.waitExposed(strip):
        strip.show()
    tips = {label.text(): label.toolTip() for label in facts_on_screen(strip)}
    assert tips["Common advice divided, 1 of 1 rule agree"] == f"{words}.\nAgree: Framework runs"
    assert [tip for words, tip in tips.items() if not words.startswith("Common")] == [""] * (len(tips) - 1)
    session.close()


def test_a_tie_is_told_whole_as_soon_as_its_figures_take_their_room(qtbot: QtBot) -> None:
    """The strip was as wide before the results came as after: its headline had all of it then."""
    themes()
    results = sample_results()
    pick, rival = results.results[:2]
    both = Sentence("{}, {}, {}", pick.candidate.name, "1-year, with a long name of a seller", rival.candidate.name)
    told = replace(results.recommendation, headline=Sentence("{}, too close to call: the rest.", both), too_close=True,
                   runner_up=rival.id)  # fmt: skip
    session = sample_session(qtbot, results)
    session.results = None
    strip = VerdictStrip(session)
    qtbot.addWidget(strip)
    strip.resize(1280, 60)
    with qtbot.waitExposed(strip):
        strip.show()
    session.results = replace(results, recommendation=told)
    session.results_changed.emit()
    label = strip.findChild(ElidedLabel, "verdict-headline")
    assert isinstance(label, ElidedLabel)
    assert label.shown == label.text() == f"Too close to call: {pick.candidate.name} or {rival.candidate.name}"
    session.close()


def told(strip: VerdictStrip) -> ElidedLabel:
    label = strip.findChild(ElidedLabel, "verdict-workload")
    assert isinstance(label, ElidedLabel)
    return label


@pytest.mark.parametrize("width_px", [900, 960, 1024, 1280, 1440, 1920])
def test_one_workload_of_several_is_named_at_every_width(qtbot: QtBot, open_window: WindowMaker, width_px: int) -> None:
    profiles = load_profiles()
    plan = Plan(id="two", profiles=(profiles["chat-serving-8b"], profiles["llama3-8b-pretraining"]))
    window = open_window(plan)
    window.resize(width_px, 800)
    QApplication.processEvents()  # until all that is shown has its room
    label = told(window.verdict)
    assert label.isVisible() and label.text() == "1 of 2: Chat serving 8B"
    assert label.shown.startswith("1 of 2: Chat")
    price = window.verdict.findChild(QPushButton, "verdict-price")
    assert price is not None and price.width() >= price.sizeHint().width()
    with qtbot.waitSignal(window.session.results_changed, timeout=30_000):
        window.session.show_profile(1)
        assert label.text() == "1 of 2: Chat serving 8B", "the answer on screen is still that of the first"
    assert label.text() == "2 of 2: Llama 3 8B pre-training"


def test_a_plan_with_one_workload_does_not_count_it(qtbot: QtBot) -> None:
    themes()
    session = sample_session(qtbot, sample_results())
    strip = VerdictStrip(session)
    qtbot.addWidget(strip)
    assert told(strip).isHidden()
    session.close()


def test_a_headline_that_would_be_cut_gives_way_to_the_pick(qtbot: QtBot) -> None:
    themes()
    session = sample_session(qtbot, sample_results())
    strip = VerdictStrip(session)
    qtbot.addWidget(strip)
    headline = strip.findChild(ElidedLabel, "verdict-headline")
    assert isinstance(headline, ElidedLabel)
    with qtbot.waitExposed(strip):
        strip.show()
    strip.resize(1920, 76)
    assert headline.text() == "256 × B200 fits this plan best"
    short = next(px for px in range(1000, 700, -10) if not strip.resize(px, 76) and headline.text()[:5] == "Best:")
    assert short < 1000 and headline.accessibleName() == "256 × B200 fits this plan best"
    session.close()


def test_a_fact_is_told_whole_or_not_at_all(qtbot: QtBot) -> None:
    themes()
    rules = tuple(AdviceRule(f"R{n}", "Rule", "gpu", "So", True, "Fit") for n in range(10))
    session = sample_session(qtbot, replace(sample_results(), advice=rules, advice_conflicts=("One; two",)))
    strip = VerdictStrip(session)
    qtbot.addWidget(strip)
    with qtbot.waitExposed(strip):
        strip.show()
    told = set()
    for width_px in range(1500, 1100, -20):
        strip.resize(width_px, 76)
        QApplication.processEvents()
        facts = facts_on_screen(strip)
        assert all(fact.width() >= fact.sizeHint().width() for fact in facts), width_px
        told.add(len(facts))
    assert told == {1, 2}
    session.close()


def test_what_has_room_does_not_depend_on_what_was_laid_out_before(qtbot: QtBot) -> None:
    """Texts change, and others are shown for them, in one turn: layouts still know the widths from before."""
    themes()
    session = sample_session(qtbot, sample_results())
    session.whole_plan.answer = answer()
    strip = VerdictStrip(session)
    qtbot.addWidget(strip)
    with qtbot.waitExposed(strip):
        strip.show()
    whole = strip.findChild(QPushButton, "verdict-whole")
    assert whole is not None
    told, results = [], session.results
    for width_px in range(1300, 2000, 50):
        for shown in (None, results):
            strip.resize(width_px, 76)
            session.results = shown
            strip.refresh()
            at_once = not whole.isHidden()
            QApplication.processEvents()
            strip.refresh()
            told.append((width_px, shown is None, at_once, not whole.isHidden()))
    assert [one for one in told if one[2] != one[3]] == []
    assert {one[3] for one in told} == {True, False}
    session.results = results
    session.close()


def test_figures_that_grow_leave_no_fact_cut(qtbot: QtBot) -> None:
    """Beside phases the whole plan's line was kept while a figure took its room: "3 measures c"."""
    themes()
    rules = tuple(AdviceRule(f"R{n}", "Rule", "gpu", "So", True, "Fit") for n in range(10))
    session = sample_session(qtbot, replace(sample_results(), advice=rules, advice_conflicts=("One; two",)))
    strip = VerdictStrip(session)
    qtbot.addWidget(strip)
    strip.resize(1280, 76)
    with qtbot.waitExposed(strip):
        strip.show()
    figure = next(view for view in strip.findChildren(KpiView) if not view.isHidden())
    for length in (10, 20, 30, 40, 50):
        figure.title.setText("m" * length)
        QApplication.processEvents()
        assert all(fact.width() >= fact.sizeHint().width() for fact in facts_on_screen(strip)), length
