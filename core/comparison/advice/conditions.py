"""What conditions of common advice may look at, and their registries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.amounts import Text
from core.catalogue.catalogue import Catalogue
from core.comparison.columns import of_kinds
from core.comparison.missing import missing_facts
from core.comparison.result import CandidateResult
from core.workload.jobs.kinds import OnlineServing, TrainingJob
from core.workload.profile import Profile

GOOGLE = "gcp"


@dataclass(frozen=True)
class Facts:
    """What conditions may look at: the profile, the ranked and the rejected results, the thresholds, the catalogue
    where there is one."""

    profile: Profile
    ranked: tuple[CandidateResult, ...]
    rejected: Sequence[CandidateResult]
    thresholds: dict[str, float]
    catalogue: Catalogue | None = None

    @property
    def google_allowed(self) -> bool:
        """True when Google Cloud is among the allowed providers and cloud is allowed at all."""
        places = self.profile.places
        is_closed = places.must_be_on_prem or places.air_gapped
        return (not places.providers or GOOGLE in places.providers) and not is_closed

    @property
    def is_blank(self) -> bool:
        """True where what runs, or how much of it, was never entered."""
        return bool(missing_facts(self.profile))

    @property
    def training(self) -> TrainingJob | None:
        """The job when it trains."""
        return self.profile.job.training

    @property
    def service(self) -> OnlineServing | None:
        """The job when it answers users."""
        return self.profile.job.service

    @property
    def pick(self) -> CandidateResult | None:
        """The best feasible result."""
        return self.ranked[0] if self.ranked else None

    def fitting(self, kind: str) -> CandidateResult | None:
        """The best feasible result on a kind of chip."""
        return next((one for one in self.ranked if one.candidate.accelerator.kind == kind), None)

    def best(self, kind: str) -> CandidateResult | None:
        """The best feasible result on a kind of chip, else the first rejected one that has a price."""
        return self.fitting(kind) or next(of_kinds(self.rejected, kind), None)


Condition = Callable[[Facts], Text]
CONDITIONS: dict[str, Condition] = {}

Check = Callable[[Facts], bool | None]
CHECKS: dict[str, Check] = {}


def condition(function: Condition) -> Condition:
    """Registers a condition under its function's name."""
    CONDITIONS[function.__name__] = function
    return function


def check(function: Check) -> Check:
    """Registers, under its function's name, a figure that tells whether the numbers agree with a rule."""
    CHECKS[function.__name__] = function
    return function


def compiles_for_tpu(facts: Facts) -> bool:
    """JAX or TensorFlow code, with Google Cloud open."""
    return facts.profile.stack.framework in ("jax", "tensorflow") and facts.google_allowed
