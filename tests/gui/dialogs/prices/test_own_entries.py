"""Entries of one's own: typed in the form as a person would, kept in the plan or in the price book."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.plan.drafts.sellers import CITY
from core.plan.plan import Plan
from core.workload.library import load_profiles
from gui.dialogs.prices.entry_editor import EntryDialog
from gui.dialogs.prices.form_dialog import FormDialog
from gui.forms.choice_editors import ComboEditor
from gui.session.plan_session import PlanSession
from gui.tabs.compare.panel import ComparePanel
from gui.window.main_window import MainWindow
from tests.gui.conftest import WindowMaker


def write(dialog: FormDialog, path: str, text: str) -> None:
    """Types into a field as a person would: over what is there."""
    line: Any = dialog.form.rows[path].editor.target()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)


def choose(dialog: FormDialog, path: str, words: str) -> None:
    """Picks an entry of a combo box by its words."""
    editor = dialog.form.rows[path].editor
    assert isinstance(editor, ComboEditor)
    index = editor.combo.findText(words)
    assert index >= 0, f"{words!r} cannot be chosen"
    editor.combo.setCurrentIndex(index)
    editor.combo.activated.emit(index)


def click(button: Any) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def typed_offer(dialog: FormDialog, place: str = "Hong Kong") -> None:
    """A dedicated monthly server, field by field."""
    write(dialog, "provider", "Harbour Racks")
    choose(dialog, "place", place)
    choose(dialog, "purchase_model", "Monthly")
    write(dialog, "instance", "8x H100")
    choose(dialog, "accelerator_id", "NVIDIA H100 SXM5 80GB")
    write(dialog, "n_chips", "8")
    write(dialog, "amount_usd", "14600")
    write(dialog, "source", "Quote of 3 November")


@pytest.fixture
def dialog(window: MainWindow) -> EntryDialog:
    """The empty form for an offer."""
    made = window.prices.edit_entry("offers")
    assert made is not None
    return made


def test_what_is_missing_is_said_beside_the_field_and_nothing_is_taken(window: MainWindow, dialog: EntryDialog) -> None:
    click(dialog.take)
    assert dialog.isVisible()
    assert dialog.form.rows["provider"].message == "Still needed"
    assert dialog.form.rows["source"].message == "Still needed"
    assert dialog.message.text() == "Look at the fields marked above."
    assert not window.session.undo_stack.canUndo()


def test_a_text_that_is_no_number_stays_with_a_sentence(dialog: EntryDialog) -> None:
    write(dialog, "amount_usd", "cheap")
    assert "not a number" in dialog.form.rows["amount_usd"].message
    click(dialog.take)
    assert dialog.isVisible()
    write(dialog, "amount_usd", "20")
    assert "not a number" not in dialog.form.rows["amount_usd"].message


@pytest.mark.parametrize("place", ["Hong Kong", "Tokyo", "Los Angeles", "Osaka"])
def test_a_dedicated_monthly_server_appears_in_compare(
    qtbot: QtBot, open_window: WindowMaker, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = next(iter(load_profiles().values()))
    window = open_window(Plan(id="test", profiles=(profile,)))
    window.session.evaluations.evaluate = evaluate  # the real one: what is typed here must be judged for real
    dialog = window.prices.edit_entry("offers")
    assert dialog is not None
    typed_offer(dialog, place)
    assert "$2.50 a chip and hour" in dialog.form.rows["amount_usd"]._help.text()
    with qtbot.waitSignal(window.session.results_changed, timeout=30_000):
        click(dialog.take)
    [offer] = window.session.plan.own.offers
    assert offer.usd_per_chip_hour == pytest.approx(2.5)
    results = window.session.results
    assert results is not None
    ours = [one for one in results.results if one.candidate.offer.id == offer.id]
    assert ours, "the offer is no candidate"
    assert place in ours[0].candidate.place
    window.tabs.show_tab("compare")
    panel = window.tabs.panel("compare")
    assert isinstance(panel, ComparePanel)
    show_all, narrow = panel.findChild(QPushButton, "show-all"), panel.findChild(QLineEdit, "table-filter")
    assert isinstance(show_all, QPushButton)
    assert isinstance(narrow, QLineEdit)
    click(show_all)
    QTest.keyClicks(narrow, "Harbour")
    model = panel.table.candidates
    qtbot.waitUntil(lambda: model.rowCount() == len(ours))
    assert f"Harbour Racks {place}, monthly" in str(model.data(model.index(0, 0))) + str(model.data(model.index(0, 1)))
    window.session.undo_stack.undo()
    assert window.session.plan.own.offers == ()
    assert window.session.plan.own.hosts == ()


def test_an_entry_for_the_book_stays_out_of_the_plan(window: MainWindow, dialog: EntryDialog) -> None:
    typed_offer(dialog)
    click(dialog.places.button(1))
    assert "out of every file you share" in dialog._where_help.text()
    click(dialog.take)
    assert window.session.plan.own.offers == ()
    assert [offer.provider for offer in window.prices.keeper.book.entries.offers] == ["Harbour Racks"]
    assert any(offer.layer == "book" for offer in window.session.catalogue.offers)


def test_what_looks_odd_is_told_once_and_may_be_taken(window: MainWindow, dialog: EntryDialog) -> None:
    typed_offer(dialog)
    choose(dialog, "purchase_model", "On demand")
    choose(dialog, "per", "A chip, an hour")
    write(dialog, "amount_usd", "80")
    click(dialog.take)
    assert dialog.isVisible()
    assert "whole host" in dialog.message.text()
    assert dialog.take.text() == "Add anyway"
    click(dialog.take)
    assert not dialog.isVisible()
    assert len(window.session.plan.own.offers) == 1


def test_a_price_that_cannot_be_is_refused(dialog: EntryDialog) -> None:
    typed_offer(dialog)
    choose(dialog, "per", "A chip, an hour")
    click(dialog.take)
    assert dialog.isVisible()
    assert "at most 200" in dialog.form.rows["amount_usd"].message


def test_paying_by_the_month_asks_for_a_months_price(dialog: EntryDialog) -> None:
    choose(dialog, "purchase_model", "Monthly")
    assert dialog.form.value.per == "host_month"


def test_the_sellers_hosts_can_be_chosen(dialog: EntryDialog) -> None:
    assert "host" not in dialog.form.rows
    write(dialog, "provider", "Lambda")
    choose(dialog, "host", "gpu_8x_h100_sxm5")
    assert "n_chips" not in dialog.form.rows
    write(dialog, "provider", "Nobody")
    assert "host" not in dialog.form.rows
    assert "n_chips" in dialog.form.rows


def test_a_shipped_offer_is_corrected_and_comes_back(window: MainWindow) -> None:
    shipped = next(one for one in window.session.catalogue.offers if one.provider == "aws")
    dialog = window.prices.edit_entry("offers", shipped.id)
    assert dialog is not None
    assert dialog.windowTitle() == "Correct this offer"
    write(dialog, "amount_usd", f"{shipped.usd_per_host_hour * 0.9:.4f}")
    write(dialog, "source", "Invoice")
    click(dialog.take)
    if dialog.isVisible():
        click(dialog.take)
    found = next(one for one in window.session.catalogue.offers if one.id == shipped.id)
    assert found.layer == "plan"
    assert found.usd_per_host_hour == pytest.approx(shipped.usd_per_host_hour * 0.9, rel=1e-4)
    window.prices.remove_entry("offers", shipped.id)
    assert next(one for one in window.session.catalogue.offers if one.id == shipped.id) == shipped
    assert window.session.undo_stack.undoText() == "Remove offer"


def test_a_server_of_ones_own_becomes_an_owned_offer(window: MainWindow) -> None:
    dialog = window.prices.edit_entry("servers")
    assert dialog is not None
    write(dialog, "instance", "Old rack")
    choose(dialog, "accelerator_id", "NVIDIA A100 SXM4 80GB")
    write(dialog, "n_chips", "8")
    write(dialog, "power_kw", "6.5")
    write(dialog, "typical_usd", "60000")
    write(dialog, "source", "Books of 2025")
    click(dialog.take)
    assert not dialog.isVisible()
    assert any(one.instance == "Old rack" and one.purchase_model == "owned" for one in window.session.catalogue.offers)
    window.prices.remove_entry("servers", "Old rack")
    assert window.session.plan.own.servers == ()


def test_a_new_chip_and_a_new_host_of_it(window: MainWindow) -> None:
    chip = window.prices.edit_entry("accelerators")
    assert chip is not None
    choose(chip, "like", "NVIDIA H100 SXM5 80GB")
    for path, text in {
        "vendor": "NVIDIA", "name": "H150", "short_name": "H150", "bf16_tflops": "1400", "memory_gb": "120",
        "memory_bandwidth_gbps": "4000", "scaleup_gbps_one_way": "450", "scaleup_domain_chips": "8", "pcie_gbps": "64",
        "source": "Data sheet",
    }.items():  # fmt: skip
        write(chip, path, text)
    click(chip.take)
    assert not chip.isVisible()
    host = window.prices.edit_entry("hosts")
    assert host is not None
    write(host, "provider", "Harbour Racks")
    write(host, "instance", "8x H150")
    choose(host, "accelerator_id", "NVIDIA H150")
    write(host, "n_chips", "8")
    write(host, "source", "Data sheet")
    click(host.take)
    assert not host.isVisible()
    assert ("Harbour Racks", "8x H150") in window.session.catalogue.host_by_instance


def test_cancel_leaves_everything_as_it_was(window: MainWindow, dialog: EntryDialog) -> None:
    typed_offer(dialog)
    click(dialog.cancel)
    assert not window.session.undo_stack.canUndo()


def test_tables_that_cannot_be_typed_say_so(window: MainWindow) -> None:
    assert window.prices.edit_entry("slices", "v4-8") is None
    assert "cannot be changed here" in window.message.text.text()


def test_the_form_follows_the_theme(window: MainWindow, dialog: EntryDialog) -> None:
    window.themes.choose("dark")
    assert dialog.form.rows["provider"].isVisible()
    window.themes.choose("light")


def test_every_city_has_its_own_choice() -> None:
    session = PlanSession(Plan(id="test"), load_catalogue())
    from core.plan.drafts.sellers import place_choices

    names = list(place_choices(session.catalogue, "Nobody").values())
    assert len(names) == len(set(names))
    assert sum(key.startswith(CITY) for key in place_choices(session.catalogue, "Nobody")) > 40
    session.close()


def test_the_first_field_in_order_that_is_missing_comes_into_reach(window: MainWindow, dialog: EntryDialog) -> None:
    wanted: list[str] = []
    dialog.form.focus_on = wanted.append  # type: ignore[method-assign]
    click(dialog.take)
    assert wanted == ["provider"]
