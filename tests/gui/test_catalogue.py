"""The Catalogue tab, driven as a person would: lists, search, sorting, details, chips side by side, wishes."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.catalogue.own import OwnEntries
from gui.panels.catalogue import CataloguePanel
from gui.session.plan_session import PlanSession
from gui.tables.catalogue_views import VIEWS, entries_of
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[PlanSession]:
    made = sample_session(qtbot, sample_results())
    yield made
    made.close()


@pytest.fixture
def panel(qtbot: QtBot, session: PlanSession) -> CataloguePanel:
    made = CataloguePanel(session, themes())
    qtbot.addWidget(made)
    made.resize(1100, 640)
    with qtbot.waitExposed(made):
        made.show()
    return made


def click_view(qtbot: QtBot, panel: CataloguePanel, view_id: str) -> None:
    number = [view.id for view in VIEWS].index(view_id)
    qtbot.mouseClick(panel.head.views.button(number), Qt.MouseButton.LeftButton)


def choose_rows(panel: CataloguePanel, *rows: int) -> None:
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in rows:
        panel.table.selectionModel().select(panel.table.entries.index(row, 0), flags)


def test_every_list_can_be_shown(qtbot: QtBot, panel: CataloguePanel, session: PlanSession) -> None:
    for view in VIEWS:
        click_view(qtbot, panel, view.id)
        assert panel.table.entries.rowCount() == len(entries_of(view, session.catalogue))
        assert panel.detail.text.toPlainText().count("Source") >= 1


def test_typing_in_the_search_narrows_the_list_and_esc_clears_it(qtbot: QtBot, panel: CataloguePanel) -> None:
    click_view(qtbot, panel, "offers")
    qtbot.keyClicks(panel.head.search, "p5.48xlarge aws")
    rows = panel.table.entries.rows
    assert rows
    assert {row.entry.instance for row in rows} == {"p5.48xlarge"}
    assert panel.head.count.text().startswith(f"{len(rows)} of ")
    panel.head.search.setFocus()
    qtbot.keyClick(panel.head.search, Qt.Key.Key_Escape)
    assert panel.head.search.text() == ""


def test_nothing_found_is_said_in_words(qtbot: QtBot, panel: CataloguePanel) -> None:
    qtbot.keyClicks(panel.head.search, "no such thing")
    assert panel.nothing.isVisible() and not panel.table.isVisible()


def test_a_click_on_a_header_sorts(qtbot: QtBot, panel: CataloguePanel) -> None:
    column = [c.key for c in panel.table.entries.columns].index("memory")
    header = panel.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    found = [row.entry.memory_gb for row in panel.table.entries.rows]
    assert found in (sorted(found), sorted(found, reverse=True)) and len(set(found)) > 5


def test_the_chosen_entry_is_written_out_with_source_history_and_age(qtbot: QtBot, panel: CataloguePanel) -> None:
    click_view(qtbot, panel, "offers")
    offer = next(row.entry for row in panel.table.entries.rows
                 if row.entry.instance == "p5.48xlarge" and row.entry.purchase_model == "on_demand")  # fmt: skip
    panel.table.select(offer)
    text = panel.detail.text.toPlainText()
    assert "98.32" in text and "until 4 Jun 2025" in text
    assert "Source" in text and "As of" in text and "still so" in text


def test_two_chips_side_by_side_and_back(qtbot: QtBot, panel: CataloguePanel) -> None:
    assert not panel.head.compare.isEnabled()
    choose_rows(panel, 0, 3)
    qtbot.mouseClick(panel.head.compare, Qt.MouseButton.LeftButton)
    assert panel.comparison.isVisible()
    text = panel.comparison.toPlainText()
    assert all(panel.table.entries.rows[row].entry.short_name in text for row in (0, 3))
    assert "Memory bandwidth" in text
    qtbot.mouseClick(panel.head.compare, Qt.MouseButton.LeftButton)
    assert panel.table.isVisible() and not panel.comparison.isVisible()


def test_ctrl_c_copies_what_is_listed(qtbot: QtBot, panel: CataloguePanel) -> None:
    click_view(qtbot, panel, "servers")
    QTest.keySequence(panel.table, QKeySequence(QKeySequence.StandardKey.Copy))
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[0] == "Chip" and len(lines) == panel.table.entries.rowCount() + 1


def test_an_own_entry_is_marked_can_be_corrected_and_removed(
    qtbot: QtBot, panel: CataloguePanel, session: PlanSession
) -> None:
    offer = session.catalogue.offers[0].model_copy(
        update={"usd_per_chip_hour": 2.0, "usd_per_host_hour": 2.0 * session.catalogue.offers[0].chips_per_host}
    )
    click_view(qtbot, panel, "offers")
    assert not panel.detail.remove.isVisible()
    session.replace_plan(session.plan.model_copy(update={"own": OwnEntries(offers=(offer,))}), "Correct an offer")
    mine = next(row for row in panel.table.entries.rows if row.entry.id == offer.id)
    assert "yours" in mine.marks
    panel.table.select(mine.entry)
    with qtbot.waitSignal(panel.own_entry_removed) as removed:
        qtbot.mouseClick(panel.detail.remove, Qt.MouseButton.LeftButton)
    assert removed.args == ["offers", offer.id]
    with qtbot.waitSignal(panel.own_entry_wanted) as wanted:
        qtbot.mouseClick(panel.detail.correct, Qt.MouseButton.LeftButton)
    assert wanted.args == ["offers", offer.id]


def test_ctrl_f_goes_to_the_search(qtbot: QtBot, panel: CataloguePanel) -> None:
    panel.activateWindow()
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert panel.head.search.hasFocus()


def test_entry_at_hand_stays_when_the_plan_changes(qtbot: QtBot, panel: CataloguePanel, session: PlanSession) -> None:
    panel.table.select(session.catalogue.accelerator_by_id["b200-sxm"])
    session.edit(session.path("name"), "Another name")
    assert panel.table.entry == session.catalogue.accelerator_by_id["b200-sxm"]
