"""What a measured fine-tuning row ran: job, software, layout; what it leaves out is filled in by the rules below."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from core.calibration.measured.table import MeasuredRow
from core.constants import BYTES_PER_NARROW_VALUE
from core.throughput.model_shape import ModelShape
from core.throughput.training.finetuning import TuningFacts, facts_of_tuning
from core.throughput.types import Layout
from core.workload.jobs.kinds import FineTuning
from core.workload.profile import Stack

METHODS = {
    "full": "full", "lora": "lora", "qlora": "qlora", "adapter": "lora", "adapter_v2": "lora", "sft": "lora",
}  # fmt: skip
"""Methods that are said something about, by the first word of a table's; adapters of LLaMA-Adapter are as small."""
_OTHER_KINDS = ("dora", "llamapro", "vera", "ia3", "llamaadapter", "ln", "adalora", "galore", "lisa", "dpo", "neftune")
_FULLY_FUSED = ("unsloth", "liger", "litgpt", "lit-gpt")
"""Fused loss, or one that is counted piece by piece."""
_FUSED = ("foak", "scattermoe", "nemo", "automodel", "torchtune", "fused")
_STAYS_NARROW = "accelerated-peft"
"""Software that loads frozen NF4 weights without PEFT's preparation, which turns all that is not packed to fp32."""
_ALL_WIDE = "all in fp32"
_WIDE_BYTES = {"weight_bytes": 4.0, "gradient_bytes": 4.0, "state_bytes": 8.0, "step_bytes": 4.0}
"""Weights that Accelerate turns to fp32 before full sharding where mixed precision is asked for (since 0.30, May
2024): no copy beside them, and the roots of second moments at once in the optimiser's step."""
_OF_TWO = ("litgpt", "lit-gpt", "torchtune", "habana", "peft")
"""Software whose own examples put adapters beside queries and values alone."""
_IN_BLOCKS = r"\*|all|gate|up_|down|w1|w2|mlp|fc|dense|linear"
OF_DATA = {"alpaca": (160, 1300)}
"""Tokens of a sample with its share of a batch's padding, and of the longest one, of data that tables name."""
PACKED = 4096
"""Tokens of a packed sequence where a table does not say, as in those that failed for want of memory."""
OPEN_MEAN = 0.6
"""Mean of lengths that are cut at a longest one, over that one, where only ratios of speeds are looked at."""
DEFAULT_RANK = 8
_UNSTATED_LENGTHS = ("own length", "variable", "max_length", "max length", "cut")


def refusal_of_finetuning(row: MeasuredRow) -> str:
    """Why a fine-tuning row is left out before its model is looked at; empty when nothing speaks against it."""
    words = set(
        re.findall(r"[a-z0-9]+", f"{row.text('method')} {row.text('framework')} {row.text('optimizer')}".lower())
    )
    other = next((kind for kind in _OTHER_KINDS if any(kind == word for word in words)), "")
    test = next(
        (kind for kind in ("ia3", "vera", "llamaadapter", "ln", "dpo", "adalora") if _is_example_of(row, kind)), ""
    )
    if row.text("quality") == "C":
        return "quality C"
    if other or test:
        return f"{other or test}: another kind of adapter, optimiser or loss"
    if _method(row) not in METHODS:
        return f"{row.text('method')}: another kind of adapter"
    return "" if row.text("fits") == "yes" or _lengths(row)[1] else "tokens of a sequence not stated"


def _is_example_of(row: MeasuredRow, kind: str) -> bool:
    """A test of another method by the name of its class."""
    return f"modeling{kind}example" in row.text("framework").lower()


def unsaid_of(row: MeasuredRow) -> dict[str, str]:
    """Measured columns of which nothing can be said, with the reason."""
    speeds = ("tokens_per_s_per_chip", "samples_per_s_per_chip", "step_time_s")
    if not row.text("is_chip_stated"):
        return dict.fromkeys(speeds, "chip not stated")
    if not _lengths(row)[0]:
        return dict.fromkeys(speeds, "tokens of a sample not stated") | (
            {} if _lengths(row)[1] else {"peak_mem_gib_per_chip": "tokens of a sequence not stated"}
        )
    return {"peak_mem_gib_per_chip": "the longest sequence is not stated"} if _is_longest_open(row) else {}


