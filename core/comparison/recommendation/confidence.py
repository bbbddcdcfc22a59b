"""How sure the pick is, and why: from the draws, its proof and its evidence, never from the weights."""

from __future__ import annotations

from typing import Literal

from core.amounts import USD, Amount, Sentence, Text, UsdSpan
from core.catalogue.prices.dates import as_of_date
from core.comparison.cost_words import over_term
from core.comparison.obtain.price_proof import PROVED
from core.comparison.recommendation.rivalry import Rivalry
from core.comparison.result import CandidateResult, Chance
from core.throughput.uncertainty import is_calibrated
from core.units import hundredth, in_hundred
from core.workload.profile import Profile

Level = Literal["high", "medium", "low"]
NARROW_RANGE, WIDE_RANGE = 0.4, 0.8
"""Width of the 80 % range of the cost over the likely cost."""
SURE, UNSURE = 0.9, 0.7
"""Share of draws that keep the limits."""
OFTEN, SELDOM = 0.5, 0.25
"""Share of draws in which the pick is the best."""
MUCH = 0.15
"""Regret over the likely cost."""


def confidence(profile: Profile, pick: CandidateResult, rivalry: Rivalry) -> tuple[Level, Sentence]:
    """``low`` where the pick lacks proof, often misses a limit, or is seldom the best while being wrong is dear;
    ``high`` where it is the best in most draws, no close call, keeps the limits in :data:`SURE`, no check is bad and at
    most one only fair; else ``medium``. Why: the weakest check, and the draws; of a high one first the draws.

    Checks, each good, fair or bad: how often it is the best, or what being wrong would cost; can it be had and is its
    price proved; how often it keeps the limits; on what its speed and its price rest; how wide its cost is, where no
    budget judges that.
    """
    rivals, having, limits = _rivals(pick, rivalry), _having(pick), _limits(pick)
    checks = (rivals, limits, having, _speed(profile, pick), _price(pick), _cost(profile, pick))
    levels = [level for level, _ in checks]
    is_low = _BAD in (rivals[0], having[0], limits[0]) or levels.count(_BAD) > 1
    is_high = rivals[0] == limits[0] == _GOOD and min(levels) > _BAD and levels.count(_FAIR) <= 1
    level: Level = "low" if is_low else "high" if is_high else "medium"
    chance = pick.chance or Chance(1.0)
    draws = _draws(profile, chance, rivalry.runner_up is None and chance.best == 1.0)
    weakest = min(checks, key=_level_of)
    if level != "high":
        return level, Sentence("{}; {}", weakest[1], draws)
    return level, Sentence("In most draws the best and in its limits; {}{}", draws, _doubt(weakest))


Check = tuple[int, Text]
_BAD, _FAIR, _GOOD = 0, 1, 2


def _level_of(check: Check) -> int:
    return check[0]


def _doubt(weakest: Check) -> Text:
    """The one thing that is less sure; empty where nothing is."""
    return Sentence(". {}", weakest[1]) if weakest[0] < _GOOD else ""


def _having(pick: CandidateResult) -> Check:
    having = pick.obtainable
    if not pick.is_firm:
        return _BAD, f"Not proved: {'on paper only' if having.status == 'on paper' else unproved(pick)}"
    if having.status == "attested":
        return _GOOD, "Attested by its seller"
    return _FAIR, "The seller states no size this large"


def unproved(pick: CandidateResult) -> str:
    """What is not proved of an option that can be had: ``price``, ``speed``, ``price and speed``; empty if firm."""
    doubts = {"price": pick.obtainable.price not in PROVED, "speed": not pick.evidence.is_proof}
    return " and ".join(name for name, is_open in doubts.items() if is_open)


def condition(pick: CandidateResult) -> str:
    """On what a pick that can be had rests: ``its price holds``, ``its price and speed hold``; empty of a firm one."""
    doubt = unproved(pick)
    return doubt and f"its {doubt} {'hold' if ' and ' in doubt else 'holds'}"


def _speed(profile: Profile, pick: CandidateResult) -> Check:
    """Good where it was measured, or where published runs of the chip set the model that tells it; no better than fair
    where nobody said how much of a draft is accepted."""
    piece = "samples" if profile.is_in_samples else "training" if profile.job.trains else "serving"
    strength, rests_on_runs = pick.evidence.strength, is_calibrated(piece, pick.candidate.accelerator.id)
    level = _GOOD if strength >= 3 or (strength == 2 and rests_on_runs) else _FAIR if strength == 2 else _BAD
    if level == _GOOD and strength < 3 and profile.job.guesses_draft:
        return _FAIR, "How much of its draft is accepted is an estimate"
    return level, f"Speed {pick.evidence.value}"


def _price(pick: CandidateResult) -> Check:
    offer = pick.candidate.offer
    is_dated = as_of_date(offer) is not None and "undated" not in offer.as_of
    return _GOOD if is_dated else _FAIR, "Price without a date"


def _limits(pick: CandidateResult) -> Check:
    share = (pick.chance or Chance(1.0)).in_limits
    return _graded(share, UNSURE, SURE), f"Misses a limit in {in_hundred(1 - share)} draws"


def _cost(profile: Profile, pick: CandidateResult) -> Check:
    """Good where a budget is set: how often it is kept is counted among the limits, and all that keeps it will do."""
    if profile.limits.budget_usd is not None:
        return _GOOD, ""
    serves = pick.days_to_finish is None
    total, words = (
        (pick.cost.per_month, "Cost anywhere in {} a month") if serves else (pick.cost.total, "Cost anywhere in {}")
    )
    width = (total.high - total.low) / total.likely if total.likely else 0.0
    return _graded(-width, -WIDE_RANGE, -NARROW_RANGE), Sentence(words, UsdSpan(total.low, total.high))


def _rivals(pick: CandidateResult, rivalry: Rivalry) -> Check:
    """Seldom the best is no worse than fair where the regret is small, and a close call is no better."""
    if rivalry.runner_up is None:
        return _GOOD, ""
    chance = pick.chance or Chance(1.0)
    best, regret = chance.best or 0.0, (chance.regret_usd or 0.0) / max(pick.cost.total.likely, 1e-9)
    level = max(_graded(best, SELDOM, OFTEN), _FAIR if regret <= MUCH else _BAD)
    if rivalry.too_close:
        return min(level, _FAIR), f"Too close to call: better than its runner-up in {in_hundred(rivalry.beats)} draws"
    return level, f"The best in only {in_hundred(best)} draws"


def _graded(value: float, bad: float, good: float) -> int:
    return _GOOD if value >= good else _FAIR if value >= bad else _BAD


def _draws(profile: Profile, chance: Chance, is_alone: bool) -> Sentence:
    """Of a pick beside which no other chip can be had, being the best of one says nothing."""
    kept = f"limits kept in {in_hundred(chance.in_limits)} draws"
    if chance.best is None or chance.regret_usd is None:
        return Sentence("{}", kept)
    if is_alone:
        return Sentence("{}; no other chip that can be had fits", kept)
    regret = Amount(chance.regret_usd, USD, 2)
    return Sentence("{}, best in {}, mean regret {}{}", kept, hundredth(chance.best), regret, over_term(profile))
