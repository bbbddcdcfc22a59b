"""What the engine says, without any correction, of the run that a log is of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.errors import InputError
from core.logs.record import LogRecord, Subject
from core.throughput.load.under_load import latencies_at
from core.throughput.predict import predict
from core.throughput.types import System, Throughput
from core.workload.profile import Profile

_MOST_DOUBLINGS = 10


@dataclass(frozen=True, slots=True)
class Predicted:
    """Tokens/s of all chips, the relative half width of its 80 % range, memory of the fullest chip, times in ms."""

    system: System
    tokens_per_s: float
    spread: float
    memory_gib: float
    ttft_ms: float | None = None
    tpot_ms: float | None = None


def predicted(record: LogRecord, profile: Profile, system: System, may_grow: bool) -> Predicted:
    """The prediction to hold a log against.

    A server's test is predicted at its own requests at once and lengths, where the log states them. Where the log may
    come from one node of a larger job, ``may_grow``, the smallest cluster that holds the workload stands for it.
    Raises InputError when the log is of other work than the workload's, or when that does not fit the system.
    """
    _refuse_other_work(record, profile)
    profile = _as_tested(record, profile)
    answer = _fitting(profile, system) if may_grow else predict(profile, [system])[0]
    if not answer.fits:
        why = str(answer.reasons[0].text) if answer.reasons else "it does not fit"
        where = f"{profile.name} on {system.n_chips} × {system.accelerator.short_name}"
        raise InputError(where, why, "the number of chips that the log was made on")
    speed = answer.tokens_per_s
    whole = Predicted(
        answer.system, speed.likely, (speed.high - speed.low) / (2.0 * speed.likely), sum(answer.memory_gib.values())
    )
    return _at_once(record, answer, whole)


def _refuse_other_work(record: LogRecord, profile: Profile) -> None:
    ours = {"training": Subject.TRAINING, "inference": Subject.SERVING}[profile.job.work]
    if record.subject in (Subject.TRAINING, Subject.SERVING) and record.subject is not ours:
        kind = "a training run" if record.subject is Subject.TRAINING else "a server"
        raise InputError(profile.name, "a workload of another kind", f"the workload that ran: the log is of {kind}")


def _as_tested(record: LogRecord, profile: Profile) -> Profile:
    """The workload with the request lengths of the test."""
    if record.subject is not Subject.SERVING:
        return profile
    asked = {"input_tokens", "output_tokens"} & type(profile.job).model_fields.keys()
    lengths = {name: record.facts.get(name) for name in asked}
    known = {name: max(1, round(value)) for name, value in lengths.items() if isinstance(value, int | float)}
    return profile.model_copy(update={"job": profile.job.model_copy(update=known)})


def _at_once(record: LogRecord, answer: Throughput, whole: Predicted) -> Predicted:
    """The prediction at the requests at once that a test kept, where the workload is served online."""
    at_once = record.facts.get("concurrency")
    if record.subject is not Subject.SERVING or answer.load is None or not isinstance(at_once, int | float):
        return whole
    load = answer.load
    each = at_once / load.replicas
    rate = float(np.interp(each, load.concurrency, load.requests_per_s)) * min(each / load.concurrency[0], 1.0)
    latency = latencies_at([answer], [rate * load.replicas])[0]
    return replace(
        whole,
        tokens_per_s=rate * load.replicas * load.answer_tokens,
        ttft_ms=latency.ttft_p50_ms if latency else None,
        tpot_ms=1e3 * float(np.interp(each, load.concurrency, load.tpot_s)),
    )


def _fitting(profile: Profile, system: System) -> Throughput:
    """On the system, or the smallest doubling of it on which the workload fits; on itself when none does."""
    sizes = [system.n_chips << step for step in range(_MOST_DOUBLINGS + 1)]
    grown = [replace(system, n_chips=n, slice=system.slice if n == system.n_chips else None) for n in sizes]
    answers: Sequence[Throughput] = predict(profile, grown)
    return next((one for one in answers if one.fits), answers[0])
