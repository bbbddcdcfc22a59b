"""Paints horizontal bar charts and every chart's header: title, subtitle and legend."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QRectF, Qt

from gui.charts.figure.figure import Bar, Figure, LegendEntry, Mapping, Row
from gui.charts.paint.brush import TEXT_PX, Ink, clipped, text_width
from gui.theme.fonts import elided

TITLE_PX = 13
LEGEND_GAP = 16.0
SWATCH = 11.0
HEADER_LINE = 22.0
LEAST_NOTE_PX = 90.0
NOTE_GAP_PX = 8.0
NAME_ABOVE_PX = 17.0
_CLAUSE_END = re.compile(r"[,;:](?= )|\.(?= )| \(")
_REST = "\u2026"


def row_band(row: int, view: Mapping) -> QRectF:
    """Whole strip of a row, from the widget's left edge over the plot."""
    top, bottom = view.py(0.5 - row), view.py(-0.5 - row)
    return QRectF(0.0, top, view.left + view.width, bottom - top)


def bar_height(figure: Figure, row_px: float) -> float:
    """Height of a bar: less than wished where rows are tight, so that a whisker finds room below."""
    return min(figure.bar_px, row_px * 0.5 if figure.whisker_below else row_px - 6)


def bar_middle(row: int, figure: Figure, view: Mapping) -> float:
    """Middle of a row's bar: that of its strip, or lower where the name stands above."""
    strip = row_band(row, view)
    return strip.center().y() + (NAME_ABOVE_PX / 2 if figure.names_above else 0.0)


def bar_rect(bar: Bar, figure: Figure, view: Mapping) -> QRectF:
    """A segment's rectangle, a pixel short at its right so that parts stay apart."""
    strip = row_band(bar.row, view)
    height = bar_height(figure, strip.height())
    lift = 3.0 if figure.whisker_below else 0.0
    start, end = view.px(bar.start), view.px(bar.end)
    gap = 1.0 if bar.part and end - start > 2.5 else 0.0
    middle = bar_middle(bar.row, figure, view)
    return QRectF(start, middle - height / 2 - lift, max(end - start - gap, 0.75), height)


def paint_rows(
    ink: Ink, figure: Figure, view: Mapping, selected: str | None, hovered: str | None, width: float, part: str = ""
) -> None:
    """Strips, bars, whiskers, names at left and texts at right; the part pointed at is outlined."""
    for number, row in enumerate(figure.rows):
        strip = row_band(number, view)
        strip.setRight(width)
        if row.id and row.id == selected:
            ink.fill(strip, "sel")
            ink.fill(QRectF(0, strip.top(), 3, strip.height()), "ink")
        elif row.id and row.id == hovered:
            ink.fill(strip, "tint")
    with clipped(ink.painter, QRectF(view.left - 1, 0, view.width + 2, view.top + view.height + 40)):
        ink.line(view.left, view.top, view.left, view.top + view.height, ink.pen("line2"))
        for bar in figure.bars:
            _paint_bar(ink, bar, figure, view)
            if part and bar.part == part and figure.rows[bar.row].id == hovered:
                _outline(ink, bar_rect(bar, figure, view))
        for number, row in enumerate(figure.rows):
            _paint_whisker(ink, figure, row, number, view)
    room = width - view.left - view.width if figure.gives_px else math.inf
    columns = _column_widths(figure.rows, room)
    for number, row in enumerate(figure.rows):
        _paint_name(ink, row, number, figure, view, row.id == selected)
        _paint_columns(ink, row, bar_middle(number, figure, view), columns, width)


def _outline(ink: Ink, rect: QRectF) -> None:
    ink.painter.setPen(ink.pen("ink", 1.5))
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.drawRect(rect.adjusted(-1.5, -1.5, 1.5, 1.5))


def _column_widths(rows: Sequence[Row], room: float) -> list[float]:
    """Widths of the columns at the right; the last takes no more than the others leave of the room, px."""
    n_columns = max((len(row.right) for row in rows), default=0)
    widths = [
        max(text_width(r.right[c][0], r.right[c][1] == "ink") for r in rows if len(r.right) > c)
        for c in range(n_columns)
    ]
    return widths and [*widths[:-1], min(widths[-1], room - sum(widths[:-1]) - 12.0 * (n_columns + 1))]


