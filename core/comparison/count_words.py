"""The number of chips of an offer in words: which costs least, which is the fewest in time, which is soonest."""

from __future__ import annotations

from core.comparison.count_curve import CountCurve, count_curve
from core.comparison.result import CandidateResult, ResultSet
from core.units import THIN, grouped, plain, usd
from core.workload.job import BatchInference, OnlineServing
from core.workload.profile import Profile


def count_sentences(results: ResultSet, result: CandidateResult) -> tuple[str, ...]:
    """The cheapest number of chips of the candidate's offer, the fewest in time, and the soonest; none unknown."""
    curve = count_curve(results, result)
    if curve is None or curve.cheapest is None:
        return ()
    return tuple(text for text in (_cheapest(curve), _fewest(results.profile, curve), _soonest(curve)) if text)


def _cheapest(curve: CountCurve) -> str:
    found = curve.cheapest
    if found is None:
        return ""
    when = f" and {_days(found)}" if found.days_to_finish else ""
    limits = "" if found.feasible else ", though none meets every limit"
    return f"{chips_text(found)} cost least: {usd(found.cost.total.likely)}{when}{limits}."


def _fewest(profile: Profile, curve: CountCurve) -> str:
    found = curve.fewest
    if found is None:
        return "No number of chips meets every limit."
    does = "carry the peak" if isinstance(profile.job, OnlineServing) else "are in time"
    if isinstance(profile.job, BatchInference):
        does = "finish a batch in its window"
    same = "The same are" if found is curve.cheapest else f"{chips_text(found)} are"
    cost = "" if found is curve.cheapest else f", at {usd(found.cost.total.likely)}"
    return f"{same} the fewest that {does}{cost}."


def _soonest(curve: CountCurve) -> str:
    found = curve.soonest
    if found is None or found.days_to_finish is None or found is curve.cheapest:
        return ""
    return f"{chips_text(found)} are done soonest, in {_days(found)}, at {usd(found.cost.total.likely)}."


def fewest_words(profile: Profile) -> str:
    """What the fewest chips that meet the limits are good for: ``Fewest in time``."""
    if isinstance(profile.job, OnlineServing):
        return "Fewest at peak"
    return "Fewest in window" if isinstance(profile.job, BatchInference) else "Fewest in time"


def chips_text(result: CandidateResult) -> str:
    """``256 chips``, ``1 chip``."""
    count = result.candidate.n_chips
    return f"{grouped(count)} {'chip' if count == 1 else 'chips'}"


def _days(result: CandidateResult) -> str:
    return f"{plain(result.days_to_finish.likely, 2)}{THIN}days" if result.days_to_finish else ""
