"""The software around the model."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator

from core.ranges import Range
from core.workload.field_description import Described, described

_CODE = "Your code"
MOST_WEEKS = 1000.0
MIDDLE_MONTH = 6.5

Framework = Literal["pytorch", "pytorch/xla", "jax", "tensorflow"]

FRAMEWORK_WORDS = {"pytorch": "PyTorch", "pytorch/xla": "PyTorch/XLA", "jax": "JAX", "tensorflow": "TensorFlow"}
TRAINING_STACK_WORDS = {
    "team": "Own team",
    "vendor": "Chip vendor's recipes",
    "fsdp_compiled": "FSDP experts, compiled",
    "fsdp_eager": "FSDP experts, eager",
    "megatron_2021": "Megatron of 2021",
    "unknown": "Not known",
}
LIBRARY_WORDS = {
    "flash-attention": "FlashAttention",
    "deepspeed": "DeepSpeed",
    "megatron-lm": "Megatron-LM",
    "maxtext": "MaxText",
    "onnxruntime": "ONNX Runtime",
    "bitsandbytes": "bitsandbytes / GPTQ / AWQ",
}


def span_of(text: str) -> Range | None:
    """``5`` or ``2, 5, 12`` as a range; None for anything else. Numbers from 0 to 1,000, in their order."""
    try:
        numbers = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        return None
    low, likely, high = numbers if len(numbers) == 3 else (numbers * 3)[:3] if len(numbers) == 1 else (1.0, 0.0, 0.0)
    return Range(low, likely, high) if 0 <= low <= likely <= high <= MOST_WEEKS else None


class Stack(Described):
    """The software around the model."""

    framework: Framework = described(
        "pytorch",
        title="Framework",
        help="What the model code is written in",
        group=_CODE,
        essential=True,
        choices=FRAMEWORK_WORDS,
    )
    training_stack: Literal["team", "vendor", "fsdp_compiled", "fsdp_eager", "megatron_2021", "unknown"] = described(
        "team",
        title="Tuned by",
        help="Recipes of NeMo, Megatron-Core or MaxText used as published run a third faster than most teams' own",
        group=_CODE,
        job_trait="trains",
        choices=TRAINING_STACK_WORDS,
    )
    software_year: int = described(
        2025,
        title="Software of",
        help="Year of the stack or engine; releases get faster",
        group=_CODE,
        unit="year",
        ge=2018,
        le=2030,
    )
    software_month: int | None = described(
        None,
        title="Month of it",
        help="Month of the release in that year; training only",
        group=_CODE,
        unit="month",
        empty="Not known",
        job_trait="trains",
        ge=1,
        le=12,
    )
    maturity: Literal["exploring", "stable", "frozen"] = described(
        "stable",
        title="Maturity",
        help="How often model code changes",
        group=_CODE,
        essential=True,
        choices={"exploring": "Exploring", "stable": "Stable", "frozen": "Frozen"},
    )
    changes_per_month: float | None = described(
        None,
        title="Code changes",
        help="Changes of the model code; places the workload on the workload map, which else goes by maturity",
        group=_CODE,
        unit="a month",
        empty="As the maturity",
        ge=0,
        le=100,
    )
    matrix_pct: float | None = described(
        None,
        title="Time in matrix products",
        help="For the workload map alone, where the model's layers do not tell it: graphs, lookups",
        group=_CODE,
        unit="%",
        empty="As the layers tell",
        ge=0,
        le=100,
    )
    custom_kernels: int = described(
        0,
        title="Custom ops",
        help="Triton or CUDA, written by you",
        group=_CODE,
        unit="kernels",
        essential=True,
        ge=0,
        le=1000,
    )
    custom_op_pct: float | None = described(
        None,
        title="Time in custom ops",
        help="Share of a step; for common advice only, porting goes by the number of kernels",
        group=_CODE,
        unit="%",
        empty="Not known",
        needs="custom_kernels",
        gt=0,
        le=100,
    )
    dynamic_shapes: Literal["none", "some", "many"] = described(
        "none",
        title="Dynamic shapes",
        help="Compilers for TPU want fixed shapes",
        group=_CODE,
        choices={"none": "None", "some": "Some", "many": "Many"},
    )
    control_flow: Literal["none", "some", "heavy"] = described(
        "none",
        title="Data-dependent control flow",
        help="Branches that depend on values",
        group=_CODE,
        choices={"none": "None", "some": "Some", "heavy": "Heavy"},
    )
    libraries: tuple[str, ...] = described(
        (),
        title="Libraries in use",
        help="Each must have a path on the accelerator",
        group=_CODE,
        empty="None",
        choices=LIBRARY_WORDS,
    )
    driver_access: bool = described(
        False, title="Driver access needed", help="Own drivers, kernel modules or profilers at that level", group=_CODE
    )
    non_ml_use: bool = described(
        False, title="Graphics or HPC on the same chips", help="Work that no TPU can run", group=_CODE
    )

    tpu_port_weeks: str = described(
        "",
        title="Weeks to port to TPU",
        help="Engineer-weeks as one number or as low, likely, high; empty: estimated from the fields above",
        group=_CODE,
        unit="weeks",
        max_length=40,
    )
    rocm_port_weeks: str = described(
        "",
        title="Weeks to port to ROCm",
        help="Engineer-weeks as one number or as low, likely, high; empty: estimated from the fields above",
        group=_CODE,
        unit="weeks",
        max_length=40,
    )

    @field_validator("tpu_port_weeks", "rocm_port_weeks")
    @classmethod
    def _one_or_three_numbers(cls, text: str) -> str:
        if text and span_of(text) is None:
            raise ValueError("one number of weeks, or low, likely and high in this order, such as 2, 5, 12")
        return text

    def port_weeks(self, family_id: str) -> Range | None:
        """What was typed for a family of chips, in engineer-weeks; None where it is estimated."""
        return span_of({"google_tpu": self.tpu_port_weeks, "amd_gpu": self.rocm_port_weeks}.get(family_id, ""))

    @property
    def released(self) -> float:
        """When the software appeared, in years; a year without month stands for the middle of it."""
        return self.software_year + ((self.software_month - MIDDLE_MONTH) / 12.0 if self.software_month else 0.0)
