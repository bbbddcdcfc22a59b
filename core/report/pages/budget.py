"""Budget: how far the money gets, in tokens and in the size of the model."""

from __future__ import annotations

from core.comparison.questions.budget_reach import TOKENS_PER_WEIGHT, budget_reach, reach_sentences
from core.report.blocks import Block, Figure, Paragraph, Section
from core.report.pages.context import PageContext

_KEPT = "Every figure keeps all limits of the plan."
_LARGEST = (
    f"The largest model has the same shape and trains on {TOKENS_PER_WEIGHT:g} tokens a weight, the ratio of least "
    "loss for given work (Hoffmann et al., 2022)."
)


def budget_page(context: PageContext) -> Section | None:
    """What the plan's budget trains; none where no budget is typed, nothing can be had, or nothing is trained."""
    pick, results = context.pick, context.results
    if pick is None or results.profile.limits.budget_usd is None or results.profile.job.training is None:
        return None
    told = [str(text) for text in reach_sentences(results, budget_reach(results, pick))]
    if not told:
        return None
    blocks: tuple[Block, ...] = (
        Figure("budget-reach", results, pick.id, "", " ".join(told), 0.3),
        Paragraph(" ".join(told)),
        Paragraph(_KEPT if results.profile.is_in_samples else f"{_LARGEST} {_KEPT}", "note", once=True),
    )
    return Section("budget", "Budget", blocks)
