"""Mixtures of experts in training, by month of their software."""

from __future__ import annotations

import re

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "training"


def _computed(cells: Cells) -> Cells:
    """The month of the software as dates are written; containers are numbered 25.09, or 26.04.01."""
    month = re.match(r"(?:20)?(2\d)[.-](\d\d)", cells.get("software_month", ""))
    return {"released": f"20{month[1]}-{month[2]}"} if month else {}


DIALECT = Dialect(
    name="moe_training",
    marks=frozenset({"software_month", "layers_run"}),
    work_of=_work,
    renamed={"framework": "software"},
    computed=_computed,
)
