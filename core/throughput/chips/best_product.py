"""The best matrix product of a chip over the peak of its data sheet, measured or that of its kin."""

from __future__ import annotations

from core.catalogue.chip_families import Architecture, architecture_of
from core.catalogue.entries import Accelerator

VECTOR_PRODUCT = 0.93
"""The same in fp32, which runs on vector units (published benchmarks of V100 and A100)."""


def gemm_fraction(chip: Accelerator, precision: str, power_exponent: float) -> float:
    """Best matrix product over the data sheet: measured, else the architecture's, less for a tighter power limit.

    Unmeasured chips: ``fraction x min(1, (W / TFLOP/s) / that of the measured kin) ^ exponent``: matrix units clock
    down at the power limit.
    """
    is_narrow = precision in ("fp8", "int8", "fp4")
    if is_narrow and chip.measured_fp8_tflops and chip.fp8_tflops:
        return chip.measured_fp8_tflops / chip.fp8_tflops
    if chip.measured_bf16_tflops and chip.bf16_tflops and not is_narrow and precision != "fp32":
        return chip.measured_bf16_tflops / chip.bf16_tflops
    if precision == "fp32" and chip.kind != "tpu":
        return VECTOR_PRODUCT
    kin = architecture_of(chip)
    best = kin.best_narrow_product if is_narrow and kin.best_narrow_product else kin.best_product
    return float(best * _power_factor(chip, kin) ** power_exponent)


def short_sums_gain(chip: Accelerator) -> float:
    """Rate of 16-bit products that sum in 16 bits over that of the data sheet, which sums in 32.

    GeForce cards run sums in 32 bits at half of the rate; eight-bit integers, twice as fast as 16 bits on every chip,
    show the whole: ``max(int8 / (2 x 16-bit), 1)`` (NVIDIA Ampere GA102 architecture paper, 2020, table 2).
    """
    peak = chip.bf16_tflops or chip.fp16_tflops
    return max((chip.int8_tops or 0.0) / (2.0 * peak), 1.0) if peak else 1.0


def _power_factor(chip: Accelerator, kin: Architecture) -> float:
    peak = chip.bf16_tflops or chip.fp16_tflops
    if not kin.measured_w_per_tflops or not chip.tdp_w or not peak:
        return 1.0
    return min(1.0, chip.tdp_w / peak / kin.measured_w_per_tflops)
