"""Private prices kept off paper: every amount becomes a percentage of one that is not told.

One scale for the whole document: 100 % is the likely total of the pick of the first workload that has one. Masking only
the private amounts would give them away, since sums and differences with open ones would be left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from core.comparison.result import CandidateResult, ResultSet
from core.plan.plan import Plan
from core.report.blocks import Block, Document, Figure, Paragraph, Section, Table
from core.units import SHARE, Money

MASKED = "masked"
NOTE = "Private prices are masked: money is in percent of the total cost of the first workload's pick, which is 100 %."
_UNIT_PRICE_CHARTS = ("unit-cost", "unit-cost-pinned")
_RATE_COLUMNS = ("Inputs", "Price of a chip hour")
_LEFT_OUT = "Left out here: the chart shows prices per unit, and private prices are masked."
_SIGNS = r"(?:(?:US|HK|NT|A|C|S|CN)?[$€£¥₩₹])"
_CODES = r"(?:USD|EUR|GBP|JPY|CNY|HKD|SGD|TWD|KRW|INR|AUD|CAD|CHF|SEK|BRL)"
_NUMBER = r"\d[\d.,\u202f\u00a0]*(?:[eE][+-]?\d+)?(?:[\u202f\s]?(?:[kMBT]|thousand|million|billion)\b)?"
_AMOUNT = re.compile(rf"(?:{_SIGNS}|\b{_CODES})[\u202f\s]?{_NUMBER}|{_NUMBER}[\u202f\s]?(?:{_CODES}\b|{_SIGNS})")
_SHARE = re.compile(r"<?\d[\d.\u202f]*\u202f?%")


def private_results(results_by_profile: Mapping[str, ResultSet]) -> list[CandidateResult]:
    """Candidates whose price is the user's own: entered in the plan or in the price book."""
    return [
        result
        for results in results_by_profile.values()
        for result in results.results
        if result.candidate.offer.layer != "catalogue"
    ]


def mask_of(plan: Plan, results_by_profile: Mapping[str, ResultSet]) -> Money | None:
    """What amounts are written in on a masked paper; None where the plan masks nothing or has nothing to mask."""
    if not plan.masks_private_prices or not private_results(results_by_profile):
        return None
    total_usd = _reference_usd(plan, results_by_profile)
    return Money(SHARE, 100.0 / total_usd) if total_usd > 0 else Money(SHARE, 0.0)


def masked(document: Document, money: Money) -> Document:
    """The document with a note on what its percentages are of, and without any amount that was written otherwise.

    Pages are built while ``money`` is shown, so that their amounts are shares already; what is masked here is what
    comes from elsewhere, such as a note that quotes a list price.
    """
    sections = tuple(_section(section) for section in document.sections)
    if sections:
        first, *rest = sections[0].blocks
        sections = (replace(sections[0], blocks=(first, Paragraph(NOTE, "note"), *rest)), *sections[1:])
    header, footer = (tuple(_plain(part) for part in parts) for parts in (document.header, document.footer))
    return replace(
        document,
        title=_plain(document.title),
        header=(header[0], header[1]),
        footer=(footer[0], footer[1]),
        sections=sections,
        keywords=tuple(_plain(word) for word in document.keywords),
        money=money,
    )


def _reference_usd(plan: Plan, results_by_profile: Mapping[str, ResultSet]) -> float:
    """Likely total of the first pick, else of the first candidate that costs anything."""
    result_sets = [results_by_profile[profile.id] for profile in plan.profiles if profile.id in results_by_profile]
    picks = [results.choice.cost.total.likely for results in result_sets if results.choice]
    others = [result.cost.total.likely for results in result_sets for result in results.results]
    return next((total for total in (*picks, *others) if total > 0), 0.0)


def _section(section: Section) -> Section:
    return replace(section, title=_plain(section.title), blocks=tuple(_block(block) for block in section.blocks))


def _block(block: Block) -> Block:
    if isinstance(block, Figure):
        if block.chart in _UNIT_PRICE_CHARTS:
            return Paragraph(_LEFT_OUT, "note")
        return replace(block, caption=_plain(block.caption), alt=_plain(block.alt))
    told: Block = _texts(block)
    return _without_rates(told) if isinstance(told, Table) else told


def _without_rates(table: Table) -> Table:
    """Inputs of a formula without shares: one rate that is known, such as of an hour's work, would tell the rest."""
    hidden = {number for number, column in enumerate(table.columns) if column.title in _RATE_COLUMNS}
    rows = tuple(
        tuple(replace(cell, text=_SHARE.sub(MASKED, cell.text)) if n in hidden else cell for n, cell in enumerate(row))
        for row in table.rows
    )
    return replace(table, rows=rows)


def _texts(value: Any) -> Any:
    """The same value with every text in it masked."""
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, tuple):
        return tuple(_texts(one) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{one.name: _texts(getattr(value, one.name)) for one in fields(value)})
    return value


def _plain(text: str) -> str:
    return _AMOUNT.sub(MASKED, text)
