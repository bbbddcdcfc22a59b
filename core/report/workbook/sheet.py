"""A sheet as data: heads with their units, rows of values, dates and formulas; and how it becomes one of openpyxl's."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from core.breath import breathe
from core.report.spreadsheet import cell, clean

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.styles import Alignment, Font
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.properties import PageSetupProperties
    from openpyxl.worksheet.worksheet import Worksheet

TEXT, NUMBER, COUNT, USD, PRICE, SHARE, DAY = (
    "@",
    "#,##0.####",
    "#,##0",
    "#,##0.00",
    "#,##0.0000##",
    "0.0%",
    "yyyy-mm-dd",
)
"""Formats of cells, as spreadsheets write them."""

MAX_WIDTH, MIN_WIDTH = 60, 9
WIDEST = 230
"""Characters that one printed page still shows legibly; wider sheets take several pages."""
_MEASURED_ROWS = 60
_FONT = "Calibri"
_FOUR_DIGITS, _UNGROUPED, _MOST_DIGITS = 1000, 10_000, 12
_WHOLE = "0"
_A4 = 9
_LOOSE = 1.2
"""Lines break at words, and so hold fewer characters than fit."""
_NO_TITLE, _MOST_LETTERS = re.compile(r"[\[\]:*?/\\]+"), 31
_LINE_PT, _MOST_LINES = 15.0, 12
_INK, _HEAD_FILL, _INPUT_INK = "FF1A1D21", "FFE9ECEF", "FF0B5CAD"


@dataclass(frozen=True, slots=True)
class Formula:
    """What a spreadsheet works out: text without the leading ``=``, made by this program, never of a user's words, and
    what it comes to with the inputs as written."""

    text: str
    value: float


Shown = str | float | int | bool | date | Formula | None


@dataclass(frozen=True, slots=True)
class Head:
    """A column: its title, the unit that stands behind it in brackets, and the format of its cells. ``is_input``: a
    reviewer may change it, and sums follow."""

    title: str
    unit: str = ""
    number_format: str = TEXT
    is_input: bool = False

    @property
    def text(self) -> str:
        """``Total (USD)``."""
        return f"{self.title} ({self.unit})" if self.unit else self.title

    @property
    def is_figure(self) -> bool:
        """True for a column whose figures stand to the right."""
        return self.number_format not in (TEXT, DAY)


@dataclass
class Sheet:
    """A table with one head row, and lines of text above and below it, which are left out of the filter.

    ``frozen`` columns stay in view. ``total`` is a last row, in bold. ``wraps``: long texts take several lines.
    """

    title: str
    heads: Sequence[Head]
    rows: list[Sequence[Shown]]
    frozen: int = 1
    above: Sequence[str] = ()
    below: Sequence[Sequence[Shown]] = ()
    total: Sequence[Shown] | None = None
    wraps: bool = True

    @property
    def head_row(self) -> int:
        """The row of the heads, from 1."""
        return len(self.above) + 1

    def at(self, column: int, row: int) -> str:
        """The cell of a column and a row of the table, both from 0, as other sheets name it: ``'Cost parts'!$G$4``."""
        return f"'{self.title}'!${letter(column)}${self.head_row + 1 + row}"

    @property
    def values(self) -> dict[str, float]:
        """What the formulas come to, by cell: ``D7``."""
        rows = enumerate([*self.rows, *([self.total] if self.total else [])], start=self.head_row + 1)
        return {
            f"{letter(column)}{line}": one.value
            for line, row in rows
            for column, one in enumerate(row)
            if isinstance(one, Formula)
        }


def sum_of(column: Iterable[Shown]) -> float:
    """What a spreadsheet's ``SUM`` of these cells comes to."""
    values = (one.value if isinstance(one, Formula) else one for one in column)
    return math.fsum(value for value in values if isinstance(value, int | float) and not isinstance(value, bool))


def letter(column: int) -> str:
    """``A`` for 0, ``AA`` for 26."""
    text = ""
    number = column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text


