"""The screen that asks what a table's columns mean: proposed, changed, told what is wrong, handed over."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QDialogButtonBox
from pytestqt.qtbot import QtBot

from core.logs.mapping.head import read_head
from core.logs.mapping.model import IGNORED
from core.logs.mapping.propose import proposed
from core.logs.mapping.read import read_mapped
from gui.dialogs.map_table import MapTableDialog

TABLE = "timestamp;<b>Karte</b>;Leistung (W);tok/s\n0,0;0;300,5;1000\n1,0;0;310,5;1100\n2,0;0;305,0;1050\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "meter.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.fixture
def dialog(qtbot: QtBot, file: Path) -> MapTableDialog:
    table = read_head(file)
    made = MapTableDialog(table, proposed(table))
    qtbot.addWidget(made)
    made.show()
    return made


def _choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(box.findData(value))


def test_it_begins_with_what_is_proposed(dialog: MapTableDialog) -> None:
    assert [row.name for row in dialog.rows] == ["timestamp", "<b>Karte</b>", "Leistung (W)", "tok/s"]
    assert dialog.rows[0].meaning.currentData() == "time"
    assert dialog.rows[3].meaning.currentData() == "tokens_per_s"
    assert dialog.mapping.decimal == ","


def test_what_is_chosen_is_what_is_read(qtbot: QtBot, dialog: MapTableDialog, file: Path) -> None:
    _choose(dialog.rows[0].meaning, "time")
    dialog.rows[0].unit.setCurrentText("s")
    _choose(dialog.rows[2].meaning, "power_w")
    dialog.rows[2].unit.setCurrentText("W")
    assert not dialog.seconds.isVisible()
    with qtbot.waitSignal(dialog.mapped) as told:
        dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    record = read_mapped(file, told.args[0])
    assert record.quantities["power_w"].max == 310.5
    assert record.duration_s == 2.0


def test_nothing_can_be_imported_that_measures_nothing(dialog: MapTableDialog) -> None:
    for row in dialog.rows:
        _choose(row.meaning, IGNORED)
    assert dialog._message.text().startswith("No column measures anything")
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    _choose(dialog.rows[3].meaning, "tokens_per_s")
    assert not dialog._message.isVisible()
    assert dialog.seconds.isVisible()
    dialog.seconds.setText("2")
    assert dialog.mapping.seconds_a_row == 2.0
    dialog.seconds.setText("no")
    assert dialog.mapping.seconds_a_row is None


def test_units_follow_what_a_column_is(dialog: MapTableDialog) -> None:
    row = dialog.rows[2]
    _choose(row.meaning, "memory_used_gib")
    assert row.unit.currentText() == "GiB"
    row.unit.setCurrentText("MiB")
    _choose(row.meaning, "memory_total_gib")
    assert row.unit.currentText() == "MiB"
    _choose(row.meaning, IGNORED)
    assert not row.unit.isVisible()
