"""Paints the scenarios' sheet: heads, inputs with the mark of change, answers, and one chart a column."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush

from core.report.scenarios.answers import AnswerCell, AnswerRow
from core.report.scenarios.options import OptionRow, Point, budget_of
from core.units import counted, grouped
from gui.charts.figure.shown import colour_key, fill_of, shape_of
from gui.charts.figure.ticks import tick_text
from gui.charts.paint.brush import Ink, text_width
from gui.tabs.what_if.sheet import (
    LABEL_PX,
    LIKELY_PX,
    REACH_PX,
    RIGHT_TEXT_PX,
    TALL_PX,
    TEXT_PX,
    Band,
    Columns,
    CostScale,
    Sheet,
)
from gui.widgets.live import PAGE_SIDE_PX

BODY_PX, SMALL_PX, NAME_PX = 13, 12, 16
MARK_PX, RING_PX = 5.0, 9.0
FADED = 0.45
DOT_PX = 3.0
COUNT_APART_PX = 7
LINE_STEP = 1.3
_TONES = {"": "ink", "second": "ink2", "strong": "ink", "muted": "ink3", "bad": "err"}

Cell = tuple[int, int]
"""Number of a band, and of a column."""


@dataclass(frozen=True, slots=True)
class Look:
    """What else is seen: the cell that has the focus, and the one below the pointer."""

    focused: Cell | None = None
    hovered: Cell | None = None


def paint_sheet(ink: Ink, sheet: Sheet, columns: Columns, look: Look, height: float) -> None:
    """The whole sheet: what stays in its place, then what scrolls sideways."""
    ink.fill(QRectF(LABEL_PX, 0, columns.column_px, height), "sel", 0.55)
    for band in sheet.bands:
        _paint_label(ink, sheet, band)
    _paint_column(ink, sheet, columns, 0, look)
    ink.painter.save()
    ink.painter.setClipRect(QRectF(columns.free_left, 0, columns.width - columns.free_left, height))
    for column in range(1, sheet.n_columns):
        if columns.left(column) < columns.width and columns.left(column + 1) > columns.free_left:
            _paint_column(ink, sheet, columns, column, look)
    ink.painter.restore()
    _paint_rules(ink, sheet, columns)


def _paint_rules(ink: Ink, sheet: Sheet, columns: Columns) -> None:
    for band in sheet.bands:
        bottom = band.top + band.height - 1
        if band.kind == "head":
            ink.fill(QRectF(0, bottom, columns.width, 1), "line2")
        elif band.kind in ("input", "answer"):
            ink.fill(QRectF(PAGE_SIDE_PX, bottom, columns.width - 2 * PAGE_SIDE_PX, 1), "line")


def _paint_label(ink: Ink, sheet: Sheet, band: Band) -> None:
    x, room = PAGE_SIDE_PX, LABEL_PX - PAGE_SIDE_PX - 8
    match band.kind:
        case "head":
            _lines(ink, QRectF(x, band.top + 6, room, band.height - 10), sheet.head, strong=True)
        case "inputs":
            taken = ink.text(x, band.middle + 2, "Inputs that differ", "ink", strong=True, px=BODY_PX)
            words = f"{len(sheet.inputs.rows)} of {sheet.inputs.n_in_all}"
            ink.text(x + taken + 14, band.middle + 2, words, "ink3", px=SMALL_PX)
        case "answers":
            taken = ink.text(x, band.middle + 2, "Answer", "ink", strong=True, px=BODY_PX)
            ink.text(x + taken + 10, band.middle + 2, "the same draws for all", "ink3", px=SMALL_PX)
        case "options":
            ink.text(x, band.top + 14, f"The same {_count(len(sheet.options))}", "ink", strong=True, px=BODY_PX)
        case "option":
            _paint_option_name(ink, sheet.options[band.number], x, band.middle, room)
        case "axis":
            unit = sheet.scale.money.words if sheet.scale else ""
            words = f"{f'Total cost, {unit}' if _is_total(sheet) else f'{unit} a month'}; ring = pick"
            ink.text(x, band.top + 12, words, "ink3", px=SMALL_PX, room=room)
        case _:
            top = band.top + 13 if band.kind == "answer" and sheet.rows[band.number].below else band.middle
            ink.text(x, top, sheet.title(band), "ink2", px=BODY_PX, room=room)


def _is_total(sheet: Sheet) -> bool:
    known = next((one.results for one in sheet.answers if one.results), None)
    return known is None or known.profile.job.months_in_service is None


def _count(n: int) -> str:
    words = {1: "one option", 2: "two options", 3: "three options", 4: "four options", 5: "five options"}
    return words.get(n, "six options" if n == 6 else counted(n, "option"))


def _paint_option_name(ink: Ink, row: OptionRow, x: float, y: float, room: float) -> None:
    chip = row.first.candidate.accelerator
    ink.glyph(x + MARK_PX, y, MARK_PX, shape_of(chip), colour_key(chip))
    ink.text(x + 18, y, row.first.candidate.name, "ink", px=BODY_PX, room=room - 18)


def _paint_column(ink: Ink, sheet: Sheet, columns: Columns, column: int, look: Look) -> None:
    ink.painter.setOpacity(FADED if column in sheet.faded else 1.0)
    if sheet.scale is not None:
        _paint_panel(ink, sheet, columns, column, sheet.scale)
    for number, band in enumerate(sheet.bands):
        if band.kind == "head":
            ink.painter.setOpacity(1.0)
        _paint_cell(ink, sheet, columns, band, column)
        ink.painter.setOpacity(FADED if column in sheet.faded and band.kind != "input" else 1.0)
        _paint_state(ink, columns, band, (number, column), look)
    ink.painter.setOpacity(1.0)


def _paint_state(ink: Ink, columns: Columns, band: Band, cell: Cell, look: Look) -> None:
    left = columns.left(cell[1])
    rect = QRectF(left + 2, band.top + 1, columns.column_px - 6, band.height - 3)
    if cell == look.hovered and band.kind == "input":
        ink.painter.setPen(ink.pen("line2"))
        ink.painter.setBrush(Qt.BrushStyle.NoBrush)
        ink.painter.drawRoundedRect(rect, 3, 3)
    if cell == look.focused:
        ink.painter.setPen(ink.pen("accent", 2.0))
        ink.painter.setBrush(Qt.BrushStyle.NoBrush)
        ink.painter.drawRoundedRect(rect, 3, 3)


def _paint_cell(ink: Ink, sheet: Sheet, columns: Columns, band: Band, column: int) -> None:
    left = columns.left(column)
    match band.kind:
        case "head":
            _paint_head(ink, sheet, left, columns.column_px, column)
        case "input":
            _paint_input(ink, sheet, band, left, columns.column_px, column)
        case "answer":
            row = sheet.rows[band.number]
            _paint_answer(ink, row, row.cells[column], band, left, columns.column_px)
        case "option":
            point = sheet.options[band.number].points[column]
            _paint_point(ink, point, columns, column, band.middle, sheet.scale)
        case _:
            pass


def _paint_head(ink: Ink, sheet: Sheet, left: float, width: float, column: int) -> None:
    room = width - TEXT_PX - RIGHT_TEXT_PX - 28
    ink.text(left + TEXT_PX, 19, sheet.answers[column].name, "ink", strong=True, px=NAME_PX, room=room)
    n_changed = sheet.inputs.n_changed(column)
    words = "the plan as it stands" if column == 0 else f"{counted(n_changed, 'input')} {_differ(n_changed)}"
    if column and not n_changed:
        words = "no input of this workload differs"
    ink.text(left + TEXT_PX, 39, words, "ink3", px=SMALL_PX, room=width - TEXT_PX - 12)


def _differ(count: int) -> str:
    return "differs" if count == 1 else "differ"


def _paint_input(ink: Ink, sheet: Sheet, band: Band, left: float, width: float, column: int) -> None:
    cell = sheet.inputs.rows[band.number].cells[column]
    if cell.is_changed:
        ink.painter.setPen(Qt.PenStyle.NoPen)
        ink.painter.setBrush(QBrush(ink.colour("accent")))
        ink.painter.drawEllipse(QPointF(left + 5, band.middle), DOT_PX, DOT_PX)
        ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    room = width - TEXT_PX - (RIGHT_TEXT_PX + 14 if cell.is_changed else 12)
    rect = QRectF(left + TEXT_PX, band.top, room, band.height)
    _lines(ink, rect, cell.text, "ink" if cell.is_changed else "ink3")


def _paint_answer(ink: Ink, row: AnswerRow, cell: AnswerCell, band: Band, left: float, width: float) -> None:
    if row.id == "pick":
        _paint_pick(ink, cell, band, left, width)
    elif not row.is_figure or (cell.tone == "bad" and not cell.second):
        rect = QRectF(left + TEXT_PX, band.top + 4, width - TEXT_PX - 16, band.height - 7)
        _lines(ink, rect, cell.text, _TONES[cell.tone], px=BODY_PX if band.height < TALL_PX else SMALL_PX)
    else:
        y, right = band.middle, left + width - RIGHT_TEXT_PX
        ink.text(left + LIKELY_PX, y, cell.text, _TONES[cell.tone], "right", strong=cell.tone == "strong", px=BODY_PX)
        key = _TONES[cell.difference_tone or "second"]
        taken = ink.text(right, y, cell.difference, key, "right", px=SMALL_PX)
        room = right - taken - 6 - (left + REACH_PX)
        ink.text(left + REACH_PX, y, cell.second, _TONES[cell.second_tone], px=SMALL_PX, room=room)


def _paint_pick(ink: Ink, cell: AnswerCell, band: Band, left: float, width: float) -> None:
    x, room = left + TEXT_PX, width - TEXT_PX - 30
    if cell.mark is not None:
        chip = cell.mark.candidate.accelerator
        key, is_hollow = colour_key(chip), not cell.mark.feasible
        ink.glyph(x + MARK_PX, band.top + 13, MARK_PX, shape_of(chip), key, is_hollow, fill_of(cell.mark))
        x += 18
    ink.text(x, band.top + 13, cell.text, _TONES[cell.tone], strong=True, px=BODY_PX, room=room)
    ink.text(x, band.top + 30, cell.second, _TONES[cell.second_tone], px=SMALL_PX, room=room)


def _lines(ink: Ink, rect: QRectF, words: str, key: str = "ink", strong: bool = False, px: int = BODY_PX) -> None:
    """Words in two lines where one is too short for them, around the middle; what is left over is left out."""
    first, rest = _broken(words, rect.width(), strong, px)
    y, step = rect.center().y(), LINE_STEP * px
    ink.text(rect.left(), y - step / 2 if rest else y, first, key, strong=strong, px=px, room=rect.width())
    if rest:
        ink.text(rect.left(), y + step / 2, rest, key, strong=strong, px=px, room=rect.width())


def _broken(words: str, room: float, strong: bool, px: int) -> tuple[str, str]:
    """As many words as have room, and the rest."""
    if text_width(words, strong, px) <= room:
        return words, ""
    parts = words.split(" ")
    lengths = range(len(parts) - 1, 0, -1)
    n_fit = next((n for n in lengths if text_width(" ".join(parts[:n]), strong, px) <= room), 1)
    return " ".join(parts[:n_fit]), " ".join(parts[n_fit:])


def _paint_panel(ink: Ink, sheet: Sheet, columns: Columns, column: int, scale: CostScale) -> None:
    """The ground of a column's chart: grid, what lies over the budget, axis."""
    first = next(band for band in sheet.bands if band.kind == "option")
    last = next(band for band in sheet.bands if band.kind == "axis")
    left, right = columns.plot(column)
    top, bottom = first.top - 2, last.top
    results = sheet.answers[column].results
    budget = budget_of(results) if results else None
    if budget is not None and scale.low < budget < scale.high:
        x = left + scale.share(budget) * (right - left)
        ink.fill(QRectF(x, top, right - x, bottom - top), "limit")
    for tick in scale.ticks:
        x = left + scale.share(tick) * (right - left)
        ink.fill(QRectF(x, top, 1, bottom - top), "grid")
        words = tick_text(tick / scale.money.divisor, _step(scale))
        ink.text(x, bottom + 12, words, "ink2", "centre", px=SMALL_PX)
    ink.fill(QRectF(left, bottom, right - left, 1), "line2")
    if budget is not None and scale.low < budget < scale.high:
        x = left + scale.share(budget) * (right - left)
        ink.line(x, top, x, bottom, ink.pen("ink2", 1.25, dash=(5, 4)))
        words = f"Budget {tick_text(budget / scale.money.divisor)}"
        ink.text(min(x, right - text_width(words) / 2), top - 9, words, "ink2", "centre", px=SMALL_PX)


