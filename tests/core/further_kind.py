"""A kind of job that the planner does not know: scores a model once on so many tokens."""

from __future__ import annotations

from typing import ClassVar, Literal

from core.workload.field_description import described
from core.workload.jobs.base import NO_TIME_LIMITS, JobBase, JobWords, Precision, StorageKind, TimeLimits


class Evaluation(JobBase):
    """Answers every trait, and is in no list of kinds."""

    kind: Literal["evaluation"] = "evaluation"
    n_tokens: float = described(2e6, title="Tokens scored", help="In all", group="What runs", unit="tokens", gt=0)
    dataset_gb: float = described(10.0, title="Data set", help="As stored", group="Data", unit="GB", ge=0)

    training: ClassVar[None] = None
    service: ClassVar[None] = None
    words: ClassVar[JobWords] = JobWords(
        kind="Evaluation",
        unit="1M scored tokens",
        per_round="Per evaluation",
        fewest="Fewest in time",
        fewest_do="are in time",
        speed="to score",
        need="needed for the deadline",
        deed="score",
        doing="Scoring",
    )
    quantity_field: ClassVar[str] = "n_tokens"
    ends: ClassVar[bool] = True
    months_in_service: ClassVar[None] = None
    n_rounds: ClassVar[float] = 1.0
    times_paid: ClassVar[float] = 1.0
    round_limit_h: ClassVar[None] = None
    set_up_h: ClassVar[float] = 3.0
    n_epochs: ClassVar[None] = None
    needed_tokens_per_s: ClassVar[None] = None
    busiest_requests_per_s: ClassVar[None] = None
    mean_load_share: ClassVar[float] = 1.0
    gives_chips_back: ClassVar[bool] = False
    time_limits: ClassVar[TimeLimits] = NO_TIME_LIMITS
    context_tokens: ClassVar[int] = 1024
    compute_precision: ClassVar[Precision] = "bf16"
    serving_engine: ClassVar[None] = None
    storage_kind: ClassVar[StorageKind] = "object"
    is_lost_when_stopped: ClassVar[bool] = True

    @property
    def paid_tokens(self) -> float:
        """All of them."""
        return self.n_tokens
