"""What TPUs did: training, serving, images and video in one table."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(cells: Cells) -> str:
    return "training" if cells.get("kind", "") == "training" else "inference"


def _computed(cells: Cells) -> Cells:
    """Of serving: weights by the column of both kinds, and times as means where no median is given."""
    if cells.get("kind", "") != "serving":
        return {}
    times = {
        f"{name}_ms": cells.get(f"{name}_median_ms", "") or cells.get(f"{name}_mean_ms", "")
        for name in ("ttft", "tpot")
    }
    return {**times, "weight_precision": cells.get("precision", "")}


DIALECT = Dialect(
    name="tpu",
    marks=frozenset({"kind", "topology", "tokens_per_step"}),
    work_of=_work,
    renamed={
        "framework": "engine",
        "batch_or_concurrency": "concurrency",
        "ttft_ms": "ttft_median_ms",
        "tpot_ms": "tpot_median_ms",
        "acceptance_length": "accept_len",
        "prefix_hit_pct": "cache_hit_pct",
    },
    computed=_computed,
)
