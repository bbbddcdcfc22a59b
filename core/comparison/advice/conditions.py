"""What conditions of common advice may look at, and their registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.amounts import Text
from core.comparison.result import CandidateResult
from core.workload.jobs.kinds import OnlineServing, TrainingJob
from core.workload.profile import Profile

GOOGLE = "gcp"


@dataclass(frozen=True)
class Facts:
    """What conditions may look at: the profile, the ranked and the rejected results, the thresholds."""

    profile: Profile
    ranked: tuple[CandidateResult, ...]
    rejected: tuple[CandidateResult, ...]
    thresholds: dict[str, float]

    @property
    def google_allowed(self) -> bool:
        """True when Google Cloud is among the allowed providers and cloud is allowed at all."""
        places = self.profile.places
        return (not places.providers or GOOGLE in places.providers) and not places.must_be_on_prem

    @property
    def training(self) -> TrainingJob | None:
        """The job when it trains."""
        return self.profile.job.training

    @property
    def service(self) -> OnlineServing | None:
        """The job when it answers users."""
        return self.profile.job.service

    def best(self, kind: str) -> CandidateResult | None:
        """The best feasible result on a kind of chip, else the first rejected one that has a price."""
        of_kind = (r for r in (*self.ranked, *self.rejected) if r.candidate.accelerator.kind == kind)
        return next(of_kind, None)


Condition = Callable[[Facts], Text]
CONDITIONS: dict[str, Condition] = {}


def condition(function: Condition) -> Condition:
    """Registers a condition under its function's name."""
    CONDITIONS[function.__name__] = function
    return function


def compiles_for_tpu(facts: Facts) -> bool:
    """JAX or TensorFlow code, with Google Cloud open."""
    return facts.profile.stack.framework in ("jax", "tensorflow") and facts.google_allowed
