"""Fine-tuning runs: speed, and the memory that the fullest chip held."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "training"


DIALECT = Dialect(
    name="finetune",
    marks=frozenset({"method", "base_weight_bits", "lora_rank"}),
    work_of=_work,
    renamed={"hardware": "chip"},
)