def _paint_bar(ink: Ink, bar: Bar, figure: Figure, view: Mapping) -> None:
    rect = bar_rect(bar, figure, view)
    edge = view.left + view.width
    if rect.left() > edge:
        return
    if bar.hatched:
        ink.hatch(rect, bar.colour)
    else:
        ink.part(rect, bar.colour)
    if rect.right() > edge + 1:
        for x in (edge - 10, edge - 6):
            ink.line(x - 3, rect.bottom() + 2, x + 3, rect.top() - 2, ink.pen("bg", 2.0))


def _paint_whisker(ink: Ink, figure: Figure, row: Row, number: int, view: Mapping) -> None:
    middle, strip = bar_middle(number, figure, view), row_band(number, view)
    if row.range:
        y = middle + bar_height(figure, strip.height()) / 2 + 0.5 if figure.whisker_below else middle
        left, right = view.px(row.range[0]), view.px(row.range[1])
        bar_end = max((view.px(b.end) for b in figure.bars if b.row == number), default=left)
        dark, light = ink.pen("ink2", 1.25), ink.pen("bg", 1.25, 0.75)
        covered = left if figure.whisker_below else min(max(bar_end, left), right)
        ink.line(left, y, covered, y, light)
        ink.line(covered, y, right, y, dark)
        for end in (left, right):
            ink.line(end, y - 2.5, end, y + 2.5, light if end < covered else dark)
    for tick in row.ticks:
        x, half = view.px(tick), min(9.0, strip.height() / 2 - 1)
        ink.line(x, middle - half, x, middle + half, ink.pen("bg", 4.0))
        ink.line(x, middle - half, x, middle + half, ink.pen("ink", 2.0))


def _paint_name(ink: Ink, row: Row, number: int, figure: Figure, view: Mapping, selected: bool) -> None:
    middle = bar_middle(number, figure, view) - (NAME_ABOVE_PX if figure.names_above else 0.0)
    x = view.left + 5.5 if figure.names_above else 20.0
    if row.shape:
        ink.glyph(x, middle, 5.5, row.shape, row.colour, row.hollow)
    start = x + 14 if row.shape else x
    room = view.width if figure.names_above else view.left - start - 4
    ink.text(start, middle, row.name, "ink3" if row.hollow else "ink", strong=selected, room=room)
    if row.note:
        limits = [view.px(limit.at) for limit in figure.limits if limit.axis == "x"]
        _paint_note(ink, row, view, middle, limits)


def _paint_note(ink: Ink, row: Row, view: Mapping, middle: float, limits: Sequence[float]) -> None:
    """A row's note after its bar, before or behind a limit's line, as far as it has room; the tip holds all of it."""
    start, room = note_place(row.note, view.px(row.note_at) + 12, view.left + view.width, limits)
    if room > LEAST_NOTE_PX:
        told = whole_clauses(row.note, room) if ink.is_handed_out else note_on_screen(row.note, room)
        ink.text(start, middle - 1, told, "ink3", halo=True)


def whole_clauses(note: str, room: float) -> str:
    """As many clauses of a note as fit, none of them cut: on paper nothing tells the rest."""
    ends = [match.start() for match in _CLAUSE_END.finditer(note)] + [len(note.rstrip("."))]
    return next((note[:end] for end in reversed(ends) if text_width(note[:end]) <= room), "")


def note_on_screen(note: str, room: float) -> str:
    """A note that fits, else its whole clauses and an ellipsis for the rest, which the tip tells; where not even the
    first one fits, as much of it as does."""
    if text_width(note) <= room:
        return note
    clauses = whole_clauses(note, room - text_width(_REST))
    return clauses + _REST if clauses else elided(note, room, TEXT_PX, False)