def _step(scale: CostScale) -> float:
    ticks = scale.ticks
    return (ticks[1] - ticks[0]) / scale.money.divisor if len(ticks) > 1 and not scale.is_log else 0.0


def _paint_point(
    ink: Ink, point: Point | None, columns: Columns, column: int, y: float, scale: CostScale | None
) -> None:
    right_text = columns.left(column) + columns.column_px - RIGHT_TEXT_PX
    if point is None or scale is None:
        ink.text(right_text, y, "not compared", "ink3", "right", px=SMALL_PX)
        return
    left, right = columns.plot(column)
    at = [left + scale.share(usd) * (right - left) for usd in (point.usd.low, point.usd.likely, point.usd.high)]
    chip, misses = point.result.candidate.accelerator, not point.result.feasible
    key = colour_key(chip)
    ink.line(at[0], y, at[2], y, ink.pen(key, 1.5, 0.55))
    ink.glyph(at[1], y, MARK_PX, shape_of(chip), key, misses, fill_of(point.result))
    if point.is_pick:
        ink.ring(at[1], y, RING_PX, "ink", 1.5)
    _paint_count(ink, point, (left, right), (at[0], at[2]), y)
    tone = "err" if misses else "ink" if point.is_pick else "ink2"
    ink.text(right_text, y, point.words, tone, "right", strong=point.is_pick, px=SMALL_PX, room=PLOT_TEXT_PX)


def _paint_count(ink: Ink, point: Point, plot: tuple[float, float], line: tuple[float, float], y: float) -> None:
    """The number of chips beside the line, where it is not the row's own, on the side with more room."""
    if point.is_as_many:
        return
    words = f"{grouped(point.result.candidate.n_chips)} \u00d7"
    is_left = line[0] - plot[0] > plot[1] - line[1]
    width = text_width(words, px=SMALL_PX)
    x = line[0] - COUNT_APART_PX - width if is_left else line[1] + COUNT_APART_PX
    ink.fill(QRectF(x - 2, y - MARK_PX, width + 4, 2 * MARK_PX), "bg")  # the line of the budget may run there
    ink.text(x, y, words, "ink2", px=SMALL_PX)


PLOT_TEXT_PX = 78.0
