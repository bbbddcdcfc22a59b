"""What the page shows of an answer, put together away from the window: pictures, tables, words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.comparison.over_time.words import Story
from core.comparison.portfolio.answer import portfolio_answer
from core.comparison.portfolio.result import PortfolioAnswer, Scheme
from core.comparison.portfolio.words import (
    base_words,
    costs_same,
    headline,
    notes,
    packing_words,
    story,
    sure_words,
    table,
)
from core.comparison.result import ResultSet
from core.units import usd
from core.workload.phases import Phase
from core.workload.portfolio import Portfolio
from gui.charts.figure.figure import Figure
from gui.charts.figure.shown import colour_key
from gui.tables.figure_table import Figures, Sheet
from gui.tabs.portfolio.cash import cash_figure, cash_sheet, cash_words
from gui.tabs.portfolio.figures import commit_figure, demand_figures

BEST, SAME = "best", "the same"
"""What stands for the gap of the best way, and of one whose cost is printed alike."""


@dataclass(frozen=True)
class Drawing:
    """All that stands on the page for one scheme of an answer."""

    answer: PortfolioAnswer
    scheme: Scheme
    demand: tuple[Figure, ...]
    cash: Figure
    commit: Figure
    ways: Sheet
    quarters: Sheet
    story: Story
    headline: str
    cash_words: str
    notes: str
    packing_words: str
    commit_words: str
    sure: str
    packing_colour: str


def answered(
    settings: Portfolio, results: Mapping[str, ResultSet], phases: Sequence[Phase], shown: str, can_edit: bool
) -> Drawing | None:
    """In the worker's thread: the answer with the scheme that is on screen, by its id, or the one that is set."""
    answer = portfolio_answer(settings, results, phases)
    return None if answer is None else drawing_of(answer, shown, can_edit)


def drawing_of(answer: PortfolioAnswer, shown: str, can_edit: bool) -> Drawing:
    """In the worker's thread: one of the schemes."""
    scheme = next((one for one in answer.schemes if one.id == shown), answer.chosen)
    return Drawing(
        answer=answer,
        scheme=scheme,
        demand=demand_figures(answer, scheme, can_edit),
        cash=cash_figure(answer, scheme),
        commit=commit_figure(answer, can_edit),
        ways=ways_sheet(answer, scheme),
        quarters=cash_sheet(answer, scheme),
        story=story(answer, scheme),
        headline=str(headline(answer)),
        cash_words=cash_words(answer, scheme),
        notes=" ".join(f"{line}." for line in notes(answer)),
        packing_words=str(packing_words(answer)),
        commit_words=f"{base_words(answer)}.",
        sure=str(sure_words(answer)),
        packing_colour=colour_key(answer.one_pool.site.chip),
    )


def ways_sheet(answer: PortfolioAnswer, drawn: Scheme) -> Sheet:
    """The schemes beside each other; the best is marked, the one on screen has its name in bold."""
    best = answer.schemes.index(answer.best)
    rows = [
        (title, tuple(Figures(str(cell.likely), str(cell.beside), cell.tone) for cell in cells))
        for title, cells in table(answer)
    ]
    against = ("Against the best", tuple(_against(answer, one) for one in answer.schemes))
    heads = tuple(one.title for one in answer.schemes)
    return Sheet("", heads, (against, *rows), marked=best, drawn=answer.schemes.index(drawn))


def _against(answer: PortfolioAnswer, scheme: Scheme) -> Figures:
    """``+$510 k``; what cannot be signed may cost less than the best that can."""
    gap = scheme.total.likely - answer.best.total.likely
    if scheme is answer.best:
        return Figures(BEST, "", "good")
    if costs_same(scheme, answer.best):
        return Figures(SAME)
    return Figures(f"+{usd(gap)}" if gap > 0 else usd(gap))
