"""What an SGLang server prints of its batches: ``Decode batch. ... gen throughput (token/s): ...``.

Seen in outputs of versions 0.3 to 0.5: the point after ``batch`` became a comma, ``#token`` became ``#full token``.
"""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.serving.engine_rows import EngineRows
from core.logs.serving.figures import ENGINE

_BATCH = re.compile(r"\b(Decode|Prefill) batch\b")
_FIELDS = {
    "input_tokens_per_s": re.compile(r"input throughput \(token/s\): ([\d.]{1,20})"),
    "output_tokens_per_s": re.compile(r"gen throughput \(token/s\): ([\d.]{1,20})"),
    "running_requests": re.compile(r"#running-req: (\d{1,9})"),
    "waiting_requests": re.compile(r"#queue-req: (\d{1,9})"),
    "kv_cache_pct": re.compile(r"\btoken usage: ([\d.]{1,20})"),
}
_RANK = re.compile(r"\bDP(\d{1,5})\b")
_MODEL = re.compile(r"model_path=['\"]([^'\"]{1,200})")
_TP = re.compile(r"\btp_size=(\d{1,5})")


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._rows = EngineRows(tuple(_FIELDS))
        self._facts: dict[str, str | float] = {"framework": "SGLang"}

    def take(self, number: int, line: str) -> bool:
        """True for a line of a batch."""
        if "batch" not in line or not _BATCH.search(line):
            self._note(line)
            return False
        rank = _RANK.search(line[:200])
        if rank and "Prefill batch" in line:
            return True  # comes when it likes: between the ranks' decode lines it would part one moment in two
        values = {name: reading(match[1]) for name, field in _FIELDS.items() if (match := field.search(line))}
        if "kv_cache_pct" in values:
            values["kv_cache_pct"] *= 100  # printed as a share of 1
        self._rows.add(number, line, rank[1] if rank else "", values)
        return True

    def finish(self) -> list[Finding]:
        """One record a file."""
        return [self._rows.record(self._file_name, FORMAT.id, self._facts)] if len(self._rows) else []

    def _note(self, line: str) -> None:
        if "server_args" not in line and "ServerArgs" not in line:
            return
        if match := _MODEL.search(line[:5000]):
            self._facts.setdefault("model", match[1])
        if match := _TP.search(line[:20_000]):
            self._facts.setdefault("tensor_parallel", float(match[1]))


FORMAT = LogFormat(
    "sglang-engine",
    "SGLang server log",
    "SGLang server",
    marks=("Decode batch", "Prefill batch"),
    begins=lambda line: bool(_BATCH.search(line)) and "#" in line,
    reader=_Reader,
    quantities=ENGINE,
)
