"""What a metrics report of PyTorch/XLA says of the code: operations that ran on the host, programs compiled anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.readiness.finding import Finding
from core.reading.files import text_of
from core.reading.limits import MIB

MOST_REPORT_BYTES = 16 * MIB
MANY_PROGRAMS = 20
"""Programs from which a run is told to compile too often; a step, an evaluation and a few lengths make fewer."""

_EXPECTED = "a metrics report of PyTorch/XLA (torch_xla.debug.metrics)"
_HEAD = re.compile(r"(Metric|Counter): ([\w:.]{1,120})\s*$")
_COUNT = re.compile(r"(TotalSamples|Value): (\d{1,15})\b")


def report_findings(path: Path) -> tuple[Finding, ...]:
    """The last report of a file. Raises InputError for a file that holds none, MachineError for one not to be read."""
    counts = {name: (line, count) for name, line, count in _counts(text_of(path, _EXPECTED, MOST_REPORT_BYTES))}
    if not counts:
        raise InputError(str(path), "no line such as 'Counter: aten::nonzero' with its value", _EXPECTED)
    return tuple(_findings(path.name, counts))


def _findings(file: str, counts: dict[str, tuple[int, int]]) -> Iterator[Finding]:
    for name, (line, count) in counts.items():
        if name.startswith("aten::") and name != "aten::_local_scalar_dense":
            yield Finding("fallback", file, line, f"{name}: {count} calls", name)
    line, fetched = counts.get("aten::_local_scalar_dense", (0, 0))
    if fetched:
        yield Finding("item", file, line, f"aten::_local_scalar_dense: {fetched} calls")
    line, programs = counts.get("CompileTime", (0, 0))
    if programs > MANY_PROGRAMS:
        yield Finding("recompiles", file, line, f"{programs} programs compiled")


def _counts(text: str) -> Iterator[tuple[str, int, int]]:
    """Names with the line and the count that follows them."""
    name, begun = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.search(line):
            name, begun = head[2], number
        elif name and (count := _COUNT.search(line)):
            yield name, begun, int(count[2])
            name = ""
