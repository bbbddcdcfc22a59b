"""The Trade-offs page over canned answers: read the front, turn its axis, read the matrix, choose a chip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.result import Basis, ResultSet
from core.comparison.what_if.front import Front, RegretMatrix
from core.comparison.what_if.states import Regrets
from core.throughput.correction import NO_CORRECTIONS
from gui.tabs.what_if.front_figure import BEATEN, ONE_ONLY, front_figure
from gui.tabs.what_if.regret_table import RegretModel, least_words
from gui.tabs.what_if.trade_page import TradeEngine, TradePage
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import sample_session, themes
from tests.gui.tabs.what_if.canned import SPEED

IDS = ("tpu-v6e-512", "b200-256")
FRONT = Front(IDS, IDS, np.array([1.2e6, 1.4e6]), np.array([53.0, 36.0]), np.array([47.0, 80.0]))
MATRIX = RegretMatrix(("b200-256", "tpu-v6e-512"), np.array([[2e5, 3e5], [1e5, np.nan]]), ("tpu-v6e", "b200-sxm"))
REGRETS = Regrets((None, (SPEED, 75.0)), MATRIX)
NAMES = {"b200-256": "256 × B200, Lambda", "tpu-v6e-512": "512 × TPU v6e, GCP"}


@dataclass
class Canned(TradeEngine):
    """Answers at once."""

    n_asked: int = 0

    def study(self, results: ResultSet) -> Any:
        self.n_asked += 1
        return self

    def front(self, study: Any) -> Front:
        return FRONT

    def regrets(self, study: Any) -> Regrets:
        return REGRETS


def known() -> ResultSet:
    return replace(sample_results(), basis=Basis(load_catalogue(), NO_CORRECTIONS))


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[TradePage]:
    """All answered."""
    session = sample_session(qtbot, known())
    made = TradePage(session, themes())
    made.engine = Canned()
    qtbot.addWidget(made)
    qtbot.addWidget(made.controls)  # the panel puts them into its head
    made.resize(1000, 640)
    with qtbot.waitExposed(made):
        made.show()
    qtbot.waitUntil(lambda: made.told is not None, timeout=10_000)
    yield made
    session.close()


def test_the_front_is_joined_and_what_is_beaten_is_grey(page: TradePage) -> None:
    figure = page.chart.figure
    front = [one for one in figure.marks if one.id in IDS]
    assert [one.id for one in front] == list(IDS) and all(one.show_name for one in front)
    assert all(one.colour == BEATEN and not one.show_name for one in figure.marks if one.id not in IDS)
    assert {53.0, 36.0} <= set(figure.curves[0].ys)
    assert front[1].radius_px > front[0].radius_px  # more flexible


def test_flexibility_may_stand_upright(page: TradePage, qtbot: QtBot) -> None:
    button = page.controls.findChild(QPushButton, "what-if-up-axis-flexibility")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [one.y for one in page.chart.figure.marks if one.id in IDS] == [47.0, 80.0]
    assert isinstance(page.engine, Canned) and page.engine.n_asked == 1


def test_the_matrix_says_which_is_least_in_words_and_where_nothing_fits(page: TradePage) -> None:
    rows = page.regrets.rows
    texts = [[rows.text(row, column) for column in range(rows.columnCount())] for row in range(rows.rowCount())]
    assert [one[1:] for one in texts] == [
        ["200", "300", "2 of 2", "least 300", "least 250"],
        ["100", "–", "1 of 2", "100, 1 out", "100, 1 out"],
    ]
    words = str(least_words(REGRETS, NAMES))
    assert (
        words.startswith("256 × B200, Lambda fits in 2 of 2 states")
        and "$300\u202fk of regret at Speed of B200" in words
    )
    none = Regrets((None,), RegretMatrix((), np.zeros((0, 1)), (None,)))
    assert str(least_words(none, NAMES)).startswith("No option fits")
    assert page.least.text()


def test_regret_has_the_digits_of_the_strip_above() -> None:
    rows, matrix = RegretModel(), replace(MATRIX, ids=("b200-256",), regret_usd=np.array([[143_210.0, np.nan]]))
    rows.show(Regrets((None, (SPEED, 75.0)), matrix), {}, themes().theme)
    assert [rows.text(0, column) for column in (1, 4, 5)] == ["140", "least 140, 1 out", "least 140, 1 out"]


def test_a_row_selects_its_option_and_the_table_is_copied(page: TradePage, qtbot: QtBot) -> None:
    page.regrets.setCurrentIndex(page.regrets.rows.index(1, 0))
    qtbot.keyClick(page.regrets, Qt.Key.Key_Return)
    chosen = page.session.selected_id
    assert chosen == "tpu-v6e-512"
    qtbot.keyClick(page.regrets, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines()[0].startswith("Option\tThis plan")


def test_one_chip_alone_and_nothing_described_say_so(qtbot: QtBot) -> None:
    assert front_figure(Front((), (), *(np.zeros(0),) * 3), known(), "time").empty == ONE_ONLY
    session = sample_session(qtbot, empty_results())
    made = TradePage(session, themes())
    qtbot.addWidget(made)
    qtbot.addWidget(made.controls)  # the panel puts them into its head
    made.refresh()
    assert made.stack.currentWidget() is made.sentence and made.sentence.text()
    session.close()