def titles_of(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Titles of sheets that spreadsheets take: short, without the signs that formulas use, and each once."""
    used, titles = {"history", *(one.casefold() for one in taken)}, []
    for number, name in enumerate(names, start=1):
        kept = _NO_TITLE.sub(" ", clean(name))[:_MOST_LETTERS].strip(" '") or f"Workload {number}"
        if kept.casefold() in used:
            kept = f"{kept[: _MOST_LETTERS - 4].rstrip()} {number:03}"
        used.add(kept.casefold())
        titles.append(kept)
    return titles


def lay(book: Workbook, sheet: Sheet) -> None:
    """Writes the sheet as the last one of a workbook, row by row: a book that only writes keeps no cell of it."""
    page = book.create_sheet(sheet.title)
    _frame(page, sheet)
    for text in sheet.above:
        page.append([_bold(_made(page, cell(text)))])
    _add(page, sheet.head_row, [_head_cell(page, head) for head in sheet.heads], [head.text for head in sheet.heads])
    _add_body(page, sheet)
    for row in (*([()] if sheet.below else []), *sheet.below):
        page.append([_value(one) for one in row])


def _add_body(page: Worksheet, sheet: Sheet) -> None:
    looks = _looks(sheet.heads)
    for line, row in enumerate(sheet.rows, start=sheet.head_row + 1):
        breathe()
        cells = [_cell(page, *one) for one in zip(row, sheet.heads, looks, strict=False)]
        _add(page, line, cells, row if sheet.wraps else ())
    if sheet.total:
        total = [_cell(page, *one) for one in zip(sheet.total, sheet.heads, looks, strict=False)]
        page.append([one and _bold(one) for one in total])


def _value(value: Shown) -> str | float | int | bool | date | None:
    if isinstance(value, Formula):
        return f"={value.text}"
    return value if isinstance(value, date) else cell(value)


_Look = tuple["Font | None", "Alignment | None"]


def _looks(heads: Sequence[Head]) -> list[_Look]:
    """Ink and place of the cells of each column: text that follows figures stands off a little."""
    from openpyxl.styles import Alignment

    inks = [_font(color=_INPUT_INK) if head.is_input else None for head in heads]
    off = [before.number_format != TEXT and head.number_format == TEXT for before, head in pairwise(heads)]
    return [
        (ink, Alignment("left", indent=1) if is_off else None) for ink, is_off in zip(inks, (False, *off), strict=True)
    ]


def _cell(page: Worksheet, value: Shown, head: Head, look: _Look) -> Cell | None:
    """A cell with its format where it shows one; what is empty takes no cell."""
    if value is None or value == "":
        return None
    made = _made(page, _value(value))
    if isinstance(value, date):
        made.number_format = DAY
    elif not isinstance(value, str) and head.is_figure:
        made.number_format = _format_of(value, head)
    ink, place = look
    if ink is not None:
        made.font = ink
    if place is not None:
        made.alignment = place
    return made


def _format_of(value: float | Formula, head: Head) -> str:
    """That of the column; where it is :data:`NUMBER`, four digits, or more of what a reviewer may change."""
    if head.number_format != NUMBER or isinstance(value, Formula):
        return head.number_format
    if value == int(value):
        return COUNT if abs(value) >= _UNGROUPED else _WHOLE
    if abs(value) >= _FOUR_DIGITS:
        return USD if head.is_input else COUNT
    digits = min(3 - floor(log10(abs(value))) + 2 * head.is_input, _MOST_DIGITS)
    n_needed = max(len(f"{value:.{digits}f}".rstrip("0").partition(".")[2]), 2 * head.is_input)
    return f"0.{'0' * n_needed}" if n_needed else _WHOLE


def _frame(page: Worksheet, sheet: Sheet) -> None:
    """What stands before the cells in the file: widths, filter, frozen head, and how it is printed."""
    first, last = sheet.head_row, sheet.head_row + len(sheet.rows)
    page.freeze_panes = f"{letter(sheet.frozen)}{first + 1}"
    if sheet.rows:
        page.auto_filter.ref = f"A{first}:{letter(len(sheet.heads) - 1)}{last}"
    rows = sheet.rows if sheet.wraps else sheet.rows[:_MEASURED_ROWS]
    measured = [*rows, *(row[:-1] for row in sheet.below)]  # the last one may run on
    for number, head in enumerate(sheet.heads):
        values = [row[number] for row in measured if number < len(row)]
        page.column_dimensions[letter(number)].width = _width(head, values)
    _set_up_print(page, sheet)


def _set_up_print(page: Worksheet, sheet: Sheet) -> None:
    """A4 across with the heads on every page; all columns on one page, those of a very wide table on several."""
    page.page_setup.orientation, page.page_setup.paperSize = "landscape", _A4
    page.print_title_rows = f"{sheet.head_row}:{sheet.head_row}"
    page.oddFooter.left.text, page.oddFooter.right.text = "&A", "&P of &N"
    total = sum(one.width for one in page.column_dimensions.values())
    n_pages = 1 if sheet.wraps else ceil(total / WIDEST)
    page.page_setup.fitToWidth, page.page_setup.fitToHeight = n_pages, 0
    page.sheet_properties.pageSetUpPr = _fitted()
    if n_pages > 1:
        page.print_title_cols = f"A:{letter(max(sheet.frozen - 1, 0))}"


def _fitted() -> PageSetupProperties:
    from openpyxl.worksheet.properties import PageSetupProperties

    return PageSetupProperties(fitToPage=True)


def _add(page: Worksheet, line: int, cells: Sequence[Cell | None], texts: Sequence[Shown]) -> None:
    """Adds a row, as high as the longest of its texts, broken into lines as wide as their columns, asks for."""
    from openpyxl.styles import Alignment

    n_lines = max((_n_lines(page, *one) for one in enumerate(texts)), default=1)
    if n_lines > 1:
        page.row_dimensions[line].height = n_lines * _LINE_PT
        for one in cells:
            if one is not None:
                side, indent = one.alignment.horizontal, one.alignment.indent
                one.alignment = Alignment(side, "top", wrap_text=isinstance(one.value, str), indent=indent)
    page.append(cells)


def _n_lines(page: Worksheet, column: int, value: Shown) -> int:
    width = page.column_dimensions[letter(column)].width
    is_long = isinstance(value, str) and len(value) >= width
    return min(ceil(_LOOSE * len(str(value)) / width), _MOST_LINES) if is_long else 1


def _head_cell(page: Worksheet, head: Head) -> Cell:
    from openpyxl.styles import Alignment, PatternFill

    one = _bold(_made(page, cell(head.text)))
    one.fill = PatternFill("solid", fgColor=_HEAD_FILL)
    one.alignment = Alignment("right" if head.is_figure else "left", "top", wrap_text=True)
    return one


def _made(page: Worksheet, value: Shown) -> Cell:
    """A cell that can be added; where it stands is told when it is, but a book that only writes wants some place."""
    from openpyxl.cell import Cell

    return Cell(page, row=1, column=1, value=value)


def _bold(one: Cell) -> Cell:
    one.font = _font(bold=True)
    return one


def _font(bold: bool = False, color: str = _INK) -> Font:
    from openpyxl.styles import Font

    return Font(name=_FONT, size=11, bold=bold, color=color)


def _width(head: Head, values: Sequence[Shown]) -> float:
    """In characters: as the longest cell or half the head, which wraps, asks for."""
    longest = max((_length(value, head) for value in values), default=0)
    return float(min(max(longest, (len(head.text) + 1) // 2, MIN_WIDTH) + 2, MAX_WIDTH))


def _length(value: Shown, head: Head) -> int:
    if isinstance(value, Formula | date):
        return 12
    if isinstance(value, float | int) and not isinstance(value, bool):
        return len(f"{value:,.4f}" if head.number_format == PRICE else f"{value:,.2f}")
    return len(str(value or ""))
