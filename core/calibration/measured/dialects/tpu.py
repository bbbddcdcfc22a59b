"""What TPUs did: training, serving, images and video in one table."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(cells: Cells) -> str:
    return "training" if cells.get("kind", "") == "training" else "inference"


DIALECT = Dialect(
    name="tpu",
    marks=frozenset({"kind", "topology", "tokens_per_step"}),
    work_of=_work,
    renamed={
        "framework": "engine",
        "batch_or_concurrency": "concurrency",
        "ttft_ms": "ttft_median_ms",
        "tpot_ms": "tpot_median_ms",
    },
)
