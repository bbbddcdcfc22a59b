"""What a vLLM server prints of itself every few seconds: ``Avg prompt throughput: ...``.

Seen in outputs of versions 0.2 to 0.11: ``Pending`` became ``Waiting``, an engine's number came before, the cache lost
and got its ``GPU``.
"""

from __future__ import annotations

import math
import re

from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.serving.engine_rows import EngineRows
from core.logs.serving.figures import ENGINE

_MARK = "Avg prompt throughput:"
_OTHER_MARK = "Avg generation throughput:"
_FIELDS = {
    "input_tokens_per_s": re.compile(r"Avg prompt throughput: ([\d.]{1,20})"),
    "output_tokens_per_s": re.compile(r"Avg generation throughput: ([\d.]{1,20})"),
    "running_requests": re.compile(r"Running: (\d{1,9}) req"),
    "waiting_requests": re.compile(r"(?:Waiting|Pending): (\d{1,9}) req"),
    "kv_cache_pct": re.compile(r"(?<!CPU )KV cache usage: ([\d.]{1,20})%"),
}
_ENGINE = re.compile(r"Engine (\d{1,6})")
_MODEL = re.compile(r"(?:\bmodel=|model ')['\"]?([\w./-]{3,200})")
_TP = re.compile(r"tensor_parallel_size=(\d{1,5})")


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._rows = EngineRows(tuple(_FIELDS))
        self._facts: dict[str, str | float] = {"framework": "vLLM"}

    def take(self, number: int, line: str) -> bool:
        """True for a line of throughputs."""
        if _MARK not in line and _OTHER_MARK not in line:
            self._note(line)
            return False
        values = {name: reading(match[1]) for name, field in _FIELDS.items() if (match := field.search(line))}
        engine = _ENGINE.search(line)
        self._rows.add(number, line, engine[1] if engine else "", values or {"output_tokens_per_s": math.nan})
        return True

    def finish(self) -> list[Finding]:
        """One record a file."""
        return [self._rows.record(self._file_name, FORMAT.id, self._facts)] if len(self._rows) else []

    def _note(self, line: str) -> None:
        if "model" not in self._facts and "model" in line and (match := _MODEL.search(line[:5000])):
            self._facts["model"] = match[1]
        if (
            "tensor_parallel" not in self._facts
            and "tensor_parallel_size" in line
            and (match := _TP.search(line[:5000]))
        ):
            self._facts["tensor_parallel"] = float(match[1])


FORMAT = LogFormat(
    "vllm-engine",
    "vLLM server log",
    "vLLM server",
    marks=(_MARK, _OTHER_MARK),
    begins=lambda line: any(field.search(line) for field in _FIELDS.values()),
    reader=_Reader,
    quantities=ENGINE,
)
