"""What every kind of job shares: the traits that each answers, the groups of its form, the words of its choices."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.workload.field_description import Described

if TYPE_CHECKING:
    from core.workload.jobs.inference import OnlineServing
    from core.workload.jobs.training import TrainingJob

RUNS = "What runs"
LIMITS = "Places and limits"
NUMERICS = "Numerics and memory"
DECODING = "Decoding"
DATA = "Data"

Precision = Literal["fp32", "tf32", "bf16", "fp16", "fp8", "int8", "int4", "fp4", "mxfp4"]
Recompute = Literal["auto", "none", "selective", "full"]

PRECISION_WORDS = {
    "fp32": "FP32",
    "tf32": "TF32",
    "bf16": "BF16",
    "fp16": "FP16",
    "fp8": "FP8",
    "int8": "INT8",
    "int4": "INT4 weights",
    "fp4": "NVFP4",
    "mxfp4": "MXFP4",
}
DataKind = Literal["tokens", "text", "images", "video"]
DATA_KIND_WORDS = {
    "tokens": "Tokens, prepared before",
    "text": "Text, tokenised on the way",
    "images": "Images, decoded on the way",
    "video": "Video clips, decoded on the way",
}
Percentile = Literal["p50", "p95", "p99"]
Work = Literal["training", "inference"]
StorageKind = Literal["object", "volume", "filesystem", "local"]
STORAGE_WORDS = {
    "object": "Object storage",
    "volume": "Network volumes of the hosts",
    "filesystem": "Parallel file system",
    "local": "NVMe drives in the hosts",
}
ServingEngine = Literal["vllm", "sglang", "tensorrt-llm", "jetstream", "maxtext"]
ENGINE_WORDS = {
    "vllm": "vLLM",
    "sglang": "SGLang",
    "tensorrt-llm": "TensorRT-LLM",
    "jetstream": "JetStream",
    "maxtext": "MaxText",
}
TRAFFIC_WORDS = {
    "steady": "Alike at all hours",
    "office": "Office hours",
    "day_night": "Day and night",
    "own": "Own hours, below",
}
RECOMPUTE_WORDS = {"auto": "Choose what fits", "none": "None", "selective": "Attention only", "full": "Full"}


@dataclass(frozen=True, slots=True)
class JobWords:
    """A kind of job in words.

    ``unit``: what a unit cost is for, in tokens. ``per_round``: title of the cost of one run or batch, None where
    nothing comes in rounds. ``fewest`` and ``fewest_do``: what the fewest chips that meet the limits are good for, as
    a title and within a sentence. ``speed``: what is faster or slower. ``need``: what a needed speed is needed for.
    ``deed`` and ``doing``: what chips do with it, as a verb and as a title.
    """

    kind: str
    unit: str
    per_round: str | None
    fewest: str
    fewest_do: str
    speed: str
    need: str
    deed: str
    doing: str


Time = TypeVar("Time", float, NDArray[np.float64])


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Times in which answers must come, None for no limit, and the share of the requests that they hold for.

    ``whole_ms`` limits an answer of mean length, ``answer_tokens``, from asking to its last token.
    """

    first_ms: float | None
    next_ms: float | None
    percentile: Percentile
    whole_ms: float | None = None
    answer_tokens: float = 1.0

    @property
    def is_set(self) -> bool:
        """True where any time is limited."""
        return (self.first_ms, self.next_ms, self.whole_ms) != (None, None, None)

    @property
    def counts_the_way(self) -> bool:
        """True where the way to users is part of what is limited."""
        return self.first_ms is not None or self.whole_ms is not None

    def whole(self, first: Time, each_next: Time) -> Time:
        """Time of a whole answer of mean length: ``first + (tokens - 1) x next``; of late ones the cautious sum."""
        time: Time = first + (self.answer_tokens - 1.0) * each_next
        return time


NO_TIME_LIMITS = TimeLimits(None, None, "p50")


