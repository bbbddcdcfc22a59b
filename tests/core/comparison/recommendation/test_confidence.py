"""How sure the pick is: proof, limits, rivals, speed, price and cost, each weighed."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from core.comparison.obtain.obtainable import Obtainable
from core.comparison.recommendation.confidence import confidence
from core.comparison.recommendation.rivalry import ALONE, Rivalry
from core.comparison.result import CandidateResult, Chance
from core.ranges import Evidence, Range
from core.units import in_hundred
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Profile

RIVALS = Rivalry("other", beats=0.8)


def _attested(price: Any = "first-hand") -> Obtainable:
    return Obtainable("attested", "Sold in this size", "X", False, price)


@pytest.fixture
def pick(make_result) -> CandidateResult:
    """A pick about which nothing is doubtful: measured, attested, dated, in its limits, nearly always the best."""
    made = make_result("h100-sxm", evidence=Evidence.MEASURED_ELSEWHERE)
    offer = made.candidate.offer.model_copy(update={"as_of": "2026-10-01"})
    return dataclasses.replace(
        made,
        candidate=dataclasses.replace(made.candidate, offer=offer),
        cost=dataclasses.replace(made.cost, total=Range(0.9e6, 1e6, 1.1e6)),
        obtainable=_attested(),
        chance=Chance(0.95, best=0.6, regret_usd=1e4),
    )


def _with(pick: CandidateResult, **changed: Any) -> CandidateResult:
    return dataclasses.replace(pick, **changed)


def _total(pick: CandidateResult, half_usd: float) -> CandidateResult:
    total = Range(1e6 - half_usd, 1e6, 1e6 + half_usd)
    return _with(pick, cost=dataclasses.replace(pick.cost, total=total))


def _undated(pick: CandidateResult) -> CandidateResult:
    offer = pick.candidate.offer.model_copy(update={"as_of": "2026-10 (undated)"})
    return _with(pick, candidate=dataclasses.replace(pick.candidate, offer=offer))


def _level(pick: CandidateResult, rivalry: Rivalry = RIVALS) -> str:
    return confidence(Profile(), pick, rivalry)[0]


def test_a_proved_pick_is_sure_and_one_small_doubt_leaves_it_so(pick) -> None:
    assert _level(pick) == "high"
    assert _level(_undated(pick)) == "high"
    assert _level(_total(pick, 2.1e5)) == "high" and _level(_undated(_total(pick, 2.1e5))) == "medium"


@pytest.mark.parametrize(
    ("evidence", "drafted", "level", "words"),
    [(Evidence.MODELLED, {"draft": "none"}, "high", ""), (Evidence.MODELLED, {}, "medium", "an estimate"),
     (Evidence.MODELLED, {"accepted_tokens": 3.1}, "high", ""), (Evidence.MEASURED_HERE, {}, "high", "")],
)  # fmt: skip
def test_what_nobody_measured_of_a_draft_is_a_doubt(pick, evidence, drafted, level, words) -> None:
    """Beside another small doubt, here a price without a date, it is one too many."""
    job = OnlineServing(draft="eagle").model_copy(update=drafted)
    told, why = confidence(
        Profile(job=job),
        _with(_undated(pick), throughput=dataclasses.replace(pick.throughput, evidence=evidence)),
        RIVALS,
    )
    assert told == level
    assert words in str(why)


def test_one_bad_check_makes_it_medium_and_two_low(pick) -> None:
    wide = _total(pick, 4.1e5)
    assert _level(wide) == "medium"
    assert _level(_with(wide, chance=Chance(0.95, best=0.1, regret_usd=3e5))) == "low"


@pytest.mark.parametrize(("in_limits", "level"), [(0.9, "high"), (0.89, "medium"), (0.7, "medium"), (0.69, "low")])
def test_limits_missed_now_and_then_no_merit_makes_up_for(pick, in_limits, level) -> None:
    """Who is told "high" may rely on the limits: in 82 of 100 draws, as for a served DeepSeek-R1, is not that."""
    told, why = confidence(Profile(), _with(pick, chance=Chance(in_limits, best=0.9, regret_usd=0.0)), RIVALS)
    assert told == level
    assert level == "high" or str(why).startswith(f"Misses a limit in {in_hundred(1 - in_limits)} draws")


def test_seldom_the_best_at_a_dear_mistake_is_low_by_itself(pick) -> None:
    for best, regret_usd, level in ((0.24, 1.6e5, "low"), (0.25, 1.6e5, "medium"), (0.24, 1.5e5, "medium")):
        assert _level(_with(pick, chance=Chance(0.95, best=best, regret_usd=regret_usd))) == level


def test_of_a_high_one_the_draws_come_first_and_then_the_one_doubt(pick) -> None:
    sure = str(confidence(Profile(), pick, RIVALS)[1])
    assert sure.startswith("In most draws the best and in its limits; limits kept in 95 of 100 draws, best in 60")
    assert str(confidence(Profile(), _undated(pick), RIVALS)[1]) == f"{sure}. Price without a date"


def test_of_two_doubts_the_limits_come_before_the_size(pick) -> None:
    plausible = dataclasses.replace(_attested(), status="plausible")
    told = _with(pick, obtainable=plausible, chance=Chance(0.8, best=0.9, regret_usd=0.0))
    assert str(confidence(Profile(), told, RIVALS)[1]).startswith("Misses a limit in 20 of 100 draws; limits kept")


def test_a_wide_cost_counts_where_no_budget_judges_it(pick) -> None:
    """How often a budget is kept stands among the limits already."""
    wide, budget = _undated(_total(pick, 4.1e5)), Profile().limits.model_copy(update={"budget_usd": 2e6})
    assert _level(wide) == "medium"
    assert confidence(Profile(limits=budget), wide, RIVALS)[0] == "high"


def test_what_lacks_proof_is_never_sure(pick) -> None:
    assert _level(_with(pick, obtainable=_attested("second-hand"))) == "low"
    on_paper = Obtainable("on paper", "Not sold so large", "X", True, "first-hand")
    level, why = confidence(Profile(), _with(pick, obtainable=on_paper), RIVALS)
    assert level == "low" and str(why).startswith("Not proved: on paper only; limits kept in 95 of 100 draws")


def test_seldom_the_best_or_a_close_call_is_never_high_with_its_reason(pick) -> None:
    """However small the regret: of a pick that is the best in 29 of 100 draws nobody is sure."""
    for best, level in ((0.5, "high"), (0.49, "medium"), (0.2, "medium")):
        told, why = confidence(Profile(), _with(pick, chance=Chance(0.95, best=best, regret_usd=1e4)), RIVALS)
        assert told == level and (level == "high" or str(why).startswith("The best in only"))
    close = Rivalry("other", beats=0.55, too_close=True)
    level, why = confidence(Profile(), pick, close)
    assert level == "medium" and str(why).startswith("Too close to call: better than its runner-up in 55 of 100 draws")
    assert _level(_with(pick, chance=Chance(0.95)), ALONE) == "high"


def test_the_weakest_check_is_told_with_the_draws(pick) -> None:
    words = str(confidence(Profile(), _total(pick, 4.1e5), RIVALS)[1])
    assert words.startswith("Cost anywhere in $590") and words.endswith("best in 60, mean regret $10\u202fk")


def test_the_only_chip_that_fits_is_not_called_the_best(pick) -> None:
    """It is the best of one in all draws, at no regret, which says nothing."""
    only = _with(pick, chance=Chance(0.6, best=1.0, regret_usd=0.0))
    words = str(confidence(Profile(), only, ALONE)[1])
    assert (
        words == "Misses a limit in 40 of 100 draws; limits kept in 60 of 100 draws; no other chip that can be had fits"
    )
    assert "best in 100, mean regret" in str(confidence(Profile(), only, RIVALS)[1])


def test_a_modelled_speed_rests_on_published_runs_of_its_chip_or_on_none(pick, make_result) -> None:
    """Runs of the H100 set the model of training; none of the RTX 4090 are known."""
    of_model = dataclasses.replace(pick.throughput, evidence=Evidence.MODELLED)
    sure = _undated(_with(pick, throughput=of_model))
    assert _level(sure) == "high"
    chip = make_result("rtx4090").candidate.accelerator
    assert _level(_with(sure, candidate=dataclasses.replace(sure.candidate, accelerator=chip))) == "medium"
