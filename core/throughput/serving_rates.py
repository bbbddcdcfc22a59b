"""Coefficients of serving by chip architecture, engine, precision and year, read from a table of parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from core.catalogue.entries import Accelerator
from core.throughput.chip_facts import architecture
from core.throughput.fleet import Floats, Ints
from core.throughput.parameters import Parameters
from core.throughput.serving_facts import Rates

ARCHITECTURES = (
    "other", "turing", "volta", "ampere", "ampere-workstation", "ada", "hopper", "blackwell", "blackwell-workstation",
    "cdna2", "cdna3", "cdna4", "tpu",
)  # fmt: skip
ENGINES = ("vllm", "sglang", "tensorrt-llm", "jetstream", "maxtext", "llama.cpp", "compiled", "deepspeed-mii")
"""Engines with overheads of their own; "compiled" is a whole decode step compiled for one stream."""
TUNED_YEAR, FIRST_YEAR, LAST_YEAR = 2025.0, 2021.0, 2026.0


@dataclass(frozen=True)
class RateKeys:
    """What selects the coefficients of each row, shape (n rows,); widths in bytes a weight and used precision flags."""

    architecture: Ints
    engine: Ints
    is_fp8: Floats
    is_fp4: Floats
    is_int4: Floats
    is_pcie: Floats
    year: Floats

    def take(self, rows: Ints) -> RateKeys:
        """Some of the rows."""
        return RateKeys(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})


def rate_keys(
    chips: Sequence[Accelerator], engines: Sequence[str], precisions: Sequence[str], years: Sequence[float]
) -> RateKeys:
    """Keys of rows of chips, engines, weight precisions and software years. Raises ValueError for another engine."""
    kinds = np.array(precisions)
    return RateKeys(
        architecture=np.array([_architecture_index(chip) for chip in chips], dtype=np.intp),
        engine=np.array([_engine_index(name) for name in engines], dtype=np.intp),
        is_fp8=np.isin(kinds, ("fp8", "int8")).astype(np.float64),
        is_fp4=np.isin(kinds, ("fp4", "mxfp4")).astype(np.float64),
        is_int4=(kinds == "int4").astype(np.float64),
        is_pcie=np.array([chip.scaleup_domain_chips <= 1 and not chip.torus_dims for chip in chips], dtype=np.float64),
        year=np.array(years, dtype=np.float64),
    )


def _engine_index(name: str) -> int:
    if name not in ENGINES:
        raise ValueError(f"no coefficients of the engine {name}")
    return ENGINES.index(name)


def _architecture_index(chip: Accelerator) -> int:
    name = "tpu" if chip.kind == "tpu" else architecture(chip)
    return ARCHITECTURES.index(name) if name in ARCHITECTURES else 0


def rates_of(table: Parameters, keys: RateKeys) -> Rates:
    """Coefficients of each row.

    Overheads shrink by a factor a year until 2025 (``growth^(2025 - year)``); products in eight and four bits reach
    less of their peak; an expert layer in fp8 quantises its inputs once more.
    """
    behind = np.clip(TUNED_YEAR - keys.year, TUNED_YEAR - LAST_YEAR, TUNED_YEAR - FIRST_YEAR)
    late = table["overhead_growth_per_year"] ** behind
    slow = table["prefill_growth_per_year"] ** -np.maximum(behind, 0.0)
    narrow = table["prefill_of_fp8"] ** keys.is_fp8 * table["prefill_of_fp4"] ** keys.is_fp4
    link = np.where(keys.is_pcie > 0, table["pcie_link_share"], 1.0)
    of_fp8 = table["moe_layer_of_fp8"] ** keys.is_fp8

    def engine(name: str) -> Floats:
        return _by(table, name, ENGINES, keys.engine)

    def chip(name: str) -> Floats:
        return _by(table, name, ARCHITECTURES, keys.architecture)

    return Rates(
        hbm_share=chip("hbm_share") * table["hbm_of_int4"] ** keys.is_int4,
        prefill_share=chip("prefill_share") * engine("prefill_of") * narrow * slow,
        moe_prefill_share=table["moe_prefill_share"] * engine("moe_prefill_of"),
        layer_us=engine("layer_us") * late * chip("host"),
        moe_layer_us=table["moe_layer_us"] * engine("moe_of") * of_fp8 * late,
        latent_layer_us=table["latent_layer_us"] * late,
        linear_layer_us=table["linear_layer_us"] * late,
        step_us=engine("step_us") * late,
        sequence_us=engine("sequence_us") * late,
        first_token_ms=engine("first_token_ms") * late,
        link_latency_us=table["link_latency_us"] * np.where(keys.is_pcie > 0, table["pcie_latency"], 1.0),
        decode_link_share=table["decode_link_share"] * link,
        prefill_link_share=table["prefill_link_share"] * link,
        interference=engine("interference"),
        interference_saturation=engine("saturation"),
        queue_share=engine("queue_share"),
        chunk_tokens=engine("chunk_tokens"),
        **{name: np.asarray(table[name]) for name in _SHARED},
    )


_SHARED = (
    "attention_share", "exchange_us", "batch_interference", "conservation", "pipeline_loss",
    "elementwise_passes", "permute_passes", "prompt_launches", "imbalance", "queue_growth",
)  # fmt: skip
"""Coefficients with one value for all chips and engines."""


def _by(table: Parameters, name: str, kinds: tuple[str, ...], index: NDArray[np.intp]) -> Floats:
    return np.array([table[f"{name}_{kind}"] for kind in kinds])[index]
