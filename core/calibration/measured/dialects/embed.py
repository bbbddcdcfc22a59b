"""Embeddings, speech, images and video, answered one by one or in batches."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "media"


def _computed(cells: Cells) -> Cells:
    """A row states one measurement in several ways: the whole item counts before its step, a rate before a time."""
    whole = cells.get("seconds_per_item", "")
    step = "" if whole else cells.get("step_time_s", "")
    rate = "" if whole or step else cells.get("iters_per_s", "")
    items = "" if whole else cells.get("items_per_s", "")
    return {
        "step_time_s": step,
        "iters_per_s": rate,
        "latency_ms": "" if items else cells.get("latency_ms", ""),
        "derived_fields": "",
    }


DIALECT = Dialect(
    name="embed",
    marks=frozenset({"task", "seconds_per_item", "rtfx"}),
    work_of=_work,
    renamed={
        "hardware": "chip",
        "weight_precision": "precision",
        "framework": "engine",
        "input_len": "seq_len_tokens",
        "batch_or_concurrency": "batch",
    },
    computed=_computed,
)
