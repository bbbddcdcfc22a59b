"""Mixtures of experts in training, by month of their software."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "training"


DIALECT = Dialect(
    name="moe_training",
    marks=frozenset({"software_month", "layers_run"}),
    work_of=_work,
    renamed={"framework": "software"},
)