def finetuning_job(row: MeasuredRow) -> FineTuning:
    """The job of a row; raises pydantic.ValidationError for numbers out of bounds."""
    method = "qlora" if METHODS[_method(row)] == "lora" and _is_packed(row) else METHODS[_method(row)]
    optimizer = row.text("optimizer").lower()
    return FineTuning.model_validate(
        {
            "method": method,
            "sequence_length": round(_lengths(row)[0] or OPEN_MEAN * _lengths(row)[1] or 2048),
            "global_batch_sequences": max(_micro_batch(row) * _accumulated(row) * data_ranks(row), 1),
            "precision": "fp16" if re.search("fp16|float16", row.text("compute_dtype").lower()) else "bf16",
            "recompute": recompute_of(row) or "auto",
            "lora_rank": row.count("lora_rank") or DEFAULT_RANK,
            "adapters_on": _adapters_on(row),
            "trains_embeddings": bool(
                re.search("emb|wte|lm_head", f"{row.text('method')} {row.text('lora_targets')}".lower())
            ),
            "frozen_weights": _frozen(row),
            "optimizer": _optimizer(optimizer),
            "master_weights": _master_weights(row, optimizer),
            "offload": _offload(row.text("offload").lower()),
            "kernels": _kernels(row),
        }
    )


def facts_of_run(row: MeasuredRow, model: ModelShape, job: FineTuning) -> TuningFacts:
    """What the run of a row is fine-tuned with; some software keeps sixteen bits where the job's would turn to fp32."""
    facts = facts_of_tuning(model, job)
    if _ALL_WIDE in row.text("optimizer").lower():
        wide = {name: np.asarray(size) for name, size in _WIDE_BYTES.items()}
        facts = replace(facts, **wide)
    is_narrow = _STAYS_NARROW in row.text("framework").lower()
    return replace(facts, residual_bytes=np.asarray(BYTES_PER_NARROW_VALUE)) if is_narrow else facts


def longest_sequence(row: MeasuredRow) -> int:
    """Tokens of the longest sequence, which sets the peak of memory."""
    return round(_lengths(row)[1] or _lengths(row)[0] or 2048)


def _lengths(row: MeasuredRow) -> tuple[float, float]:
    """Mean and longest tokens of a sample, 0 where neither stated nor known of the data.

    Tables that state tokens/s and samples/s state the mean by it; padded ones give what is computed.
    """
    stated, kind = row.number("seq_len") or 0.0, row.text("seq_kind").lower()
    tokens, samples = row.number("tokens_per_s_total"), row.number("samples_per_s_total")
    mean = tokens / samples if tokens and samples else 0.0
    of_data = next((lengths for data, lengths in OF_DATA.items() if data in kind), (0, 0))
    is_open = any(words in kind for words in _UNSTATED_LENGTHS) and "concat" not in kind and "packed" not in kind
    if not stated and kind.startswith("packed"):
        stated = float(PACKED)
    likely = mean or (float(of_data[0]) if is_open or not stated else stated)
    return likely, max(stated, mean) or float(of_data[1])


def are_lengths_open(row: MeasuredRow) -> bool:
    """True where samples keep lengths of their own."""
    kind = row.text("seq_kind").lower()
    return any(words in kind for words in _UNSTATED_LENGTHS) and "concat" not in kind and "packed" not in kind


def _is_longest_open(row: MeasuredRow) -> bool:
    """True where the only length is the mean, and batches hold longer ones."""
    kind = row.text("seq_kind").lower()
    return kind.startswith("padd") and "seq_len" in row.text("derived_fields")


def _is_packed(row: MeasuredRow) -> bool:
    """True where the base is said to be stored in few bits, whatever the method is called."""
    return row.text("base_weight_bits") in ("4", "8") or bool(re.search("nf4|int[48]|gptq|awq", _base(row)))


def _base(row: MeasuredRow) -> str:
    return row.text("base_format").lower()


def _method(row: MeasuredRow) -> str:
    return re.split(r"[ (+]", row.text("method").lower())[0] if "or lora" not in row.text("method") else "several"


def _micro_batch(row: MeasuredRow) -> int:
    return round(row.number("micro_batch") or 1)


def _accumulated(row: MeasuredRow) -> int:
    """Micro-batches of a step: from samples/s and step time where both are given, else as stated."""
    if "litgpt" in f"{row.text('source_group')} {row.text('framework')}".lower():
        return 1
    samples, step_s = row.number("samples_per_s_total"), row.number("step_time_s")
    of_step = samples * step_s / (_micro_batch(row) * data_ranks(row)) if samples and step_s else 0.0
    return round(of_step) or round(row.number("grad_accum") or 1) or 1


