"""Another currency is shown wherever money is read, and nothing is evaluated anew for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.plan import Currency
from core.plan.sample_plan import sample_plan
from core.report.document import PRESETS, build
from core.throughput.correction import Corrections
from core.workload.profile import Profile
from gui.charts.registry import charts
from gui.session.plan_session import PlanSession
from gui.tabs.cost.panel import CostPanel
from gui.window.main_window import MainWindow
from tests.gui.whole_window import (
    OF_EACH_WORKLOAD,
    ONCE,
    PATIENCE_MS,
    settled,
    show_cost,
    show_rejected,
    show_why,
    shown_texts,
    shown_window,
    texts_of,
)

EURO = Currency(code="EUR", per_usd=0.5, as_of="2026-11-20")
WORKLOADS = ("training", "serving")
FIGURES = re.compile(r"[\d.,]+")


class Counting:
    """The evaluation itself, and how often it was asked."""

    def __init__(self) -> None:
        self.n_asked = 0

    def __call__(
        self, profile: Profile, catalogue: Catalogue, found: Corrections, cancelled: Callable[[], bool]
    ) -> ResultSet:
        self.n_asked += 1
        return evaluate(profile, catalogue, found, cancelled)


@pytest.fixture
def engine() -> Counting:
    return Counting()


@pytest.fixture
def window(qtbot: QtBot, engine: Counting) -> Iterator[MainWindow]:
    """The sample plan, training and serving, in a window wide enough for the Why dock."""
    with shown_window(qtbot, sample_plan(), 1600, 1000, engine) as made:
        yield made


def all_texts(qtbot: QtBot, window: MainWindow) -> dict[str, list[str]]:
    """Texts of the whole window by what was opened last, for both workloads."""
    told = {}
    for number, workload in enumerate(WORKLOADS):
        window.session.show_profile(number)
        settled(qtbot, window)
        for name, show in (OF_EACH_WORKLOAD if number else ONCE | OF_EACH_WORKLOAD).items():
            show(window)
            settled(qtbot, window)
            told[f"{workload}: {name}"] = [text for text in shown_texts(window) if text]
    return told


@cache
def quoted() -> tuple[str, ...]:
    """What the catalogue quotes from its sources, which stays as it was written."""
    catalogue = load_catalogue()
    entries = [*catalogue.accelerators, *catalogue.hosts, *catalogue.offers, *catalogue.cost_inputs]
    notes = {getattr(one, name, "") for one in entries for name in ("note", "source")}
    return tuple(sorted((note for note in notes if "$" in note), key=len, reverse=True))


def in_euros(texts: list[str]) -> list[str]:
    return [text for text in texts if "€" in text]


def in_dollars(texts: list[str]) -> list[str]:
    """Those that speak of dollars; quotations aside, and the unit of fields, which are typed in USD at any currency."""
    found = []
    for text in texts:
        if text == "$":
            continue
        for note in quoted() if "$" in text else ():
            text = text.replace(note, "")
        if "$" in text:
            found.append(text)
    return found


def no_longer_told(before: list[str], after: list[str]) -> list[str]:
    """Where fewer texts speak of money than before: those that have no like, figures aside."""
    dollars, euros = in_dollars(before), in_euros(after)
    if len(dollars) <= len(euros):
        return []
    told = {FIGURES.sub("", text.replace("€", "$")) for text in euros}
    return [text for text in dollars if FIGURES.sub("", text) not in told] or dollars


def change_currency(qtbot: QtBot, session: PlanSession) -> None:
    with qtbot.waitSignal(session.results_changed, timeout=PATIENCE_MS):
        session.replace_plan(session.plan.model_copy(update={"currency": EURO}), "Change currency")


def test_every_place_shows_the_other_currency(qtbot: QtBot, window: MainWindow, engine: Counting) -> None:
    before = all_texts(qtbot, window)
    n_asked, results = engine.n_asked, window.session.results
    change_currency(qtbot, window.session)
    after = all_texts(qtbot, window)
    assert engine.n_asked == n_asked and window.session.results is results, "nothing is evaluated anew"
    assert {place: told for place, texts in after.items() if (told := in_dollars(texts))} == {}
    assert {place: gone for place, texts in before.items() if (gone := no_longer_told(texts, after[place]))} == {}
    assert min(len(in_dollars(texts)) for texts in before.values()) > 0, "the verdict at least speaks of money"


def test_amounts_in_view_follow_the_rate(qtbot: QtBot, window: MainWindow) -> None:
    before = known_amounts(qtbot, window)
    change_currency(qtbot, window.session)
    assert known_amounts(qtbot, window) == pytest.approx({name: 0.5 * usd for name, usd in before.items()}, rel=0.03)


def known_amounts(qtbot: QtBot, window: MainWindow) -> dict[str, float]:
    """Money as it is read in the verdict, the answers of the Cost tab, Why, a chart and a reason."""
    show_cost(window, "Chips")
    show_why(window, "part:compute")
    settled(qtbot, window)
    panel, dock = window.tabs.content.currentWidget(), window.why.dock
    assert isinstance(panel, CostPanel)
    counts = panel.by_id["chips-days-cost"].figure
    told = {
        "verdict": window.verdict.findChild(QWidget, "kpi-cost").accessibleName(),
        "answer": panel.answers.cells[0].value.text(),
        "total": dock.findChild(QPushButton, "value-cost-total").text(),
        "explained": dock.findChild(QLabel, "explained-value").text(),
        "chart": " ".join(counts.rows[0].right[0]) + counts.summary,
    }
    show_rejected(window)
    settled(qtbot, window)
    told["reason"] = next(
        text
        for number in range(1, 9)
        if OVER_BUDGET in (text := dock.findChild(QLabel, f"why-against-{number}").text())
    )
    return {name: first_amount(text) for name, text in told.items()}


OVER_BUDGET = " over budget"


def first_amount(text: str) -> float:
    """The first amount of money in a text, in the currency's own unit."""
    found = re.search(r"[$€](\d+(?:\.\d+)?)\u202f?([kMB]?)", text)
    assert found, text
    return float(found[1]) * {"": 1.0, "k": 1e3, "M": 1e6, "B": 1e9}[found[2]]


