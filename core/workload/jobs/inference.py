"""Inference jobs: batches to finish within a window, and answering users as they ask."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import field_validator

from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH, SECONDS_PER_HOUR
from core.workload.field_description import described
from core.workload.jobs.base import (
    DATA,
    ENGINE_WORDS,
    LIMITS,
    NO_TIME_LIMITS,
    NUMERICS,
    PRECISION_WORDS,
    RUNS,
    TRAFFIC_WORDS,
    JobWords,
    Percentile,
    Precision,
    ServingEngine,
    StorageKind,
    TimeLimits,
)
from core.workload.jobs.decoding import DecodedJob

BATCH_START_H = 0.25
"""Hours before a batch starts: loading weights and compiling (our estimate)."""

FEWEST_ROUNDS = 1e-3
"""Months or batches by which money is divided at least: nobody is told what a month costs of a plan for a minute."""


class InferenceJob(DecodedJob):
    """What every inference job is asked, and the traits that all share."""

    input_tokens: int = described(
        1024,
        title="Input tokens",
        help="Mean prompt length of a request",
        group=RUNS,
        unit="tokens",
        essential=True,
        ge=1,
        le=10_000_000,
    )
    output_tokens: int = described(
        256,
        title="Output tokens",
        help="Mean answer length of a request",
        group=RUNS,
        unit="tokens",
        essential=True,
        ge=1,
        le=1_000_000,
    )
    weight_precision: Precision = described(
        "bf16", title="Weight precision", help="As held in memory", group=NUMERICS, choices=PRECISION_WORDS
    )
    kv_precision: Literal["bf16", "fp8", "int8", "int4", "fp4"] = described(
        "bf16",
        title="KV cache precision",
        help="Halving it doubles the batch that fits",
        group=NUMERICS,
        choices={"bf16": "BF16", "fp8": "FP8", "int8": "INT8", "int4": "INT4", "fp4": "NVFP4"},
    )
    engine: ServingEngine = described(
        "vllm",
        title="Serving engine",
        help="Software that schedules the requests",
        group="Your code",
        choices=ENGINE_WORDS,
    )
    months: float = described(
        12.0, title="Months in service", help="How long the plan pays for it", group=RUNS, unit="months", gt=0, le=120
    )
    dataset_gb: float = described(
        100.0,
        title="Data kept",
        help="Inputs, outputs and weights kept in storage",
        group=DATA,
        unit="GB",
        ge=0,
        le=1e9,
    )

    training: ClassVar[None] = None
    ends: ClassVar[bool] = False
    n_epochs: ClassVar[None] = None
    storage_kind: ClassVar[StorageKind] = "object"
    is_lost_when_stopped: ClassVar[bool] = False

    @property
    def months_in_service(self) -> float:
        """As entered."""
        return self.months

    @property
    def context_tokens(self) -> int:
        """Prompt and answer."""
        return self.input_tokens + self.output_tokens

    @property
    def compute_precision(self) -> Precision:
        """That of the weights."""
        return self.weight_precision

    @property
    def serving_engine(self) -> ServingEngine:
        """As entered."""
        return self.engine


class BatchInference(InferenceJob):
    """Offline scoring: a number of requests to finish within a window, as often as scheduled."""

    kind: Literal["batch_inference"] = "batch_inference"
    requests_per_batch: float = described(
        1e6,
        title="Requests per batch",
        help="Work of one scheduled batch",
        group=RUNS,
        unit="requests",
        essential=True,
        gt=0,
        le=1e13,
    )
    batches_per_month: float = described(
        30.0, title="Batches per month", help="30 is nightly", group=RUNS, unit="batches", gt=0, le=100_000
    )
    window_h: float = described(
        8.0,
        title="Window",
        help="Hours in which a batch must finish",
        group=RUNS,
        unit="hours",
        essential=True,
        gt=0,
        le=720,
    )

    words: ClassVar[JobWords] = JobWords(
        kind="Batch inference",
        unit="1M output tokens",
        per_round="Per batch",
        fewest="Fewest in window",
        fewest_do="finish a batch in its window",
        speed="per batch",
        need="needed for the window",
        deed="run",
        doing="Running",
    )
    service: ClassVar[None] = None
    quantity_field: ClassVar[str] = "requests_per_batch"
    set_up_h: ClassVar[float] = BATCH_START_H
    busiest_requests_per_s: ClassVar[None] = None
    mean_load_share: ClassVar[float] = 1.0
    gives_chips_back: ClassVar[bool] = False
    time_limits: ClassVar[TimeLimits] = NO_TIME_LIMITS

    @property
    def tokens_per_batch(self) -> float:
        """Output tokens of one batch."""
        return self.requests_per_batch * self.output_tokens

    @property
    def n_rounds(self) -> float:
        """The batches of the months in service."""
        return max(self.months * self.batches_per_month, FEWEST_ROUNDS)

    @property
    def times_paid(self) -> float:
        """All batches: one of them is timed."""
        return self.n_rounds

    @property
    def round_limit_h(self) -> float:
        """The window, or the time until the next batch comes where that is less: else they pile up."""
        return min(self.window_h, HOURS_PER_MONTH / self.batches_per_month)

    @property
    def paid_tokens(self) -> float:
        """Output tokens of all batches."""
        return self.tokens_per_batch * self.batches_per_month * self.months

    @property
    def needed_tokens_per_s(self) -> float:
        """A batch within its window, and before the next one."""
        return self.tokens_per_batch / (self.round_limit_h * SECONDS_PER_HOUR)


class OnlineServing(InferenceJob):
    """Answering users as they ask, under latency limits."""

    kind: Literal["online_serving"] = "online_serving"
    peak_requests_per_s: float = described(
        10.0,
        title="Peak requests",
        help="In the busiest hour",
        group=RUNS,
        unit="requests/s",
        essential=True,
        gt=0,
        le=1e7,
    )
    n_models: int = described(
        1,
        title="Models served",
        help="Models of this size, each with weights of its own, that share the chips and the load evenly",
        group=RUNS,
        unit="models",
        ge=1,
        le=1000,
    )
    mean_load_pct: float = described(
        40.0, title="Mean load", help="Mean over a month, of the peak", group=RUNS, unit="%", gt=0, le=100
    )
    ttft_limit_ms: float | None = described(
        1000.0,
        title="First token within",
        help="Time to first token (TTFT), the way to users and back included",
        group=LIMITS,
        unit="ms",
        gt=0,
        le=1e6,
    )
    tpot_limit_ms: float | None = described(
        50.0,
        title="Each next token within",
        help="Time per output token (TPOT)",
        group=LIMITS,
        unit="ms",
        gt=0,
        le=1e5,
    )
    answer_limit_ms: float | None = described(
        None,
        title="Whole answer within",
        help="From asking to the last token of a mean answer, the way to users and back included",
        group=LIMITS,
        unit="ms",
        gt=0,
        le=1e7,
    )
    autoscale: bool = described(False, title="Autoscale", help="Release chips when the load falls", group=RUNS)
    min_replicas: int = described(
        1,
        title="Replicas kept at least",
        help="Autoscaling never goes below; 0 lets the service sleep in hours without load",
        group=RUNS,
        unit="replicas",
        needs="autoscale",
        ge=0,
        le=100_000,
    )
    warm_up_min: float = described(
        5.0,
        title="Warm-up",
        help="From starting a replica to its first answer; paid, and nothing served",
        group=RUNS,
        unit="minutes",
        needs="autoscale",
        ge=0,
        le=1440,
    )
    pools: Literal["off", "on", "best"] = described(
        "off",
        title="Prompts and answers",
        help="Prompts read on chips of their own, which pass their cache on, hold up no answers",
        group="Your code",
        choices={"off": "On the same chips", "on": "On chips of their own", "best": "Whichever is better"},
    )
    traffic: Literal["steady", "office", "day_night", "own"] = described(
        "steady",
        title="Load over the day",
        help="Shape of a mean day; its height follows the mean load",
        group=RUNS,
        choices=TRAFFIC_WORDS,
    )
    load_by_hour: str = described(
        "",
        title="Own load by hour",
        help="24 numbers from midnight on, in any unit; used with own hours",
        group=RUNS,
        max_length=400,
    )
    latency_percentile: Percentile = described(
        "p50",
        title="Time limits hold for",
        help="Of the requests, in the busiest hour",
        group=LIMITS,
        choices={"p50": "Half of the requests", "p95": "95 of 100 requests", "p99": "99 of 100 requests"},
    )

    words: ClassVar[JobWords] = JobWords(
        kind="Online serving",
        unit="1M output tokens",
        per_round=None,
        fewest="Fewest at peak",
        fewest_do="carry the peak",
        speed="to answer",
        need="needed at peak",
        deed="serve",
        doing="Serving",
    )
    quantity_field: ClassVar[str] = "peak_requests_per_s"
    times_paid: ClassVar[float] = 1.0
    round_limit_h: ClassVar[None] = None
    set_up_h: ClassVar[float] = 0.0

    @property
    def service(self) -> Self:
        """The job itself."""
        return self

    @property
    def n_rounds(self) -> float:
        """The months in service."""
        return max(self.months, FEWEST_ROUNDS)

    @property
    def paid_tokens(self) -> float:
        """Output tokens of the months in service: ``peak x mean load x output tokens x seconds``."""
        seconds = self.months * HOURS_PER_MONTH * SECONDS_PER_HOUR
        return self.peak_requests_per_s * self.mean_load_pct / 100 * self.output_tokens * seconds

    @property
    def needed_tokens_per_s(self) -> float:
        """Output tokens of the busiest hour."""
        return self.peak_requests_per_s * self.output_tokens

    @property
    def busiest_requests_per_s(self) -> float:
        """As entered."""
        return self.peak_requests_per_s

    @property
    def mean_load_share(self) -> float:
        """The mean load as a share of the peak."""
        return self.mean_load_pct / 100

    @property
    def gives_chips_back(self) -> bool:
        """True with autoscaling."""
        return self.autoscale

    @property
    def time_limits(self) -> TimeLimits:
        """As entered."""
        return TimeLimits(
            self.ttft_limit_ms,
            self.tpot_limit_ms,
            self.latency_percentile,
            self.answer_limit_ms,
            float(self.output_tokens),
        )

    @field_validator("load_by_hour")
    @classmethod
    def _is_a_day(cls, text: str) -> str:
        """Empty, or one number for each hour of the day."""
        if text and not _is_day(text):
            raise ValueError(f"{HOURS_PER_DAY} numbers of at least 0, not all 0, separated by spaces or commas")
        return text

    @property
    def hours(self) -> tuple[float, ...]:
        """The own load by hour, empty when none is entered."""
        return tuple(float(word) for word in self.load_by_hour.replace(",", " ").split())


def _is_day(text: str) -> bool:
    words = text.replace(",", " ").split()
    return len(words) == HOURS_PER_DAY and all(map(_is_load, words)) and any(float(word) > 0 for word in words)


def _is_load(word: str) -> bool:
    try:
        return 0 <= float(word) < float("inf")
    except ValueError:
        return False
