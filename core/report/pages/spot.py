"""Spot risk: what interruptions cost with and without saved states, and how often to save."""

from __future__ import annotations

from core.comparison.questions.spot import SpotRisk, spot_risk, spot_sentences
from core.comparison.result import CandidateResult
from core.report.blocks import Block, Figure, Paragraph, Section
from core.report.pages.context import PageContext

_NOTE = (
    "Expected times after Daly (2006): stops come at random, work since the last saved state is lost, any host that is "
    "taken, or any slice of TPUs, stops the whole run. Hosts and slices count as taken one by one; where a pool takes "
    "all at once, the run is stopped as seldom as one of them, to which the low end of its range reaches. Rates of "
    "interruption are thin: one public band for GPUs, an estimate for TPUs."
)


def spot_page(context: PageContext) -> Section | None:
    """The pick's run on the best spot offer of its chip; none for inference, or where the chip has no spot price."""
    shown = context.pick or next(iter(context.results.best_feasible), None)
    risk = spot_risk(context.results, shown) if shown else None
    if shown is None or risk is None:
        return None
    blocks: tuple[Block, ...] = (
        Figure("spot-risk", context.results, shown.id, _caption(shown, risk), " ".join(spot_sentences(risk)), 0.32),
        Paragraph(" ".join(spot_sentences(risk))),
        Figure(
            "save-interval",
            context.results,
            shown.id,
            "",
            "Days fall to the best interval, then rise.",
            0.26,
        ),
        Paragraph(_NOTE, "note", once=True),
    )
    return Section("spot", "Spot risk", blocks)


def _caption(shown: CandidateResult, risk: SpotRisk) -> str:
    where = f"{shown.candidate.name} at {risk.spot.place}"
    return f"{where}: expected chip time by interruptions an hour, in money and in days."