def test_every_chart_and_page_is_worded_anew_from_the_same_results(qtbot: QtBot) -> None:
    engine = Counting()
    session = PlanSession(sample_plan(), load_catalogue(), engine)
    results = gathered(qtbot, session)
    before = papers(session, results)
    change_currency(qtbot, session)
    assert all(new is known for new, known in zip(gathered(qtbot, session), results, strict=True))
    after = papers(session, results)
    session.close()
    assert engine.n_asked == len(results)
    assert {name: told for name, texts in after.items() if (told := in_dollars(texts))} == {}
    for name, texts in before.items():
        assert len(in_dollars(texts)) <= len(in_euros(after[name])), name
    speaking = {name for name, texts in before.items() if in_dollars(texts)}
    assert {*PRESETS} < speaking and "training chips-days-cost" in speaking


def gathered(qtbot: QtBot, session: PlanSession) -> list[ResultSet]:
    """Results of every workload, in the order of the plan."""
    with qtbot.waitSignal(session.gather(None, "Evaluating workloads").ended, timeout=PATIENCE_MS) as ended:
        pass
    by_profile = {one.profile.id: one for one in ended.args[0]}
    return [by_profile[profile.id] for profile in session.shown_plan.profiles]


def papers(session: PlanSession, results: list[ResultSet]) -> dict[str, list[str]]:
    """Texts of every chart of every workload, and of the pages of each preset."""
    told = {
        f"{workload} {name}": [*texts_of(chart.draw(one, None))]
        for workload, one in zip(WORKLOADS, results, strict=True)
        for name, chart in charts().items()
    }
    for preset, pages in PRESETS.items():
        by_profile = {one.profile.id: one for one in results}
        document = build(session.shown_plan, by_profile, session.catalogue, date(2026, 11, 21), pages)
        told[preset] = [*texts_of(document)]
    return told
