"""What a measured serving row was: requests, chips, arrangement and the way they were loaded."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from core.calibration.measured.campaigns import NO_SETTINGS, Settings, settings_of
from core.calibration.measured.formats import as_run
from core.calibration.measured.model import hybrid_model, model_of
from core.calibration.measured.system import measured_system
from core.calibration.measured.table import MeasuredRow
from core.calibration.measured.techniques import NO_DRAFT, Draft, draft_of, flag_of
from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import family_of
from core.constants import BYTES_PER_PUBLISHED_WEIGHT
from core.throughput.serving.rates import is_roomy
from core.throughput.types import System
from core.workload.models.transformer import TransformerModel

CLOSED, BATCH, PREFILL, BURST = "closed", "batch", "prefill", "burst"
"""A fixed number of users who ask again and again; a batch or a full queue; prompts without answers; so many requests
sent at once and none after."""
MAX_SEQUENCES = {"sglang": 48.0}
"""Requests that an engine runs at once with a draft unless told otherwise (SGLang's server arguments, 2025)."""
MAX_OF_VLLM = 256.0
"""Requests that vLLM runs at once in each attention group unless told otherwise, but on roomy chips."""
PRECISIONS = {
    "fp32": "fp32", "bf16": "bf16", "fp16": "fp16", "fp8": "fp8", "mxfp8": "fp8", "int8": "int8", "int4": "int4",
    "q4_k_m": "int4", "q8_0": "int8", "nvfp4": "fp4", "mxfp4": "fp4", "fp4": "fp4", "awq": "int4", "gptq": "int4",
    "w8a16": "w8a16",
}  # fmt: skip
"""Compute precision by the format of the weights."""
ENGINES = {
    "trt": "tensorrt-llm", "tensorrt": "tensorrt-llm", "sglang-jax": "jetstream", "jetstream": "jetstream",
    "maxtext": "jetstream", "sglang": "sglang", "llama.cpp": "llama.cpp", "exllama": "llama.cpp", "mlc": "compiled",
    "gpt-fast": "compiled", "eager": "eager", "hf transformers": "eager", "deepspeed-habana": "compiled",
    "deepspeed": "deepspeed-mii", "tgi": "vllm", "lmdeploy": "tensorrt-llm", "vllm": "vllm",
}  # fmt: skip
"""Engines whose overheads a name beginning so takes; another takes vLLM's. On Gaudi whole steps are recorded."""
DATA_SETS = {
    "llama-2-70b": (294.0, 294.0), "gpt-j": (870.0, 69.0), "mixtral-8x7b": (240.0, 145.0),
    "llama-3.1-8b": (778.0, 73.0),
    "llama-3.1-405b": (9400.0, 680.0), "deepseek-r1": (800.0, 3880.0), "llama-3.1-70b": (294.0, 294.0),
}  # fmt: skip
"""Mean prompt and answer in tokens of MLPerf inference's data sets, by model (its reference implementations)."""
CHAT = (220.0, 200.0)
"""Mean prompt and answer of ShareGPT conversations, where a row states none (vLLM, arXiv 2309.06180, figure 11)."""
_CAMPAIGNS = ("inferencemax", "inferencex-issue", "nvidia")
"""Beginnings of publishers that do."""
ROOMY_SHARE = 0.75
"""Part of the memory that weights take at most where a row does not state its chips."""
_ROUND = (100.0, 128.0)
"""Multiples of tokens that benchmarks ask for."""
MLPERF_TOKENS_SINCE = "2024-08"
"""From round v4.1 on MLPerf gives language models in tokens/s; earlier rounds give samples/s."""


@dataclass(frozen=True, slots=True)
class ServingCase:
    """A serving row ready to predict; degrees of 0 are searched, a batch of 0 is as many as fit.

    ``kv_bytes`` is 0 where the row does not state the cache. ``scenario`` is MLPerf's word or empty; ``groups`` of
    tensor ranks attend to sequences of their own, 0 where only ``ep`` tells;
    ``prefill_chips`` and ``prefill_workers`` tell chips that only prefill.
    """

    row: MeasuredRow
    model: TransformerModel
    system: System
    load: str
    scenario: str
    precision: str
    weight_bytes: float
    kv_bytes: float
    engine: str
    year: float
    input_tokens: float
    output_tokens: float
    n_chips: int
    tp: int
    pp: int
    ep: int
    concurrency: float
    beams: int = 1
    groups: int = 0
    prefill_workers: int = 0
    prefill_chips: int = 0
    decode_workers: int = 0
    draft: Draft = NO_DRAFT
    hit_share: float = 0.0
    chunk_tokens: float = 0.0
    max_sequences: float = 0.0
    settings: Settings = NO_SETTINGS


def serving_case(row: MeasuredRow, catalogue: Catalogue) -> ServingCase | str:
    """The case of a row, or why it cannot be predicted. Raises InputError for a cell that is no number."""
    model, n_chips = model_of(row), row.count("n_chips")
    if isinstance(model, str):
        model = hybrid_model(row.text("model")) or model
    if refusal := _refusal(row, catalogue):
        return refusal
    if isinstance(model, str):
        return model
    if n_chips is None and row.number("speedup_vs_off"):
        n_chips = fewest_chips(row, model, catalogue)
    if n_chips is None:
        return "number of chips unknown"
    if not model.causal:
        return "not a decoder"
    draft = draft_of(row)
    system, scenario = measured_system(catalogue, row.text("hardware"), n_chips), _scenario(row)
    precision, weight_bytes = _weights(row, system)
    if unknown := as_run(system.accelerator, precision).refusal:
        return str(unknown.text)
    given, produced = _lengths(row)
    prefill_workers, prefill_chips, decode_workers, decode_chips = _workers(row, n_chips)
    tp, pp = _degrees(row, n_chips, decode_workers)
    return ServingCase(
        row=row, model=model, system=system, load=_load(row), scenario=scenario, precision=precision,
        weight_bytes=weight_bytes, kv_bytes=_cache_bytes(row, precision), engine=_engine(row), year=_year(row),
        input_tokens=given, output_tokens=produced, n_chips=decode_chips, tp=tp, pp=pp, ep=row.count("ep") or 1,
        concurrency=row.number("batch_or_concurrency") or float(row.text("scenario") == "single-stream"),
        beams=4 if scenario and row.text("model").startswith("gpt-j") else 1,
        prefill_workers=prefill_workers, prefill_chips=prefill_chips, decode_workers=decode_workers,
        groups=row.count("attention_groups") or 0,
        draft=draft, hit_share=min((row.number("prefix_hit_pct") or 0.0) / 100.0, 0.99),
        chunk_tokens=flag_of(row, "max-num-batched-tokens", "max-num-tokens", "chunked-prefill-size"),
        max_sequences=_max_sequences(row, draft, is_roomy(system.accelerator, _year(row))),
        settings=settings_of(row),
    )  # fmt: skip


def fewest_chips(row: MeasuredRow, model: TransformerModel, catalogue: Catalogue) -> int:
    """The smallest power of two of chips that holds the weights with room: for rows that tell a ratio alone."""
    system = measured_system(catalogue, row.text("hardware"), 1)
    held = model.n_params * _weights(row, system)[1] / (ROOMY_SHARE * system.accelerator.memory_gb * 1e9)
    return int(2 ** max(math.ceil(math.log2(held)), 0))


def without_technique(case: ServingCase) -> ServingCase:
    """What a speed-up is measured against: the same row without a draft, and in 16 bits where only those differ."""
    plain = replace(case, draft=NO_DRAFT)
    is_format = case.draft.kind == "none"
    return replace(plain, precision="fp16", weight_bytes=2.0, kv_bytes=2.0) if is_format else plain


def _max_sequences(row: MeasuredRow, draft: Draft, has_room: bool) -> float:
    """Requests that a server runs at once as its command says; 0 where nothing but memory holds them back."""
    stated, engine = flag_of(row, "max-num-seqs", "max-running-requests", "max-batch-size"), _engine(row)
    if stated:
        return stated
    if row.text("engine").lower().startswith("vllm") and not has_room:
        return MAX_OF_VLLM * max(row.count("attention_groups") or 1, 1)
    return MAX_SEQUENCES.get(engine, 0.0) if draft.kind != "none" else 0.0


def _refusal(row: MeasuredRow, catalogue: Catalogue) -> str:
    if row.text("hardware") not in catalogue.accelerator_by_id:
        return "hardware not in the catalogue"
    if row.text("quality") == "C":
        return "quality C"
    is_split = row.text("scenario") == "server-disaggregated"
    if is_split and row.text("kind") == "disaggregated" and not row.text("decode_worker_chips"):
        return "chips that prefill and chips that decode not stated"
    if row.text("kind") == "serving" and not row.number("batch_or_concurrency"):
        return "requests at once not stated"
    return "a draft of an unnamed kind" if row.text("spec_decode") in ("yes", "on") else ""


def _degrees(row: MeasuredRow, n_chips: int, decode_workers: int) -> tuple[int, int]:
    """Tensor and pipeline ranks; 0 tensor ranks where they are searched.

    More ranks than chips are cores of them. Engines that split a model by layers make a pipeline of all chips.
    """
    tp, pp = row.count("tp") or 0, row.count("pp") or 1
    if decode_workers:
        return (tp if row.text("decode_worker_chips") else 0), pp
    if _engine(row) in _BY_LAYERS and pp < n_chips:
        return 1, n_chips
    return (max(n_chips // pp, 1), min(pp, n_chips)) if tp * pp > n_chips else (tp, pp)


_BY_LAYERS = ("llama.cpp", "eager")


def is_mlperf(row: MeasuredRow) -> bool:
    """True for a row of an MLPerf round."""
    return "mlperf" in f"{row.text('publisher')} {row.text('notes')[:20]} {row.text('source')[:40]}".lower()


def is_campaign(row: MeasuredRow) -> bool:
    """True for a row of a campaign of benchmarks, which chooses kernels and flags for each model and chip."""
    return is_mlperf(row) or (row.text("publisher") or row.text("source_group")).startswith(_CAMPAIGNS)


def gives_tokens(row: MeasuredRow) -> bool:
    """True where the column of samples/s holds tokens/s, as MLPerf gives language models by now."""
    return is_mlperf(row) and row.text("date") >= MLPERF_TOKENS_SINCE


def keeps_lengths(input_tokens: float) -> bool:
    """True where requests keep the lengths of a data set: those drawn alike have a round mean prompt, to 1 %."""
    nearest = (max(round(input_tokens / unit), 1) * unit for unit in _ROUND)
    return all(abs(input_tokens / mean - 1.0) > 0.01 for mean in nearest)


def _scenario(row: MeasuredRow) -> str:
    return row.text("scenario") if is_mlperf(row) else ""


def _load(row: MeasuredRow) -> str:
    if row.text("scenario") in (PREFILL, BURST):
        return row.text("scenario")
    if row.text("scenario") in ("offline", "max-throughput", "latency") or not row.number("batch_or_concurrency"):
        return BATCH
    return CLOSED


def _weights(row: MeasuredRow, system: System) -> tuple[str, float]:
    """Compute precision and bytes a weight.

    MLPerf lists 16 bits, or nothing, for what its Hopper and Ada submissions compute in fp8.
    """
    precision, chip = row.text("weight_precision").lower(), system.accelerator
    if is_mlperf(row) and precision in ("", "fp16", "bf16"):
        precision = "fp8" if chip.fp8_tflops else "int8" if family_of(chip).id == "intel_gaudi" else "fp16"
    if precision == "fp8" and not chip.fp8_tflops and chip.kind != "tpu" and not is_mlperf(row):
        precision = "w8a16"
    if precision not in PRECISIONS:
        precision = next((kind for word, kind in _WORDS if word in precision), "bf16")
    bits = row.number("weight_bits")
    return PRECISIONS[precision], bits / 8.0 if bits else BYTES_PER_PUBLISHED_WEIGHT[precision]


_WORDS = (
    ("nvfp4", "nvfp4"), ("mxfp4", "mxfp4"), ("fp4", "fp4"), ("fp8", "fp8"), ("int4", "int4"), ("q4", "q4_k_m"),
    ("awq", "awq"), ("gptq", "gptq"), ("w4", "int4"), ("int8", "int8"), ("q8", "q8_0"), ("w8", "int8"),
)  # fmt: skip
"""Words that tell the weights apart where a row spells its precision otherwise."""


def _cache_bytes(row: MeasuredRow, precision: str) -> float:
    """Bytes of a cached value; 0 where neither the row nor its weights tell."""
    stated = row.text("kv_precision").lower()
    if stated:
        return 1.0 if "8" in stated else 0.56 if "4" in stated else 2.0
    return 0.0 if precision in ("fp8", "fp4") else 2.0


def _engine(row: MeasuredRow) -> str:
    name = row.text("engine").lower()
    engine = next((kind for start, kind in ENGINES.items() if name.startswith(start)), "")
    if row.text("hardware").startswith("tpu"):
        return "jetstream"
    return engine or ("tensorrt-llm" if is_mlperf(row) and row.text("hardware")[0] in "abhl" else "vllm")


def _year(row: MeasuredRow) -> float:
    """Year of the software with its part by month, the middle of 2025 where the row has no date."""
    day = re.match(r"(\d{4})(?:-(\d{2}))?", row.text("date"))
    if not day:
        return 2025.5
    return float(day[1]) + (float(day[2] or 7) - 1.0) / 12.0


def _lengths(row: MeasuredRow) -> tuple[float, float]:
    given, produced = row.number("input_len"), row.number("output_len")
    if row.text("scenario") == "single-stream":
        return given or 5.0, produced or 200.0
    if row.text("scenario") == "prefill":
        return given or 1024.0, 1.0
    usual = next((pair for name, pair in DATA_SETS.items() if row.text("model").startswith(name)), CHAT)
    usual = usual if is_mlperf(row) else CHAT
    return given or usual[0], produced or usual[1]


def _workers(row: MeasuredRow, n_chips: int) -> tuple[int, int, int, int]:
    """Workers that prefill and chips of each, workers that decode and chips of each; 0 workers where all do both."""
    if row.text("scenario") != "server-disaggregated":
        return 0, 0, 0, n_chips
    stated = ("prefill_workers", "prefill_worker_chips", "decode_workers", "decode_worker_chips")
    first, size, second, decode = (row.count(name) or 0 for name in stated)
    if second and decode:
        return first, size, second, decode
    workers = re.search(r"(\d+) prefill workers? x(\d+) \+ (\d+) decode workers? x(\d+)", row.text("notes"))
    if workers:
        first, size, second, decode = (int(word) for word in workers.groups())
        return first, size, second, decode
    half = max(n_chips // 2, 1)
    size = min(half, 8)
    return max(half // size, 1), size, max(half // size, 1), size
