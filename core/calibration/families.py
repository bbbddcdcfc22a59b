"""The line of the accuracy page that a measured value belongs to."""

from __future__ import annotations

from core.calibration.measured.case import AnyCase, MeasuredCase
from core.calibration.measured.samples import SampleCase
from core.calibration.measured.serving import ServingCase
from core.calibration.studies import samples, serving, training
from core.throughput.uncertainty import KINDS

_WORDS = {"throughput": "throughput", "tpot": "TPOT", "ttft": "TTFT"}


def family_line(case: AnyCase, metric: str) -> str:
    """Piece and family, as in "training, dense" or "TPOT, moe"; "other" for a row that no study would take."""
    if isinstance(case, SampleCase):
        return f"samples/s, {samples.family_of(case)}"
    if isinstance(case, ServingCase):
        return f"{_WORDS[KINDS[metric]]}, {serving.family_of(case)}"
    if isinstance(case, MeasuredCase) and case.profile.job.trains:
        return f"training, {training.family_of(case)}"
    return "other"
