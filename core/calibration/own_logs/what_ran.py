"""What ran when a log was made: the likely workload, and its speed where the log tells none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.calibration.own_logs.parts import Parts, inside
from core.calibration.own_logs.readings import has_speed
from core.logs.record import LogRecord, Subject
from core.workload.profile import Profile


def likely_workload(subject: Subject, profiles: Sequence[Profile], first: Profile | None) -> str:
    """The id of the first workload that is of a log's kind of work, ``first`` before the others; empty without any."""
    work = {Subject.TRAINING: "training", Subject.SERVING: "inference"}.get(subject)
    ordered = sorted(profiles, key=lambda one: (work is not None and one.job.work != work, one is not first))
    return ordered[0].id if ordered else ""


def likely_speed(record: LogRecord, profile: Profile | None, parts: Parts) -> float | None:
    """Tokens/s of a log of steps that tells no tokens: those of a step of the workload over the median step."""
    steps_s, run = inside(record, "step_time_s", parts), profile.job.training if profile else None
    if run is None or not len(steps_s) or has_speed(record, parts):
        return None
    return run.global_batch_sequences * run.sequence_length / float(np.median(steps_s))
