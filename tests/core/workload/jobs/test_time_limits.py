"""Times in which answers must come: those of online serving, of which either is enough."""

import pytest

from core.workload.jobs.base import TimeLimits
from core.workload.jobs.kinds import BatchInference, FineTuning, Job, OnlineServing, PreTraining

FREE = {"ttft_limit_ms": None, "tpot_limit_ms": None, "output_tokens": 101}


@pytest.mark.parametrize(
    ("limits", "is_set"),
    [({}, False), ({"ttft_limit_ms": 1.0}, True), ({"tpot_limit_ms": 2.0}, True), ({"answer_limit_ms": 3.0}, True)],
)
def test_either_limit_of_online_serving_is_one(limits: dict[str, float], is_set: bool) -> None:
    asked = OnlineServing.model_validate(FREE | {"latency_percentile": "p99"} | limits).time_limits
    first, token, answer = (limits.get(f"{name}_limit_ms") for name in ("ttft", "tpot", "answer"))
    assert asked == TimeLimits(first, token, "p99", answer, 101.0)
    assert asked.is_set is is_set
    assert asked.counts_the_way is (is_set and token is None)


def test_a_whole_answer_is_its_first_token_and_all_further_ones() -> None:
    limits = OnlineServing(output_tokens=101).time_limits
    assert limits.whole(200.0, 20.0) == 2200.0


@pytest.mark.parametrize("job", [BatchInference(), PreTraining(), FineTuning()])
def test_no_other_job_answers_by_the_clock(job: Job) -> None:
    assert not job.time_limits.is_set
