"""The answer where every option misses a limit: which one comes nearest, what it misses, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

from core.amounts import USD, Amount, Sentence, Text, days, lower_first
from core.comparison.judge.tried import limits_listed
from core.comparison.rank.nearest import OF_ANSWERS
from core.comparison.recommendation.confidence import Level
from core.comparison.result import CandidateResult, Recommendation
from core.workload.profile import Profile

_NOTHING = "No option meets every limit."
_MEASURED = frozenset({"deadline", "budget"})


def nothing_fits(profile: Profile, rejected: Sequence[CandidateResult]) -> Recommendation:
    """No pick: the first of the ``rejected`` with the change that admits it, or with all that it misses."""
    nearest = rejected[0] if len(rejected) else None
    level, why = _sureness(profile, nearest)
    headline = (
        Sentence(_NOTHING) if nearest is None else Sentence("{} Nearest: {}.", _NOTHING, _words(profile, nearest))
    )
    name = nearest.id if nearest else None
    return Recommendation(None, None, "none", "hard", level, why, headline, (), (), (), 0.0, nearest=name)


def _words(profile: Profile, nearest: CandidateResult) -> Text:
    """``512 × B200, Lambda, on demand: 212 d past the deadline and $3 M over budget``."""
    one, change = nearest.candidate, nearest.reasons[0].nearest_change
    codes = tuple(dict.fromkeys(reason.code for reason in nearest.reasons))
    if len(codes) == 1 and change:
        first, besides = Sentence("{}, {}: {}", one.name, one.place, lower_first(change)), _besides(profile, nearest)
        return Sentence("{}, and still misses {}", first, limits_listed(besides)) if besides else first
    if set(codes) == _MEASURED and nearest.days_to_finish is not None:
        return Sentence(
            "{}, {}: {} past the deadline and {} over budget", one.name, one.place, *_misses(profile, nearest)
        )
    return Sentence("{}, {}, which misses {}", one.name, one.place, limits_listed(codes))


def _besides(profile: Profile, nearest: CandidateResult) -> list[str]:
    """Limits that a refused one misses besides what it is refused for: nobody tells of its chips and its bill."""
    limits, total = profile.limits, nearest.cost.total.likely
    if nearest.throughput.fits or nearest.throughput.latency is None:
        return []
    pairs = (("max_chips", nearest.candidate.n_chips, limits.max_chips), ("budget", total, limits.budget_usd))
    return [code for code, value, limit in pairs if limit is not None and value > limit]


def _misses(profile: Profile, nearest: CandidateResult) -> tuple[Text, Text]:
    """Days past the deadline and USD over the budget, at the likely values."""
    done, limits = nearest.days_to_finish, profile.limits
    late = (done.likely if done else 0.0) - (limits.deadline_days or 0.0)
    return days(late), Amount(nearest.cost.total.likely - (limits.budget_usd or 0.0), USD)


def _sureness(profile: Profile, nearest: CandidateResult | None) -> tuple[Level, Text]:
    """How sure it is that nothing fits: not at all where the nearest lacks proof alone, and little where the good end
    of its range meets the limits."""
    if nearest is None:
        return "high", "Every option fails a limit"
    codes = {reason.code for reason in nearest.reasons}
    if all(reason.is_unproved for reason in nearest.reasons):
        return "low", "The nearest option only lacks proof: its seller may meet every limit"
    if codes <= _MEASURED and _fits_at_best(profile, nearest):
        return "low", "The nearest option meets every limit at the good end of its range"
    if codes <= OF_ANSWERS:
        return "medium", "The nearest option answers too slowly, by a modelled speed"
    return "high", "Every option fails a limit, the nearest at the good end of its range too"


def _fits_at_best(profile: Profile, nearest: CandidateResult) -> bool:
    limits, done = profile.limits, nearest.days_to_finish
    is_in_time = limits.deadline_days is None or done is None or done.low <= limits.deadline_days
    return is_in_time and (limits.budget_usd is None or nearest.cost.total.low <= limits.budget_usd)
