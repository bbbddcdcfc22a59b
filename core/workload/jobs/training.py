"""Training jobs: pre-training and fine-tuning."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Literal, Self

from core.workload.field_description import described
from core.workload.jobs.base import (
    DATA,
    DATA_KIND_WORDS,
    NO_TIME_LIMITS,
    NUMERICS,
    PRECISION_WORDS,
    RECOMPUTE_WORDS,
    RUNS,
    STORAGE_WORDS,
    DataKind,
    JobBase,
    JobWords,
    Precision,
    Recompute,
    StorageKind,
    TimeLimits,
)

AdaptedLayers = Literal["all_linear", "attention", "attention_qv"]
FrozenFormat = Literal["nf4_double", "nf4", "int4", "int8"]
SET_UP_H = 2.0
"""Hours before a run starts: staging data, building images (our estimate)."""


def _tokens(usual: float) -> Any:
    """The field of the tokens trained on, with what is usual for the kind of run."""
    return described(
        usual,
        title="Tokens",
        help="Tokens the run trains on, all epochs",
        group=RUNS,
        unit="tokens",
        essential=True,
        gt=0,
        le=1e16,
    )


def _global_batch(usual: int) -> Any:
    """The field of the global batch, with what is usual for the kind of run."""
    return described(
        usual,
        title="Global batch",
        help="Sequences of one optimiser step, all chips",
        group=RUNS,
        unit="sequences",
        ge=1,
        le=1_000_000,
    )


class TrainingJob(JobBase):
    """What every training job is asked, and the traits that all share."""

    n_tokens: float = _tokens(1e12)
    sequence_length: int = described(
        8192,
        title="Sequence length",
        help="Tokens of one training sequence",
        group=RUNS,
        unit="tokens",
        essential=True,
        ge=16,
        le=10_000_000,
    )
    global_batch_sequences: int = _global_batch(512)
    ramp_from_sequences: int | None = described(
        None,
        title="Batch at the start",
        help="Sequences of the first steps, which grow to the global batch",
        group=RUNS,
        unit="sequences",
        empty="The same",
        needs="may_ramp",
        ge=1,
        le=1_000_000,
    )
    ramp_tokens: float = described(
        1e10,
        title="Grown over",
        help="Tokens trained on until the global batch is reached",
        group=RUNS,
        unit="tokens",
        needs="ramps",
        gt=0,
        le=1e16,
    )
    precision: Precision = described(
        "bf16", title="Precision", help="Of the matrix multiplications", group=NUMERICS, choices=PRECISION_WORDS
    )
    recompute: Recompute = described(
        "auto",
        title="Activation recompute",
        help="Trades memory for about a third more work",
        group=NUMERICS,
        choices=RECOMPUTE_WORDS,
    )
    n_runs: int = described(
        1, title="Runs", help="How often the whole run is repeated", group=RUNS, unit="runs", ge=1, le=10_000
    )
    epochs: float = described(
        1.0,
        title="Epochs",
        help="Passes over the data that the tokens make up",
        group=RUNS,
        unit="epochs",
        gt=0,
        le=1e6,
    )
    checkpoint_interval_h: float | None = described(
        None,
        title="Checkpoint every",
        help="Hours between saved states, 0 for none; usual: what loses least on each system",
        group=DATA,
        unit="hours",
        empty="Least lost",
        ge=0,
        le=720,
    )
    spot_stops_per_day: float | None = described(
        None,
        title="Interrupted on spot",
        help="How often a day the provider takes back part of the cluster; usual by chip and provider",
        group=DATA,
        unit="times/day",
        empty="Usual",
        ge=0,
        le=1000,
    )
    checkpoints_kept: int = described(
        3, title="Saved states kept", help="Kept in storage at a time", group=DATA, unit="states", ge=1, le=10_000
    )
    checkpoint_mode: Literal["async", "blocking"] = described(
        "async",
        title="Save states",
        help="Training goes on while a copy is written, or waits for it",
        group=DATA,
        choices={"async": "In the background", "blocking": "Training waits"},
    )
    dataset_gb: float = described(
        5_000.0, title="Dataset", help="Size of the training data as stored", group=DATA, unit="GB", ge=0, le=1e9
    )
    data_kind: DataKind = described(
        "tokens",
        title="Data is read as",
        help="Sets size and CPU work of a sample; a sample is one sequence",
        group=DATA,
        choices=DATA_KIND_WORDS,
    )
    sample_kb: float | None = described(
        None,
        title="Size of a sample",
        empty="Usual",
        help="As stored; usual by the kind of data",
        group=DATA,
        unit="kB",
        gt=0,
        le=1e9,
    )
    preprocess_ms_per_sample: float | None = described(
        None,
        title="CPU work of a sample",
        empty="Usual",
        help="Time of one virtual core (vCPU); usual by the kind of data",
        group=DATA,
        unit="ms",
        ge=0,
        le=1e7,
    )
    storage: StorageKind = described(
        "object",
        title="Storage",
        help="Where data is read from and states are saved to",
        group=DATA,
        choices=STORAGE_WORDS,
    )
    storage_gb_per_s: float | None = described(
        None,
        title="Storage rate",
        empty="Usual",
        help="What all hosts together get; usual by host and kind of storage",
        group=DATA,
        unit="GB/s",
        gt=0,
        le=1e6,
    )

    may_ramp: ClassVar[bool] = True
    """False where the engine knows no batch that grows."""
    service: ClassVar[None] = None
    quantity_field: ClassVar[str] = "n_tokens"
    ends: ClassVar[bool] = True
    months_in_service: ClassVar[None] = None
    times_paid: ClassVar[float] = 1.0
    round_limit_h: ClassVar[None] = None
    set_up_h: ClassVar[float] = SET_UP_H
    needed_tokens_per_s: ClassVar[None] = None
    busiest_requests_per_s: ClassVar[None] = None
    mean_load_share: ClassVar[float] = 1.0
    gives_chips_back: ClassVar[bool] = False
    time_limits: ClassVar[TimeLimits] = NO_TIME_LIMITS
    serving_engine: ClassVar[None] = None

    @property
    def training(self) -> Self:
        """The job itself."""
        return self

    @property
    @abstractmethod
    def adapter_rank(self) -> int | None:
        """Rank of the low-rank adapters (LoRA) that are trained on frozen weights; None where all are trained."""

    @property
    @abstractmethod
    def finetuned(self) -> FineTuning | None:
        """The job with the fields of fine-tuning; None where weights are trained from nothing."""

    @property
    @abstractmethod
    def useful_share(self) -> float:
        """Share of the computed tokens that are trained on, the rest being padding."""

    @property
    def ramps(self) -> bool:
        """True where the batch grows to its size."""
        return self.may_ramp and self.ramp_from_sequences is not None

    @property
    def n_rounds(self) -> float:
        """The runs."""
        return float(self.n_runs)

    @property
    def paid_tokens(self) -> float:
        """Tokens of all runs."""
        return self.n_tokens * self.n_runs

    @property
    def n_epochs(self) -> float:
        """Passes of all runs."""
        return self.epochs * self.n_runs

    @property
    def context_tokens(self) -> int:
        """One sequence."""
        return self.sequence_length

    @property
    def compute_precision(self) -> Precision:
        """As entered."""
        return self.precision

    @property
    def storage_kind(self) -> StorageKind:
        """As entered."""
        return self.storage

    @property
    def is_lost_when_stopped(self) -> bool:
        """True where the hours between saved states are 0."""
        return self.checkpoint_interval_h == 0


def _words(kind: str, deed: str, doing: str) -> JobWords:
    return JobWords(
        kind=kind,
        unit="1M tokens",
        per_round="Per run",
        fewest="Fewest in time",
        fewest_do="are in time",
        speed="to finish",
        need="needed for the deadline",
        deed=deed,
        doing=doing,
    )


class PreTraining(TrainingJob):
    """Training from nothing, or continued training of every weight on a large corpus."""

    kind: Literal["pretraining"] = "pretraining"

    words: ClassVar[JobWords] = _words("Pre-training", "train", "Training")
    adapter_rank: ClassVar[None] = None
    finetuned: ClassVar[None] = None
    useful_share: ClassVar[float] = 1.0


class FineTuning(TrainingJob):
    """Adapting a trained model, all weights or low-rank adapters."""

    kind: Literal["finetuning"] = "finetuning"
    n_tokens: float = _tokens(1e9)
    global_batch_sequences: int = _global_batch(64)
    dataset_gb: float = described(
        10.0, title="Dataset", help="Size of the training data as stored", group=DATA, unit="GB", ge=0, le=1e9
    )
    method: Literal["full", "lora", "qlora"] = described(
        "full",
        title="Method",
        help="All weights, or low-rank adapters on frozen ones, which QLoRA keeps in few bits",
        group=RUNS,
        essential=True,
        choices={"full": "All weights", "lora": "LoRA adapters", "qlora": "QLoRA, packed weights"},
    )
    lora_rank: int = described(
        16,
        title="LoRA rank",
        help="Width of the adapters",
        group=NUMERICS,
        needs="has_adapters",
        ge=1,
        le=1024,
    )
    adapters_on: AdaptedLayers = described(
        "all_linear",
        title="Adapters on",
        help="Products of each layer that get an adapter",
        group=NUMERICS,
        needs="has_adapters",
        choices={
            "all_linear": "All products of a layer",
            "attention": "Attention alone",
            "attention_qv": "Queries and values alone",
        },
    )
    trains_embeddings: bool = described(
        False,
        title="Embeddings trained too",
        help="As new words need it: copies of both matrices are trained in whole beside the adapters",
        group=NUMERICS,
        needs="has_adapters",
    )
    frozen_weights: FrozenFormat = described(
        "nf4_double",
        title="Frozen weights in",
        help="How QLoRA keeps the products of layers; embeddings stay in 16 bits",
        group=NUMERICS,
        needs="is_packed",
        choices={
            "nf4_double": "NF4, quantised scales",
            "nf4": "NF4",
            "int4": "INT4 (GPTQ, AWQ)",
            "int8": "INT8",
        },
    )
    optimizer: Literal["adamw", "adamw_8bit", "paged_adamw_8bit", "sgd"] = described(
        "adamw",
        title="Optimiser",
        help="What is kept beside each trained weight; a paged one moves to host memory when chips are full",
        group=NUMERICS,
        choices={
            "adamw": "AdamW",
            "adamw_8bit": "AdamW in 8 bits",
            "paged_adamw_8bit": "AdamW in 8 bits, paged",
            "sgd": "SGD without momentum",
        },
    )
    master_weights: Literal["fp32", "none"] = described(
        "fp32",
        title="Master weights",
        help="A copy in FP32 beside the weights, or weights, gradients and states all in 16 bits",
        group=NUMERICS,
        needs="trains_all",
        choices={"fp32": "In FP32", "none": "None: all in 16 bits"},
    )
    offload: Literal["none", "optimizer", "all"] = described(
        "none",
        title="Moved to host memory",
        help="Frees memory of chips; every step then waits for PCIe and the processors",
        group=NUMERICS,
        choices={"none": "Nothing", "optimizer": "Optimiser", "all": "Optimiser and weights"},
    )
    kernels: Literal["framework", "fused", "fused_loss"] = described(
        "framework",
        title="Fine-tuning kernels",
        help="As the framework has them, or fused by Unsloth, Liger and the like",
        group=NUMERICS,
        choices={
            "framework": "The framework's own",
            "fused": "Fused",
            "fused_loss": "Fused, loss too (Unsloth, Liger)",
        },
    )
    padding_share: float = described(
        0.0,
        title="Padding",
        help="Of the computed tokens, those that only fill up a batch; 0 for packed sequences",
        group=RUNS,
        unit="%",
        unit_size=0.01,
        ge=0,
        le=0.95,
    )

    words: ClassVar[JobWords] = _words("Fine-tuning", "fine-tune", "Fine-tuning")

    @property
    def has_adapters(self) -> bool:
        """True where adapters are trained on frozen weights."""
        return self.method != "full"

    @property
    def is_packed(self) -> bool:
        """True where frozen weights are kept in few bits."""
        return self.method == "qlora"

    @property
    def trains_all(self) -> bool:
        """True where every weight is trained."""
        return self.method == "full"

    @property
    def adapter_rank(self) -> int | None:
        """The rank entered, where adapters are trained."""
        return self.lora_rank if self.has_adapters else None

    @property
    def finetuned(self) -> Self:
        """The job itself."""
        return self

    @property
    def is_paged(self) -> bool:
        """True where moments lie in host memory as far as chips are full; those moved there for good do not page."""
        return self.optimizer.startswith("paged") and self.offload == "none"

    @property
    def useful_share(self) -> float:
        """All but the padding."""
        return 1.0 - self.padding_share
