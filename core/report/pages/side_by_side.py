"""Two answers held against each other: what each costs, when it is ready, and when its cash is due in bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from core.comparison.together.plan_answer import PlanAnswer
from core.report.blocks import Bar, Block, Fact, KeyFigures, Paragraph
from core.report.ledger import Ledger, ledger_of, units_text
from core.report.pages.key_figures import cash_told, due_heading
from core.report.plan_words import chance_fact, cost_note
from core.units import counted, date_text, usd


def later_words(before: date, after: date) -> str:
    """``3 days later``, ``1 day sooner``, ``none``."""
    days = (after - before).days
    return f"{counted(abs(days), 'day')} {'later' if days > 0 else 'sooner'}" if days else "none"


def figures_beside(sides: Sequence[tuple[str, PlanAnswer | None]]) -> tuple[Block, ...]:
    """Key figures of each side that has an answer, with its cash in bars on one scale."""
    answered = [(label, answer, ledger_of(answer)) for label, answer in sides if answer]
    most = max((abs(units) * ledger.scale for _, _, ledger in answered for _, units in cash_told(ledger)), default=0.0)
    return tuple(block for label, answer, ledger in answered for block in _side(label, answer, ledger, most or 1.0))


def _side(label: str, answer: PlanAnswer, ledger: Ledger, most: float) -> Iterator[Block]:
    chance, note = chance_fact(answer)
    facts = (
        Fact("Total cost", usd(answer.printed_usd), str(cost_note(answer))),
        Fact("All ready", date_text(answer.done)),
        Fact("Limits kept", chance, note),
    )
    bars = tuple(Bar(name, units_text(units), max(units, 0) * ledger.scale / most) for name, units in cash_told(ledger))
    yield Paragraph(label, "heading")
    yield KeyFigures(facts, due_heading(ledger), bars)
