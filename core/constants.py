"""Numbers that several rooms count with, each with its unit in its name and its source; those that differ side by side.

What is fitted to measurements stands in ``resources/engine``, what is sold in ``resources/catalogue``.
"""

from __future__ import annotations

HOURS_PER_DAY = 24
DAYS_PER_WEEK = 7
"""Also the calendar days in which an engineer works a week: porting of n engineer-weeks lasts 7 n days for one."""
DAYS_PER_YEAR = 365.25
"""Mean of the Julian calendar."""
MONTHS_PER_YEAR = 12
SECONDS_PER_HOUR = 3600
SECONDS_PER_DAY = 86_400

HOURS_PER_MONTH = 730.0
"""A twelfth of 365 days, the month in which the price calculators of AWS, Google Cloud and Azure count.

Twelve of them are 8760 h, while a year of ``DAYS_PER_YEAR`` has 8766: bills and prices count in these,
:mod:`core.months` says in which the calendar of a plan does.
"""
WORK_HOURS_PER_WEEK = 40.0
"""Five days of eight hours (ILO convention 47); what an engineer's week is paid for."""

BYTES_PER_VALUE = {
    "fp32": 4.0, "tf32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5, "fp4": 0.5625,
    "mxfp4": 0.53125,
}  # fmt: skip
"""Bytes of a stored value by number format, with the scales of its block.

NVFP4 carries eight bits for each 16 values (NVIDIA, "Introducing NVFP4", 2025), MXFP4 for each 32 (OCP Microscaling
Formats 1.0). The scales of int4, which differ from release to release, are left out.
"""
BYTES_PER_VALUE_WITHOUT_SCALES = BYTES_PER_VALUE | {"fp4": 0.5, "mxfp4": 0.5}
"""The same without scales: the least that weights can take, for choosing numbers of chips worth a prediction."""
BYTES_PER_PUBLISHED_WEIGHT = {
    "fp32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "mxfp8": 1.03, "int8": 1.0, "int4": 0.56, "q4_k_m": 0.606,
    "q8_0": 1.06, "nvfp4": 0.5625, "mxfp4": 0.53, "fp4": 0.56, "awq": 0.53, "gptq": 0.53,
    "w8a16": 1.02,
}  # fmt: skip
"""The same by the format that a published measurement names, scales of blocks included, rounded to two or three digits
as the coefficients of serving were fitted with them."""
BYTES_PER_DENSE_WEIGHT_OF_FP4_MIXTURE = 1.07
"""Weights beside the experts of four-bit mixtures: most releases leave attention in 8 or 16 bits."""

BYTES_PER_WIDE_VALUE = 4.0
"""Values in 32 bits: those of training in fp32 or tf32, and rows of embedding tables."""
BYTES_PER_NARROW_VALUE = 2.0
"""Values in 16 bits: weights and activations of training in bf16, fp16 or fp8, which keeps 16 bits beside its products;
weights and gradients as they are exchanged; weights that are stored and not trained (Micikevicius et al., arXiv
1710.03740, section 3)."""

ADAM_BYTES_PER_PARAM = 12.0
"""Master weight and two moments in fp32 (ZeRO, arXiv 1910.02054, section 3.1)."""
SAVED_STATE_BYTES_PER_PARAM = BYTES_PER_NARROW_VALUE + ADAM_BYTES_PER_PARAM
"""A saved state: the weight in 16 bits and what Adam keeps, 14 bytes."""
GRADIENT_BYTES_PER_PARAM = 4.0
"""Gradients of transformers are summed in fp32, as Megatron-LM does with bf16 (arXiv 2104.04473 and its code)."""
NETWORK_GRADIENT_BYTES_PER_PARAM = 2.0
"""Those of other networks stay in 16 bits (ZeRO, arXiv 1910.02054, section 3.1: 2 + 2 + 12 bytes a weight)."""
LEAST_TRAINING_BYTES_PER_PARAM = 10.0
"""Less than mixed-precision training with Adam takes, for choosing numbers of chips worth a prediction (our bound)."""

ADAM_TRAFFIC_BYTES_PER_PARAM = GRADIENT_BYTES_PER_PARAM + 2.0 * ADAM_BYTES_PER_PARAM + BYTES_PER_NARROW_VALUE
"""Memory traffic of an optimiser step: gradient read, Adam's state read and written, new weight written, 30 bytes."""
NETWORK_OPTIMIZER_TRAFFIC_BYTES_PER_PARAM = 20.0
"""The same for networks other than transformers, as their coefficients were fitted with it: what SGD with momentum
moves (gradient read, weight and momentum read and written, in fp32), while their memory holds Adam's two moments."""
GRADIENT_TRAFFIC_BYTES_PER_PARAM = 2.0 * GRADIENT_BYTES_PER_PARAM
"""A gradient in fp32 that is read and written as a micro-batch adds to it."""
