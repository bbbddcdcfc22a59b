"""Cash over time: rent, commit or buy, with break-even and net present values."""

from __future__ import annotations

from core.comparison.questions.cash import CashLine, CashPlan, cash_plan
from core.comparison.questions.cash_words import LEFT_OUT, buy_inputs, cash_sentences, npv_text, way_words
from core.comparison.result import CandidateResult
from core.report.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table
from core.report.pages.context import PageContext
from core.report.price_notes import price_cell
from core.units import counted, usd
from core.workload.profile import Profile


def cash_page(context: PageContext) -> Section | None:
    """The pick's cluster under every way to pay; none where no other way is known, or nobody asked for years ahead."""
    if not _is_asked(context.profile):
        return None
    shown = context.pick or next(iter(context.results.best_feasible), None)
    plan = cash_plan(context.results, shown) if shown else None
    if shown is None or plan is None or len(plan.lines) < 2:
        return None
    blocks: list[Block] = [
        Figure("cumulative-cash", context.results, shown.id, _caption(plan, shown), _alt(plan), 0.36),
        *(Paragraph(text) for text in cash_sentences(context.results, shown)),
        _ways(context, plan),
        *_buying(plan),
        Paragraph(LEFT_OUT, "note"),
    ]
    return Section("cash", "Cash over time", tuple(blocks))


def _is_asked(profile: Profile) -> bool:
    """Buying is allowed, or months to compare over are typed: a run of weeks gets no story of years."""
    return "owned" in profile.places.purchase_models or profile.outlook.horizon_months is not None


def _caption(plan: CashPlan, shown: CandidateResult) -> str:
    months = plan.terms.horizon_months
    return f"Cash paid for {shown.candidate.name}, settled after {counted(months, 'month')}: terms owed, hardware sold."


def _alt(plan: CashPlan) -> str:
    return "; ".join(f"{way_words(line)} NPV {npv_text(plan, line)}" for line in plan.lines)


def _ways(context: PageContext, plan: CashPlan) -> Table:
    columns = (
        Column("Way to pay", weight=2.4),
        Column("Price of a chip hour", "right", 1.3),
        Column("At the start", "right", 1.1),
        Column("A month", "right", 1.0),
        Column("In all, settled", "right", 1.2),
        Column("Net present value", "right", 1.8),
        Column("Price of", weight=1.5),
    )
    return Table(columns, tuple(_way_row(context, plan, line) for line in plan.lines))


def _way_row(context: PageContext, plan: CashPlan, line: CashLine) -> tuple[Cell, ...]:
    low, likely, high = plan.present_usd(line)
    offer, reasons = line.variant.offer, line.variant.reasons
    why_not = str(reasons[0].text) if reasons else ""
    return (
        Cell(way_words(line), why_not, below=True, tone="muted" if reasons else "strong"),
        Cell("bought" if line.is_bought else usd(line.variant.usd_per_chip_hour)),
        Cell(usd(line.flow.upfront_usd) if line.flow.upfront_usd else "0"),
        Cell(usd(line.flow.monthly_usd)),
        Cell(usd(float(plan.paid_usd(line.flow)[-1]))),
        Cell(usd(likely), f"{usd(low, 2)} to {usd(high, 2)}" if high > low else "", below=True),
        price_cell(offer, context.today, context.plan.old_price_days),
    )


def _buying(plan: CashPlan) -> tuple[Block, ...]:
    """What buying rests on, each an input that can be entered."""
    if plan.buy is None:
        return ()
    rows = tuple((Cell(name), Cell(str(text))) for name, text in buy_inputs(plan.buy))
    table = Table((Column("What", weight=2), Column("Inputs", weight=2)), rows, _ESTIMATE)
    return (Paragraph("What buying takes", "heading"), table)


_ESTIMATE = (
    "Shares, life and prices of rooms and power are the usual ones, mostly estimates; the profile can enter others."
)
