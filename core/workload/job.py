"""The job: pre-training, fine-tuning, batch inference or online serving, told apart by ``kind``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from core.workload.describe import Described, described

_RUNS = "What runs"
_NUMERICS = "Numerics and memory"
_DATA = "Data"

Precision = Literal["fp32", "tf32", "bf16", "fp16", "fp8", "int8", "int4", "fp4"]
Recompute = Literal["auto", "none", "selective", "full"]

PRECISION_WORDS = {
    "fp32": "FP32",
    "tf32": "TF32",
    "bf16": "BF16",
    "fp16": "FP16",
    "fp8": "FP8",
    "int8": "INT8",
    "int4": "INT4 weights",
    "fp4": "FP4",
}
RECOMPUTE_WORDS = {"auto": "Choose what fits", "none": "None", "selective": "Attention only", "full": "Full"}


class _Job(Described):
    """Base of all jobs. The kind counts as entered: it tells a stored job's fields apart."""

    def model_post_init(self, _: Any, /) -> None:
        """Marks the kind as entered."""
        self.model_fields_set.add("kind")


class _Training(_Job):
    """What every training job is asked."""

    n_tokens: float = described(
        1e12,
        title="Tokens",
        help="Tokens the run trains on, all epochs",
        group=_RUNS,
        unit="tokens",
        essential=True,
        gt=0,
        le=1e16,
    )
    sequence_length: int = described(
        8192,
        title="Sequence length",
        help="Tokens of one training sequence",
        group=_RUNS,
        unit="tokens",
        essential=True,
        ge=16,
        le=10_000_000,
    )
    global_batch_sequences: int = described(
        512,
        title="Global batch",
        help="Sequences of one optimiser step, all chips",
        group=_RUNS,
        unit="sequences",
        ge=1,
        le=1_000_000,
    )
    precision: Precision = described(
        "bf16", title="Precision", help="Of the matrix multiplications", group=_NUMERICS, choices=PRECISION_WORDS
    )
    recompute: Recompute = described(
        "auto",
        title="Activation recompute",
        help="Trades memory for about a third more work",
        group=_NUMERICS,
        choices=RECOMPUTE_WORDS,
    )
    n_runs: int = described(
        1, title="Runs", help="How often the whole run is repeated", group=_RUNS, unit="runs", ge=1, le=10_000
    )
    checkpoint_interval_h: float = described(
        1.0,
        title="Checkpoint every",
        help="Hours between saved states; a spot run restarts from the last",
        group=_DATA,
        unit="hours",
        ge=0,
        le=720,
    )
    dataset_gb: float = described(
        5_000.0, title="Dataset", help="Size of the training data as stored", group=_DATA, unit="GB", ge=0, le=1e9
    )


class PreTraining(_Training):
    """Training from nothing, or continued training of every weight on a large corpus."""

    kind: Literal["pretraining"] = "pretraining"


class FineTuning(_Training):
    """Adapting a trained model, all weights or low-rank adapters."""

    kind: Literal["finetuning"] = "finetuning"
    n_tokens: float = described(
        1e9,
        title="Tokens",
        help="Tokens the run trains on, all epochs",
        group=_RUNS,
        unit="tokens",
        essential=True,
        gt=0,
        le=1e16,
    )
    global_batch_sequences: int = described(
        64,
        title="Global batch",
        help="Sequences of one optimiser step, all chips",
        group=_RUNS,
        unit="sequences",
        ge=1,
        le=1_000_000,
    )
    dataset_gb: float = described(
        10.0, title="Dataset", help="Size of the training data as stored", group=_DATA, unit="GB", ge=0, le=1e9
    )
    method: Literal["full", "lora"] = described(
        "full",
        title="Method",
        help="All weights, or low-rank adapters on frozen ones",
        group=_RUNS,
        essential=True,
        choices={"full": "All weights", "lora": "LoRA adapters"},
    )
    lora_rank: int = described(16, title="LoRA rank", help="Used by LoRA only", group=_NUMERICS, ge=1, le=1024)


