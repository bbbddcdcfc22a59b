"""Dialogs around forms grow with what they say: no field is squashed by a sentence below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.drafts.kinds import KINDS
from gui.dialogs.prices.entry_editor import discount_dialog, entry_dialog
from gui.dialogs.prices.form_dialog import FormDialog
from gui.forms.field_row import FieldRow
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
