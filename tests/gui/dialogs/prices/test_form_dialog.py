"""Dialogs around forms grow with what they say: no field is squashed by a sentence below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.drafts.kinds import KINDS
from gui.dialogs.prices.entry_editor import discount_dialog, entry_dialog
from gui.dialogs.prices.form_dialog import FormDialog
from gui.forms.field_row import FieldRow
from gui.forms.line_edit import UnitLineEdit
from tests.gui.sample_session import themes

LONG = "Expected a number from 0 to 100, and not the price per hour that the provider's list shows beside it"


def settle() -> None:
    """A sentence makes its row grow, the row its form, the form what scrolls it: a turn of the event loop each."""
    for _ in range(4):
        QApplication.processEvents()


def squashed(dialog: FormDialog) -> list[str]:
    """Fields whose editor or sentence has less height than it asks for."""
    rows = dialog.form.rows.items()
    return [path for path, row in rows if any(one.height() < wanted(one) for one in parts(path, row))]


def parts(path: str, row: FieldRow) -> list[QWidget]:
    message = row.findChild(QWidget, f"message-{path}")
    assert message is not None
    return [row.editor, row.editor.target(), *([message] if message.isVisible() else [])]


def wanted(widget: QWidget) -> int:
    return widget.heightForWidth(widget.width()) if widget.hasHeightForWidth() else widget.sizeHint().height()


@pytest.fixture(params=["discount", *KINDS])
def dialog(qtbot: QtBot, request: pytest.FixtureRequest) -> Iterator[FormDialog]:
    owner = QWidget()
    qtbot.addWidget(owner)
    catalogue = load_catalogue()
    kind = request.param
    made = (
        discount_dialog(None, catalogue, themes(), owner)
        if kind == "discount"
        else entry_dialog(kind, catalogue, themes(), owner)
    )
    made.show()
    qtbot.waitExposed(made)
    yield made


def test_no_field_is_squashed_however_many_sentences_stand_in_the_form(dialog: FormDialog) -> None:
    settle()
    assert squashed(dialog) == []
    dialog.accept()
    settle()
    assert squashed(dialog) == []
    said: dict[str, str] = {}
    for path in dialog.form.rows:
        said[path] = LONG
        dialog.form.show_errors(said)
        settle()
        assert squashed(dialog) == [], path


@pytest.mark.parametrize("dialog", ["discount"], indirect=True)
def test_a_discount_out_of_bounds_keeps_its_field_whole(dialog: FormDialog) -> None:
    line = cast(QLineEdit, dialog.form.rows["percent"].editor.target())
    line.setFocus()
    QTest.keyClicks(line, "150")
    dialog.accept()
    settle()
    assert dialog.form.rows["percent"].message
    assert squashed(dialog) == []


def test_a_name_that_no_form_takes_opens_the_form_with_a_sentence_at_it(qtbot: QtBot) -> None:
    """As a price list or a file of somebody else brings it."""
    owner = QWidget()
    qtbot.addWidget(owner)
    catalogue = load_catalogue()
    chip = catalogue.accelerators[0].model_copy(update={"short_name": "Accelerator of Harbour 9000", "layer": "plan"})
    dialog = entry_dialog("accelerators", catalogue, themes(), owner, chip)
    row = dialog.form.rows["short_name"]
    line = cast(QLineEdit, row.editor.target())
    assert (line.text(), row.message) == (chip.short_name, "Expected text, at most 20 characters")
    line.selectAll()
    QTest.keyClicks(line, "Harbour 9000")
    assert (dialog.form.value.short_name, row.message, dict(dialog.form.refused)) == ("Harbour 9000", "", {})


def typed(qtbot: QtBot, dialog: FormDialog, path: str, text: str) -> UnitLineEdit:
    line = dialog.form.rows[path].editor.target()
    assert isinstance(line, UnitLineEdit)
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Tab)
    return line


@pytest.mark.parametrize("dialog", ["offers"], indirect=True)
def test_a_figure_that_is_refused_does_not_lend_its_trillions_to_the_next(qtbot: QtBot, dialog: FormDialog) -> None:
    """1e12 chips became "1 trillion chips", and the 64 typed over it 64 trillion, refused again."""
    line = typed(qtbot, dialog, "attested_chips", "1e12")
    assert dialog.form.refused["attested_chips"] and line.text() == "1e12"
    typed(qtbot, dialog, "attested_chips", "64")
    assert "attested_chips" not in dialog.form.refused and dialog.form.value.attested_chips == 64


@pytest.mark.parametrize("dialog", ["offers"], indirect=True)
def test_a_price_that_is_refused_is_worked_out_no_further_and_is_needed(qtbot: QtBot, dialog: FormDialog) -> None:
    """The help still told an hour of the price before; and "or nothing" of a price without which nothing is taken."""
    typed(qtbot, dialog, "n_chips", "8")
    typed(qtbot, dialog, "amount_usd", "8")
    row = dialog.form.rows["amount_usd"]
    assert any("a chip and hour" in words for words in labels(row))
    typed(qtbot, dialog, "amount_usd", "-5")
    assert row.info.help in labels(row) and not any("a chip and hour" in words for words in labels(row))
    assert "nothing" not in dialog.form.refused["amount_usd"] and "nothing" in row_expected(dialog, "attested_chips")


def row_expected(dialog: FormDialog, path: str) -> str:
    return dialog.form.rows[path].info.expected


def labels(row: FieldRow) -> list[str]:
    return [label.text() for label in row.findChildren(QLabel)]