class _Inference(_Job):
    """What every inference job is asked."""

    input_tokens: int = described(
        1024,
        title="Input tokens",
        help="Mean prompt length of a request",
        group=_RUNS,
        unit="tokens",
        essential=True,
        ge=1,
        le=10_000_000,
    )
    output_tokens: int = described(
        256,
        title="Output tokens",
        help="Mean answer length of a request",
        group=_RUNS,
        unit="tokens",
        essential=True,
        ge=1,
        le=1_000_000,
    )
    weight_precision: Precision = described(
        "bf16", title="Weight precision", help="As held in memory", group=_NUMERICS, choices=PRECISION_WORDS
    )
    kv_precision: Literal["bf16", "fp8", "int8"] = described(
        "bf16",
        title="KV cache precision",
        help="Halving it doubles the batch that fits",
        group=_NUMERICS,
        choices={"bf16": "BF16", "fp8": "FP8", "int8": "INT8"},
    )
    engine: Literal["vllm", "sglang", "tensorrt-llm", "jetstream", "maxtext"] = described(
        "vllm",
        title="Serving engine",
        help="Software that schedules the requests",
        group="Your code",
        choices={
            "vllm": "vLLM",
            "sglang": "SGLang",
            "tensorrt-llm": "TensorRT-LLM",
            "jetstream": "JetStream",
            "maxtext": "MaxText",
        },
    )
    months: float = described(
        12.0, title="Months in service", help="How long the plan pays for it", group=_RUNS, unit="months", gt=0, le=120
    )
    dataset_gb: float = described(
        100.0,
        title="Data kept",
        help="Inputs, outputs and weights kept in storage",
        group=_DATA,
        unit="GB",
        ge=0,
        le=1e9,
    )


class BatchInference(_Inference):
    """Offline scoring: a number of requests to finish within a window, as often as scheduled."""

    kind: Literal["batch_inference"] = "batch_inference"
    requests_per_batch: float = described(
        1e6,
        title="Requests per batch",
        help="Work of one scheduled batch",
        group=_RUNS,
        unit="requests",
        essential=True,
        gt=0,
        le=1e13,
    )
    batches_per_month: float = described(
        30.0, title="Batches per month", help="30 is nightly", group=_RUNS, unit="batches", gt=0, le=100_000
    )
    window_h: float = described(
        8.0,
        title="Window",
        help="Hours in which a batch must finish",
        group=_RUNS,
        unit="hours",
        essential=True,
        gt=0,
        le=720,
    )


class OnlineServing(_Inference):
    """Answering users as they ask, under latency limits."""

    kind: Literal["online_serving"] = "online_serving"
    peak_requests_per_s: float = described(
        10.0,
        title="Peak requests",
        help="In the busiest hour",
        group=_RUNS,
        unit="requests/s",
        essential=True,
        gt=0,
        le=1e7,
    )
    mean_load_pct: float = described(
        40.0, title="Mean load", help="Mean over a month, of the peak", group=_RUNS, unit="%", gt=0, le=100
    )
    ttft_limit_ms: float | None = described(
        1000.0,
        title="First token within",
        help="Time to first token (TTFT), half of the requests",
        group="Places and limits",
        unit="ms",
        gt=0,
        le=1e6,
    )
    tpot_limit_ms: float | None = described(
        50.0,
        title="Each next token within",
        help="Time per output token (TPOT)",
        group="Places and limits",
        unit="ms",
        gt=0,
        le=1e5,
    )
    autoscale: bool = described(False, title="Autoscale", help="Release chips when the load falls", group=_RUNS)


TrainingJob = PreTraining | FineTuning
InferenceJob = BatchInference | OnlineServing
Job = Annotated[PreTraining | FineTuning | BatchInference | OnlineServing, Field(discriminator="kind")]
JOB_WORDS = {
    "pretraining": "Pre-training",
    "finetuning": "Fine-tuning",
    "batch_inference": "Batch inference",
    "online_serving": "Online serving",
}
