"""Coefficients of serving by chip architecture, engine, precision and year, read from a table of parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.catalogue.chip_families import architecture_of, chip_families
from core.catalogue.entries import Accelerator
from core.rows import Rows
from core.throughput.chips.best_product import short_sums_gain
from core.throughput.chips.fleet import Floats, Ints
from core.throughput.parameters import Parameters
from core.throughput.serving.quantities import Rates
from core.throughput.serving.techniques import nothing

Flags = NDArray[np.bool_]

ENGINES = (
    "vllm", "sglang", "tensorrt-llm", "jetstream", "llama.cpp", "compiled", "deepspeed-mii", "eager",
)  # fmt: skip
"""Engines with overheads of their own; "compiled" is a whole decode step compiled for one stream, "eager" one whose
kernels a Python loop launches one by one."""
_TOLD_AS = {"maxtext": "jetstream"}
"""MaxText answers through JetStream: published runs of both set the same coefficients."""
_UNPACKED = ("int4", "w8a16")
_UNPACKING = ("vllm", "sglang", "tensorrt-llm", "llama.cpp", "eager")
"""Engines whose products on unpacked weights are told apart; others serve hardly anything else."""
_CHOOSING = ("tensorrt-llm", "compiled")
"""Engines that time the kernels of experts where they build; others look them up in tables that name few chips."""
_OWN_KERNELS, _BEYOND_WARPS = ("llama.cpp",), ("hopper", "blackwell")
_VECTOR_LANES = {
    "volta": 64.0, "turing": 64.0, "ampere": 64.0, "ampere-workstation": 128.0, "ada": 128.0, "hopper": 128.0,
    "blackwell": 128.0, "blackwell-workstation": 128.0,
}  # fmt: skip
"""Products and sums in fp32 that a multiprocessor does in a clock (NVIDIA's architecture papers)."""
IN_WARP_SHARE = 0.63
"""Of the peak of chips whose products outgrew a warp, what products within one reach (Luo et al., arXiv 2402.13499)."""
_LAUNCHED = tuple(ENGINES.index(name) for name in ("deepspeed-mii", "eager"))
"""Engines that record no step: a host launches kernel by kernel, which its chip's work hides as far as it lasts."""
_AGELESS = tuple(ENGINES.index(name) for name in ("llama.cpp", "compiled"))
"""Engines whose steps no Python launches, so that their overheads did not shrink with its rewrites."""
READS_OF_HEAD = 1.0
"""Times that each head reads the cache it shares where kernels for prompts serve single tokens (FlashAttention 2)."""
TUNED_YEAR, FIRST_YEAR, LAST_YEAR = 2025.0, 2021.0, 2026.0
ROOMY_GB = 75.0
"""70 GiB."""
ROOMY_CHUNK = 4.0
"""Prompt tokens of a step of vLLM on a roomy chip over those on others."""


@dataclass(frozen=True)
class RateKeys(Rows):
    """What selects the coefficients of each row, shape (n rows,); flags are 0 or 1.

    ``is_tuned``: kernels of the experts were chosen for this model and chip, as campaigns of benchmarks and some
    engines do. See :func:`is_roomy`; ``own_kernels``: see :func:`own_kernels_gain`; :func:`clocks_a_byte`.
    """

    architecture: Ints
    engine: Ints
    is_fp8: Floats
    is_fp4: Floats
    is_int4: Floats
    is_unpacked: Floats
    is_pcie: Floats
    is_cdna: Floats
    is_tuned: Floats
    is_roomy: Floats
    own_kernels: Floats
    clocks_a_byte: Floats
    year: Floats


def is_roomy(chip: Accelerator, year: float) -> bool:
    """True where vLLM takes 8,192 prompt tokens a step and 1,024 sequences at once, else 2,048 and 256.

    On chips of 70 GiB on, but those of Ampere, since its second engine (vllm/engine/arg_utils.py, 0.8 of 2025).
    """
    return year >= TUNED_YEAR and chip.memory_gb >= ROOMY_GB and architecture_of(chip).serving != "ampere"


def rate_keys(
    chips: Sequence[Accelerator],
    engines: Sequence[str],
    precisions: Sequence[str],
    years: Sequence[float],
    are_tuned: Sequence[bool] = (),
) -> RateKeys:
    """Keys of rows of chips, engines, weight precisions and software years; all tuned where nothing is said.

    Raises ValueError for another engine.
    """
    kinds, architectures = np.array(precisions), chip_families().coefficients["serving"]
    return RateKeys(
        architecture=np.array([architectures.index(architecture_of(chip).serving) for chip in chips], dtype=np.intp),
        engine=np.array([_engine_index(name) for name in engines], dtype=np.intp),
        is_fp8=np.isin(kinds, ("fp8", "int8")).astype(np.float64),
        is_fp4=np.isin(kinds, ("fp4", "mxfp4")).astype(np.float64),
        is_int4=(kinds == "int4").astype(np.float64),
        is_unpacked=np.array(
            [kind in _UNPACKED and engine in _UNPACKING for kind, engine in zip(precisions, engines, strict=True)],
            dtype=np.float64,
        ),
        is_pcie=np.array([chip.scaleup_domain_chips <= 1 and not chip.torus_dims for chip in chips], dtype=np.float64),
        is_cdna=np.array([architecture_of(chip).serving.startswith("cdna") for chip in chips], dtype=np.float64),
        is_tuned=np.logical_or(are_tuned or [True] * len(chips), np.isin(engines, _CHOOSING)).astype(np.float64),
        is_roomy=np.array([is_roomy(chip, year) for chip, year in zip(chips, years, strict=True)], dtype=np.float64),
        own_kernels=np.array([own_kernels_gain(*pair) for pair in zip(chips, engines, strict=True)], dtype=np.float64),
        clocks_a_byte=np.array([clocks_a_byte(*pair) for pair in zip(chips, engines, strict=True)], dtype=np.float64),
        year=np.array(years, dtype=np.float64),
    )


def own_kernels_gain(chip: Accelerator, engine: str) -> float:
    """Rate of products over what others make of the data sheet's, for engines with kernels written for all cards.

    They sum in 16 bits, as llama.cpp's cuBLAS calls do (:func:`short_sums_gain`). They wait for each product in a warp.
    """
    if engine not in _OWN_KERNELS or not chip.bf16_tflops:
        return 1.0
    in_warp = IN_WARP_SHARE if architecture_of(chip).serving in _BEYOND_WARPS else 1.0
    return short_sums_gain(chip) * in_warp


def clocks_a_byte(chip: Accelerator, engine: str) -> float:
    """Clocks of all multiprocessors in the time of a byte by the data sheet, for engines with kernels of their own.

    Those load weights into registers, so many bytes a clock and multiprocessor, which stacked memory outruns; others
    copy them in the background, with no such limit: infinite.
    """
    lanes = _VECTOR_LANES.get(architecture_of(chip).serving)
    if engine not in _OWN_KERNELS or not lanes or not chip.fp32_tflops:
        return np.inf
    return chip.fp32_tflops * 1e12 / (2.0 * lanes) / (chip.memory_bandwidth_gbps * 1e9)


def _engine_index(name: str) -> int:
    told = _TOLD_AS.get(name, name)
    if told not in ENGINES:
        raise ValueError(f"no coefficients of the engine {name}")
    return ENGINES.index(told)


def rates_of(table: Parameters, keys: RateKeys) -> Rates:
    """Coefficients of each row: shares of peaks and rates, overheads, links, and what engines do under load."""
    shared = {name: np.asarray(table[name]) for name in _SHARED}
    return Rates(
        **_shares(table, keys), **_overheads(table, keys), **_links(table, keys), **_load(table, keys), **shared
    )


_LAUNCHES = ("layer_us", "moe_layer_us", "shared_layer_us", "latent_layer_us", "linear_layer_us", "step_us")


def only_decoding(rates: Rates, table: Parameters, is_split: Flags) -> Rates:
    """The same rates where ``is_split`` tells chips that never prefill: nothing holds up their answers.

    Their steps are all alike and run recorded, so that launches take a part of what they take beside prompts.
    """
    part = np.where(is_split, table["decode_only_launches"], 1.0)
    launches = {name: getattr(rates, name) * part for name in _LAUNCHES}
    undisturbed = {name: np.where(is_split, 0.0, getattr(rates, name)) for name in ("interference", "conservation")}
    return replace(rates, **launches, **undisturbed)


def _shares(table: Parameters, keys: RateKeys) -> dict[str, Floats]:
    """Shares of peaks and of memory rates; products in eight and four bits reach less of their peak.

    Attention of a decode step multiplies in 16 bits, at a half and a quarter of those peaks. Kernels that load into
    registers read no more than their multiprocessors can.
    """
    slow = table["prefill_growth_per_year"] ** -np.maximum(_years_behind(keys), 0.0)
    narrow = table["prefill_of_fp8"] ** keys.is_fp8 * table["prefill_of_fp4"] ** keys.is_fp4
    narrow = narrow * table["products_of_unpacked"] ** keys.is_unpacked
    share = _by_chip(table, "hbm_share", keys) * table["hbm_of_int4"] ** keys.is_int4
    of_chip = _by_chip(table, "prefill_share", keys) * _by_engine(table, "prefill_of", keys)
    return {
        "hbm_share": np.minimum(share, table["bytes_a_clock"] * keys.clocks_a_byte),
        "prefill_share": of_chip * narrow * slow * keys.own_kernels,
        "moe_prefill_share": table["moe_prefill_share"]
        * _by_engine(table, "moe_prefill_of", keys)
        / _untuned(table, keys),
        "expert_read_share": table["expert_read_share"] / _untuned(table, keys),
        "attention_decode_share": table["attention_decode_share"] * 0.5**keys.is_fp8 * 0.25**keys.is_fp4,
    }


def _untuned(table: Parameters, keys: RateKeys) -> Floats:
    """Time of experts where nobody chose their kernels for the model and chip."""
    return np.asarray(table["moe_as_released"] ** (1.0 - keys.is_tuned))


def _overheads(table: Parameters, keys: RateKeys) -> dict[str, Floats]:
    """What launches and hosts take. It shrinks by a factor a year until 2025 (``growth^(2025 - year)``); an expert
    layer in fp8 quantises its inputs once more. Taking a request in and launching a prompt's kernels one by one are
    work of the host's Python, which has a floor and does not follow the recorded steps."""
    behind = np.where(np.isin(keys.engine, _AGELESS), 0.0, _years_behind(keys))
    late, is_eager = table["overhead_growth_per_year"] ** behind, keys.engine == ENGINES.index("eager")
    launched, drafts = late * _by_chip(table, "host", keys), np.where(is_eager, table["drafts_of_eager"], 1.0)
    of_experts = _by_engine(table, "moe_of", keys) * table["moe_layer_of_fp8"] ** keys.is_fp8 * launched
    of_experts = of_experts * table["moe_of_cdna"] ** keys.is_cdna * _untuned(table, keys)
    return {
        "layer_us": _by_engine(table, "layer_us", keys) * launched,
        "moe_layer_us": table["moe_layer_us"] * of_experts,
        "shared_layer_us": table["shared_layer_us"] * of_experts,
        "latent_layer_us": table["latent_layer_us"] * launched,
        "linear_layer_us": table["linear_layer_us"] * launched,
        "step_us": _by_engine(table, "step_us", keys) * late,
        "sequence_us": _by_engine(table, "sequence_us", keys) * late,
        "first_token_ms": _by_engine(table, "first_token_ms", keys),
        "prompt_layer_us": table["prompt_layer_us"] * _by_chip(table, "host", keys),
        **_unrecorded(table, keys),
        "draft_pass_us": table["draft_pass_us"] * late * drafts,
        "verify_us": table["verify_us"] * late * drafts,
    }


def _unrecorded(table: Parameters, keys: RateKeys) -> dict[str, Floats]:
    """What steps have that no graph records: launches beside the chip's work, and the cache read head by head."""
    is_launched = np.isin(keys.engine, _LAUNCHED)
    if not is_launched.any():
        return {"launch_overlap": nothing(), "cache_copies": nothing()}
    copies = np.where(keys.engine == ENGINES.index("eager"), table["cache_copies_of_eager"], READS_OF_HEAD)
    return {"launch_overlap": np.where(is_launched, 1.0, 0.0), "cache_copies": np.where(is_launched, copies, 0.0)}


def _links(table: Parameters, keys: RateKeys) -> dict[str, Floats]:
    """Shares of the links' rates and their latency; PCIe without a switch has both worse."""
    share = np.where(keys.is_pcie > 0, table["pcie_link_share"], 1.0)
    return {
        "link_latency_us": table["link_latency_us"] * np.where(keys.is_pcie > 0, table["pcie_latency"], 1.0),
        "decode_link_share": table["decode_link_share"] * share,
        "prefill_link_share": table["prefill_link_share"] * share,
    }


def _load(table: Parameters, keys: RateKeys) -> dict[str, Floats]:
    """How prompts and answers disturb each other in each engine."""
    return {
        "interference_saturation": _by_engine(table, "saturation", keys),
        "queue_share": _by_engine(table, "queue_share", keys),
        "chunk_tokens": _by_engine(table, "chunk_tokens", keys),
    }


def _years_behind(keys: RateKeys) -> Floats:
    return np.asarray(np.clip(TUNED_YEAR - keys.year, TUNED_YEAR - LAST_YEAR, TUNED_YEAR - FIRST_YEAR))


_SHARED = (
    "attention_share", "exchange_us", "network_exchange_us", "expert_decode_share", "interference",
    "batch_interference", "conservation", "pipeline_loss", "elementwise_passes", "permute_passes", "imbalance",
    "queue_growth", "adapter_layer_us", "draft_spread", "prompt_moe_layer_us", "prompt_latent_layer_us",
    "prompt_linear_layer_us",
)  # fmt: skip
"""Coefficients with one value for all chips and engines."""


def _by_engine(table: Parameters, name: str, keys: RateKeys) -> Floats:
    return np.array([table[f"{name}_{kind}"] for kind in ENGINES])[keys.engine]


def _by_chip(table: Parameters, name: str, keys: RateKeys) -> Floats:
    architectures = chip_families().coefficients["serving"]
    return np.array([table[f"{name}_{kind}"] for kind in architectures])[keys.architecture]
