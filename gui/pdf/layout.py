"""A document on pages: blocks become pieces, pieces fall on sheets, and any one sheet can be painted alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtGui import QPainter

from core.report.blocks import (
    Block,
    Decide,
    Document,
    Facts,
    Figure,
    ForAgainst,
    KeyFigures,
    KpiTable,
    Pairs,
    Paragraph,
    Periods,
    Section,
    SignOff,
    Table,
)
from gui.pdf.canvas import SMALL_PX, Canvas, line_px, width_of
from gui.pdf.figure_pieces import figure_pieces
from gui.pdf.kpi_pieces import kpi_pieces
from gui.pdf.pair_pieces import pair_pieces
from gui.pdf.period_pieces import period_pieces
from gui.pdf.piece import (
    FOOTER_RULE_PX,
    FOOTER_Y_PX,
    HEADER_RULE_PX,
    HEADER_Y_PX,
    INNER_PX,
    ROOM_PX,
    SIDE_PX,
    TOP_PX,
    WIDTH_PX,
    Piece,
    Sheet,
    paginated,
    tightened,
)
from gui.pdf.plan_pieces import decide_pieces, key_figure_pieces
from gui.pdf.table_pieces import table_pieces
from gui.pdf.text_pieces import facts_pieces, for_against_pieces, paragraph_pieces, sign_off_pieces, text_piece

_HALF_LINE_PX = line_px(SMALL_PX) / 2
_APART_PX = 16.0


class PdfLayout:
    """The pages of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.sheets: list[Sheet] = paginated([section_pieces(one) for one in document.sections], ROOM_PX)

    @property
    def n_pages(self) -> int:
        """How many pages there are; an empty document has one, which says so."""
        return max(len(self.sheets), 1)

    def paint_page(self, painter: QPainter, index: int) -> None:
        """Paints one page, counted from 0, in px of :mod:`gui.pdf.piece`."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        canvas = Canvas(painter)
        self._paint_furniture(canvas, index)
        for placed in self.sheets[index] if self.sheets else ():
            placed.piece.paint(canvas, SIDE_PX, TOP_PX + placed.top_px)
        if not self.sheets:
            canvas.text(SIDE_PX, TOP_PX, "No page has anything to say yet: describe a workload first.", key="ink2")

    def _paint_furniture(self, canvas: Canvas, index: int) -> None:
        (left, right), (foot_left, foot_middle) = self.document.header, self.document.footer
        edge, top = WIDTH_PX - SIDE_PX, HEADER_Y_PX - _HALF_LINE_PX
        canvas.text(SIDE_PX, top, left, SMALL_PX, "ink2")
        room_px = INNER_PX - width_of(left, SMALL_PX) - _APART_PX
        canvas.text(edge, top, right, SMALL_PX, "ink2", align="right", room_px=room_px)
        canvas.rule(SIDE_PX, HEADER_RULE_PX, INNER_PX, "line2")
        canvas.rule(SIDE_PX, FOOTER_RULE_PX, INNER_PX, "line2")
        foot = FOOTER_Y_PX - _HALF_LINE_PX
        room_px = (INNER_PX - width_of(foot_middle, SMALL_PX)) / 2 - _APART_PX
        canvas.text(SIDE_PX, foot, foot_left, SMALL_PX, "ink2", room_px=room_px)
        canvas.text(WIDTH_PX / 2, foot, foot_middle, SMALL_PX, "ink2", align="centre")
        canvas.text(edge, foot, f"{index + 1} of {self.n_pages}", SMALL_PX, "ink2", align="right")


def section_pieces(section: Section) -> list[Piece]:
    """A section's title and blocks; the decision's question stands above its title, on one page if it can be."""
    blocks = list(section.blocks)
    pieces: list[Piece] = []
    style = blocks[0].style if blocks and isinstance(blocks[0], Paragraph) else ""
    is_decision, begins_page = style == "question", style in ("question", "eyebrow")
    if begins_page:
        pieces += block_pieces(blocks.pop(0), section.title)
    pieces.append(text_piece(section.title, "title" if is_decision else "section"))
    for block in blocks:
        pieces += block_pieces(block, section.title)
    pieces[0] = replace(pieces[0], begins_page=begins_page)
    return _headings_hold(tightened(pieces, ROOM_PX) if is_decision else pieces)


def block_pieces(block: Block, section_title: str) -> Sequence[Piece]:
    """The pieces of one block."""
    match block:
        case Paragraph():
            return paragraph_pieces(block)
        case KpiTable():
            return kpi_pieces(block)
        case ForAgainst():
            return for_against_pieces(block)
        case Facts():
            return facts_pieces(block)
        case Table():
            return table_pieces(block)
        case Figure():
            return figure_pieces(block, section_title)
        case SignOff():
            return sign_off_pieces(block)
        case KeyFigures():
            return key_figure_pieces(block)
        case Decide():
            return decide_pieces(block)
        case Periods():
            return period_pieces(block)
        case Pairs():
            return pair_pieces(block)


def _headings_hold(pieces: list[Piece]) -> list[Piece]:
    """A heading at the very end holds nothing."""
    if pieces and pieces[-1].holds_next:
        pieces[-1] = replace(pieces[-1], holds_next=False)
    return pieces
