"""Cash by month and quarter, and operating and capital cost: one ledger, cut two ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from core.comparison.together.due import PREPAID, is_committed, is_prepaid
from core.months import MONTH_NAMES, Month, month_name, quarter_name, quarter_of
from core.report.blocks import Block, Cell, Column, Paragraph, PeriodRow, Periods, Table
from core.report.ledger import (
    BOUGHT,
    CHIPS,
    GROUPS,
    OTHER,
    SOLD,
    STAFF,
    TIED_UP,
    Ledger,
    units_text,
)
from core.report.pages.key_figures import by_year
from core.units import DASH, THIN, shown_money, usd
from core.workload.places import PurchaseModel
from core.workload.profile import PURCHASE_WORDS

MOST_MONTHS = 18
"""So many months stand as columns; of more of them the quarters."""
MOST_COLUMNS = 16
MOST_YEARS = 12
"""Years told month by month among the sums."""


def cash_blocks(ledger: Ledger, total_range: str, lists_months: bool) -> tuple[Block, ...]:
    """Bars over a table of months with quarters below, or of quarters, or years, where there are many months.

    ``lists_months``: :func:`month_blocks` stand in the same paper.
    """
    spans = _spans(ledger)
    listed = [PeriodRow(name, _cells(ledger, row, spans), units_text(sum(row.values()))) for name, row in _rows(ledger)]
    due, quarters = [ledger.due(months) for _, months in spans], _quarters(ledger, len(spans))
    most = max((*due, 1))
    rows = (*listed, _sum_row("Due", due, ledger.total_due))
    paid = list(accumulate(due))
    block = Periods(
        unit=ledger.unit,
        periods=tuple(name for name, _ in spans),
        shares=tuple(max(units, 0) / most for units in due),
        rows=rows,
        last=PeriodRow("Paid so far", tuple(map(units_text, paid)), units_text(ledger.total_due)),
        alt="Cash due: " + "; ".join(f"{name} {units_text(one)}" for (name, _), one in zip(spans, due, strict=True)),
        groups=tuple((quarter_name(quarter_of(months[0])), len(months)) for months in quarters),
        group_row=_quarter_row(ledger, quarters) if quarters else None,
    )
    once = "What is bought or done once" + (", and a capacity block," if any(map(is_prepaid, ledger.picks)) else "")
    back = "; what hardware is worth at the end of the plan comes back then" if _all_of(ledger, BOUGHT) else ""
    note = (
        f"Likely amounts in {ledger.unit}; 80{THIN}% of outcomes lie between {total_range} in all. {once} is due "
        f"at its start, the rest evenly over its days{back}. {_tied_up_words(ledger)}Rounded so that rows and columns "
        "add up."
    )
    where = "under How it adds up and in the workbook" if lists_months else "in the workbook"
    by_month = f" Each month stands {where}." if has_more_months(ledger) else ""
    return block, Paragraph(f"{note}{by_month}", "note")


def _all_of(ledger: Ledger, *groups: str) -> int:
    """Units of some groups of all workloads."""
    return sum(ledger.of(number, *groups) for number in range(len(ledger.picks)))


def _tied_up_words(ledger: Ledger) -> str:
    """Why what is due is less than what the plan costs; empty where nothing is bought."""
    units = _all_of(ledger, TIED_UP)
    whole = f"is in the cost of {units_text(ledger.total)} and due to nobody"
    return f"Cost of capital, {units_text(units)}, {whole}. " if units else ""


def has_more_months(ledger: Ledger) -> bool:
    """True where there are more months than stand as columns."""
    return len(ledger.months) > MOST_MONTHS


def cash_heading(ledger: Ledger) -> str:
    """What the columns of :func:`cash_blocks` are."""
    if not has_more_months(ledger):
        return "Cash by month and quarter" if len(ledger.quarters) > 1 else "Cash by month"
    return "Cash by quarter" if len(ledger.quarters) <= MOST_COLUMNS else "Cash by year"


def month_blocks(ledger: Ledger) -> tuple[Block, ...]:
    """What is due in each month, where these do not stand as columns: a row a year; many years later in one sum."""
    if not has_more_months(ledger):
        return ()
    years = sorted({year for year, _ in ledger.months})
    listed, later = years[:MOST_YEARS], [month for month in ledger.months if month[0] not in years[:MOST_YEARS]]
    rows = [_year_row(ledger, year) for year in listed]
    blank = tuple(Cell("") for _ in MONTH_NAMES)
    rows += [(Cell("Later"), *blank, Cell(units_text(ledger.due(later))))] if later else []
    rows.append((Cell("In all", tone="strong"), *blank, Cell(units_text(ledger.total_due), tone="strong")))
    columns = (
        Column(ledger.unit, weight=1.6),
        *(Column(month, "right") for month in MONTH_NAMES),
        Column("Year", "right", 1.2),
    )
    return Paragraph("Due by month", "heading"), Table(columns, tuple(rows), is_small=True)


def _year_row(ledger: Ledger, year: int) -> tuple[Cell, ...]:
    due = [ledger.due([(year, number)]) for number in range(1, len(MONTH_NAMES) + 1)]
    cells = (Cell(units_text(units) if units else DASH) for units in due)
    return Cell(str(year)), *cells, Cell(units_text(sum(due)), tone="strong")


def _spans(ledger: Ledger) -> Sequence[tuple[str, Sequence[Month]]]:
    if not has_more_months(ledger):
        years = {year for year, _ in ledger.months}
        short = len(years) == 1 or len(ledger.quarters) > 1
        return [(MONTH_NAMES[month[1] - 1] if short else month_name(month), (month,)) for month in ledger.months]
    if len(ledger.quarters) <= MOST_COLUMNS:
        return [(quarter_name(quarter_of(months[0])), months) for months in ledger.quarters]
    return by_year(ledger.months, MOST_COLUMNS)


def _quarters(ledger: Ledger, n_columns: int) -> Sequence[Sequence[Month]]:
    """Quarters over columns of months; none where the columns are no months, or lie in one quarter."""
    quarters = ledger.quarters
    return quarters if n_columns == len(ledger.months) and len(quarters) > 1 else ()


def _quarter_row(ledger: Ledger, quarters: Sequence[Sequence[Month]]) -> PeriodRow:
    values = tuple(units_text(ledger.due(months)) for months in quarters)
    return PeriodRow("Due in the quarter", values, units_text(ledger.total_due), "muted")


def _rows(ledger: Ledger) -> Iterator[tuple[str, dict[Month, int]]]:
    """Chips of each workload, then the other groups over all workloads; what is due in no month is left out."""
    kinds = [one.profile.job.words.doing for one in ledger.picks]
    for number, one in enumerate(kinds):
        name = f"{one} chips" if kinds.count(one) == 1 else f"{one} chips, {ledger.picks[number].name}"
        yield from _row(ledger, name, (CHIPS,), number)
    for group in (*GROUPS, OTHER):
        if group != CHIPS:
            yield from _row(ledger, group, (group,))


def _row(
    ledger: Ledger, name: str, groups: Sequence[str], workload: int | None = None
) -> Iterator[tuple[str, dict[Month, int]]]:
    by_month: dict[Month, int] = {}
    for entry in ledger.entries:
        if entry.month and entry.group in groups and (workload is None or entry.workload == workload):
            by_month[entry.month] = by_month.get(entry.month, 0) + entry.units
    if by_month:
        yield name, by_month


def _cells(ledger: Ledger, row: dict[Month, int], spans: Sequence[tuple[str, Sequence[Month]]]) -> tuple[str, ...]:
    units = [sum(row.get(month, 0) for month in months) for _, months in spans]
    return tuple(units_text(one) if one else DASH for one in units)


def _sum_row(name: str, due: Sequence[int], total: int) -> PeriodRow:
    return PeriodRow(name, tuple(map(units_text, due)), units_text(total), "strong")


def opex_blocks(ledger: Ledger) -> tuple[Block, ...]:
    """Operating cost by how it can be stopped, and capital cost, of each workload and of the plan.

    Capital cost is what hardware is bought for; with its worth at the end and the cost of capital, each a line of its
    own, both make the total cost.
    """
    columns = (
        Column(f"Operating cost, {ledger.unit}", weight=2.2),
        *(Column(one.name, "right", 1.3) for one in ledger.picks),
        *((Column("Plan", "right", 0.9),) if len(ledger.picks) > 1 else ()),
        Column("What it is", weight=3),
    )
    lines = list(_opex_lines(ledger))
    rows = [_opex_row(ledger, name, units, what) for name, units, what in lines]
    sums = [sum(units[place] for _, units, _ in lines) for place in range(len(ledger.picks) + 1)]
    rows.append(_opex_row(ledger, "Operating cost (opex)", sums, _new_cash(ledger, lines), "strong"))
    capital = tuple(_capital_rows(ledger, sums))
    return (Table(columns, (*rows, *capital), is_small=len(capital) > 1),)


def _capital_rows(ledger: Ledger, opex: Sequence[int]) -> Iterator[tuple[Cell, ...]]:
    """What hardware is bought for, its worth at the end and what the money costs meanwhile; then all cost."""
    own = {group: [*(ledger.of(number, group) for number in range(len(ledger.picks))), 0] for group in _OWNED}
    if not any(map(any, own.values())):
        yield _opex_row(ledger, CAPEX, own[BOUGHT], "Nothing is bought")
        return
    for group, (name, what) in _OWNED.items():
        yield _opex_row(ledger, name, own[group], what)
    total = [sum(units) for units in zip(opex, *own.values(), strict=True)]
    yield _opex_row(ledger, "Total cost", total, "", "strong")


CAPEX = "Capital cost (capex)"
_OWNED = {
    BOUGHT: (CAPEX, "Hardware of one's own, paid when it comes"),
    SOLD: ("Worth at the end", "Sold then, or taken over by other work"),
    TIED_UP: ("Cost of capital", "Of the money tied up meanwhile; no invoice"),
}
"""Names of what hardware is made of besides its upkeep, and what each is."""


_Line = tuple[str, list[int], str]
"""A name, units of each workload and of what they share, and what it is."""


def _opex_lines(ledger: Ledger) -> Iterator[_Line]:
    owed = [is_committed(one) for one in ledger.picks]
    chips = [ledger.of(number, CHIPS) for number in range(len(ledger.picks))]
    committed = [units if is_owed else 0 for units, is_owed in zip(chips, owed, strict=True)]
    as_used = [units - own for units, own in zip(chips, committed, strict=True)]
    yield from _line("Committed", committed, _terms(ledger, owed))
    yield from _line("Paid as used", as_used, "Chips by the hour")
    for group in (*GROUPS, OTHER):
        if group == CHIPS or group in _OWNED:
            continue
        units = [ledger.of(number, group) for number in range(len(ledger.picks))]
        yield from _line(group, units, _WHAT.get(group, ""), ledger.of(None, group))


_WHAT = {
    STAFF: "Hours of your own people",
    "Storage, transfer": "Per GB and month, and what leaves the seller",
    "Support": "The seller's support plan",
    "Room and power": "For hardware of one's own",
    "Maintenance": "Contract and spares for hardware of one's own",
    "Waiting": "What days of waiting cost you; no invoice",
    "Moving weights": "From the seller that trains to the one that serves",
    "Further software": "A second kind of software kept up",
    "Rounding": "The total has three digits",
}


def _line(name: str, units: list[int], what: str, shared: int = 0) -> Iterator[_Line]:
    if any(units) or shared:
        yield name, [*units, shared], what


def _terms(ledger: Ledger, owed: Sequence[bool]) -> str:
    offers = [one.pick.candidate.offer for one, is_owed in zip(ledger.picks, owed, strict=True) if is_owed]
    words = [f"{PURCHASE_WORDS[offer.purchase_model]}, {_owed(offer.purchase_model)}" for offer in offers]
    return "; ".join(dict.fromkeys(words))


def _owed(purchase_model: PurchaseModel) -> str:
    return "paid ahead" if purchase_model == PREPAID else "owed to the end of the term"


def _new_cash(ledger: Ledger, lines: Sequence[_Line]) -> str:
    """``2 474 new cash, 136 own staff``: what is paid to others, and hours of people who are paid in any case."""
    own = sum(sum(units) for name, units, _ in lines if name in (STAFF, "Waiting"))
    whole = sum(sum(units) for _, units, _ in lines)
    return f"{units_text(whole - own)} paid to others, {units_text(own)} of your own"


def _opex_row(ledger: Ledger, name: str, units: Sequence[int], what: str, tone: str = "") -> tuple[Cell, ...]:
    """What workloads share stands in the plan's column alone."""
    *own, _ = units
    plan = (Cell(units_text(sum(units)), tone=tone),) if len(ledger.picks) > 1 else ()
    return (
        Cell(name, tone=tone),
        *(Cell(units_text(one) if one or tone or "cost" in name else DASH, tone=tone) for one in own),
        *plan,
        Cell(what, tone="muted"),
    )


def half_due(ledger: Ledger) -> str:
    """``most of it is due by the end of Dec 2026``: what heads the page. Where hardware takes more than all costs in
    the end, of the most that is out: ``at most $47.1 M is out, all of it by the end of Oct 2027``."""
    whole, told = ledger.total_due, "{} of it is due by the end of {}"
    if ledger.most_out:
        whole = ledger.most_out[1]
        out = usd(whole * ledger.scale / shown_money().per_usd)
        told = f"at most {out} is out, {{}} of it by the end of {{}}"
    so_far = 0
    for month in ledger.months:
        so_far += ledger.due([month])
        if 2 * so_far >= whole:
            share = so_far / max(whole, 1)
            words = "all" if so_far == whole else "most" if share >= 0.75 else "half or more"
            return told.format(words, f"{MONTH_NAMES[month[1] - 1]} {month[0]}")
    return "nothing is due"


def range_words(low: float, high: float) -> str:
    """``$1.2 M and $2.3 M`` of a range of USD."""
    return f"{usd(low)} and {usd(high)}"
