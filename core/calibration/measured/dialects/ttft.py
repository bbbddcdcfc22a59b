"""Time to the first token at low load."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "inference"


def _computed(cells: Cells) -> Cells:
    return {"ttft_ms": cells.get("ttft_median_ms") or cells.get("ttft_mean_ms", "")}


DIALECT = Dialect(
    name="ttft",
    marks=frozenset({"mode", "check_implied_tflops_per_chip"}),
    work_of=_work,
    renamed={"batch_or_concurrency": "concurrency"},
    computed=_computed,
)
