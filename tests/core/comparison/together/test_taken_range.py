"""The workload range taken into the ranking: scores by hand of every chip, which the next answer counts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.comparison.together.workload_range import taken, with_range, workload_range
from core.flexibility.taken_range import ID, is_taken
from core.plan.sample_plan import sample_plan
from core.report.masking import handed_out
from core.workload.freedom import Freedom, ScoreOverride
from core.workload.profile import Profile

DAY = "2026-11-23"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def results(catalogue: Catalogue) -> Mapping[str, ResultSet]:
    return {one.id: evaluate(one, catalogue) for one in sample_plan().profiles}


@pytest.fixture(scope="module")
def whole(results: Mapping[str, ResultSet]) -> PlanAnswer:
    made = answer_of(list(results.values()))
    assert made is not None
    return made


@pytest.fixture(scope="module")
def taking(whole: PlanAnswer, catalogue: Catalogue) -> Profile:
    """The first workload, with the range taken."""
    profile = sample_plan().profiles[0]
    overrides = taken(whole, profile.freedom, [chip.id for chip in catalogue.accelerators], DAY)
    return profile.model_copy(update={"freedom": profile.freedom.model_copy(update={"overrides": overrides})})


def test_the_answer_scores_as_the_screen_showed_and_says_when_it_was_taken(
    taking: Profile, results: Mapping[str, ResultSet], whole: PlanAnswer, catalogue: Catalogue
) -> None:
    after = evaluate(taking, catalogue)
    shown = {one.id: one for one in results[taking.id].best_per_accelerator}
    assert {chip.id for chip in catalogue.accelerators} == {one.accelerator_id for one in taking.freedom.overrides}
    for one in (one for one in after.best_per_accelerator if one.id in shown):
        judged = workload_range(whole, one.candidate.accelerator.id, Freedom())
        assert judged is not None
        before = with_range(shown[one.id].flexibility, judged).score.likely
        assert one.flexibility.score.likely == pytest.approx(before, abs=0.06)  # points are whole ones
        own = next(score for score in one.flexibility.criteria if score.id == ID)
        assert own.note == f"Range of this plan's 2 workloads on {DAY}" and own.weight == judged.weight


def test_a_score_of_one_chip_alone_takes_no_part(catalogue: Catalogue) -> None:
    profile = sample_plan().profiles[0]
    one = ScoreOverride(accelerator_id="b200-sxm", criterion_id=ID, points=10, note="Not for us")
    freedom = profile.freedom.model_copy(update={"overrides": (one,)})
    assert not is_taken(freedom, catalogue)
    told = evaluate(profile.model_copy(update={"freedom": freedom}), catalogue).results[0]
    assert ID not in [score.id for score in told.flexibility.criteria]


def test_taking_it_anew_follows_the_answers_and_leaves_other_scores(taking: Profile, whole: PlanAnswer) -> None:
    other = ScoreOverride(accelerator_id="b200-sxm", criterion_id="F3", points=10, note="Ours")
    freedom = taking.freedom.model_copy(update={"overrides": (other, *taking.freedom.overrides)})
    again = taken(whole, freedom, ["b200-sxm", "t4"], "2027-01-01")
    assert again[0] == other and len(again) == 3 and again[1].note.endswith("2027-01-01")
    assert freedom.without_criterion(ID) == (other,)


def test_it_follows_from_prices_and_so_does_not_leave_a_masked_plan(
    taking: Profile, results: Mapping[str, ResultSet], catalogue: Catalogue
) -> None:
    team = taking.team.model_copy(update={"engineer_usd_per_week": 9999.0})
    private = taking.model_copy(update={"team": team})
    plan = sample_plan().model_copy(update={"profiles": (private,), "masks_private_prices": True, "scenarios": ()})
    out = handed_out(plan, {taking.id: results[taking.id]}, catalogue, catalogue)
    assert out.is_masked and out.plan.profiles[0].freedom.overrides == ()
