"""The two pages for finance: cash and commitments, then what could move the total and who does what next."""

from __future__ import annotations

from core.report.blocks import Paragraph, Section
from core.report.pages.context import PlanContext
from core.report.pages.finance.delay import delay_blocks
from core.report.pages.finance.due import cash_blocks, cash_heading, half_due, opex_blocks, range_words
from core.report.pages.finance.early_end import early_end_blocks
from core.report.pages.finance.outlook import scenario_blocks
from core.report.pages.finance.risks import risk_blocks, sign_off, step_blocks
from core.report.pages.finance.sensitivity import sensitivity_blocks, swings_of
from core.units import usd

CASH, RISKS = "For finance: cash and commitments", "For finance: what could move it, and next steps"


def finance_page(context: PlanContext) -> list[Section]:
    """When money is due, what kind of cost it is, what is owed, what a delay costs; none without a pick."""
    answer, ledger = context.answer, context.ledger
    if answer is None or ledger is None:
        return []
    total = answer.total_usd
    blocks = (
        Paragraph(CASH, "eyebrow"),
        Paragraph(cash_heading(ledger), "heading"),
        *cash_blocks(ledger, range_words(total.low, total.high), "sums" in context.wanted),
        Paragraph("Operating and capital cost", "heading"),
        *opex_blocks(ledger),
        *early_end_blocks(ledger),
        *delay_blocks(answer),
    )
    return [Section("finance", f"{usd(answer.printed_usd)} in all: {half_due(ledger)}", blocks)]


def risk_page(context: PlanContext) -> list[Section]:
    """Scenarios, sensitivity, risks, next steps, and lines to sign; none without a pick."""
    answer, ledger = context.answer, context.ledger
    if answer is None or ledger is None:
        return []
    swings = swings_of(context.original, answer)
    blocks = (
        Paragraph(RISKS, "eyebrow"),
        *scenario_blocks(context.plan, context.original, context.scenario_id, answer, ledger),
        *sensitivity_blocks(context.original, answer, ledger, swings),
        *risk_blocks(context.picked, ledger, swings),
        *step_blocks(context.picked, answer, ledger),
        sign_off(),
    )
    return [Section("risk", "What could move the total, and what we do about it", blocks)]
