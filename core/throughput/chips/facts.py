"""Facts of a chip that several pieces of the engine share: its architecture and its best matrix product."""

from __future__ import annotations

import json
from functools import cache

from core import paths
from core.catalogue.entries import Accelerator

BEST_PRODUCT = {
    "volta": 0.80, "turing": 0.60, "ampere": 0.86, "ampere-workstation": 0.70, "ada": 0.80, "hopper": 0.80,
    "blackwell": 0.76, "blackwell-workstation": 0.75, "cdna2": 0.55, "cdna3": 0.55, "cdna4": 0.62, "other": 0.75,
    "tpu": 0.90,
}  # fmt: skip
"""Best measured bf16 product over the data sheet, by architecture, of the catalogue's measured chips or their kin."""
NARROW_PRODUCT = {"hopper": 0.72, "blackwell": 0.75, "ada": 0.75}
"""The same in eight bits."""
VECTOR_PRODUCT = 0.93
"""The same in fp32, which runs on vector units (published benchmarks of V100 and A100)."""
WATT_PER_TFLOPS = {"ampere": 1.28, "ada": 0.97, "hopper": 0.71, "blackwell": 0.44, "ampere-workstation": 2.0}
"""Power limit over bf16 peak of the chips that those fractions were measured on."""


def architecture(chip: Accelerator) -> str:
    """The architecture a chip belongs to; "other" or "tpu" where none is named."""
    if chip.kind == "tpu":
        return chip.id if chip.id in _TPUS else "tpu"
    return _architecture_by_chip().get(chip.id, "other")


_TPUS = ("tpu-v2", "tpu-v3", "tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu7x")


@cache
def _architecture_by_chip() -> dict[str, str]:
    text = (paths.resources() / "calibration" / "architectures.json").read_text("utf-8")
    return {chip: name for name, chips in json.loads(text)["architectures"].items() for chip in chips}


def training_precision(chip: Accelerator, wanted: str) -> str:
    """The precision that training asks of a chip: integers stand in for missing eight-bit floats on TPUs only."""
    return "bf16" if wanted in ("fp8", "fp4", "mxfp4") and not chip.fp8_tflops and chip.kind != "tpu" else wanted


def gemm_fraction(chip: Accelerator, precision: str, power_exponent: float) -> float:
    """Best matrix product over the data sheet: measured, else the architecture's, less for a tighter power limit.

    Unmeasured chips: ``fraction x min(1, (W / TFLOP/s) / that of the measured kin) ^ exponent``: matrix units clock
    down at the power limit.
    """
    if precision in ("fp8", "int8", "fp4") and chip.measured_fp8_tflops and chip.fp8_tflops:
        return chip.measured_fp8_tflops / chip.fp8_tflops
    if chip.measured_bf16_tflops and chip.bf16_tflops and precision not in ("fp8", "int8", "fp4", "fp32"):
        return chip.measured_bf16_tflops / chip.bf16_tflops
    if precision == "fp32" and chip.kind != "tpu":
        return VECTOR_PRODUCT
    own = "tpu" if chip.kind == "tpu" else architecture(chip)
    table = NARROW_PRODUCT if precision in ("fp8", "int8", "fp4") and own in NARROW_PRODUCT else BEST_PRODUCT
    return float(table[own] * _power_factor(chip, own) ** power_exponent)


def _power_factor(chip: Accelerator, own: str) -> float:
    peak = chip.bf16_tflops or chip.fp16_tflops
    if own not in WATT_PER_TFLOPS or not chip.tdp_w or not peak:
        return 1.0
    return min(1.0, chip.tdp_w / peak / WATT_PER_TFLOPS[own])
