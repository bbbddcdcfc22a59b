"""The start page: templates stand in columns that follow the width, under the first clause of their notes."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.frame.start import first_clause
from gui.widgets.blocks_in_columns import BlocksInColumns, columns_in, dealt


@pytest.mark.parametrize(
    ("note", "clause"),
    [
        ("A small chat service with an uneven day.", "A small chat service with an uneven day"),
        ("Llama 3.1, again; and more", "Llama 3.1, again"),
        ("Pictures of 1024 x 1024 while the user waits: twenty steps.", "Pictures of 1024 x 1024 while the user waits"),
        ("By DPO (UltraFeedback); tried", "By DPO"),
        ("", ""),
    ],
)
def test_the_first_clause_ends_before_its_mark(note: str, clause: str) -> None:
    assert first_clause(note) == clause


def test_a_block_goes_under_the_shortest_column() -> None:
    assert dealt([5, 3, 9, 4, 1], 3) == [0, 1, 2, 1, 0]
    assert dealt([5, 3], 1) == [0, 0]


def test_as_many_columns_as_there_is_room_for_and_one_at_least() -> None:
    assert [columns_in(px) for px in (100, 531, 532, 813, 814, 5000)] == [1, 1, 2, 2, 3, 4]


def test_blocks_move_when_the_width_changes_and_none_is_lost(qtbot: QtBot) -> None:
    blocks = [QLabel(str(number)) for number in range(5)]
    page = BlocksInColumns(blocks)
    qtbot.addWidget(page)
    page.show()

    def n_columns() -> int:
        return len({block.mapTo(page, block.rect().topLeft()).x() for block in blocks})

    for width, expected in ((900, 3), (300, 1), (600, 2)):
        page.resize(width, 400)
        qtbot.waitUntil(lambda expected=expected: n_columns() == expected and all(one.isVisible() for one in blocks))
