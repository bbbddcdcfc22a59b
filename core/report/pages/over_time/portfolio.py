"""The portfolio on paper: ways to run it, cash by quarter, how much to commit, and small models on shared chips."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.amounts import Text
from core.comparison.portfolio.answer import portfolio_answer
from core.comparison.portfolio.packing import PackedChip
from core.comparison.portfolio.printed import PARTS, printed_cash
from core.comparison.portfolio.result import PortfolioAnswer, Scheme
from core.comparison.portfolio.words import (
    base_words,
    headline,
    notes,
    packing_words,
    reasons_against,
    reasons_for,
    table,
)
from core.errors import InputError
from core.report.blocks import Block, Cell, Column, ForAgainst, Paragraph, Section, Table
from core.report.pages.context import PageContext
from core.units import DASH, gib_text, grouped, usd

TITLE = "Portfolio"
_TONES = {"": "", "err": "bad"}
_ABOUT = (
    "Likely values with 80 % ranges over the same draws as the comparison. A service takes whole replicas by the load "
    "of each hour; in one pool other work has the chips that it leaves. Idle chip hours are paid and no work takes "
    "them; a chip on which anything runs counts as in use. People, storage and egress are those of each workload alone."
)


def portfolio_pages(contexts: Sequence[PageContext]) -> tuple[Section, ...]:
    """The page of a plan with a portfolio; none without one, and a sentence where no pool can stand."""
    plan = contexts[0].plan if contexts else None
    if plan is None or plan.portfolio is None:
        return ()
    try:
        answer = portfolio_answer(plan.portfolio, {one.profile.id: one.results for one in contexts}, plan.phases)
    except InputError as error:
        return (Section("portfolio", TITLE, (Paragraph(str(error)),)),)
    return (Section("portfolio", TITLE, _blocks(answer)),) if answer is not None else ()


def _blocks(answer: PortfolioAnswer) -> tuple[Block, ...]:
    best = answer.best
    shown = best if best.id != "own" else answer.chosen
    argued = ForAgainst(_texts(reasons_for(answer, best)), _texts(reasons_against(answer, best)))
    packing = answer.packing
    packed = (_packing(answer),) if packing is not None and packing.chips else ()
    kept = shown.held_back if shown is not best else ()
    told = [Paragraph(f"{shown.title}: {one}", "note") for one in kept]
    told += [Paragraph(str(one), "note") for one in notes(answer)]
    return (
        Paragraph(str(headline(answer)), "lead"),
        _ways(answer),
        argued,
        _cash(best),
        *((_cash(shown),) if shown is not best else ()),
        Paragraph(f"{base_words(answer)}."),
        *packed,
        *told,
        Paragraph(_ABOUT, "note"),
    )


def _texts(texts: Iterable[Text]) -> tuple[str, ...]:
    return tuple(map(str, texts))


def _ways(answer: PortfolioAnswer) -> Table:
    columns = (Column("", weight=1.3), *(Column(one.title, "right", 1.4) for one in answer.schemes))
    rows = [
        (Cell(title), *(Cell(str(one.likely), str(one.beside), below=True, tone=_TONES[one.tone]) for one in cells))
        for title, cells in table(answer)
    ]
    return Table(columns, tuple(rows), "Ways to run it", is_small=True)


def _cash(scheme: Scheme) -> Table:
    """Cash by quarter; rows and columns add up as printed."""
    cash = printed_cash(scheme)
    columns = (Column("Quarter"), *(Column(part, "right") for part in PARTS), Column("Due", "right"))
    rows = [
        (Cell(name), *map(_amount, row), _amount(due))
        for (name, row), due in zip(cash.quarters, cash.of_quarters, strict=True)
    ]
    sums = (Cell("All", tone="strong"), *(_amount(one, "strong") for one in (*cash.of_parts, cash.total)))
    return Table(columns, (*rows, sums), f"Cash by quarter: {scheme.title}")


def _amount(value: float, tone: str = "") -> Cell:
    return Cell(usd(value) if value else DASH, tone=tone)


def _packing(answer: PortfolioAnswer) -> Table:
    columns = (
        Column("Chip", weight=0.5),
        Column("Models", weight=2.4),
        Column("Memory", "right", 1.2),
        Column("Load", "right", 0.9),
    )
    packing = answer.packing
    assert packing is not None
    limit = f"of {grouped(100 * packing.load_limit)} %"
    rows = [_chip(one, limit) for one in packing.chips]
    return Table(columns, tuple(rows), str(packing_words(answer)))


def _chip(chip: PackedChip, limit: str) -> tuple[Cell, ...]:
    names = ", ".join(f"{one.name} (put there by hand)" if one.is_pinned else one.name for one in chip.items)
    return (
        Cell(grouped(chip.number)),
        Cell(names),
        Cell(gib_text(chip.memory_gib), f"of {gib_text(chip.capacity_gib)}"),
        Cell(f"{grouped(100 * chip.load)} %", limit),
    )