class JobBase(Described):
    """Base of all jobs: the traits by which the planner knows a kind. It asks for traits, never for the kind itself.

    A kind answers every trait, with a property or a constant; one that leaves a trait open is refused where it is
    defined. The kind counts as entered: it tells a stored job's fields apart.
    """

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Refuses a kind that leaves traits open; bases of several kinds, which name none, may leave them to those."""
        if "kind" in cls.model_fields and cls.__abstractmethods__:
            raise TypeError(f"{cls.__name__} is no kind of job yet, open: {', '.join(sorted(cls.__abstractmethods__))}")

    def model_post_init(self, _: Any, /) -> None:
        """Marks the kind as entered."""
        self.model_fields_set.add("kind")

    @property
    def trains(self) -> bool:
        """True where weights are trained, False where a model answers."""
        return self.training is not None

    @property
    def work(self) -> Work:
        """The work by which measurements and corrections are told apart."""
        return "training" if self.trains else "inference"

    @property
    def guesses_draft(self) -> bool:
        """False: only answers are drafted."""
        return False

    @property
    def answers_users(self) -> bool:
        """True where somebody waits for each answer, so that the way to users and the load of the hour matter."""
        return self.service is not None

    @property
    def step_tokens(self) -> float | None:
        """Prompts and answers of a step that scores answers before it trains on them; None for any other work."""
        return None

    @property
    def is_post_training(self) -> bool:
        """True where a step scores answers before it trains on them."""
        return self.step_tokens is not None

    @property
    def answers_with(self) -> tuple[ServingEngine, Precision] | None:
        """Engine and format in which a training step has its answers generated; None where none does."""
        return None

    @property
    @abstractmethod
    def training(self) -> TrainingJob | None:
        """The job with the fields of a training run; None where nothing is trained."""

    @property
    @abstractmethod
    def service(self) -> OnlineServing | None:
        """The job with the fields of a service; None where nobody waits for an answer."""

    @property
    @abstractmethod
    def words(self) -> JobWords:
        """How the kind is spoken of."""

    @property
    @abstractmethod
    def quantity_field(self) -> str:
        """Name of the field that says how much work there is."""

    @property
    @abstractmethod
    def ends(self) -> bool:
        """True where the work is done one day, so that it can be late; False for services and schedules."""

    @property
    @abstractmethod
    def months_in_service(self) -> float | None:
        """Months for which chips are held; None where that is as long as waiting and run last."""

    @property
    @abstractmethod
    def n_rounds(self) -> float:
        """What "per run" divides by: runs, batches, or months of a service."""

    @property
    @abstractmethod
    def times_paid(self) -> float:
        """How often the hours of the clock are paid: batches in all; 1 where all runs, or a service, are timed."""

    @property
    @abstractmethod
    def round_limit_h(self) -> float | None:
        """Hours in which one round must be done, beside the deadline of the whole; None for no such limit."""

    @property
    @abstractmethod
    def set_up_h(self) -> float:
        """Likely hours before each round in which chips are held and do not work yet."""

    @property
    @abstractmethod
    def paid_tokens(self) -> float:
        """Tokens that the plan pays for: trained ones, or output tokens of the whole term."""

    @property
    @abstractmethod
    def n_epochs(self) -> float | None:
        """Passes over the data, all runs together; None where nothing is trained."""

    @property
    @abstractmethod
    def needed_tokens_per_s(self) -> float | None:
        """Rate that the chips must carry together; None where a slower cluster is done later instead."""

    @property
    @abstractmethod
    def busiest_requests_per_s(self) -> float | None:
        """Requests a second in the busiest hour, at which latencies are told; None where none arrive by the second."""

    @property
    @abstractmethod
    def mean_load_share(self) -> float:
        """Share of the held hours in which the chips work, 0..1."""

    @property
    @abstractmethod
    def gives_chips_back(self) -> bool:
        """True where chips are handed back in hours of little load."""

    @property
    @abstractmethod
    def time_limits(self) -> TimeLimits:
        """Times in which answers must come."""

    @property
    @abstractmethod
    def context_tokens(self) -> int:
        """Tokens of the longest sequence that attention sees."""

    @property
    @abstractmethod
    def compute_precision(self) -> Precision:
        """Number format that the matrix products are asked to run in."""

    @property
    @abstractmethod
    def serving_engine(self) -> ServingEngine | None:
        """Software that schedules the requests; None where nothing answers."""

    @property
    @abstractmethod
    def storage_kind(self) -> StorageKind:
        """Where the data is kept."""

    @property
    @abstractmethod
    def is_lost_when_stopped(self) -> bool:
        """True where no state is saved, so that an interruption loses all the work done."""
