"""Runs the checks and tells what they found, in lines or as JSON."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from core.errors import InputError
from core.version import VERSION
from gui.headless import application
from gui.selftest import engine_checks, file_checks, window_checks
from gui.selftest.stored import counts

Check = Callable[[], tuple[bool, str]]
_FAULT = 3

CHECKS: dict[str, Check] = {
    "versions": engine_checks.versions,
    "parts": engine_checks.parts,
    "catalogue": engine_checks.catalogue,
    "picks": engine_checks.picks,
    "logs": engine_checks.logs,
    "document": file_checks.document,
    "CSV": file_checks.csv_table,
    "XLSX": file_checks.workbook,
    "PDF": file_checks.pdf,
    "fonts": window_checks.fonts,
    "window": window_checks.window,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one check found."""

    check: str
    ok: bool
    detail: str
    took_ms: int

    def __str__(self) -> str:
        return f"{'ok  ' if self.ok else 'FAIL'}  {self.check}: {self.detail}"


def run(as_json: bool = False, only: Sequence[str] = ()) -> int:
    """Runs all checks, or ``only`` the named ones; 0 when all are well, else 3.

    Prints one line for each as it ends, or one JSON object at the end. Raises InputError for a check that is not there.
    """
    unknown = [name for name in only if name not in CHECKS]
    if unknown:
        raise InputError("--only", f"'{unknown[0]}'", f"one of {', '.join(CHECKS)}")
    with _own_folder():
        application()
        outcomes = []
        for name in only or CHECKS:
            outcomes.append(outcome(name, CHECKS[name]))
            if not as_json:
                print(outcomes[-1], flush=True)
    is_well = all(one.ok for one in outcomes)
    if as_json:
        record = {"version": VERSION, "ok": is_well, "checks": [asdict(one) for one in outcomes], "counts": counts()}
        print(json.dumps(record, indent=1))
    return 0 if is_well else _FAULT


def outcome(name: str, check: Check) -> Outcome:
    """Runs one check; a check that breaks is a check that failed."""
    started_s = time.perf_counter()
    try:
        is_well, detail = check()
    except Exception as error:
        is_well, detail = False, f"{type(error).__name__}: {error}"
    return Outcome(name, is_well, detail, round(1000 * (time.perf_counter() - started_s)))


@contextmanager
def _own_folder() -> Iterator[None]:
    """The user's settings and recovery copies are neither read nor written meanwhile."""
    before = os.environ.get("ROOFPLAN_HOME")
    with tempfile.TemporaryDirectory(prefix="roofplan-selftest-") as folder:
        os.environ["ROOFPLAN_HOME"] = folder
        try:
            yield
        finally:
            os.environ.pop("ROOFPLAN_HOME") if before is None else os.environ.update(ROOFPLAN_HOME=before)
