"""What ran when a log was made: the likely workload and speed, and whether a proposal is accepted already."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.calibration.accepted import AcceptedCalibration, AcceptedLesson
from core.calibration.own_logs.parts import Parts, inside
from core.calibration.own_logs.readings import has_speed
from core.logs.record import LogRecord, Subject
from core.plan.plan import ImportedLog
from core.workload.profile import Profile


def likely_workload(log: ImportedLog, profiles: Sequence[Profile], shown: Profile | None) -> str:
    """The workload on screen, or the first that is of the log's kind of work."""
    work = {Subject.TRAINING: "training", Subject.SERVING: "inference"}.get(log.subject)
    ordered = sorted(profiles, key=lambda one: (work is not None and one.job.work != work, one is not shown))
    return ordered[0].id if ordered else ""


def likely_speed(record: LogRecord, profile: Profile | None, parts: Parts) -> float | None:
    """Tokens/s of a log of steps that tells no tokens: those of a step of the workload over the median step."""
    steps_s, run = inside(record, "step_time_s", parts), profile.job.training if profile else None
    if run is None or not len(steps_s) or has_speed(record, parts):
        return None
    return run.global_batch_sequences * run.sequence_length / float(np.median(steps_s))


def are_same(chosen: Sequence[AcceptedLesson], accepted: Sequence[AcceptedLesson]) -> bool:
    """True where accepting what is chosen would change nothing."""
    dated = {one.term: one.accepted_on for one in accepted}
    taken = [one.model_copy(update={"accepted_on": dated.get(one.term, "")}) for one in chosen]
    return taken == list(accepted)


def is_same(proposal: AcceptedCalibration, accepted: AcceptedCalibration) -> bool:
    """True where accepting would change nothing."""
    kept = {"accepted_on": accepted.accepted_on, "is_on": True, "checks": accepted.checks}
    return proposal.model_copy(update=kept) == accepted
