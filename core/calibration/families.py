"""The line of the accuracy page that a measured value belongs to."""

from __future__ import annotations

from core.calibration import samples_study, serving_study, training_study
from core.calibration.measured_case import AnyCase, MeasuredCase
from core.calibration.measured_samples import SampleCase
from core.calibration.measured_serving import ServingCase
from core.throughput.spread import KINDS
from core.workload.job import FineTuning, PreTraining

_WORDS = {"throughput": "throughput", "tpot": "TPOT", "ttft": "TTFT"}


def family_line(case: AnyCase, metric: str) -> str:
    """Piece and family, as in "training, dense" or "TPOT, moe"; "other" for a row that no study would take."""
    if isinstance(case, SampleCase):
        return f"samples/s, {samples_study.family_of(case)}"
    if isinstance(case, ServingCase):
        return f"{_WORDS[KINDS[metric]]}, {serving_study.family_of(case)}"
    if isinstance(case, MeasuredCase) and isinstance(case.profile.job, PreTraining | FineTuning):
        return f"training, {training_study.family_of(case)}"
    return "other"
