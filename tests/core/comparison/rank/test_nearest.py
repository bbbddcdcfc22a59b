"""Where nothing fits, what is called the nearest is the nearest that can be had."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.rank.nearest import _excess
from core.plan.edit import set_value
from core.plan.sample_plan import sample_plan
from core.plan.scenario import resolve
from core.throughput.types import Latency
from core.workload.jobs.kinds import OnlineServing
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Limits, Profile


def test_the_nearest_that_can_be_had_misses_the_deadline_by_least() -> None:
    profile = resolve(sample_plan(), "scenario-3").profiles[0]
    results = evaluate(profile, load_catalogue())
    late = [codes == ("deadline",) for codes in results.columns.codes]
    soonest = min(results.columns.days[np.array(late) & (results.columns.trust == 2)])
    assert results.n_feasible == 0
    assert str(results.recommendation.headline).endswith(
        f", on demand: fits with a deadline of {np.ceil(soonest):.0f}\u202fd."
    )


def test_what_answers_too_slowly_is_not_near_beyond_chips_and_budget() -> None:
    """For one chip and $1,000 a year it named 1,540 L4 of nine million: "may fit with a limit of 82.5 ms"."""
    profile = load_profiles()["chat-serving-70b"]
    limits = profile.limits.model_copy(update={"max_chips": 1, "budget_usd": 1000.0})
    results = evaluate(profile.model_copy(update={"limits": limits}), load_catalogue())
    nearest = results.by_id[results.recommendation.nearest or ""]
    assert results.n_feasible == 0 and nearest.candidate.n_chips < 8
    assert str(results.recommendation.headline).endswith("which misses the number of chips and the budget.")


@pytest.mark.parametrize(
    ("name", "path", "limit_ms"),
    [("chat-serving-70b", "job.ttft_limit_ms", 20.0), ("video-service", "job.ttft_limit_ms", 10_000.0)],
)
def test_of_what_answers_too_slowly_the_quickest_is_the_nearest(name: str, path: str, limit_ms: float) -> None:
    """For 20 ms it named one L4, which cannot hold the model; for 10 s 14 B200 at 2 min 51 s where GB200 take 22 s."""
    profile = (load_profiles() | more_profiles())[name]
    results = evaluate(set_value(profile, path, limit_ms), load_catalogue())
    nearest = results.by_id[results.recommendation.nearest or ""]
    late = [one.throughput.latency for one in results.results if one.obtainable.is_firm and one.throughput.latency]
    assert nearest.throughput.latency is not None
    assert nearest.throughput.latency.ttft_p50_ms < 1.3 * min(one.ttft_p50_ms for one in late)


def test_how_far_an_option_lies_over_its_limits_is_told_of_deadline_and_budget_alone() -> None:
    """A fifth over in days and a half over in dollars; what misses anything else, or nothing, has no such distance."""
    profile = Profile(limits=Limits(deadline_days=10.0, budget_usd=100.0))
    codes = [("deadline",), ("budget",), ("deadline", "budget"), ("deadline", "place"), ("memory",), ()]
    days, usd = [12.0, 5.0, 12.0, 12.0, 5.0, 5.0], [50.0, 150.0, 150.0, 50.0, 50.0, 50.0]
    columns: Any = SimpleNamespace(codes=codes, days=np.array(days), cost_usd=np.array(usd))
    assert _excess(profile, columns) == pytest.approx([0.2, 0.5, 0.7, np.inf, np.inf, np.inf])
    free = Profile(limits=Limits(deadline_days=None, budget_usd=100.0))
    assert _excess(free, columns)[:3] == pytest.approx([0.0, 0.5, 0.5])


def test_answers_that_are_too_slow_lie_over_their_limits_by_the_worst_of_them() -> None:
    """A first token of 150 ms with 10 of the way over 100 is 0.6 over, tokens of 60 ms over 50 a fifth; with a budget
    that is missed by half 1.1. What does not run has no bill."""
    job = OnlineServing(ttft_limit_ms=100.0, tpot_limit_ms=50.0, latency_percentile="p50")
    profile = Profile(job=job, limits=Limits(budget_usd=100.0))
    speed = SimpleNamespace(latency=Latency(150.0, 300.0, 60.0, 70.0), system=SimpleNamespace(route_ms=10.0))
    codes = [("ttft", "tpot"), ("ttft", "budget"), ("latency",), ("ttft", "place"), ("tpot",)]
    nothing = SimpleNamespace(latency=None, system=speed.system)
    columns: Any = SimpleNamespace(
        codes=codes, days=np.zeros(5), cost_usd=np.array([50.0, 150.0, 900.0, 50.0, 50.0]),
        throughputs=[speed, speed, speed, speed, nothing],
    )  # fmt: skip
    assert _excess(profile, columns) == pytest.approx([0.6, 1.1, 0.6, np.inf, np.inf])
