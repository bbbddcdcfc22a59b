"""SuperBench's ``results-summary.json``: recognised, and refused, since its figures are of its own small models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.record import Refused
from core.logs.registry import Document, Finding, LogFormat

_ID = "superbench"
_MOST_LOOKED_AT = 50


def _fits(value: Any) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    names = list(value)[:_MOST_LOOKED_AT]
    is_flat = all("/" in name and isinstance(value[name], int | float) for name in names)
    return is_flat and any("steptime" in name or "throughput" in name or name.endswith("return_code") for name in names)


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    found = "a summary of SuperBench, whose step times are of its own small models"
    return [Refused(_ID, documents[0].line, found, "a log of your own job, or of nccl-tests or nvbandwidth")]


FORMAT = LogFormat(_ID, "SuperBench summary", "SuperBench", fits=_fits, documents=_read)
