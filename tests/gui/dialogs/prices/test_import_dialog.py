"""Importing a price list as a person does: look, ask, leave out, take; nothing changes before that."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.catalogue.own.book_file import book_path, load_book
from core.errors import MachineError
from gui.dialogs.prices.import_dialog import ImportPricesDialog
from gui.window.incoming_files import is_list_of_prices
from gui.window.main_window import MainWindow
from tests.gui.price_files import lambda_list, not_a_list, offers_table, zip_of_two


def click(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> ImportPricesDialog:
    """The dialog with a list of Lambda's prices."""
    return look(qtbot, window, lambda_list(tmp_path))


def look(qtbot: QtBot, window: MainWindow, path: Path) -> ImportPricesDialog:
    dialog = window.prices.import_prices()
    with qtbot.waitSignal(dialog.previewed, timeout=20_000):
        dialog.take_file(path)
    return dialog


def listed(dialog: ImportPricesDialog) -> list[tuple[str, ...]]:
    return [row.cells for row in dialog.page.table.rows.rows]


def test_the_file_is_recognised_and_the_seller_guessed(opened: ImportPricesDialog) -> None:
    page = opened.page
    assert page.file.text() == "lambda.csv"
    assert page.kind.text() == "SkyPilot, 4 rows"
    assert page.ask.providers.currentText() == "Lambda"
    assert "is that the day of the prices?" in page.ask.day_help.text()
    assert "2 rows skipped" in page.message.text()


def test_rows_that_give_nothing_are_told_by_reason_with_their_numbers(opened: ImportPricesDialog) -> None:
    click(opened.page.groups.button(5))
    reasons = {row[0]: (row[1], row[2]) for row in listed(opened)}
    assert reasons["No accelerator"] == ("1", "4")
    assert ("1", "5") in reasons.values()


def test_taking_it_is_one_undo_step_of_the_plan(window: MainWindow, opened: ImportPricesDialog) -> None:
    before = window.session.plan
    assert opened.page.take.text() == "Take 2 prices"
    click(opened.page.take)
    assert not opened.isVisible()
    assert {offer.provider for offer in window.session.plan.own.offers} == {"lambda"}
    assert window.session.undo_stack.undoText() == "Import prices from lambda.csv"
    assert "2 prices of lambda.csv taken into this plan." in window.message.text.text()
    window.session.undo_stack.undo()
    assert window.session.plan == before


