"""Times in which answers must come: those of online serving, of which either is enough."""

import pytest

from core.workload.jobs.base import TimeLimits
from core.workload.jobs.kinds import BatchInference, FineTuning, Job, OnlineServing, PreTraining

FREE = {"ttft_limit_ms": None, "tpot_limit_ms": None}


@pytest.mark.parametrize(
    ("limits", "is_set"), [({}, False), ({"ttft_limit_ms": 1.0}, True), ({"tpot_limit_ms": 2.0}, True)]
)
def test_either_limit_of_online_serving_is_one(limits: dict[str, float], is_set: bool) -> None:
    asked = OnlineServing.model_validate(FREE | {"latency_percentile": "p99"} | limits).time_limits
    assert asked == TimeLimits(limits.get("ttft_limit_ms"), limits.get("tpot_limit_ms"), "p99")
    assert asked.is_set is is_set


@pytest.mark.parametrize("job", [BatchInference(), PreTraining(), FineTuning()])
def test_no_other_job_answers_by_the_clock(job: Job) -> None:
    assert not job.time_limits.is_set
