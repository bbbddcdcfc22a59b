"""A calibration as the plan keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from core.throughput.measured import Term
from core.workload.field_description import Described

_MOST_TOKENS_PER_S = 1e15
MOST_CHIPS = 10_000_000
"""Chips that one log may speak for."""
_MOST_PARAMS = 1e18
_MOST_FACTOR = 1e6
"""Beyond all reason, and far from what arithmetic cannot hold."""


BOUNDS: Mapping[Term, tuple[float, float]] = {
    "kept": (0.2, 1.0),
    "save": (0.05, 20.0),
    "memory": (0.6, 1.6),
    "power": (0.2, 1.5),
    "inner_link": (0.1, 2.0),
    "network": (0.1, 2.0),
    "storage": (0.05, 20.0),
}
"""Of each term: a factor outside says that log and workload do not belong together, and never counts for more."""


class Check(Described):
    """A figure that the log holds beside its prediction: errors in percent, predicted over measured less one.

    ``after_pct`` is the error with the calibration; the same as before where it moves nothing.
    """

    name: str
    before_pct: float
    after_pct: float


class AcceptedCalibration(Described):
    """Measured over predicted tokens/s of a chip, from one window of one log, for one workload.

    ``spread`` is the relative half width of the 80 % range that is left; ``how`` says in words what was measured.
    ``predicted_spread`` is that of the prediction itself, by which few logs are pulled back towards it; None, in plans
    of before, pulls nothing. ``n_params`` are the model's parameters, by which other models are told from the one that
    was measured; None, in plans of before, tells none apart. ``cuts_s`` are left out of the window. One that is not
    ``is_on`` counts for nothing.
    """

    log_id: str
    profile_id: str
    accelerator_id: str
    n_chips: int = Field(ge=1, le=MOST_CHIPS)
    work: Literal["training", "inference"]
    measured_tokens_per_s: float = Field(gt=0, le=_MOST_TOKENS_PER_S)
    predicted_tokens_per_s: float = Field(gt=0, le=_MOST_TOKENS_PER_S)
    factor: float = Field(ge=1 / _MOST_FACTOR, le=_MOST_FACTOR)
    spread: float = Field(ge=0, le=_MOST_FACTOR)
    window_s: tuple[float, float]
    how: str
    n_params: float | None = Field(default=None, gt=0, le=_MOST_PARAMS)
    cuts_s: tuple[tuple[float, float], ...] = ()
    predicted_spread: float | None = Field(default=None, gt=0, le=_MOST_FACTOR)
    checks: tuple[Check, ...] = ()
    is_on: bool = True
    accepted_on: str = ""


class AcceptedLesson(Described):
    """Measured over taken of one term of a chip, beside its speed: see :class:`core.throughput.measured.Measured`.

    ``measured`` and ``predicted`` are in the term's own unit (:data:`core.throughput.measured.TERM_WORDS`), shares of
    1. ``spread`` and ``predicted_spread`` are relative half widths of 80 % ranges. ``sha256`` is that of the log's
    file. What is not None narrows where it counts: see :class:`core.throughput.correction.TermFactor`.
    """

    log_id: str
    profile_id: str
    term: Term
    accelerator_id: str
    n_chips: int = Field(ge=1, le=MOST_CHIPS)
    measured: float = Field(gt=0, le=_MOST_TOKENS_PER_S)
    predicted: float = Field(gt=0, le=_MOST_TOKENS_PER_S)
    factor: float = Field(ge=1 / _MOST_FACTOR, le=_MOST_FACTOR)
    spread: float = Field(ge=0, le=_MOST_FACTOR)
    predicted_spread: float = Field(gt=0, le=_MOST_FACTOR)
    how: str
    n_params: float | None = Field(default=None, gt=0, le=_MOST_PARAMS)
    network_gbit_per_s: float | None = Field(default=None, gt=0, le=_MOST_FACTOR)
    storage: str | None = None
    sha256: str = ""
    is_on: bool = True
    accepted_on: str = ""

    @property
    def where(self) -> tuple[object, ...]:
        """What logs must share to be of one factor, as in :class:`core.throughput.correction.TermFactor`."""
        return self.term, self.accelerator_id, self.n_params, self.network_gbit_per_s, self.storage


def are_same(chosen: Sequence[AcceptedLesson], accepted: Sequence[AcceptedLesson]) -> bool:
    """True where accepting what is chosen would change nothing."""
    dated = {one.term: one.accepted_on for one in accepted}
    taken = [one.model_copy(update={"accepted_on": dated.get(one.term, "")}) for one in chosen]
    return taken == list(accepted)


def is_same(proposal: AcceptedCalibration, accepted: AcceptedCalibration) -> bool:
    """True where accepting would change nothing."""
    kept = {"accepted_on": accepted.accepted_on, "is_on": True, "checks": accepted.checks}
    return proposal.model_copy(update=kept) == accepted
