"""The workloads of a portfolio as a table: read, typed, ticked, copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.workload.portfolio import Member
from gui.tabs.portfolio.member_cells import COLUMNS, Row, can_type, editable, read, shown
from gui.tabs.portfolio.member_table import MemberTable
from tests.gui.tabs.portfolio.eight_models import eight_profiles

PROFILES = {one.id: one for one in eight_profiles()}
CHAT = Row(PROFILES["chat-70b"], Member(workload="chat-70b", growth_pct_per_year=70.0, use_pct=(100.0, 120.5)))
TRAIN = Row(PROFILES["retrain-7b"], Member(workload="retrain-7b", every_months=1))
BATCH = Row(PROFILES["nightly-batch"], Member(workload="nightly-batch", start_hour=0))


@pytest.fixture
def table(qtbot: QtBot) -> MemberTable:
    made = MemberTable()
    qtbot.addWidget(made)
    made.resize(860, 200)
    made.show_rows((CHAT, TRAIN, BATCH), False, True)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_cells_say_what_holds_and_a_dash_where_nothing_may_be_said() -> None:
    told = [[shown(row, column, True) for column in COLUMNS] for row in (CHAT, TRAIN, BATCH)]
    assert told == [
        ["Chat 70B", "its own", "100, 120.5", "70", "\u2013", "\u2013"],
        ["Retrain 7B", "its own", "100", "0", "1 month", "\u2013"],
        ["Nightly batch", "its own", "100", "0", "\u2013", "0 o'clock"],
    ]
    assert shown(CHAT, "pool", False) == "\u2013" and not can_type(CHAT, "pool", False)
    assert editable(TRAIN, "start_hour") == "" and editable(BATCH, "start_hour") == "0"


def test_what_is_typed_is_read_or_refused_in_words() -> None:
    assert read("100, 120;150 %", "use_pct") == (100.0, 120.0, 150.0) and read("", "use_pct") == ()
    assert (
        read("", "every_months") is None and read("3", "every_months") == 3 and read("", "growth_pct_per_year") == 0.0
    )
    assert read(" GPUs ", "pool") == "GPUs"
    for text, column in (("much", "use_pct"), ("-5", "use_pct"), ("2.5", "every_months"), ("x", "growth_pct_per_year")):
        with pytest.raises(ValueError, match=r"\w"):
            read(text, column)
    with pytest.raises(ValueError, match="shares of what"):
        read(",".join(["1"] * 61), "use_pct")


def test_typing_edits_space_ticks_and_nonsense_is_told(qtbot: QtBot, table: MemberTable) -> None:
    model = table.members
    with qtbot.waitSignal(model.edited) as edited:
        assert model.setData(model.index(1, COLUMNS.index("every_months")), "3")
    assert edited.args == ["retrain-7b", "every_months", 3]
    with qtbot.waitSignal(model.refused) as refused:
        assert not model.setData(model.index(0, COLUMNS.index("growth_pct_per_year")), "lots")
    assert refused.args is not None and refused.args[0].startswith("Chat 70B, Growth, %/year: ")
    table.setCurrentIndex(model.index(2, 1))
    with qtbot.waitSignal(model.edited) as ticked:
        QTest.keyClick(table, Qt.Key.Key_Space)
    assert ticked.args == ["nightly-batch", "takes_part", False]
    with qtbot.waitSignal(model.edited) as boxed:
        model.setData(model.index(0, 0), Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
    assert boxed.args == ["chat-70b", "takes_part", False]


def test_what_means_nothing_is_not_typed_into(table: MemberTable) -> None:
    model, typed = table.members, Qt.ItemFlag.ItemIsEditable
    rows = [[bool(model.flags(model.index(row, n)) & typed) for n in range(len(COLUMNS))] for row in range(3)]
    assert rows == [
        [False, False, True, True, False, False],
        [False, False, True, True, True, False],
        [False, False, True, True, False, True],
    ]
    table.show_rows((CHAT, TRAIN, BATCH), True, False)
    assert not any(model.flags(model.index(0, n)) & typed for n in range(len(COLUMNS)))


def test_the_table_is_copied_as_it_is_read(table: MemberTable) -> None:
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Workload\tPool\t") and lines[2].split("\t")[4] == "1 month"
