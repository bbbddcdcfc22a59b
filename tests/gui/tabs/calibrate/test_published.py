"""Published rows in the Calibrate tab: chosen chip, quantity, table and chart, chips without rows."""

from collections.abc import Iterator
from functools import cache

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.sample_plan import sample_plan
from gui.session.plan_session import PlanSession
from gui.tabs.calibrate import published
from gui.tabs.calibrate.panel import PUBLISHED, CalibratePanel
from gui.tabs.calibrate.published import CalibratePublished, n_rows, read_published
from gui.theme.manager import ThemeManager


@pytest.fixture(scope="module", autouse=True)
def predicted_once() -> Iterator[None]:
    """The rows of a chip are predicted for the first test that asks."""
    known = cache(lambda chip_id: read_published(chip_id, load_catalogue()))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(published, "read_published", lambda chip_id, _: known(chip_id))
        yield


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> Iterator[CalibratePublished]:
    session = PlanSession(sample_plan(), load_catalogue())
    made = CalibratePanel(session, ThemeManager(qapp, "light"))
    qtbot.addWidget(made)
    made.resize(1092, 640)
    made.show()
    with qtbot.waitSignal(made.published.shown, timeout=20_000):
        tab = made.kinds.tabRect(PUBLISHED)
        qtbot.mouseClick(made.kinds, Qt.MouseButton.LeftButton, pos=tab.center())
    yield made.published
    made.close_panel()
    session.close()


def text(panel: CalibratePublished, name: str) -> str:
    found = panel.findChild(QLabel, name)
    assert isinstance(found, QLabel)
    return found.text()


def choose(qtbot: QtBot, panel: CalibratePublished, chip_id: str) -> None:
    with qtbot.waitSignal(panel.shown, timeout=20_000):
        panel.chip.setCurrentIndex(panel.chip.findData(chip_id))


def test_rows_of_the_chip_stand_in_chart_and_table(panel: CalibratePublished) -> None:
    assert panel.chip.currentData() == "h100-sxm"
    assert panel.quantity.currentText().startswith("Training, ")
    n = len(panel.table.rows.entries)
    assert n > 50 and len(panel.chart.figure.marks) == n
    assert text(panel, "published-error").startswith(f"{n} published values of H100 SXM: half are predicted within ")
    assert "had not seen" in text(panel, "published-note")


def test_another_quantity_has_other_rows(panel: CalibratePublished) -> None:
    panel.quantity.setCurrentIndex(panel.quantity.findData("tpot_ms"))
    assert panel.chart.figure.x.title == "Measured each next token, ms"
    assert {entry.scored.metric for entry in panel.table.rows.entries} == {"tpot_ms"}


def test_a_chip_is_predicted_once(qtbot: QtBot, panel: CalibratePublished) -> None:
    choose(qtbot, panel, "tpu-v5p")
    assert "TPU v5p" in text(panel, "published-error")
    with qtbot.assertNotEmitted(panel.shown, wait=50):
        panel.chip.setCurrentIndex(panel.chip.findData("h100-sxm"))
    assert "H100 SXM" in text(panel, "published-error")


def test_row_and_mark_follow_each_other(panel: CalibratePublished) -> None:
    last = panel.chart.figure.marks[-1].id
    panel.chart.picked.emit(last)
    row = panel.table.currentIndex().row()
    assert panel.table.rows.entries[row].scored.id == last
    assert [mark.id for mark in panel.chart.figure.marks if not mark.hollow] == [last]


def test_the_header_sorts(panel: CalibratePublished) -> None:
    column = 2
    panel.table.sortByColumn(column, Qt.SortOrder.DescendingOrder)
    measured = [entry.scored.measured for entry in panel.table.rows.entries]
    assert measured == sorted(measured, reverse=True)


def test_a_chip_without_rows_says_what_it_rests_on(qtbot: QtBot, panel: CalibratePublished) -> None:
    without = next(c for c in load_catalogue().accelerators if not n_rows(c.id))
    choose(qtbot, panel, without.id)
    assert panel.chart.figure.empty and not panel.table.isVisible()
    assert "data sheet" in text(panel, "published-note")
