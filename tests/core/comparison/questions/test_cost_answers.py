"""The bill asked in the ways people ask, with ranges, and why where there is no answer."""

from dataclasses import replace

import pytest

from core.comparison.questions.cost_answers import Answer, answers
from core.comparison.result import CandidateResult
from core.cost.bill.types import Cost, CostPart
from core.ranges import Range
from core.throughput.types import Reason
from core.workload.jobs.kinds import BatchInference, OnlineServing
from core.workload.profile import Profile


@pytest.fixture
def result(make_result) -> CandidateResult:
    """A bill of 12 000 USD over four months and two runs, 10 000 to 15 000."""
    part = CostPart("compute", 12_000.0, "", (), "X", False)
    cost = Cost(Range(1e4, 1.2e4, 1.5e4), (part,), 0.4, "1M tokens", 3_000.0, 6_000.0, 1_500.0, 5_000.0)
    return replace(make_result(rank=1), cost=cost)


def told(profile: Profile, result: CandidateResult) -> dict[str, Answer]:
    return {answer.key: answer for answer in answers(profile, result)}


def test_every_question_scales_the_bill_with_its_range(profile: Profile, result: CandidateResult) -> None:
    found = told(profile, result)
    likely = {key: answer.amount.likely for key, answer in found.items() if answer.amount}
    assert likely == pytest.approx(
        {
            "total": 12_000,
            "run": 6_000,
            "month": 3_000,
            "year": result.cost.per_year_usd,
            "unit": 0.4,
            "epoch": 1_500,
            "experiment": 5_000,
        }
    )
    for answer in found.values():
        assert answer.amount is not None
        assert answer.amount.low / answer.amount.likely == pytest.approx(10 / 12)
        assert answer.amount.high / answer.amount.likely == pytest.approx(15 / 12)


def test_a_service_has_no_run_and_says_so(profile: Profile, result: CandidateResult) -> None:
    served = profile.model_copy(update={"job": OnlineServing()})
    bare = replace(result, cost=replace(result.cost, per_epoch_usd=None, per_experiment_usd=None))
    found = told(served, bare)
    none = {key: answer for key, answer in found.items() if answer.amount is None}
    assert set(none) == {"run", "epoch", "experiment"}
    assert all(answer.why_not and answer.text == "n/a" for answer in none.values())


def test_a_batch_is_what_a_run_is_elsewhere(profile: Profile, result: CandidateResult) -> None:
    batch = profile.model_copy(update={"job": BatchInference()})
    assert told(batch, result)["run"].title == "Per batch"


def test_what_does_not_hold_the_model_answers_nothing(profile: Profile, make_result) -> None:
    found = answers(profile, make_result(reasons=(Reason("memory", "Needs 90 GiB."),)))
    assert all(answer.amount is None and "hold the model" in answer.why_not for answer in found)
