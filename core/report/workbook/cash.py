"""Cash by month: what each workload's cost, and running apart, come to in each month of the calendar."""

from __future__ import annotations

from datetime import date

from core.comparison.together.due import Due, due_apart, due_of
from core.comparison.together.plan_answer import PlanAnswer
from core.report.workbook.sheet import DAY, SHARE, USD, Formula, Head, Sheet, Shown, letter

MOST_MONTHS = 600
_ABOVE = "Each month holds a share of the workload's total, as it falls due; the totals are those of the verdict."
_TOO_LONG = "The plan lasts longer than 50 years, which is not told by month."


def cash_sheet(answer: PlanAnswer, totals: list[str], apart_total: str) -> Sheet:
    """Months as rows, from the first with cash to the last; ``totals`` are the cells of the workloads' totals."""
    moves, upkeep = (sum(one.usd for one in each) for each in (answer.moving, answer.upkeep))
    apart = due_apart(answer.picks, moves, upkeep, 1)
    dues = [due_of(one, 1) for one in answer.picks] + ([apart] if apart else [])
    names = [one.name for one in answer.picks] + (["Moves and further software"] if apart else [])
    months = _months(set().union(*dues))
    if len(months) > MOST_MONTHS or months[-1][0] > date.max.year:
        return Sheet("Cash by month", _heads(names), [], above=(_ABOVE, _TOO_LONG))
    sheet = Sheet("Cash by month", _heads(names), [], above=(_ABOVE,))
    cells = [*totals, *([apart_total] if apart else [])]
    for month in months:
        sheet.rows.append(_row(sheet, month, dues, cells))
    sheet.total = ("In all", *(_sum(sheet, column) for column in range(1, 2 * len(dues) + 2)))
    return sheet


def _months(due: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """All months from the first to the last in which something is due, those between without any too."""
    first, last = (12 * year + month - 1 for year, month in (min(due), max(due)))
    return [(number // 12, number % 12 + 1) for number in range(first, last + 1)]


def _heads(names: list[str]) -> list[Head]:
    shares = [Head(f"{name}: share due", "of its total", SHARE) for name in names]
    return [Head("Month, from its first day", "", DAY), *(Head(name, "USD", USD) for name in names),
            Head("All together", "USD", USD), *shares]  # fmt: skip


def _row(sheet: Sheet, month: tuple[int, int], dues: list[Due], totals: list[str]) -> list[Shown]:
    n, number = len(dues), len(sheet.rows)
    shares = [due.get(month, 0.0) / (sum(due.values()) or 1.0) for due in dues]
    line = sheet.head_row + 1 + number
    amounts = [Formula(f"{total}*{letter(n + 2 + place)}{line}") for place, total in enumerate(totals)]
    together = Formula(f"SUM(B{line}:{letter(n)}{line})")
    return [date(*month, 1), *amounts, together, *shares]


def _sum(sheet: Sheet, column: int) -> Formula:
    first = sheet.head_row + 1
    return Formula(f"SUM({letter(column)}{first}:{letter(column)}{first + len(sheet.rows) - 1})")
