"""The price book's dialog: rows added, changed, removed, taken over as a whole or not at all; the PDF asks before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.catalogue.own.book_file import book_path, load_book, save_book
from core.catalogue.own.layers import Discount, PriceBook
from core.errors import MachineError
from gui.dialogs.prices.book import BookDialog
from gui.window.main_window import MainWindow
from tests.gui.dialogs.prices.test_own_entries import choose, typed_offer, write
from tests.gui.person import answer, press

BOOK = PriceBook(discounts=(Discount(provider="coreweave", percent=20, source="Contract", as_of="2026-10-01"),))


def click(button: Any) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def dialog(window: MainWindow) -> BookDialog:
    """The empty book."""
    return window.prices.show_book()


def add_discount(dialog: BookDialog, percent: str = "12.5") -> None:
    click(dialog.add_button)
    editor = dialog.editor
    assert editor is not None
    choose(editor, "provider", "CoreWeave")
    choose(editor, "purchase_model", "On demand")
    write(editor, "percent", percent)
    write(editor, "source", "Contract 7")
    click(editor.take)


def cells(dialog: BookDialog) -> list[tuple[str, ...]]:
    return [row.cells for row in dialog.table.rows.rows]


def test_an_empty_book_says_what_belongs_there(dialog: BookDialog) -> None:
    assert dialog.empty.isVisible()
    assert "share off the list prices" in dialog.empty.text()
    assert not dialog.table.isVisible()
    assert not dialog.export_button.isEnabled()


def test_a_discount_lowers_the_prices_it_is_for_once_saved(window: MainWindow, dialog: BookDialog) -> None:
    def price() -> float:
        return next(
            one.usd_per_chip_hour
            for one in window.session.catalogue.offers
            if (one.provider, one.purchase_model) == ("coreweave", "on_demand")
        )

    before = price()
    add_discount(dialog)
    assert cells(dialog)[0][:4] == ("CoreWeave", "On demand", "All", "12.5 %")
    assert dialog.pages.button(0).text() == "Discounts 1"
    assert price() == before, "nothing changes before Save"
    click(dialog.save)
    assert price() == pytest.approx(0.875 * before)
    assert load_book(book_path()).discounts[0].source == "Contract 7"
    window.session.undo_stack.undo()
    assert price() == before


def test_a_discount_that_touches_no_price_is_doubted(dialog: BookDialog) -> None:
    click(dialog.add_button)
    editor = dialog.editor
    assert editor is not None
    choose(editor, "provider", "Lambda")
    choose(editor, "purchase_model", "3-year")
    write(editor, "percent", "10")
    write(editor, "source", "x")
    click(editor.take)
    assert editor.isVisible()
    assert "No price of the catalogue" in editor.message.text()


def test_a_share_of_a_hundred_is_refused_beside_the_field(dialog: BookDialog) -> None:
    click(dialog.add_button)
    editor = dialog.editor
    assert editor is not None
    write(editor, "percent", "100")
    assert "below 100" in editor.form.rows["percent"].message


def test_rows_are_changed_and_removed(dialog: BookDialog) -> None:
    add_discount(dialog)
    assert not dialog.change_button.isEnabled()
    dialog.table.selectRow(0)
    assert dialog.change_button.isEnabled()
    click(dialog.change_button)
    editor = dialog.editor
    assert editor is not None
    write(editor, "percent", "30")
    click(editor.take)
    assert cells(dialog)[0][3] == "30 %"
    dialog.table.selectRow(0)
    click(dialog.remove_button)
    assert cells(dialog) == []


def test_a_negotiated_price_brings_its_host(window: MainWindow, dialog: BookDialog) -> None:
    click(dialog.pages.button(1))
    click(dialog.add_button)
    editor = dialog.editor
    assert editor is not None
    typed_offer(editor)
    click(editor.take)
    assert cells(dialog)[0][:5] == ("Harbour Racks", "Hong Kong", "8x H100", "Monthly", "$2.50")
    assert dialog.pages.button(3).text() == "Hosts 1"
    click(dialog.save)
    assert window.session.plan.own.offers == ()
    assert any(one.provider == "Harbour Racks" and one.layer == "book" for one in window.session.catalogue.offers)


def test_a_price_can_be_changed_to_another_place_without_leaving_the_old_one(dialog: BookDialog) -> None:
    click(dialog.pages.button(1))
    click(dialog.add_button)
    assert dialog.editor is not None
    typed_offer(dialog.editor)
    click(dialog.editor.take)
    dialog.table.selectRow(0)
    click(dialog.change_button)
    editor = dialog.editor
    choose(editor, "place", "Tokyo")
    write(editor, "source", "Quote of 5 November")
    click(editor.take)
    if editor.isVisible():
        click(editor.take)
    assert [row[1] for row in cells(dialog)] == ["Tokyo"]


def test_cancel_forgets_everything(window: MainWindow, dialog: BookDialog) -> None:
    add_discount(dialog)
    click(dialog.cancel)
    assert window.prices.keeper.is_empty
    assert not book_path().exists()


def test_the_plan_decides_whether_it_uses_and_masks(window: MainWindow, dialog: BookDialog) -> None:
    add_discount(dialog)
    click(dialog.uses)
    click(dialog.masks)
    click(dialog.save)
    plan = window.session.plan
    assert (plan.uses_price_book, plan.masks_private_prices) == (False, True)
    assert all(offer.layer != "book" for offer in window.session.catalogue.offers)
    window.session.undo_stack.undo()
    assert window.session.plan.uses_price_book


def test_a_book_is_exported_and_imported(window: MainWindow, dialog: BookDialog, tmp_path: Path) -> None:
    add_discount(dialog)
    dialog.write_file(tmp_path / "ours")
    assert load_book(tmp_path / "ours.json").discounts == dialog.book.discounts
    assert "sees your prices" in dialog.message.text()
    save_book(BOOK, tmp_path / "theirs.json")
    dialog.take_file(tmp_path / "theirs.json")
    assert dialog.book == BOOK
    assert window.prices.keeper.is_empty, "only Save makes it the book"


def test_a_book_is_not_exported_over_a_plan(window: MainWindow, dialog: BookDialog, tmp_path: Path) -> None:
    plan = tmp_path / "ours.json"
    window.files.save_as(plan)
    before = plan.read_bytes()
    dialog.write_file(plan)
    assert "Not exported" in dialog.message.text() and "a plan lies there" in dialog.message.text()
    assert plan.read_bytes() == before


def test_a_file_that_is_no_book_changes_nothing(dialog: BookDialog, tmp_path: Path) -> None:
    add_discount(dialog)
    kept = dialog.book
    (tmp_path / "else.json").write_text('{"kind": "something else"}', encoding="utf-8")
    dialog.take_file(tmp_path / "else.json")
    assert dialog.book == kept
    assert "another kind" in dialog.message.text()


def test_a_disk_that_refuses_keeps_the_dialog_and_its_rows(
    window: MainWindow, dialog: BookDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_discount(dialog)

    def refuse(*_: object) -> None:
        raise MachineError("save the book", "the disk is full")

    monkeypatch.setattr("gui.session.price_book.save_book", refuse)
    click(dialog.save)
    assert dialog.isVisible()
    assert "the disk is full" in dialog.message.text()
    assert len(cells(dialog)) == 1


def test_an_entry_of_the_book_is_corrected_and_removed_from_outside(window: MainWindow, dialog: BookDialog) -> None:
    click(dialog.pages.button(1))
    click(dialog.add_button)
    assert dialog.editor is not None
    typed_offer(dialog.editor)
    click(dialog.editor.take)
    click(dialog.save)
    [offer] = window.prices.keeper.book.entries.offers
    editor = window.prices.edit_entry("offers", offer.id)
    assert editor is not None
    assert editor.where == "book", "it stays where it is"
    editor.reject()
    window.prices.remove_entry("offers", offer.id)
    assert window.prices.keeper.book.entries.offers == ()


@pytest.mark.parametrize(
    ("words", "n_kept", "stays"), [("Save", 1, False), ("Don't save", 0, False), ("Cancel", 0, True)]
)
def test_leaving_with_changes_asks(
    window: MainWindow, dialog: BookDialog, words: str, n_kept: int, stays: bool
) -> None:
    add_discount(dialog)
    answer(press(words))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible() == stays
    assert len(window.prices.keeper.book.discounts) == n_kept
    if stays:
        click(dialog.cancel)


def test_leaving_without_changes_asks_nothing(dialog: BookDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
