"""Leads worth a call: spot that halves a bill first, then what would be better than a pick if it holds."""

from __future__ import annotations

from collections.abc import Sequence

from core.catalogue.providers import provider_name
from core.comparison.cost_words import over_term
from core.comparison.questions.whom_to_ask import asked_of
from core.comparison.result import CandidateResult, ResultSet
from core.report.asked_again import SpotLead, spot_lead
from core.report.blocks import Block, Cell, Column, Table
from core.report.having_words import ask_words, risk_words, saving_words
from core.report.pages.context import PageContext, brief, mark_of
from core.units import in_hundred, usd, usd_span

MOST_LEADS = 2
_Row = tuple[Cell, ...]


def leads_table(contexts: Sequence[PageContext]) -> tuple[Block, ...]:
    """The best leads: all spot that halves a bill, then one of each workload before a second of any."""
    spot = [(context, spot_lead(context.results)) for context in contexts]
    is_shared = len(contexts) > 1
    first = [_spot_row(context, lead, is_shared) for context, lead in spot if lead]
    ranked = sorted(
        (place, number)
        for number, context in enumerate(contexts)
        for place, lead in enumerate(context.results.recommendation.leads)
        if lead.id in context.results.row_of
    )
    others = [_lead_row(contexts[number].results, place, is_shared) for place, number in ranked]
    rows = (*first[:MOST_LEADS], *others[: MOST_LEADS - len(first[:MOST_LEADS])])
    columns = Column("Leads worth a call", weight=3), Column("If what is asked holds", weight=5)
    return (Table(columns, rows, is_small=True),) if rows else ()


def _spot_row(context: PageContext, lead: SpotLead, is_shared: bool) -> _Row:
    """``512 × H100 SXM | Costs $0.66 M, $480 k–1.05 M; keeps the date in 62 of 100 draws.``"""
    pick, total = context.pick, lead.option.cost.total
    cost = f"Costs {usd(total.likely)}, {usd_span(total.low, total.high)},"
    against = f" instead of {usd(pick.cost.total.likely)}" if pick else ""
    date = "" if lead.on_time is None else f"; keeps the date in {in_hundred(lead.on_time)} draws"
    date = f"; {lead.late}" if lead.late else date
    allowed = "" if lead.is_allowed else "; not allowed in this plan"
    seller = provider_name(lead.option.candidate.offer.provider)
    asked = f"May be taken away at any time{allowed}. Ask {seller} how often."
    return _name(lead.option, context.results, is_shared), Cell(f"{cost}{against}{date}", asked, below=True)


def _lead_row(results: ResultSet, place: int, is_shared: bool) -> _Row:
    """``512 × MI300X | Saves $60 k; best then in 39 of 100. Ask Vultr: 512 at once? On one network?``."""
    lead = results.recommendation.leads[place]
    result, words = results.by_id[lead.id], saving_words(lead, over_term(results.profile))
    risk = risk_words(results, lead)
    said = (
        f"{words[:1].upper()}{words[1:]}; best then in {in_hundred(lead.best_then)} draws{f', but {risk}' * bool(risk)}"
    )
    asked = f"Ask {asked_of(result)}: {ask_words(result, lead)}"
    return _name(result, results, is_shared), Cell(said, asked, below=True)


def _name(result: CandidateResult, results: ResultSet, is_shared: bool) -> Cell:
    where = f"{result.candidate.place}, for {brief(results.profile.name)}" if is_shared else result.candidate.place
    return Cell(result.candidate.name, where, below=True, mark=mark_of(result), tone="strong")
