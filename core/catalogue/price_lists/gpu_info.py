"""The cell ``GpuInfo`` of SkyPilot files: empty, a bare name, a Python literal or JSON; its units are in doubt."""

from __future__ import annotations

import ast
import json
from functools import lru_cache
from typing import Any, NamedTuple

from core.catalogue.price_lists.chip_names import MOST_GB

_LONGEST = 10_000
"""Longer cells are nobody's description of a chip."""

_MOST = 1e12
"""Figures beyond are none; whole numbers may be longer than any float."""

_MOST_GIB = 1000
"""Memory of one chip below this is in GiB, whatever the field is called; above, in MiB."""


class GpuInfo(NamedTuple):
    """Name, memory in GB and number of the chips, as far as the cell tells; the memory is of one chip, or of all."""

    name: str = ""
    memory_gb: float | None = None
    n_chips: float = 1.0

    def per_chip_gb(self, is_of_all: bool) -> float | None:
        """Memory of one chip in GB. ``is_of_all`` says that the list adds it up; more than any chip has is added up."""
        if self.memory_gb is None or not (is_of_all or self.memory_gb > MOST_GB):
            return self.memory_gb
        return self.memory_gb / self.n_chips


@lru_cache(maxsize=4096)
def read_gpu_info(text: str) -> GpuInfo:
    """What the cell says. Its total is ignored: it often is that of one chip; so is anything unreadable."""
    record = _record(text)
    try:
        [first, *_] = record["Gpus"]
        name, memory, count = first.get("Name"), (first.get("MemoryInfo") or {}).get("SizeInMiB"), first.get("Count")
    except (TypeError, KeyError, ValueError, AttributeError):
        return GpuInfo()
    n_chips = float(count) if isinstance(count, int | float) and 1 <= count < _MOST else 1.0
    return GpuInfo(name if isinstance(name, str) else "", _gib(memory), n_chips)


def _record(text: str) -> Any:
    """JSON, else a Python literal, else one with JSON's null in it; None for anything else."""
    text = text.strip()
    if not text.startswith("{") or len(text) > _LONGEST:
        return None
    for read in (json.loads, ast.literal_eval, _literal_with_null):
        try:
            return read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _literal_with_null(text: str) -> Any:
    return ast.literal_eval(text.replace(": null", ": None"))


def _gib(memory: Any) -> float | None:
    if isinstance(memory, bool) or not isinstance(memory, int | float) or not 0 < memory < _MOST:
        return None
    return memory if memory < _MOST_GIB else memory / 1024
