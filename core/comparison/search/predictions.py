"""Predictions of the last few questions: an edit asks the engine only about systems that it was not asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.throughput.correction import Corrections
from core.throughput.predict import predict
from core.throughput.types import System, Throughput
from core.workload.profile import Profile

MOST_KEPT = 4
"""Questions whose answers are kept: the workload on screen, the one before, and both before the last edit."""

MOST_TIMES = 4
"""Systems that nobody asks about any more are forgotten once there are so many times as many as were asked about at
once."""

NOT_READ = frozenset({
    "n_tokens", "n_runs", "epochs", "dataset_gb", "checkpoint_interval_h", "checkpoint_mode", "checkpoints_kept",
    "spot_stops_per_day", "months", "requests_per_batch", "batches_per_month", "window_h", "peak_requests_per_s",
    "mean_load_pct", "autoscale", "min_replicas", "warm_up_min", "traffic", "load_by_hour",
})  # fmt: skip
"""Fields of jobs that the engine does not read: how much work there is and when, not how fast it goes. Of a run whose
batch grows it reads the tokens: the ramp is a share of them; of a network that answers users the peak: one queue feeds
as many replicas as that takes."""

_Key = tuple[int, int, int, float, bool, int, int, float, bool]
_Known = tuple[dict[_Key, Throughput], int]
"""Answers to a question by system, and how many systems were asked about at once at most."""
_NOTHING: _Known = ({}, 0)
Predict = Callable[[Profile, Sequence[System], Corrections], Sequence[Throughput]]


class RememberedPredictions:
    """The engine, asked only what it was not asked lately. May be called from several threads.

    A question is everything that :func:`core.throughput.predict.predict` reads: model, software, corrections, systems
    and the job but for :data:`NOT_READ`; budget, weights, team and places are not. An answer does not depend on which
    other systems are asked about, not in its last digit, so that of a question asked before only the new ones are.
    """

    def __init__(self) -> None:
        self._kept: tuple[tuple[tuple[object, ...], _Known], ...] = ()

    def __call__(self, profile: Profile, systems: Sequence[System], corrections: Corrections) -> Sequence[Throughput]:
        """As :func:`core.throughput.predict.predict`."""
        asked = (profile.model, _read_of(profile), profile.stack, corrections)
        known, most = next((answers for question, answers in self._kept if question == asked), _NOTHING)
        keys = [_key(system) for system in systems]
        new = [number for number, key in enumerate(keys) if key not in known]
        told = predict(profile, [systems[number] for number in new], corrections) if new else ()
        known = known | {keys[number]: answer for number, answer in zip(new, told, strict=True)}
        answers, most = [known[key] for key in keys], max(most, len(keys))
        if len(known) > MOST_TIMES * most:
            known = dict(zip(keys, answers, strict=True))
        others = tuple(kept for kept in self._kept if kept[0] != asked)
        self._kept = ((asked, (known, most)), *others)[:MOST_KEPT]
        return answers

    def forget(self) -> None:
        """Nothing is kept until it is asked again."""
        self._kept = ()


def _key(system: System) -> _Key:
    """All of a system, entries of the catalogue as objects, since comparing them is slow; answers keep them alive."""
    return (
        id(system.accelerator), system.n_chips, system.chips_per_host, system.network_gbit_per_s,
        system.network_estimate, id(system.slice), id(system.host), system.route_ms, system.apart,
    )  # fmt: skip


def _read_of(profile: Profile) -> tuple[object, ...]:
    """What the engine reads of a job."""
    job, run, service = profile.job, profile.job.training, profile.job.service
    ramp = (run.n_tokens,) if run is not None and run.ramp_from_sequences is not None else ()
    queue = (service.peak_requests_per_s,) if service is not None and profile.is_in_samples else ()
    return type(job), *(getattr(job, name) for name in type(job).model_fields if name not in NOT_READ), *ramp, *queue
