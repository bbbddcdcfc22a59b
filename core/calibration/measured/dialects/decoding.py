"""Servers with and without a technique: speculation, quantised weights and caches, chunked prefill."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "inference"


DIALECT = Dialect(
    name="decoding",
    marks=frozenset({"technique", "pair_id", "weight_format"}),
    work_of=_work,
    renamed={
        "hardware": "chip",
        "weight_precision": "weight_format",
        "kv_precision": "kv_format",
        "output_tokens_per_s_total": "output_tokens_per_s",
    },
)
