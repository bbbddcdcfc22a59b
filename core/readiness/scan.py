"""The door: what of a folder of sources has to change for TPU and for ROCm. Nothing is run, nothing is imported."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.breath import breathe, tell_share
from core.errors import RoofplanError
from core.readiness.checks.control_flow import control_flow
from core.readiness.checks.devices import devices
from core.readiness.checks.for_tpu import for_tpu
from core.readiness.checks.kernels import kernels
from core.readiness.checks.libraries import LIBRARIES, libraries
from core.readiness.checks.shapes import shapes
from core.readiness.checks.syncs import syncs
from core.readiness.finding import Finding
from core.readiness.kinds import Side
from core.readiness.module import Module
from core.readiness.native import native_places
from core.readiness.sources import MOST_SOURCE_BYTES, NOTEBOOK, PYTHON, SourceFile, source_files
from core.reading.files import text_of

CHECKS = (kernels, shapes, control_flow, syncs, devices, for_tpu, libraries)
_WORDS = (
    "jax",
    "tensorflow",
    "flax",
    "triton",
    "numba",
    "nvidia",
    "warp",
    *{name.partition(".")[0] for name in LIBRARIES},
)
_TELLING = re.compile("|".join(("torch", "cuda", *sorted(_WORDS))))
"""A source with none of these words has nothing to tell, and is not parsed."""

_LONGEST_CODE = 120
_EXPECTED = "a source file of at most 4 MB"


@dataclass(frozen=True)
class Scan:
    """What was read and found. ``frameworks`` counts files by framework, ``skipped`` has files and why; tests are
    left out and counted."""

    folder: str
    n_files: int
    n_tests: int
    n_lines: int
    frameworks: dict[str, int]
    findings: tuple[Finding, ...]
    skipped: tuple[tuple[str, str], ...]

    def of(self, side: Side) -> tuple[Finding, ...]:
        """What has to be changed for a side."""
        return tuple(one for one in self.findings if one.matters_on(side))


@dataclass(frozen=True)
class _Read:
    n_lines: int
    frameworks: frozenset[str]
    findings: tuple[Finding, ...]


def scan(folder: Path) -> Scan:
    """Reads every source of a folder; breathes and tells its share, see :mod:`core.breath`.

    Raises InputError for what is no folder or has too many files; a file that cannot be read is skipped with the
    reason.
    """
    everything = tuple(source_files(folder))
    files = tuple(source for source in everything if not source.is_test)
    read: list[_Read] = []
    skipped: list[tuple[str, str]] = []
    for number, source in enumerate(files):
        breathe()
        tell_share(number / len(files))
        try:
            read.append(_read(source))
        except RoofplanError as error:
            skipped.append((source.name, str(error)))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            skipped.append((source.name, f"no Python that can be read: {_first_line(error)}"))
    frameworks = Counter(name for one in read for name in one.frameworks)
    findings = tuple(finding for one in read for finding in one.findings)
    n_lines = sum(one.n_lines for one in read)
    n_tests = len(everything) - len(files)
    return Scan(str(folder), len(read), n_tests, n_lines, dict(frameworks.most_common()), findings, tuple(skipped))


def _read(source: SourceFile) -> _Read:
    text = text_of(source.path, _EXPECTED, MOST_SOURCE_BYTES)
    if source.suffix in PYTHON:
        return _of_python(text, source.name)
    if source.suffix in NOTEBOOK:
        return _of_python(notebook_code(text), source.name)
    lines = text.splitlines()
    places = native_places(source, text)
    findings = tuple(Finding(kind, source.name, line, _shown(lines, line)) for kind, line in places)
    return _Read(len(lines), frozenset(), findings)


def _of_python(text: str, name: str) -> _Read:
    if not _TELLING.search(text):
        return _Read(len(text.splitlines()), frozenset(), ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other people's escapes and comparisons
        module = Module(ast.parse(text), text)
    return _Read(len(text.splitlines()), module.frameworks, tuple(_findings(module, name)))


def _findings(module: Module, name: str) -> Iterator[Finding]:
    """In the order of their lines, each kind once a line."""
    lines = module.text.splitlines()
    places = {(getattr(one.node, "lineno", 1), one.kind_id, one.name): one for check in CHECKS for one in check(module)}
    for (line, kind_id, _), place in sorted(places.items(), key=lambda item: item[0]):
        yield Finding(kind_id, name, line, _shown(lines, line), place.name, place.spared)


def notebook_code(text: str) -> str:
    """The code of a notebook's cells, one after the other; lines for the shell stand as empty ones.

    Raises ValueError for what is no notebook.
    """
    cells = json.loads(text).get("cells", ())
    code = ["".join(cell.get("source", ())) for cell in cells if cell.get("cell_type") == "code"]
    kept = ["" if line.lstrip().startswith(("%", "!")) else line for cell in code for line in cell.split("\n")]
    return "\n".join(kept)


def _shown(lines: list[str], line: int) -> str:
    code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return code if len(code) <= _LONGEST_CODE else f"{code[: _LONGEST_CODE - 1]}…"


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
