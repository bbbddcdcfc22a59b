"""Amounts by period, pairs in two columns, and bars around a line: each is drawn within its room."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPicture

from core.report.blocks import Cell, Column, Pair, Pairs, PeriodRow, Periods, Table
from gui.pdf.canvas import Canvas
from gui.pdf.layout import block_pieces
from gui.pdf.piece import INNER_PX, Piece


def _drawn(pieces: list[Piece]) -> QRectF:
    picture = QPicture()
    painter = QPainter(picture)
    canvas, top = Canvas(painter), 0.0
    for piece in pieces:
        piece.paint(canvas, 0.0, top)
        top += piece.height_px
    painter.end()
    return QRectF(picture.boundingRect())


def test_periods_and_their_sums_stay_within_the_page(qapp: object) -> None:
    months = tuple(f"M{n}" for n in range(1, 19))
    rows = (PeriodRow("Chips of a workload", ("1\u202f234",) * 18, "22\u202f212", "strong"),)
    quarters = PeriodRow("Due in the quarter", ("3\u202f702",) * 6, "22\u202f212")
    block = Periods("$ thousand", months, (1.0,) * 18, rows, tuple((f"Q{n}", 3) for n in range(6)), quarters)
    pieces = list(block_pieces(block, ""))
    room = _drawn(pieces)
    assert room.right() <= INNER_PX + 1 and room.bottom() <= sum(piece.height_px for piece in pieces) + 2


def test_pairs_fill_two_columns_of_equal_length(qapp: object) -> None:
    block = Pairs("Inputs", tuple(Pair(f"Name {n}", "value") for n in range(7)))
    heading, *lines = block_pieces(block, "")
    assert len(lines) == 4 and heading.holds_next
    assert _drawn(list(lines)).right() <= INNER_PX


def test_columns_that_share_edges_do_not_follow_their_cells(qapp: object) -> None:
    def right_edge(text: str) -> float:
        columns = (Column("A"), Column("B", weight=3))
        return _drawn(list(block_pieces(Table(columns, ((Cell(text), Cell("b")),), is_aligned=True), ""))).right()

    assert right_edge("a") == right_edge("Unbreakable" * 8)


def test_a_swing_lies_around_its_line(qapp: object) -> None:
    table = Table((Column("A"), Column("B")), ((Cell("a"), Cell("", swing=(-1.0, 1.0))),))
    assert _drawn(list(block_pieces(table, ""))).right() <= INNER_PX + 1
