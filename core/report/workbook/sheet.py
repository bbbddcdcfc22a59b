"""A sheet as data: heads with their units, rows of values, dates and formulas; and how it becomes one of openpyxl's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from core.breath import breathe
from core.report.spreadsheet import cell

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.styles import Font
    from openpyxl.workbook import Workbook
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
_MEASURED_ROWS = 60
_INK, _HEAD_FILL, _INPUT_INK = "FF1A1D21", "FFE9ECEF", "FF0B5CAD"


@dataclass(frozen=True, slots=True)
class Formula:
    """What a spreadsheet works out: text without the leading ``=``, made by this program, never of a user's words."""

    text: str


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


@dataclass
class Sheet:
    """A table with one head row, and lines of text above and below it, which are left out of the filter.

    ``frozen`` columns stay in view. ``total`` is a last row, in bold.
    """

    title: str
    heads: Sequence[Head]
    rows: list[Sequence[Shown]]
    frozen: int = 1
    above: Sequence[str] = ()
    below: Sequence[Sequence[Shown]] = ()
    total: Sequence[Shown] | None = None

    @property
    def head_row(self) -> int:
        """The row of the heads, from 1."""
        return len(self.above) + 1

    def at(self, column: int, row: int) -> str:
        """The cell of a column and a row of the table, both from 0, as other sheets name it: ``'Cost parts'!$G$4``."""
        return f"'{self.title}'!${letter(column)}${self.head_row + 1 + row}"


def letter(column: int) -> str:
    """``A`` for 0, ``AA`` for 26."""
    text = ""
    number = column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text


def lay(book: Workbook, sheet: Sheet) -> None:
    """Writes the sheet as the last one of a workbook."""
    page = book.create_sheet(sheet.title)
    for text in sheet.above:
        page.append([cell(text)])
    page.append([cell(head.text) for head in sheet.heads])
    body = [*sheet.rows, *([sheet.total] if sheet.total else [])]
    inks = [_font(color=_INPUT_INK) if head.is_input else None for head in sheet.heads]
    for row in body:
        breathe()
        page.append([_cell(page, *one) for one in zip(row, sheet.heads, inks, strict=False)])
    for row in (*([()] if sheet.below else []), *sheet.below):
        page.append([_value(one) for one in row])
    _dress(page, sheet)


def _value(value: Shown) -> str | float | int | bool | date | None:
    if isinstance(value, Formula):
        return f"={value.text}"
    return value if isinstance(value, date) else cell(value)


def _cell(page: Worksheet, value: Shown, head: Head, ink: Font | None) -> Cell | None:
    """A cell with its format where it shows one; what is empty takes no cell."""
    from openpyxl.cell import Cell

    if value is None or value == "":
        return None
    made = Cell(page, value=_value(value))
    if isinstance(value, date):
        made.number_format = DAY
    elif not isinstance(value, str) and head.number_format not in (TEXT, DAY):
        made.number_format = head.number_format
    if ink is not None:
        made.font = ink
    return made


def _dress(page: Worksheet, sheet: Sheet) -> None:
    """Number formats, widths, filter, frozen head, and what catches the eye."""
    first, last = sheet.head_row, sheet.head_row + len(sheet.rows)
    page.freeze_panes = f"{letter(sheet.frozen)}{first + 1}"
    if sheet.rows:
        page.auto_filter.ref = f"A{first}:{letter(len(sheet.heads) - 1)}{last}"
    for number, head in enumerate(sheet.heads):
        _dress_head(page.cell(first, number + 1))
        values = [row[number] for row in sheet.rows[:_MEASURED_ROWS] if number < len(row)]
        page.column_dimensions[letter(number)].width = _width(head, values)
    for row in (*range(1, first), *([last + 1] if sheet.total else [])):
        for one in page[row]:
            one.font = _font(bold=True)


def _dress_head(one: Cell) -> None:
    from openpyxl.styles import Alignment, PatternFill

    one.font = _font(bold=True)
    one.fill = PatternFill("solid", fgColor=_HEAD_FILL)
    one.alignment = Alignment(wrap_text=True, vertical="top")


def _font(bold: bool = False, color: str = _INK) -> Font:
    from openpyxl.styles import Font

    return Font(bold=bold, color=color)


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
