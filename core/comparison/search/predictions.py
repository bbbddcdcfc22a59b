"""Predictions of the last few questions: an edit that the engine does not read asks nothing of it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.throughput.correction import Corrections
from core.throughput.predict import predict
from core.throughput.types import System, Throughput
from core.workload.jobs.kinds import Job
from core.workload.profile import Profile

MOST_KEPT = 4
"""Questions whose answers are kept: the workload on screen, the one before, and both before the last edit."""

NOT_READ = frozenset({
    "n_tokens", "n_runs", "epochs", "dataset_gb", "checkpoint_interval_h", "checkpoint_mode", "checkpoints_kept",
    "spot_stops_per_day", "months", "requests_per_batch", "batches_per_month", "window_h", "peak_requests_per_s",
    "mean_load_pct", "autoscale", "min_replicas", "warm_up_min", "traffic", "load_by_hour",
})  # fmt: skip
"""Fields of jobs that the engine does not read: how much work there is and when, not how fast it goes."""

Predict = Callable[[Profile, Sequence[System], Corrections], Sequence[Throughput]]


class RememberedPredictions:
    """The engine, asked only what it was not asked lately. May be called from several threads.

    A question is everything that :func:`core.throughput.predict.predict` reads: model, software, corrections, systems
    and the job but for :data:`NOT_READ`; budget, weights, team and places are not. All systems or none: single ones are
    never answered from before, so that an answer does not depend on what was asked earlier, not in its last digit.
    """

    def __init__(self) -> None:
        self._kept: tuple[tuple[tuple[object, ...], Sequence[Throughput]], ...] = ()

    def __call__(self, profile: Profile, systems: Sequence[System], corrections: Corrections) -> Sequence[Throughput]:
        """As :func:`core.throughput.predict.predict`."""
        asked = (profile.model, _read_of(profile.job), profile.stack, corrections, tuple(systems))
        known = next((answer for question, answer in self._kept if question == asked), None)
        if known is not None:
            return known
        answer = predict(profile, systems, corrections)
        self._kept = ((asked, answer), *self._kept)[:MOST_KEPT]
        return answer


def _read_of(job: Job) -> tuple[object, ...]:
    """What the engine reads of a job."""
    return type(job), *(getattr(job, name) for name in type(job).model_fields if name not in NOT_READ)