def test_changed_prices_show_old_new_and_percent(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    first = look(qtbot, window, lambda_list(tmp_path, h100=30.0))
    click(first.page.take)
    dialog = look(qtbot, window, lambda_list(tmp_path, h100=36.0))
    dialog.page.show_group("changed")
    [row] = listed(dialog)
    assert row[2:5] == ("$3.75", "$4.50", "+20 %")
    dialog.page.show_group("same")
    assert len(listed(dialog)) == 1


def test_a_price_to_look_at_can_be_left_out(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = look(qtbot, window, lambda_list(tmp_path, gh200=0.29))
    dialog.page.show_group("flagged")
    model = dialog.page.table.rows
    cheap = next(n for n, row in enumerate(model.rows) if "GH200" in row.cells[0])
    assert model.rows[cheap].cells[-1], "the reason stands beside it"
    before = dialog.page.take.text()
    index = model.index(cheap, 0)
    assert model.setData(index, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert dialog.page.take.text() != before
    click(dialog.page.take)
    assert all("gh200" not in offer.accelerator_id for offer in window.session.plan.own.offers)
    assert len(window.session.plan.own.offers) == 1


def test_a_price_older_than_the_one_in_use_is_left_out_until_it_is_ticked(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    click(look(qtbot, window, lambda_list(tmp_path, h100=30.0)).page.take)
    before = window.session.plan
    dialog = look(qtbot, window, lambda_list(tmp_path, h100=36.0))
    dialog.page.ask.day_line.setText("2024-05-01")
    with qtbot.waitSignal(dialog.previewed, timeout=20_000):
        dialog.page.ask.day_line.editingFinished.emit()
    [row] = listed(dialog)
    assert row[2:5] == ("$3.75", "$4.50", "+20 %") and "Of 1 May 2024, older than the price in use" in row[5]
    assert "1 price older than those in use" in dialog.page.message.text()
    assert dialog.page.take.text() == "Take prices" and not dialog.page.take.isEnabled()
    model = dialog.page.table.rows
    assert model.setData(model.index(0, 0), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    click(dialog.page.take)
    assert window.session.plan != before
    assert 4.5 in [offer.usd_per_chip_hour for offer in window.session.plan.own.offers]


def test_prices_for_the_book_stay_out_of_the_plan(window: MainWindow, opened: ImportPricesDialog) -> None:
    click(opened.page.ask.places.button(1))
    assert "out of the files you share" in opened.page.ask.where_help.text()
    click(opened.page.take)
    assert window.session.plan.own.offers == ()
    assert len(load_book(book_path()).entries.offers) == 2
    assert any(offer.layer == "book" for offer in window.session.catalogue.offers)


def test_a_book_that_cannot_be_saved_loses_nothing(
    window: MainWindow, opened: ImportPricesDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise MachineError("save the book", "the disk is full")

    monkeypatch.setattr("gui.session.price_book.save_book", refuse)
    click(opened.page.ask.places.button(1))
    click(opened.page.take)
    assert opened.isVisible()
    assert "Nothing was taken over" in opened.page.message.text()
    assert "the disk is full" in opened.page.message.text()
    assert window.prices.keeper.is_empty


def test_another_seller_makes_the_preview_anew(qtbot: QtBot, window: MainWindow, opened: ImportPricesDialog) -> None:
    combo = opened.page.ask.providers
    with qtbot.waitSignal(opened.previewed, timeout=20_000):
        combo.setCurrentIndex(combo.findText("Hyperstack"))
        combo.activated.emit(combo.currentIndex())
    click(opened.page.take)
    assert {offer.provider for offer in window.session.plan.own.offers} == {"hyperstack"}


def test_the_day_is_asked_and_may_be_unknown(qtbot: QtBot, window: MainWindow, opened: ImportPricesDialog) -> None:
    with qtbot.waitSignal(opened.previewed, timeout=20_000):
        opened.page.ask.is_unknown.click()
    assert not opened.page.ask.day_line.isEnabled()
    click(opened.page.take)
    assert {offer.as_of for offer in window.session.plan.own.offers} == {"undated"}


def test_a_seller_that_is_not_known_can_be_typed(qtbot: QtBot, window: MainWindow, opened: ImportPricesDialog) -> None:
    line = opened.page.ask.providers.lineEdit()
    assert line is not None
    line.selectAll()
    QTest.keyClicks(line, "Harbour Racks")
    with qtbot.waitSignal(opened.previewed, timeout=20_000):
        line.editingFinished.emit()
    click(opened.page.take)
    assert {offer.provider for offer in window.session.plan.own.offers} == {"harbour-racks"}


def test_a_list_of_nobody_knows_whom_asks_first(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "v9"
    folder.mkdir()
    path = lambda_list(tmp_path).rename(folder / "2026.csv")
    dialog = window.prices.import_prices()
    dialog.take_file(path)
    qtbot.waitUntil(lambda: dialog.found is not None, timeout=20_000)
    if not dialog.page.ask.providers.currentText():
        assert "Whose prices are these?" in dialog.page.message.text()
        assert not dialog.page.take.isEnabled()
    combo = dialog.page.ask.providers
    with qtbot.waitSignal(dialog.previewed, timeout=20_000):
        combo.setCurrentIndex(combo.findText("Verda"))
        combo.activated.emit(combo.currentIndex())
    assert dialog.page.take.isEnabled()
    dialog.reject()


@pytest.mark.parametrize("words", ["1 Nov 2026", "1.11.2026", "2026-11-01"])
def test_a_day_is_typed_as_people_do(opened: ImportPricesDialog, words: str) -> None:
    opened.page.ask.day_line.setText(words)
    assert opened.page.ask.day == "2026-11-01"


def test_a_day_that_is_none_is_said_and_nothing_can_be_taken(opened: ImportPricesDialog) -> None:
    opened.page.ask.day_line.setText("last week")
    opened.read_again()
    assert "last week" in opened.page.message.text()
    assert not opened.page.take.isEnabled()


def test_a_typed_day_dates_the_prices(qtbot: QtBot, window: MainWindow, opened: ImportPricesDialog) -> None:
    line = opened.page.ask.day_line
    line.selectAll()
    QTest.keyClicks(line, "2026-11-01")
    with qtbot.waitSignal(opened.previewed, timeout=20_000):
        line.editingFinished.emit()
    click(opened.page.take)
    assert {offer.as_of for offer in window.session.plan.own.offers} == {"2026-11-01"}


def test_what_is_no_longer_listed_is_shown_only_when_asked(
    qtbot: QtBot, window: MainWindow, opened: ImportPricesDialog
) -> None:
    assert opened.seen is not None
    assert opened.seen.count("removed") == 0
    with qtbot.waitSignal(opened.previewed, timeout=20_000):
        opened.page.shows_removed.click()
    opened.page.show_group("removed")
    assert {row[-1] for row in listed(opened)} == {"Shipped with the program; it stays"}


def test_a_zip_has_a_table_for_each_seller(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = look(qtbot, window, zip_of_two(tmp_path))
    ask = dialog.page.ask
    assert dialog.page.kind.text() == "SkyPilot, 2 tables, 8 rows"
    assert [ask.sources.itemText(n) for n in range(ask.sources.count())] == [
        "All of them",
        "lambda/vms.csv (4 rows)",
        "verda/vms.csv (4 rows)",
    ]
    with qtbot.waitSignal(dialog.previewed, timeout=20_000):
        ask.sources.setCurrentIndex(2)
        ask.sources.activated.emit(2)
    click(dialog.page.take)
    assert {offer.provider for offer in window.session.plan.own.offers} == {"verda"}


def test_the_programs_own_table_asks_for_nothing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = look(qtbot, window, offers_table(tmp_path))
    assert dialog.page.kind.text() == "Roofplan offers table, 1 row"
    assert not dialog.page.ask.providers.isVisible()
    click(dialog.page.take)
    [offer] = window.session.plan.own.offers
    assert (offer.as_of, offer.usd_per_chip_hour) == ("2026-11-30", 5.0)


def test_a_file_that_is_no_list_is_told_in_the_dialog(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = window.prices.import_prices(not_a_list(tmp_path))
    qtbot.waitUntil(lambda: "Expected" in dialog.page.message.text(), timeout=20_000)
    assert "columns a, b" in dialog.page.message.text()
    assert not dialog.page.take.isEnabled()
    assert not window.session.undo_stack.canUndo()
    with qtbot.waitSignal(dialog.previewed, timeout=20_000):
        dialog.take_file(lambda_list(tmp_path))
    assert dialog.page.take.isEnabled(), "a better file can be chosen at once"


def test_cancel_changes_nothing(window: MainWindow, opened: ImportPricesDialog) -> None:
    click(opened.page.cancel)
    assert not window.session.undo_stack.canUndo()


def test_a_dialog_closed_while_it_reads_ends_in_peace(window: MainWindow, tmp_path: Path) -> None:
    dialog = window.prices.import_prices(lambda_list(tmp_path))
    dialog.reject()
    assert not window.session.undo_stack.canUndo()


def test_price_lists_are_told_from_logs_by_their_header(tmp_path: Path) -> None:
    log = tmp_path / "run.csv"
    log.write_text("step,loss\n1,2.0\n", encoding="utf-8")
    assert is_list_of_prices(lambda_list(tmp_path))
    assert is_list_of_prices(offers_table(tmp_path))
    assert is_list_of_prices(zip_of_two(tmp_path))
    assert not is_list_of_prices(log)
    assert not is_list_of_prices(tmp_path / "missing.csv")


def test_a_dropped_price_list_opens_the_preview(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(lambda_list(tmp_path)))])
    spot, buttons, keys = QPointF(QPoint(5, 5)), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(spot, Qt.DropAction.CopyAction, data, buttons, keys))
    qtbot.waitUntil(lambda: isinstance(window.prices.dialog, ImportPricesDialog), timeout=5_000)
    dialog = window.prices.dialog
    assert isinstance(dialog, ImportPricesDialog)
    qtbot.waitUntil(lambda: dialog.seen is not None, timeout=20_000)
    dialog.reject()


def test_dock_and_commands_lead_here(window: MainWindow) -> None:
    for start in (
        lambda: window.commands["import-prices"].handler(),
        window.project.prices_wanted.emit,
        window.project.book_wanted.emit,
    ):
        window.prices.dialog = None
        start()
        assert window.prices.dialog is not None
        window.prices.dialog.reject()


def test_reading_can_be_stopped_from_the_jobs(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = window.prices.import_prices()
    road = window.session.road
    dialog.take_file(lambda_list(tmp_path))
    [work] = [one for one in road.listed if one.title.startswith("Reading")]
    road.give_up(work.number)
    assert dialog.page.message.text() == "Reading was stopped. Nothing was changed."
    assert not dialog.page.take.isEnabled()


def test_the_bar_shows_how_much_is_read(window: MainWindow) -> None:
    page = window.prices.import_prices().page
    page.show_busy("Reading")
    assert page.bar.maximum() == 0
    page.show_share(0.4)
    assert (page.bar.value(), page.bar.maximum()) == (40, 100)


def test_what_one_file_asked_goes_with_another_that_cannot_be_read(
    qtbot: QtBot, window: MainWindow, opened: ImportPricesDialog, tmp_path: Path
) -> None:
    """The name and the seller of the first stood above the trouble of the second."""
    (tmp_path / "words.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    opened.take_file(tmp_path / "words.csv")
    qtbot.waitUntil(lambda: "found the columns a, b" in opened.page.message.text(), timeout=20_000)
    assert "or a table of offers" in opened.page.message.text()
    assert (opened.page.file.text(), opened.page.kind.text()) == ("words.csv", "")
    assert not opened.page.ask.isVisible() and not opened.page.take.isEnabled()