def note_place(note: str, start: float, end: float, lines: Sequence[float]) -> tuple[float, float]:
    """Left edge and width, px, of the first room between upright lines that holds a note, else of the widest."""
    edges = [start, *sorted(x for x in lines if start - NOTE_GAP_PX < x < end), end]
    rooms = [
        (left + NOTE_GAP_PX * (n > 0), right - left - NOTE_GAP_PX * (1 + (n > 0)))
        for n, (left, right) in enumerate(pairwise(edges))
    ]
    wanted_px = text_width(note)
    return next((room for room in rooms if room[1] >= wanted_px), max(rooms, key=lambda room: room[1]))


def _paint_columns(ink: Ink, row: Row, middle: float, columns: Sequence[float], width: float) -> None:
    right = width - 12.0
    for (text, key), column in reversed(list(zip(row.right, columns, strict=False))):
        ink.text(right, middle, text, key, "right", strong=key == "ink", room=column + 0.5)
        right -= column + 12


def legend_width(entries: Sequence[LegendEntry]) -> float:
    """Width of a legend on one line."""
    return sum(entry_width(entry) + LEGEND_GAP for entry in entries) - LEGEND_GAP if entries else 0.0


def entry_width(entry: LegendEntry) -> float:
    """Width of one legend entry."""
    return text_width(entry.text) + (SWATCH + 6 if entry.colour else 0)


def header_lines(figure: Figure, width: float) -> list[list[LegendEntry]]:
    """Legend lines: the first beside the title when all fits there, else below it, wrapped."""
    title = text_width(figure.title, True, TITLE_PX) + text_width(figure.subtitle) + 60
    if title + legend_width(figure.legend) <= width:
        return [list(figure.legend)]
    lines: list[list[LegendEntry]] = [[], []]
    for entry in figure.legend:
        if lines[-1] and legend_width([*lines[-1], entry]) > width - 24:
            lines.append([])
        lines[-1].append(entry)
    return lines


def header_height(figure: Figure, width: float) -> float:
    """Height in px of title and legend."""
    has_any = bool(figure.title or figure.subtitle or figure.legend)
    return len(header_lines(figure, width)) * HEADER_LINE + 4 if has_any else 4.0


def paint_header(ink: Ink, figure: Figure, width: float, left: float) -> None:
    """Title and subtitle at left; the legend at right, or below when it does not fit."""
    y = HEADER_LINE / 2
    used = ink.text(left, y, figure.title, "ink", strong=True, px=TITLE_PX)
    ink.text(left + used + 12, y, figure.subtitle, "ink3")
    lines = header_lines(figure, width)
    for number, entries in enumerate(lines):
        x = width - 8 - legend_width(entries) if number == 0 else left
        for entry in entries:
            _paint_entry(ink, entry, x, y + number * HEADER_LINE)
            x += entry_width(entry) + LEGEND_GAP


def _paint_entry(ink: Ink, entry: LegendEntry, x: float, y: float) -> None:
    centre = x + SWATCH / 2
    box = QRectF(x, y - SWATCH / 2, SWATCH, SWATCH)
    if entry.colour and entry.swatch in ("circle", "square", "hollow"):
        ink.glyph(centre, y, SWATCH / 2, entry.swatch, entry.colour, entry.swatch == "hollow")
    elif entry.colour and (entry.swatch == "half" or entry.swatch == "dashed"):
        ink.glyph(centre, y, SWATCH / 2, "circle", entry.colour, fill=entry.swatch)
    elif entry.colour and entry.swatch == "hatch":
        ink.hatch(box, entry.colour)
    elif entry.colour and entry.swatch == "tick":
        ink.line(centre, y - 7, centre, y + 7, ink.pen("ink", 2.0))
    elif entry.colour and entry.swatch in ("line", "dash"):
        ink.line(x, y, x + SWATCH, y, ink.pen(entry.colour, 2.0, dash=(4.0, 3.0) if entry.swatch == "dash" else None))
    elif entry.colour:
        ink.part(box, entry.colour, entry.shade)
    ink.text(x + (SWATCH + 6 if entry.colour else 0), y, entry.text, "ink2")
