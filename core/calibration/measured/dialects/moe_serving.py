"""Mixtures of experts as served: over many hosts, with prefill and decode apart, or on one host."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "inference"


def _computed(cells: Cells) -> Cells:
    return {"ep": "" if cells.get("ep", "").startswith("=") else cells.get("ep", "")}


DIALECT = Dialect(
    name="moe_serving",
    marks=frozenset({"prefill_workers", "decode_workers", "dp_attention"}),
    work_of=_work,
    renamed={"batch_or_concurrency": "concurrency", "ttft_ms": "ttft_median_ms", "tpot_ms": "tpot_median_ms"},
    computed=_computed,
)
