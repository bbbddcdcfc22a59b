"""Predictions of the last few questions: an edit that the engine does not read asks nothing of it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.throughput.correction import Corrections
from core.throughput.predict import predict
from core.throughput.types import System, Throughput
from core.workload.profile import Profile

MOST_KEPT = 4
"""Questions whose answers are kept: the workload on screen, the one before, and both before the last edit."""

Predict = Callable[[Profile, Sequence[System], Corrections], Sequence[Throughput]]


class RememberedPredictions:
    """The engine, asked only what it was not asked lately. May be called from several threads.

    A question is everything that :func:`core.throughput.predict.predict` reads: model, job, software, corrections and
    systems; budget, weights, team and places are not. All systems or none: single ones are never answered from before,
    so that an answer does not depend on what was asked earlier, not in its last digit.
    """

    def __init__(self) -> None:
        self._kept: tuple[tuple[tuple[object, ...], Sequence[Throughput]], ...] = ()

    def __call__(self, profile: Profile, systems: Sequence[System], corrections: Corrections) -> Sequence[Throughput]:
        """As :func:`core.throughput.predict.predict`."""
        asked = (profile.model, profile.job, profile.stack, corrections, tuple(systems))
        known = next((answer for question, answer in self._kept if question == asked), None)
        if known is not None:
            return known
        answer = predict(profile, systems, corrections)
        self._kept = ((asked, answer), *self._kept)[:MOST_KEPT]
        return answer
