"""Paragraphs, reasons for and against, small facts, and the box to sign."""

from __future__ import annotations

from dataclasses import dataclass

from core.report.blocks import Fact, Facts, ForAgainst, Paragraph, SignOff
from core.units import MINUS
from gui.pdf.canvas import BODY_PX, HEADING_PX, SECTION_PX, SMALL_PX, TITLE_PX, Canvas, line_px, wrapped
from gui.pdf.piece import INNER_PX, Piece

_LEAD_SHARE = 0.92
_SIGN_PX = 30.0


@dataclass(frozen=True, slots=True)
class _Style:
    px: int
    key: str = "ink"
    strong: bool = False
    gap_px: float = 10.0
    holds_next: bool = False


_STYLES = {
    "question": _Style(BODY_PX, "ink2", gap_px=0.0, holds_next=True),
    "eyebrow": _Style(SMALL_PX, "ink2", gap_px=0.0, holds_next=True),
    "lead": _Style(BODY_PX, gap_px=10.0),
    "body": _Style(BODY_PX, "ink2", gap_px=8.0),
    "heading": _Style(HEADING_PX, strong=True, gap_px=22.0, holds_next=True),
    "note": _Style(SMALL_PX, "ink3", gap_px=8.0),
    "section": _Style(SECTION_PX, strong=True, gap_px=0.0, holds_next=True),
    "title": _Style(TITLE_PX, strong=True, gap_px=6.0, holds_next=True),
}


def text_piece(text: str, style_name: str) -> Piece:
    """A wrapped text in one of the styles."""
    style = _STYLES.get(style_name, _STYLES["body"])
    share = 1.0 if style_name in ("section", "heading", "note") else _LEAD_SHARE
    lines = wrapped(text, INNER_PX * share, style.px, style.strong)

    def paint(canvas: Canvas, x: float, top: float) -> None:
        canvas.lines(x, top, lines, style.px, style.key, style.strong)

    return Piece(len(lines) * line_px(style.px), paint, style.gap_px, style.holds_next)


def paragraph_pieces(block: Paragraph) -> list[Piece]:
    """A paragraph."""
    return [text_piece(block.text, block.style)]


def for_against_pieces(block: ForAgainst) -> list[Piece]:
    """Two columns under their headings; they stay together."""
    width = INNER_PX / 2 - 26
    columns = [[wrapped(text, width - 18) for text in block.reasons_for]]
    columns.append([wrapped(text, width - 18) for text in block.reasons_against])
    heights = [sum(len(lines) * line_px(BODY_PX) + 7 for lines in column) for column in columns]

    def paint(canvas: Canvas, x: float, top: float) -> None:
        _paint_reasons(canvas, x, top, "For", "+", "good", columns[0])
        _paint_reasons(canvas, x + INNER_PX / 2 + 8, top, "Against", MINUS, "err", columns[1])

    return [Piece(30 + max(heights), paint, 24.0)]


def _paint_reasons(
    canvas: Canvas, x: float, top: float, title: str, sign: str, key: str, reasons: list[list[str]]
) -> None:
    canvas.text(x, top, title, HEADING_PX, strong=True)
    y = top + 28
    if not reasons:
        canvas.text(x, y, "Nothing found", key="ink3")
    for lines in reasons:
        canvas.text(x, y, sign, key=key, strong=True)
        canvas.lines(x + 18, y, lines)
        y += len(lines) * line_px(BODY_PX) + 7


def facts_pieces(block: Facts) -> list[Piece]:
    """Facts in columns: title, value, note."""
    width = INNER_PX / max(len(block.items), 1)
    columns = [
        (fact, wrapped(fact.value, width - 16, BODY_PX, True), wrapped(fact.note, width - 16, SMALL_PX))
        for fact in block.items
    ]
    height = max(
        18 + len(values) * line_px(BODY_PX) + (len(notes) * line_px(SMALL_PX) if fact.note else 0)
        for fact, values, notes in columns
    )

    def paint(canvas: Canvas, x: float, top: float) -> None:
        for number, (fact, values, notes) in enumerate(columns):
            _paint_fact(canvas, x + number * width, top, fact, values, notes)

    return [Piece(height, paint, 22.0)]


def _paint_fact(canvas: Canvas, x: float, top: float, fact: Fact, values: list[str], notes: list[str]) -> None:
    canvas.text(x, top, fact.title, SMALL_PX, "ink3")
    canvas.lines(x, top + 17, values, BODY_PX, "warn" if fact.warn else "ink", strong=True)
    canvas.lines(x, top + 18 + len(values) * line_px(BODY_PX), notes, SMALL_PX, "ink3")


def sign_off_pieces(block: SignOff) -> list[Piece]:
    """Lines to sign on, with room for name and date; kept together."""

    def paint(canvas: Canvas, x: float, top: float) -> None:
        canvas.text(x, top, "Sign-off", HEADING_PX, strong=True)
        for number, role in enumerate(block.roles):
            y = top + 28 + (number + 1) * _SIGN_PX
            canvas.text(x, y - 20, role, SMALL_PX, "ink3")
            for left, right in ((0.18, 0.62), (0.72, 1.0)):
                canvas.rule(x + left * INNER_PX, y, (right - left) * INNER_PX, "line2")
            canvas.text(x + 0.66 * INNER_PX, y - 20, "Date", SMALL_PX, "ink3")

    return [Piece(30 + len(block.roles) * _SIGN_PX + 8, paint, 26.0)]
