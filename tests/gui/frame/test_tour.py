"""The tour: opened with the sample once, gone through tab by tab, left at any time."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.learning.glossary import meaning_of, term_in
from core.learning.tour import STEPS
from core.plan.sample_plan import sample_plan
from gui.charts.figure.figure import Figure
from gui.charts.figure.kind import ChartKind
from gui.charts.view.chart_view import ChartView
from gui.charts.view.title_term import TitleTerm
from gui.dialogs.readiness import ReadinessDialog
from gui.tables.candidates.model import CandidateModel
from gui.tabs.compare.panel import ComparePanel
from gui.theme.term_label import TermCard, TermLabel
from gui.window.main_window import MainWindow
from tests.gui.conftest import WindowMaker
from tests.gui.sample_session import themes


def press(qtbot: QtBot, button: object) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_it_goes_through_the_tabs_and_ends(qtbot: QtBot, window: MainWindow) -> None:
    window.begin_tour()
    seen = []
    for number in range(len(STEPS)):
        assert window.tour.count.text() == f"{number + 1} of {len(STEPS)}"
        seen.append((window.tour.title.text(), window.tabs.shown))
        assert window.tour.back.isEnabled() == (number > 0)
        press(qtbot, window.tour.next)
    assert seen == [(step.title, step.tab) for step in STEPS]
    assert not window.tour.isVisible()


def test_back_and_leave(qtbot: QtBot, window: MainWindow) -> None:
    window.begin_tour()
    press(qtbot, window.tour.next)
    press(qtbot, window.tour.back)
    assert window.tour.title.text() == STEPS[0].title
    press(qtbot, window.tour.close_button)
    assert not window.tour.isVisible()


def test_the_sample_opens_with_it_once(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(sample_plan())
    assert not window.tour.isVisible()
    window.open_sample()
    assert window.tour.isVisible() and window.settings.has_seen_tour
    window.tour.leave()
    window.open_sample()
    assert not window.tour.isVisible()


def test_it_stays_within_the_window(qtbot: QtBot, window: MainWindow) -> None:
    window.begin_tour()
    for size in (QSize(1024, 700), QSize(1600, 900)):
        window.resize(size)
        qtbot.waitUntil(partial(is_of, window, size))
        host = window.tour.parentWidget()
        assert host is not None and host.rect().contains(window.tour.geometry())


def is_of(window: MainWindow, size: QSize) -> bool:
    return window.size() == size


def test_a_term_is_explained_by_a_click(qtbot: QtBot) -> None:
    label = TermLabel("TTFT limit")
    qtbot.addWidget(label)
    label.show()
    press(qtbot, label)
    card = label.findChild(TermCard)
    assert card is not None and card.isVisible()
    qtbot.keyClick(card, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: label.findChild(TermCard) is None)


def test_a_title_without_a_term_says_nothing(qtbot: QtBot) -> None:
    label = TermLabel("Name")
    qtbot.addWidget(label)
    label.show()
    press(qtbot, label)
    assert label.findChild(TermCard) is None and label.cursor().shape() == Qt.CursorShape.ArrowCursor


@pytest.mark.parametrize(
    ("tab", "place", "term"),
    [
        ("compare", "verdict", "Confidence"),
        ("compare", "kpi-regret", "Regret"),
        ("compare", "why-outcome-5", "Regret"),
        ("flexibility", "flexibility-side", "Exit bill"),
        ("flexibility", "panel-flexibility", "Framework"),
    ],
)
def test_terms_are_underlined_and_explained_beside_their_figures(
    qtbot: QtBot, window: MainWindow, tab: str, place: str, term: str
) -> None:
    """Where the answer is read first, and where the weights of flexibility are set."""
    window.tabs.show_tab(tab)
    around = window.findChild(QWidget, place)
    assert around is not None
    told = [one for one in (around, *around.findChildren(TermLabel)) if isinstance(one, TermLabel) and one.isVisible()]
    label = next(one for one in told if one.term and one.term.term == term)
    press(qtbot, label)
    card = label.findChild(TermCard)
    assert card is not None and card.isVisible()
    card.close()


def test_terms_are_explained_in_titles_of_why_and_of_charts_and_in_heads_of_tables(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.tabs.show_tab("cost")
    titles = [one for one in window.why.dock.findChildren(TermLabel) if one.isVisible() and one.term]
    assert titles, "Why has a title with a term"
    press(qtbot, titles[0])
    card = titles[0].findChild(TermCard)
    assert card is not None and card.isVisible()
    card.close()

    view = ChartView(ChartKind("x", "x"))
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    view.show_figure(Figure("Regret by chip"), themes().theme)
    title = view.findChild(TitleTerm)
    assert title is not None and title.isVisible() and title.height() < 30 < title.width() < 200
    press(qtbot, title)
    card = title.findChild(TermCard)
    assert card is not None and card.isVisible()
    card.close()
    view.show_figure(Figure("Nothing to explain"), themes().theme)
    assert not title.isVisible()

    window.tabs.show_tab("compare")
    panel = window.tabs.panel("compare")
    assert isinstance(panel, ComparePanel)
    model = panel.table.model()
    assert isinstance(model, CandidateModel)
    columns = [n for n, one in enumerate(model.columns) if term_in(one.title) and not one.meaning]
    assert columns
    told = model.headerData(columns[0], Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert meaning_of(model.columns[columns[0]].title) == told


def test_the_code_questions_offer_the_scan(qtbot: QtBot, window: MainWindow) -> None:
    window.tabs.show_tab("describe")
    offer = window.tabs.describe().findChild(QPushButton, "form-scan")
    assert offer is not None and offer.isVisible() and offer.text() == "Scan source code\u2026"
    press(qtbot, offer)
    dialog = window.findChild(ReadinessDialog)
    assert dialog is not None and dialog.isVisible()
    dialog.close()


def test_escape_leaves_it(qtbot: QtBot, window: MainWindow) -> None:
    window.begin_tour()
    qtbot.keyClick(window.tour.next, Qt.Key.Key_Escape)
    assert not window.tour.isVisible()
