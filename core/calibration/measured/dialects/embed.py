"""Embeddings, speech, images and video, answered one by one or in batches."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "inference"


DIALECT = Dialect(
    name="embed",
    marks=frozenset({"task", "seconds_per_item", "rtfx"}),
    work_of=_work,
    renamed={"hardware": "chip", "weight_precision": "precision", "batch_or_concurrency": "batch"},
)
