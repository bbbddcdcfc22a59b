"""The sheet (A4 at 96 dots per inch, as on screen) and its pieces: what cannot be broken, and where they fall."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gui.pdf.canvas import Canvas

DPI = 96
WIDTH_PX = 8.27 * DPI
HEIGHT_PX = 11.69 * DPI
SIDE_PX = 61.0
INNER_PX = WIDTH_PX - 2 * SIDE_PX
HEADER_Y_PX = 42.0
HEADER_RULE_PX = 58.0
TOP_PX = 80.0
FOOTER_RULE_PX = HEIGHT_PX - 54.0
FOOTER_Y_PX = HEIGHT_PX - 38.0
BOTTOM_PX = FOOTER_RULE_PX - 16.0
ROOM_PX = BOTTOM_PX - TOP_PX
"""Height for content on a page."""

Paint = Callable[[Canvas, float, float], None]
"""Paints at a left edge and a top edge."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something of a fixed height.

    ``gap_px`` stands above it, except at the top of a page. A piece that ``holds_next`` is never the last of its page
    (headings). ``head`` is painted above it when it comes first on a page (table headings).
    """

    height_px: float
    paint: Paint
    gap_px: float = 0.0
    holds_next: bool = False
    head: Piece | None = None
    begins_page: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece at its distance from the top of the content."""

    piece: Piece
    top_px: float


Sheet = tuple[Placed, ...]


def paginated(sections: Sequence[Sequence[Piece]], room_px: float) -> list[Sheet]:
    """Pieces on pages of a height. A section begins below the one before it where there is room worth it, else anew.

    A section whose first piece ``begins_page`` always begins anew.
    A group of pieces that hold each other moves on together; a piece taller than a page is left to run over.
    """
    sheets: list[list[Placed]] = []
    for section in sections:
        groups = _groups(section)
        if not sheets or not _may_follow(sheets[-1], section, room_px):
            sheets.append([])
        is_first = True
        for group in groups:
            is_first = _place(sheets, group, room_px, is_first)
    return [tuple(sheet) for sheet in sheets if sheet]


SECTION_GAP_PX = 34.0
ROOM_SHARE = 0.5


LEAST_GAP_SHARE = 0.2
"""Of the gaps between pieces, where a page that is to stand alone needs the room."""


def tightened(pieces: Sequence[Piece], room_px: float) -> list[Piece]:
    """Pieces with narrower gaps where all of them then fall on one page; as they are where that does not do."""
    gaps = sum(piece.gap_px for piece in pieces[1:])
    over = _height(pieces) - math.floor(room_px)
    if not 0 < over <= (1 - LEAST_GAP_SHARE) * gaps:
        return list(pieces)
    return [replace(piece, gap_px=piece.gap_px * (1 - over / gaps)) for piece in pieces]


def _may_follow(sheet: Sequence[Placed], section: Sequence[Piece], room_px: float) -> bool:
    """All of the section fits below, or so much room is left that it may begin here."""
    left_px = room_px - _bottom(sheet) - SECTION_GAP_PX
    begins_anew = bool(section) and section[0].begins_page
    return not begins_anew and (left_px >= _height(section) or left_px >= ROOM_SHARE * room_px)


def _place(sheets: list[list[Placed]], group: Sequence[Piece], room_px: float, is_first: bool) -> bool:
    gap = SECTION_GAP_PX if is_first else group[0].gap_px
    top = _bottom(sheets[-1]) + gap if sheets[-1] else 0.0
    if sheets[-1] and top + _height(group) > room_px:
        sheets.append([])
        top = 0.0
    for number, piece in enumerate(group):
        if number:
            top += piece.gap_px
        if not sheets[-1] and piece.head is not None:
            sheets[-1].append(Placed(piece.head, top))
            top += piece.head.height_px
        sheets[-1].append(Placed(piece, top))
        top += piece.height_px
    return False


def _groups(section: Sequence[Piece]) -> list[list[Piece]]:
    groups: list[list[Piece]] = []
    is_held = False
    for piece in section:
        if is_held:
            groups[-1].append(piece)
        else:
            groups.append([piece])
        is_held = piece.holds_next
    return groups


def _height(pieces: Sequence[Piece]) -> float:
    return sum(piece.height_px + (piece.gap_px if number else 0.0) for number, piece in enumerate(pieces))


def _bottom(sheet: Sequence[Placed]) -> float:
    return max((placed.top_px + placed.piece.height_px for placed in sheet), default=0.0)