def data_ranks(row: MeasuredRow) -> int:
    """Copies or shards of the model, which work on different sequences: all chips but those that split layers."""
    tp, pp = _degrees(row)
    return max(round(row.number("n_chips") or 1) // (tp * pp), 1)


def _degrees(row: MeasuredRow) -> tuple[int, int]:
    """Tensor and pipeline degrees; layers laid out over chips one after the other are a pipeline of one micro-batch."""
    text = row.text("parallelism").lower()
    if "device_map" in text or "naive" in text:
        return 1, round(row.number("n_chips") or 1)
    tp, pp = (re.search(rf"\b{name}[ =]?(\d+)", text) for name in ("tp", "pp"))
    return int(tp[1]) if tp else 1, int(pp[1]) if pp else 1


def finetuning_layout(row: MeasuredRow) -> Layout:
    """Degrees as stated: full sharding, copies, or layers one after the other."""
    tp, pp = _degrees(row)
    ranks, text = data_ranks(row), f"{row.text('parallelism')} {row.text('framework')}".lower()
    full = row.text("method").lower().startswith("full")
    is_copied = "ddp" in row.text("parallelism").lower() or "zero-2" in text or "zero2" in text
    shards = ranks > 1 and pp == 1 and ("fsdp" in text or "zero-3" in text or "zero3" in text or full) and not is_copied
    experts = re.search(r"-ep(\d+)", text)
    return Layout(
        dp=1 if shards else ranks,
        fsdp=ranks if shards else 1,
        tp=tp,
        pp=pp,
        ep=min(int(experts[1]), ranks) if experts else 1,
        micro_batch=_micro_batch(row),
        recompute=recompute_of(row),
        zero=2 if "zero-2" in text or "zero2" in text else 1,
    )


def recompute_of(row: MeasuredRow) -> str:
    """As stated; QLoRA's preparation in PEFT switches it on; empty where it is open."""
    stated = row.text("recompute").lower()
    if stated.startswith(("full", "yes", "true", "on")):
        return "full"
    if stated.startswith(("none", "no", "off", "false")):
        return "none"
    return "full" if METHODS.get(_method(row)) == "qlora" else ""


def _adapters_on(row: MeasuredRow) -> str:
    targets, software = row.text("lora_targets").lower(), row.text("framework").lower()
    if re.search(_IN_BLOCKS, targets):
        return "all_linear"
    if targets:
        return "attention" if re.search(r"\bo\b|o_proj|c_proj", targets) else "attention_qv"
    return "attention_qv" if any(word in software for word in _OF_TWO) else "all_linear"


def _frozen(row: MeasuredRow) -> str:
    text = f"{row.text('base_format')} {row.text('framework')}".lower()
    if "int8" in text or "8bit" in text or row.text("base_weight_bits") == "8":
        return "int8"
    if "gptq" in text or "awq" in text or "int4" in text:
        return "int4"
    return "nf4" if re.search("nf4$", row.text("base_format").lower()) and "litgpt" in text else "nf4_double"


def _optimizer(text: str) -> str:
    if "paged" in text:
        return "paged_adamw_8bit"
    if "8bit" in text or "8-bit" in text:
        return "adamw_8bit"
    return "sgd" if "sgd" in text else "adamw"


def _master_weights(row: MeasuredRow, optimizer: str) -> str:
    """Frameworks of one host keep all in sixteen bits; DeepSpeed and ZeRO keep a copy in fp32 unless they say so."""
    is_wide = "fp32 master" in optimizer or "zero" in f"{row.text('parallelism')} {row.text('framework')}".lower()
    return "fp32" if is_wide and "bf16 master" not in optimizer else "none"


def _offload(text: str) -> str:
    return "all" if "param" in text else "optimizer" if text and text not in ("none", "no") else "none"


def _kernels(row: MeasuredRow) -> str:
    text = f"{row.text('framework')} {row.text('attention_kernels')}".lower()
    if any(word in text for word in _FULLY_FUSED):
        return "fused_loss"
    return "fused" if any(word in text for word in _FUSED) else "framework"


def finetuning_stack(row: MeasuredRow) -> Stack:
    """Trainers run eagerly; a vendor's own recipes and compiled graphs are as those of pre-training."""
    text = f"{row.text('framework')} {row.text('source_group')}".lower()
    year = int(begins[0]) if (begins := re.match(r"20\d\d", row.text("date"))) else 2025
    tuned = "vendor" if "nemo" in text else "fsdp_compiled" if "habana" in text else "fsdp_eager"
    return Stack.model_validate({"training_stack": tuned, "software_year": min(max(year, 2018), 2030)})
