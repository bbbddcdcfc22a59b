"""Time below which sooner is no better: a day of a run, half the window of a batch, nothing of a service."""

from __future__ import annotations

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.rank.board import LEAST_DAYS, least_time
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.models.known import presets
from core.workload.profile import Limits, Profile


def test_sooner_is_no_better_below_a_day_or_half_a_window() -> None:
    assert [least_time(Profile(job=job)) for job in (PreTraining(), FineTuning())] == [LEAST_DAYS, LEAST_DAYS]
    assert least_time(Profile(job=BatchInference(window_h=6.0))) == 3.0
    assert least_time(Profile(job=OnlineServing())) == 0.0


def test_a_nightly_batch_is_not_given_a_cluster_for_ten_minutes(catalogue: Catalogue) -> None:
    """At the weights that a new workload has: of the options that end within half the window the dear ones gain nothing
    by their speed."""
    job = BatchInference(requests_per_batch=1e6, input_tokens=800, output_tokens=200, window_h=6)
    found = evaluate(
        Profile(model=presets()["Llama 3.1 8B"].model, job=job, limits=Limits(deadline_days=None)), catalogue
    )
    assert found.choice is not None
    within = [one for one in found.results if one.feasible and one.is_firm and one.run_h.high <= 3.0]
    least = min(one.cost.total.likely for one in within)
    assert found.choice.cost.total.likely == pytest.approx(least, rel=0.35)
    assert found.choice.candidate.n_chips <= 8
