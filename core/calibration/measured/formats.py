"""In which format a published run really ran, from the loose name that its table gives."""

from __future__ import annotations

from dataclasses import replace

from core.catalogue.chip_families import family_of
from core.catalogue.entries import Accelerator
from core.catalogue.formats import peak_of
from core.throughput.chips.run_formats import RunFormat, as_stated

_RAN_IN = {
    "fp4": ("fp4", "fp8", "int8", "bf16", "fp16", "fp32"),
    "mxfp4": ("mxfp4", "fp8", "int8", "bf16", "fp16", "fp32"),
    "int4": ("bf16", "fp16", "fp32"),
    "w8a16": ("bf16", "fp16", "fp32"),
    "fp8": ("fp8", "int8", "bf16", "fp16", "fp32"),
    "int8": ("int8", "fp8", "bf16", "fp16", "fp32"),
    "bf16": ("bf16", "fp16", "fp32"),
    "fp16": ("fp16", "bf16", "fp32"),
    "tf32": ("tf32", "bf16", "fp32"),
    "fp32": ("fp32", "bf16"),
}
"""Tables write "bf16" for half precision at large and "fp8" for eight bits: the run did happen, so that it ran in the
next of these which the chip has. A plan takes no such liberty (:mod:`core.throughput.chips.run_formats`)."""
_NARROW = ("fp8", "fp4", "mxfp4")


def as_run(chip: Accelerator, label: str) -> RunFormat:
    """The format behind the label of a row that serves; no peak where none of the candidates has one."""
    products = next((name for name in _RAN_IN[label] if peak_of(chip, name)), label)
    run = as_stated(chip, products)
    is_open = run.products == "fp4" and label == "fp4" and not family_of(chip).has_nvfp4
    return replace(run, shown="mxfp4" if is_open else run.shown, kernels=label)


def as_trained(chip: Accelerator, label: str) -> RunFormat:
    """The same for a row that trains: integers stand in for missing eight-bit floats on TPUs only."""
    return as_run(chip, "bf16" if label in _NARROW and not chip.fp8_tflops and chip.kind != "tpu" else label)


def as_sampled(chip: Accelerator, label: str) -> RunFormat:
    """The same for work in samples: eight-bit work took the faster of int8 and fp8."""
    run = as_run(chip, label)
    return as_stated(chip, "fp8") if label == "int8" and peak_of(chip, "fp8") > run.peak_flops else run
