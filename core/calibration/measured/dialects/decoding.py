"""Servers with and without a technique: speculation, quantised weights and caches, chunked prefill."""

from __future__ import annotations

import re

from core.calibration.measured.dialect import Cells, Dialect
from core.calibration.measured.techniques import attention_groups

_DECODE_ONLY = ("autoawq", "exllamav2", "rocm-blogs")
"""Sources that do not count the prompt's time."""
_RELEASED = {"deepseek": "fp8", "kimi-k2": "fp8", "gpt-oss": "mxfp4"}
"""Format of the weights as released, by the beginning of the model's name; 16 bits otherwise."""
_EAGER = ("hf transformers", "gpt-fast eager")
_TABLES_BY_ROW = (
    (137, 152, "qwen2.5-14b", "eager"), (153, 176, "qwen2.5-14b", "vllm"), (177, 192, "qwen2.5-32b", "eager"),
    (193, 216, "qwen2.5-32b", "vllm"), (217, 232, "qwen2.5-72b", "eager"), (233, 259, "qwen2.5-72b", "vllm"),
)  # fmt: skip
"""Rows of the group qwen2.5-speed that stand under the name of 7B on vLLM but carry the page's next tables: their
chips, speeds and library versions are those of the larger models and of both engines in turn."""
_ENGINES = {"autoawq": "exllama", "llm-awq": "exllama", "ollama": "llama.cpp", "gpt-fast comp": "gpt-fast"}


def _work(_: Cells) -> str:
    return "inference"


def _computed(cells: Cells) -> Cells:
    command, ratio = cells.get("technique_params", ""), cells.get("speedup_vs_off", "")
    made: dict[str, str] = {
        **_mended(cells),
        "weight_precision": _weights(cells),
        "weight_bits": _bits(cells.get("weight_precision", "")),
        "kv_precision": _cache(cells),
        "scenario": _scenario(cells),
        "batch_or_concurrency": cells.get("batch_or_concurrency") or _at_once(cells.get("dataset", "")),
        "samples_per_s": "" if cells.get("output_tokens_per_s_total") else cells.get("requests_per_s", ""),
    }
    if ratio and (cells.get("role") == "ratio" or not cells.get("n_chips")):
        made |= {"output_tokens_per_s_total": "", "total_tokens_per_s": "", "samples_per_s": "", "derived_fields": ""}
    else:
        made |= {"speedup_vs_off": ""}
    groups = re.search(r"--dp(?:-size)?[= ]+(\d+)", command) if "enable-dp-attention" in command else None
    if "enable-dp-attention" in command:
        made |= attention_groups(cells.get("tp", ""), groups[1] if groups else cells.get("tp", ""))
    return made


def _mended(cells: Cells) -> dict[str, str]:
    """Model and engine, mended where their table carried the first one's names on over the next ones."""
    number = re.fullmatch(r"dec-qwen2\.5-speed-(\d+)", cells.get("id", ""))
    tables = (names for first, last, *names in _TABLES_BY_ROW if number and first <= int(number[1]) <= last)
    model, engine = next(tables, (cells.get("model", ""), cells.get("engine", "")))
    return {"model": model, "engine": _engine(engine)}


def _weights(cells: Cells) -> str:
    """Format of the weights; integers of eight bits that are unpacked to 16 are told apart from products in them."""
    stated, model = cells.get("weight_precision", "").lower(), cells.get("model", "").lower()
    command = cells.get("technique_params", "").lower()
    if "gptq-int8" in stated or "weight-only" in stated or "w8a16" in stated:
        return "w8a16"
    if "bpw" in stated or "awq" in stated or "gptq" in stated or "int4" in stated or "w4" in stated:
        return "int4"
    is_open = not stated or "not stated" in stated or "as released" in stated
    released = next((name for start, name in _RELEASED.items() if model.startswith(start)), "")
    if is_open and ("fp8" in model or "quantization fp8" in command):
        return "fp8"
    return released if is_open and released else stated.split(" ")[0].split("/")[0]


def _bits(stated: str) -> str:
    """Mean bits of a weight where the format states them, as "EXL2 4.0 bpw"."""
    bits = re.search(r"([\d.]+) bpw", stated)
    return bits[1] if bits else ""


def _cache(cells: Cells) -> str:
    stated = cells.get("kv_precision", "").lower()
    if stated.startswith("turboquant"):
        return "int4"
    in_command = re.search(r"kv-cache-dtype[= ]+(fp8|int8|int4|fp4|nvfp4)", cells.get("technique_params", "").lower())
    return stated or (in_command[1] if in_command else "")


def _engine(name: str) -> str:
    lower = name.lower()
    if lower.startswith(_EAGER):
        return "eager"
    return next((ours for start, ours in _ENGINES.items() if lower.startswith(start)), name)


def _scenario(cells: Cells) -> str:
    if cells.get("source_group") in _DECODE_ONLY or cells.get("role") == "ratio":
        return "decode-only"
    return "burst" if _at_once(cells.get("dataset", "")) and not cells.get("batch_or_concurrency") else ""


def _at_once(data_set: str) -> str:
    """Requests of a run that sends them all at once, as "1000 requests"; empty otherwise."""
    count = re.fullmatch(r"(\d+) requests", data_set.strip())
    return count[1] if count else ""


DIALECT = Dialect(
    name="decoding",
    marks=frozenset({"technique", "pair_id", "weight_format"}),
    work_of=_work,
    renamed={
        "hardware": "chip",
        "weight_precision": "weight_format",
        "kv_precision": "kv_format",
        "output_tokens_per_s_total": "output_tokens_per_s",
    },
    computed=_computed,
)
