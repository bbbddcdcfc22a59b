"""Another currency is shown wherever money is read, and nothing is evaluated anew for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from datetime import date
from functools import cache, partial
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QCoreApplication, QEvent, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabBar,
    QTextEdit,
    QWidget,
)
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
from gui.charts.registry import charts, pages_of
from gui.charts.view.chart_view import ChartView
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.settings import Settings
from gui.tables.catalogue.lists import VIEWS as LISTS
from gui.tabs.cost.panel import CostPanel
from gui.tabs.registry import TABS
from gui.window.main_window import MainWindow
from tests.gui.sample_session import themes

EURO = Currency(code="EUR", per_usd=0.5, as_of="2026-11-20")
WORKLOADS = ("training", "serving")
EXPLAINED = ("part:other", "cash:owned", "exit:porting", "spot:saved", "unit:cost")
ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
MOST_ROWS = 15
PATIENCE_MS = 60_000
_ROOT = QModelIndex()


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
    session = PlanSession(sample_plan(), load_catalogue(), engine)
    settings = Settings(theme="light")
    made = MainWindow(session, FileSession(session, settings), themes(), settings)
    made.resize(1600, 1000)
    with qtbot.waitSignal(session.results_changed, timeout=PATIENCE_MS):
        made.show()
    yield made
    session.undo_stack.setClean()
    made.close()
    made.deleteLater()


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Waits until nothing is under way and no chart in view waits for the engine; lets what was replaced go."""
    QCoreApplication.processEvents()  # what was just opened asks in its turn
    qtbot.waitUntil(lambda: window.session.road.is_idle and not is_asking(window), timeout=PATIENCE_MS)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def is_asking(window: MainWindow) -> bool:
    """True while a chart in view has no answer of the engine yet."""
    views = [view for view in window.findChildren(ChartView) if view.isVisible()]
    return any(view.kind.question and view.figure.empty == view.kind.question.at_work for view in views)


def texts_of(value: Any) -> Iterator[str]:
    """Every text within plain data, results aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from texts_of(one)
    elif is_dataclass(value) and not isinstance(value, ResultSet):
        for one in fields(value):
            yield from texts_of(getattr(value, one.name))


def shown_texts(root: QWidget) -> Iterator[str]:
    """Every text of the widgets in view: written, on hovering, said to a screen reader, drawn in charts, in tables."""
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible():
            yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle())
            yield from _written(widget)


def _written(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QLineEdit):
        yield from (widget.text(), widget.placeholderText())
    elif isinstance(widget, QTextEdit):
        yield widget.toPlainText()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(number) for number in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(number) for number in range(widget.count()))
    elif isinstance(widget, ChartView):
        yield from texts_of(widget.figure)
    elif isinstance(widget, QAbstractItemView) and (model := widget.model()):
        yield from _listed(model)


def _listed(model: QAbstractItemModel) -> Iterator[str]:
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount(_ROOT))
    yield from (str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns)
    for row in range(min(model.rowCount(_ROOT), MOST_ROWS)):
        for column in columns:
            yield from (str(model.index(row, column).data(role) or "") for role in ROLES)


def view_of(window: MainWindow, tab: str) -> QWidget:
    """The contents of a tab; that of costs with its first view, whichever was open before."""
    window.tabs.show_tab(tab)
    panel = window.tabs.content.currentWidget()
    assert panel is not None
    if isinstance(panel, CostPanel):
        panel.show_view(next(iter(panel.pages)))
    return panel


def show_cost(window: MainWindow, view: str) -> None:
    panel = view_of(window, "cost")
    assert isinstance(panel, CostPanel)
    panel.show_view(view)


def show_list(window: MainWindow, view: str) -> None:
    """A list of the catalogue with its first entry written out; of chips, two beside each other."""
    panel: Any = view_of(window, "catalogue")
    panel.head.compare.setChecked(False)
    panel.head.show_view(view)
    panel.table.selectRow(0)
    if view == "chips":
        panel.table.selectAll()
        panel.head.compare.setChecked(True)


def show_page(window: MainWindow, page: str) -> None:
    window.bottom.show_page(page)
    window.bottom_dock.show()


def show_why(window: MainWindow, key: str) -> None:
    """What stands behind a figure of the pick, with every formula opened."""
    window.session.select(window.session.results and window.session.results.recommendation.choice)
    window.why.pin()
    window.why.explain(key)
    for formula in window.why.dock.findChildren(QLabel):
        button = window.why.dock.findChild(QPushButton, formula.objectName().replace("formula-", "value-"))
        if formula.objectName().startswith("formula-") and formula.text() and not formula.isVisible() and button:
            button.click()


def show_rejected(window: MainWindow) -> None:
    """Why beside a candidate that is over the budget, or misses another limit.

    Of two digits shown the first is a high one, so that rounding, in either currency, changes little.
    """
    results = window.session.results
    assert results is not None
    rejected, budget_usd = results.results[results.n_feasible :], results.profile.limits.budget_usd or 0.0
    costly = [r for r in rejected if "budget" in [reason.code for reason in r.reasons]]
    first = max(costly, key=lambda r: f"{r.cost.total.likely - budget_usd:e}", default=rejected[0])
    window.session.select(first.id)
    window.why.pin()


def show_pair(window: MainWindow) -> None:
    results = window.session.results
    assert results is not None
    for result in results.results[:2]:
        if result.id not in window.session.pinned:
            window.session.pin(result.id)


def show_one(window: MainWindow) -> None:
    for pinned in window.session.pinned:
        window.session.pin(pinned)


ONCE: dict[str, Callable[[MainWindow], object]] = {
    **{f"catalogue {view.id}": partial(show_list, view=view.id) for view in LISTS},
    **{f"bottom {page}": partial(show_page, page=page) for page in ("problems", "history", "jobs")},
}
OF_EACH_WORKLOAD: dict[str, Callable[[MainWindow], object]] = {
    **{f"tab {panel.id}": partial(view_of, tab=panel.id) for panel in TABS if panel.id != "catalogue"},
    **{f"cost {view}": partial(show_cost, view=view) for view in pages_of("cost")},
    **{f"why {key}": partial(show_why, key=key) for key in EXPLAINED},
    "why of a rejected one": show_rejected,
    "why of a pair": show_pair,
    "why again": show_one,
}


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
    counts = {place: (len(in_dollars(texts)), len(in_euros(after[place]))) for place, texts in before.items()}
    assert {place: n for place, n in counts.items() if n[0] > n[1]} == {}, "an amount is no longer told"
    assert min(n for n, _ in counts.values()) > 0, "the verdict at least speaks of money"


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
