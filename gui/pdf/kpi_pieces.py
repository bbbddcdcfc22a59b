"""Options with their key figures: value, a range on the column's common scale, and the range in words."""

from __future__ import annotations

from collections.abc import Sequence

from core.report.blocks import Kpi, KpiTable, OptionKpis
from gui.pdf.canvas import BODY_PX, HEADING_PX, SECTION_PX, SMALL_PX, Canvas, line_px, width_of, wrapped
from gui.pdf.piece import INNER_PX, Piece
from gui.theme.chip_colours import chip_key

_NAME_PX = 176.0
_LAST_PX = 92.0
_TRACK_SHARE = 0.82
Span = tuple[float, float]


def kpi_pieces(block: KpiTable) -> list[Piece]:
    """A heading row and a row for each option."""
    lefts = _lefts(len(block.titles))
    scales = [_scale([row.kpis[n] for row in block.rows]) for n in range(len(block.titles))]

    def head(canvas: Canvas, x: float, top: float) -> None:
        canvas.text(x, top, block.title, SMALL_PX, "ink3")
        for left, title in zip(lefts, block.titles, strict=True):
            canvas.text(x + left, top, title, SMALL_PX, "ink3")
        canvas.rule(x, top + 22, INNER_PX, "line2")

    pieces = [Piece(23, head, 22.0, holds_next=True)]
    for number, row in enumerate(block.rows):
        pieces.append(_row_piece(row, lefts, scales, SECTION_PX if number == 0 else HEADING_PX))
    return pieces


def _lefts(count: int) -> list[float]:
    """Left edges of the columns; the last, without a range bar, is narrow."""
    width = (INNER_PX - _NAME_PX - _LAST_PX) / max(count - 1, 1)
    return [_NAME_PX + n * width for n in range(count)]


def _scale(kpis: Sequence[Kpi]) -> Span | None:
    ends = [(k.low, k.high) for k in kpis if k.low is not None and k.high is not None]
    if not ends:
        return None
    low, high = min(e[0] for e in ends), max(e[1] for e in ends)
    air = 0.08 * (high - low) or abs(high) * 0.08 or 1.0
    return low - air, high + air


def _row_piece(row: OptionKpis, lefts: Sequence[float], scales: Sequence[Span | None], px: int) -> Piece:
    names = wrapped(row.name, _NAME_PX - 34, BODY_PX, True)
    places = wrapped(row.place, _NAME_PX - 12, SMALL_PX)
    px = min(_fitting(kpi.value, px) for kpi in row.kpis)
    n_lines = max(len(_range_lines(kpi)) for kpi in row.kpis)
    named_px = 24 + len(names) * line_px(BODY_PX) + len(places) * line_px(SMALL_PX) + 10
    figures_px = max(named_px, line_px(px) + 21 + n_lines * line_px(SMALL_PX) + 10)
    notes = wrapped(row.note, INNER_PX, SMALL_PX) if row.note else []
    height = figures_px + len(notes) * line_px(SMALL_PX) + (6 if notes else 0)

    def paint(canvas: Canvas, x: float, top: float) -> None:
        canvas.text(x, top + 8, row.role, SMALL_PX, "ink3", room_px=_NAME_PX - 8)
        canvas.mark(x + 6, top + 26 + line_px(BODY_PX) / 2, f"{row.kind}:{row.vendor}")
        canvas.lines(x + 20, top + 26, names, BODY_PX, strong=True)
        canvas.lines(x, top + 27 + len(names) * line_px(BODY_PX), places, SMALL_PX, "ink2")
        for left, kpi, scale in zip(lefts, row.kpis, scales, strict=True):
            _paint_kpi(canvas, x + left, top + 8, kpi, scale, px, row)
        canvas.lines(x, top + figures_px - 3, notes, SMALL_PX, "ink2")
        canvas.rule(x, top + height, INNER_PX)

    return Piece(height + 1, paint)


def _paint_kpi(canvas: Canvas, x: float, top: float, kpi: Kpi, scale: Span | None, px: int, option: OptionKpis) -> None:
    canvas.text(x, top, kpi.value, px, strong=True)
    bar_y = top + line_px(px) + 5
    if scale is not None and kpi.low is not None and kpi.likely is not None and kpi.high is not None:
        _paint_range(canvas, x + 2, bar_y, (kpi.low, kpi.likely, kpi.high), scale, option)
    canvas.lines(x, bar_y + 8, _range_lines(kpi), SMALL_PX, "ink3")


def _range_lines(kpi: Kpi) -> list[str]:
    """The range in words; a long one breaks at its comma."""
    room = _track_px() + 14
    text = kpi.range_text if width_of(kpi.range_text, SMALL_PX) <= room else kpi.range_text.replace(", ", ",\n")
    return wrapped(text, room, SMALL_PX)


def _fitting(value: str, px: int) -> int:
    """A smaller size where the value would run into its neighbour."""
    return next((size for size in (px, HEADING_PX, BODY_PX) if width_of(value, size, True) <= _track_px()), BODY_PX)


def _track_px() -> float:
    return (INNER_PX - _NAME_PX - _LAST_PX) / 3 * _TRACK_SHARE


def _paint_range(
    canvas: Canvas, x: float, y: float, values: tuple[float, float, float], scale: Span, option: OptionKpis
) -> None:
    """A whisker on the column's track, with the option's own mark at the likely value."""
    width, key = _track_px(), chip_key(option.kind, option.vendor)
    low, likely, high = (x + (value - scale[0]) / (scale[1] - scale[0]) * width for value in values)
    canvas.ink.line(x, y, x + width, y, canvas.ink.pen("grid", 2.0))
    canvas.ink.line(low, y, high, y, canvas.ink.pen(key, 2.0))
    canvas.mark(likely, y, f"{option.kind}:{option.vendor}")
