"""Cash by month: what is due of each workload, and of running apart, in each month of the calendar.

Parts of a bill that are paid on the same days share a column of shares, so that a changed input moves the months that
it belongs to: the price of a server that in which it comes, the hours of people those in which they work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.comparison.together.due import RESALE, Due, Payment, due_apart, due_by_month, dues
from core.comparison.together.plan_answer import PlanAnswer
from core.comparison.together.ways import Picked
from core.cost.registry import title_of
from core.months import months_from
from core.report.workbook.bills import Bills
from core.report.workbook.sheet import DAY, SHARE, USD, Formula, Head, Sheet, Shown, letter, sum_of
from core.report.workbook.terms import Term

MOST_MONTHS = 600
_ABOVE = "Each month holds shares of the parts of the bill, as they fall due. {}"
_ALL_DUE = "All of it is the total of the verdict."
_CAPITAL = "All of it is the total of the verdict less the cost of capital of hardware, which is due to nobody."
_TOO_LONG = "The plan lasts longer than 50 years, which is not told by month."
_APART = "Moves and further software"


@dataclass(frozen=True)
class _Stream:
    """Amounts that are due on the same days: as formulas, what they are, and the share of them due in each month.

    ``column`` is the place among the amounts of the workload, or of running apart, that they belong to.
    """

    column: int
    title: str
    amounts: tuple[Term, ...]
    shares: Due


def cash_sheet(answer: PlanAnswer, bills: Bills, apart_total: Term) -> Sheet:
    """Months as rows, from the first with cash to the last; ``apart_total`` is the sum of what running apart costs."""
    streams = [stream for number, one in enumerate(answer.picks) for stream in _streams(number, one, bills)]
    names = [one.name for one in answer.picks]
    moves, upkeep = (sum(one.usd for one in each) for each in (answer.moving, answer.upkeep))
    if apart := due_apart(answer.picks, moves, upkeep, 1):
        whole = sum(apart.values()) or 1.0
        shares = {month: usd / whole for month, usd in apart.items()}
        streams.append(_Stream(len(names), _APART, (apart_total,), shares))
        names.append(_APART)
    due = {month for one in streams for month in one.shares}
    months = months_from(min(due), max(due))
    above = (_ABOVE.format(_CAPITAL if answer.capital_usd else _ALL_DUE),)
    if len(months) > MOST_MONTHS or months[-1][0] > date.max.year:
        return Sheet("Cash by month", _heads(names, streams), [], above=(*above, _TOO_LONG))
    sheet = Sheet("Cash by month", _heads(names, streams), [], above=above)
    for month in months:
        sheet.rows.append(_row(sheet, month, len(names), streams))
    sheet.total = ("In all", *(_sum(sheet, column) for column in range(1, len(sheet.heads))))
    return sheet


def _streams(number: int, one: Picked, bills: Bills) -> list[_Stream]:
    """What is due of a workload, by the days on which it is."""
    by_days: dict[tuple[date, date, bool], list[Payment]] = {}
    for payment in dues([one], 0.0, 0.0):
        by_days.setdefault((payment.begins, payment.ends, payment.item == RESALE), []).append(payment)
    return [_stream(number, one, bills, listed) for listed in by_days.values()]


def _stream(number: int, one: Picked, bills: Bills, listed: Sequence[Payment]) -> _Stream:
    """Shares of what comes back are below 0."""
    first = listed[0]
    whole = -1.0 if first.item == RESALE else 1.0
    shares = dict(due_by_month(Payment(None, first.part, whole, first.begins, first.ends)))
    titles = dict.fromkeys(_title(payment) for payment in listed if payment.usd)
    amounts = tuple(bills.payment(one.profile.id, one.pick, payment.part, payment.item) for payment in listed)
    return _Stream(number, f"{one.name}: {', '.join(titles) or 'all else'}", amounts, shares)


def _title(payment: Payment) -> str:
    """``Compute``; ``Hardware, purchase`` of what is paid in several."""
    return f"{title_of(payment.part)} {payment.item}".strip()


def _heads(names: list[str], streams: Sequence[_Stream]) -> list[Head]:
    shares = [Head(f"{one.title}: share due", "of all of it", SHARE) for one in streams]
    return [Head("Month, from its first day", "", DAY), *(Head(name, "USD", USD) for name in names),
            Head("All together", "USD", USD), *shares]  # fmt: skip


def _row(sheet: Sheet, month: tuple[int, int], n: int, streams: Sequence[_Stream]) -> list[Shown]:
    """The amounts of ``n`` workloads, running apart among them, their sum, and the shares that they follow from."""
    line = sheet.head_row + 1 + len(sheet.rows)
    shares = [one.shares.get(month, 0.0) for one in streams]
    due: list[list[Term]] = [[] for _ in range(n)]
    for place, (one, share) in enumerate(zip(streams, shares, strict=True)):
        whole = Term(sum(part.value for part in one.amounts), f"({'+'.join(part.text for part in one.amounts)})")
        due[one.column].append(whole * Term(share, f"{letter(n + 2 + place)}{line}"))
    amounts = [Formula("+".join(one.text for one in terms), sum(one.value for one in terms)) for terms in due]
    together = Formula(f"SUM(B{line}:{letter(n)}{line})", sum_of(amounts))
    return [date(*month, 1), *amounts, together, *shares]


def _sum(sheet: Sheet, column: int) -> Formula:
    first = sheet.head_row + 1
    span = f"{letter(column)}{first}:{letter(column)}{first + len(sheet.rows) - 1}"
    return Formula(f"SUM({span})", sum_of(row[column] for row in sheet.rows))
