"""The pick and its defence, made from the ranked results and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from core.amounts import USD, Amount, Sentence, Text, days
from core.breath import breathe
from core.comparison.columns import of_kinds
from core.comparison.cost_words import cost_words, done_words, over_term
from core.comparison.rank.board import Board, board_of
from core.comparison.rank.contenders import unbeaten
from core.comparison.rank.utility import first_place_pct
from core.comparison.recommendation.arguments import reasons_against, reasons_for, rivals
from core.comparison.recommendation.confidence import UNSURE, condition, confidence
from core.comparison.recommendation.nothing_fits import nothing_fits
from core.comparison.recommendation.rivalry import ALONE, Rivalry
from core.comparison.result import CandidateResult, Recommendation
from core.units import in_hundred
from core.workload.profile import Profile

CLOSE_UTILITY = 0.02
STRONG_WINS = 0.8
"""Share of draws that a kind of chip wins where the lean to it is strong."""


def recommend(
    profile: Profile,
    ranked: Sequence[CandidateResult],
    rejected: Sequence[CandidateResult],
    board: Board | None = None,
    rivalry: Rivalry = ALONE,
) -> Recommendation:
    """The first of the ranked feasible results with reasons and confidence; without any, what the first of the
    ``rejected`` misses. What would change it is asked later.

    ``board`` holds those that could come first if something moved, where they are known already; ``rivalry`` is what
    the draws say of the pick beside the others.
    """
    if not ranked:
        return nothing_fits(profile, rejected)
    breathe()
    board = board or board_of(profile, ranked)
    first_pct = stays_first_pct(board)[ranked[0].candidate.name]
    breathe()
    level, why = confidence(profile, ranked[0], rivalry)
    return Recommendation(
        choice=ranked[0].id,
        runner_up=rivalry.runner_up,
        lean=lean(ranked),
        strength=strength(profile, ranked, rejected, rivalry.kind_wins),
        confidence=level,
        confidence_why=why,
        headline=headline(profile, ranked, rivalry),
        reasons_for=reasons_for(profile, ranked),
        reasons_against=reasons_against(profile, ranked),
        would_change_it=(),
        stays_first_pct=first_pct,
        beats_runner_up=None if rivalry.runner_up is None else rivalry.beats,
        too_close=rivalry.too_close,
    )


def stays_first_pct(board: Board) -> Mapping[str, float]:
    """Percent of the random weightings won by each name, 0 for any other; the same chips in several places count
    together."""
    pct_of_name: defaultdict[str, float] = defaultdict(float)
    goodness = board.goodness()
    rows = unbeaten(-goodness, np.arange(len(goodness)))  # whatever matters, no other row can be first
    shares = first_place_pct(goodness[rows])
    for place in np.flatnonzero(shares).tolist():
        pct_of_name[board.names[rows[place]]] += float(shares[place])
    return pct_of_name


def too_little_known(missing: Sequence[str]) -> Recommendation:
    """No ranking without the essentials; GPU is named as the side on which least can go wrong, with low confidence."""
    wanted = " and ".join(title[:1].lower() + title[1:] for title in missing)
    return Recommendation(
        None,
        None,
        "gpu",
        "soft",
        "low",
        "Nothing is computed yet; GPU is only the safe default",
        f"Fill in {wanted} to see a ranking",
        (),
        (),
        (),
        0.0,
    )


def lean(ranked: Sequence[CandidateResult]) -> str:
    """The kind of the first option; "mixed" when the best of GPU and TPU are as good as equal; "none" for others."""
    best = {
        kind: next((r.utility for r in ranked if r.candidate.accelerator.kind == kind), None) for kind in ("gpu", "tpu")
    }
    kind = ranked[0].candidate.accelerator.kind
    if best["gpu"] is not None and best["tpu"] is not None and abs(best["gpu"] - best["tpu"]) < CLOSE_UTILITY:
        return "mixed"
    return kind if kind in best else "none"


def strength(
    profile: Profile, ranked: Sequence[CandidateResult], rejected: Sequence[CandidateResult], kind_wins: float
) -> str:
    """ "hard" when limits, or porting that can't pay, leave one kind only; "strong" when that kind wins nearly all
    draws, or else "soft"."""
    kinds = {result.candidate.accelerator.kind for result in ranked} & {"gpu", "tpu"}
    if len(kinds) == 1 and any(True for _ in of_kinds(rejected, *{"gpu", "tpu"} - kinds)):
        return "hard"
    if len(kinds) > 1 and _porting_outweighs_all(profile, ranked):
        return "hard"
    return "strong" if kind_wins >= STRONG_WINS else "soft"


def _porting_outweighs_all(profile: Profile, ranked: Sequence[CandidateResult]) -> bool:
    """True where moving to the best of every other kind alone costs more than the whole of the pick, and takes longer.

    While the model is still explored the work will not end with this plan, and nothing is settled so.
    """
    pick = ranked[0]
    if pick.days_to_finish is None or profile.stack.maturity == "exploring":
        return False
    of_pick = pick.candidate.accelerator.kind
    best = {one.candidate.accelerator.kind: one for one in reversed(ranked)}
    others = [one for kind, one in best.items() if kind != of_pick and kind in ("gpu", "tpu")]
    return all(_is_out_of_reach(pick, one) for one in others) and bool(others)


def _is_out_of_reach(pick: CandidateResult, other: CandidateResult) -> bool:
    done = pick.days_to_finish
    return (
        done is not None
        and other.cost.part("porting") > pick.cost.total.high
        and other.time_terms_days.get("porting", 0.0) > done.likely
    )


_FIRM_WORDS = "{}, {}, fits this plan best: {}{}."
_UNPROVED_WORDS = "{}, {}, fits this plan best if {}: {}{}. No option with a proved price and speed fits."
_ON_PAPER_WORDS = "No option that can be had meets every limit. Nearest, on paper: {}, {}: {}{}."
_UNSURE_WORDS = "{}, {}, fits best of what has a proved price, yet keeps its limits in only {} draws: {}{}."


def _fit(pick: CandidateResult, cost: Text, finish: str) -> Sentence:
    """How the pick fits, with what is doubtful of it: what can be had at all, its price, its speed, or how often."""
    name, place = pick.candidate.name, pick.candidate.place
    if pick.obtainable.status == "on paper":
        return Sentence(_ON_PAPER_WORDS, name, place, cost, finish)
    if if_so := condition(pick):
        return Sentence(_UNPROVED_WORDS, name, place, if_so, cost, finish)
    if pick.chance is not None and pick.chance.in_limits < UNSURE:
        return Sentence(_UNSURE_WORDS, name, place, in_hundred(pick.chance.in_limits), cost, finish)
    return Sentence(_FIRM_WORDS, name, place, cost, finish)


def headline(profile: Profile, ranked: Sequence[CandidateResult], rivalry: Rivalry = ALONE) -> Sentence:
    """One sentence: the pick, its cost and finish, and what the other family offers."""
    pick = ranked[0]
    finish = f", {done_words(profile, pick.days_to_finish.likely)}" if pick.days_to_finish else ""
    name, place, cost = pick.candidate.name, pick.candidate.place, cost_words(profile, pick.cost)
    first = _fit(pick, cost, finish)
    rival = next((r.candidate for r in ranked if r.id == rivalry.runner_up), None)
    if rivalry.too_close and rival is not None and pick.is_firm:
        both = Sentence("{}, {}, or {}, {}", name, place, rival.name, rival.place)
        first = Sentence("{}, too close to call: the first {}{}.", both, cost, finish)
    other = next((r for r in rivals(ranked) if r.candidate.accelerator.kind != pick.candidate.accelerator.kind), None)
    return Sentence("{} {}", first, _beside(profile, pick, other)) if other else first


def _beside(profile: Profile, pick: CandidateResult, other: CandidateResult) -> Sentence:
    kind = {"gpu": "GPU", "tpu": "TPU"}.get(other.candidate.accelerator.kind, "other")
    gap = other.cost.total.likely - pick.cost.total.likely
    money = Sentence("costs {} more" if gap >= 0 else "saves {}", Amount(abs(gap), USD))
    words = "The best {} option, {}, {}{}{}."
    return Sentence(words, kind, other.candidate.name, money, over_term(profile), _when(pick, other))


def _when(pick: CandidateResult, other: CandidateResult) -> Text:
    """How much later or sooner the other ends; empty where nothing ends."""
    if pick.days_to_finish is None or other.days_to_finish is None:
        return ""
    later = other.days_to_finish.likely - pick.days_to_finish.likely
    if abs(later) < 1:
        return " and ends the same day"
    return Sentence(" and ends {} {}", days(abs(later)), "later" if later >= 0 else "sooner")
