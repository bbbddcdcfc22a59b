"""The Catalogue tab, driven as a person would: lists, search, sorting, details, chips side by side, wishes."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.catalogue.own.layers import OwnEntries
from core.plan.plan import Currency
from gui.session.plan_session import PlanSession
from gui.tables.catalogue.lists import VIEWS, entries_of
from gui.tabs.catalogue.panel import CataloguePanel
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
    panel.own_entry_wanted.connect(print)
    panel.own_entry_removed.connect(print)
    click_view(qtbot, panel, "offers")
    assert not panel.detail.remove.isVisible()
    session.replace_plan(session.plan.model_copy(update={"own": OwnEntries(offers=(offer,))}), "Correct an offer")
    mine = next(row for row in panel.table.entries.rows if row.entry.id == offer.id)
    assert "yours" in mine.marks
    panel.table.select(mine.entry)
    assert panel.detail.remove.isVisible() and panel.detail.correct.isVisible()
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


def test_buttons_that_nobody_answers_are_hidden(qtbot: QtBot, panel: CataloguePanel) -> None:
    shown = (panel.head.add, panel.head.load, panel.head.book, panel.detail.correct)
    assert not any(button.isVisible() for button in shown)
    panel.own_entry_wanted.connect(print)
    panel.import_wanted.connect(print)
    panel.book_wanted.connect(print)
    panel.refresh()
    assert all(button.isVisible() for button in shown)
    with qtbot.waitSignal(panel.own_entry_wanted) as wanted:
        qtbot.mouseClick(panel.head.add, Qt.MouseButton.LeftButton)
    assert wanted.args == ["accelerators", ""]
    with qtbot.waitSignals([panel.import_wanted, panel.book_wanted]):
        qtbot.mouseClick(panel.head.load, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(panel.head.book, Qt.MouseButton.LeftButton)
    click_view(qtbot, panel, "slices")
    assert not panel.head.add.isVisible() and not panel.detail.correct.isVisible()


def pick(panel: CataloguePanel, key: str, value: str) -> None:
    box = panel.head.picks[key]
    assert box.isVisible()
    box.setCurrentIndex(box.findData(value))


def test_pick_lists_narrow_by_region_way_to_pay_and_status(qtbot: QtBot, panel: CataloguePanel) -> None:
    pick(panel, "status", "announced")
    assert panel.table.entries.rows and all(row.entry.announced for row in panel.table.entries.rows)
    click_view(qtbot, panel, "offers")
    pick(panel, "region", "us-east5")
    pick(panel, "purchase_model", "spot")
    rows = panel.table.entries.rows
    assert {(row.entry.region, row.entry.purchase_model) for row in rows} == {("us-east5", "spot")}
    click_view(qtbot, panel, "chips")
    assert all(row.entry.announced for row in panel.table.entries.rows), "the list keeps what was picked"


def test_what_is_chosen_stays_chosen_while_searching(qtbot: QtBot, panel: CataloguePanel) -> None:
    panel.table.select(next(row.entry for row in panel.table.entries.rows if row.entry.id == "h100-sxm"))
    choose_rows(panel, [row.entry.id for row in panel.table.entries.rows].index("b200-sxm"))
    qtbot.keyClicks(panel.head.search, "nvidia")
    assert {chip.id for chip in panel.table.selected} == {"h100-sxm", "b200-sxm"}
    assert panel.head.compare.isEnabled()


def test_five_chips_are_too_many_to_compare(panel: CataloguePanel) -> None:
    choose_rows(panel, 0, 1, 2, 3)
    assert panel.head.compare.isEnabled()
    choose_rows(panel, 4)
    assert not panel.head.compare.isEnabled()


def test_esc_leaves_the_comparison(qtbot: QtBot, panel: CataloguePanel) -> None:
    choose_rows(panel, 0, 1)
    qtbot.mouseClick(panel.head.compare, Qt.MouseButton.LeftButton)
    panel.activateWindow()
    panel.comparison.setFocus()
    qtbot.keyClick(panel.comparison, Qt.Key.Key_Escape)
    assert panel.table.isVisible()


def test_tab_goes_from_the_search_over_the_pick_lists_to_table_and_text(qtbot: QtBot, panel: CataloguePanel) -> None:
    panel.activateWindow()
    panel.head.search.setFocus()
    passed = []
    for _ in range(6):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        passed.append(QApplication.focusWidget())
    head = panel.head
    expected = [
        head.picks["kind"],
        head.picks["vendor"],
        head.picks["status"],
        head.mark,
        panel.table,
        panel.detail.text,
    ]
    assert passed == expected


def test_arrow_keys_go_from_entry_to_entry(qtbot: QtBot, panel: CataloguePanel) -> None:
    before = panel.detail.text.toPlainText()
    qtbot.keyClick(panel.table, Qt.Key.Key_Down)
    assert panel.table.entry == panel.table.entries.rows[1].entry
    assert panel.detail.text.toPlainText() != before


def test_several_chosen_rows_are_copied_alone(qtbot: QtBot, panel: CataloguePanel) -> None:
    choose_rows(panel, 0, 2)
    QTest.keySequence(panel.table, QKeySequence(QKeySequence.StandardKey.Copy))
    lines = QGuiApplication.clipboard().text().splitlines()
    names = [panel.table.entries.rows[row].entry.short_name for row in (0, 2)]
    assert [line.split("\t")[0] for line in lines] == ["Chip", *names]


def test_links_lead_to_the_offer_and_to_the_list(qtbot: QtBot, panel: CataloguePanel) -> None:
    panel.table.select(next(row.entry for row in panel.table.entries.rows if row.entry.id == "h100-sxm"))
    qtbot.keyClicks(panel.head.search, "h100 sxm")
    links = re.findall(r'href="([^"]+)"', panel.detail.text.toHtml())
    offer_link = next(link for link in links if link.startswith("offers:"))
    panel.detail.text.anchorClicked.emit(QUrl(offer_link))
    assert panel.head.view.id == "offers" and f"offers:{panel.table.entry.id}" == offer_link
    panel.detail.text.anchorClicked.emit(QUrl("list:slices:TPU%20v5p"))
    assert panel.head.view.id == "slices" and panel.head.search.text() == "TPU v5p"
    assert {row.chip.id for row in panel.table.entries.rows} == {"tpu-v5p"}


def test_prices_follow_the_currency(qtbot: QtBot, panel: CataloguePanel, session: PlanSession) -> None:
    click_view(qtbot, panel, "offers")
    assert "$" in panel.table.entries.rows[0].texts[6]
    euro = session.plan.model_copy(update={"currency": Currency(code="EUR", per_usd=0.5, as_of="2026-11-20")})
    session.replace_plan(euro, "Currency")
    assert "€" in " ".join(panel.table.entries.rows[0].texts) and "$" not in " ".join(panel.table.entries.rows[0].texts)
    assert "USD)" in panel.detail.text.toPlainText()
    session.undo_stack.undo()
    assert "$" in panel.table.entries.rows[0].texts[6]


def test_a_list_takes_the_place_of_segments_where_it_is_narrow(qtbot: QtBot, panel: CataloguePanel) -> None:
    assert panel.head.views.button(0).isVisible() and not panel.head.view_list.isVisible()
    panel.resize(700, 500)
    assert not panel.head.views.button(0).isVisible() and panel.head.view_list.isVisible()
    panel.head.view_list.setCurrentIndex(2)
    panel.head.view_list.activated.emit(2)
    assert panel.head.view.id == VIEWS[2].id
    panel.head.show_view("offers")
    shown = [c.key for n, c in enumerate(panel.table.entries.columns) if not panel.table.isColumnHidden(n)]
    assert {"chip", "provider", "chip_price", "host_price", "marks"} <= set(shown) and "host" not in shown


def test_names_and_pick_lists_of_a_narrow_window_are_whole(qtbot: QtBot, panel: CataloguePanel) -> None:
    """At 960 × 600 chips were "V…" and "A…", and lists "All kinc"."""
    panel.resize(690, 418)
    qtbot.waitUntil(lambda: panel.head.compare.y() < panel.head.search.y())
    for key in panel.head.view.picks:
        assert panel.head.picks[key].shown == panel.head.picks[key].currentText()
    assert panel.table.columnWidth(0) >= panel.table.entries.columns[0].width_px
    panel.resize(1300, 640)
    qtbot.waitUntil(lambda: panel.head.compare.y() == panel.head.search.y())


def test_a_list_that_needs_more_than_there_is_scrolls_sideways(qtbot: QtBot, panel: CataloguePanel) -> None:
    panel.resize(771, 418)
    panel.head.show_view("servers")
    bar = panel.table.horizontalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert panel.table.columnWidth(0) >= panel.table.entries.columns[0].width_px
    panel.resize(1300, 640)
    qtbot.waitUntil(lambda: bar.maximum() == 0)
