"""Fine-tuning runs: speed, and the memory that the fullest chip held."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect

NO_CHIP = "not stated"
STAND_IN = "a100-sxm-80"
"""Chip of a row that states memory alone: what a framework holds does not ask which."""


def _work(_: Cells) -> str:
    return "finetune"


def _computed(cells: Cells) -> Cells:
    total, n_chips = _number(cells, "samples_per_s_total"), _number(cells, "n_chips") or 1.0
    chip = cells.get("hardware", "")
    return {
        "n_chips": f"{n_chips:g}",
        "hardware": STAND_IN if chip in ("", NO_CHIP) else chip,
        "is_chip_stated": "" if chip in ("", NO_CHIP) else "yes",
        "samples_per_s_per_chip": f"{total / n_chips:.6g}" if total else "",
        "fits": "no" if cells.get("fits", "yes").lower() not in ("yes", "") else "yes",
    }


def _number(cells: Cells, name: str) -> float | None:
    try:
        return float(cells.get(name, ""))
    except ValueError:
        return None


DIALECT = Dialect(
    name="finetune",
    marks=frozenset({"method", "base_weight_bits", "lora_rank"}),
    work_of=_work,
    renamed={"hardware": "chip", "micro_batch": "batch_per_device", "recompute": "checkpointing"},
    computed=_computed,
)
