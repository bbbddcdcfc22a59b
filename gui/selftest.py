"""``roofplan selftest``: does a packaged app hold everything that the source tree held, and does it work?"""

from __future__ import annotations

import json
import platform
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
import PySide6

from core import paths
from core.catalogue.loading import TABLES, load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.explain import questions
from core.cost.registry import components
from core.flexibility.registry import criteria
from core.logs.registry import formats
from core.plan.sample_plan import sample_plan
from core.plan.store import load, save
from core.report.document import build
from core.version import VERSION
from core.workload.library import load_profiles, more_profiles
from gui.charts.registry import charts
from gui.headless import application
from gui.pdf.writer import write_pdf
from gui.tabs.registry import TABS
from gui.theme.fonts import FAMILY, load_fonts

MANIFEST = "counts.json"
"""Lies in a packaged app: what :func:`counts` said in the source tree the app was built from."""

Check = Callable[[], tuple[bool, str]]
_FAULT = 3


def counts() -> dict[str, int]:
    """How many entries each registry and each table of the catalogue has."""
    catalogue = load_catalogue()
    tables = {f"catalogue {name}": len(getattr(catalogue, name)) for name in TABLES}
    return tables | {
        "workload profiles": len(load_profiles()) + len(more_profiles()),
        "log formats": len(formats()),
        "cost components": len(components()),
        "flexibility criteria": len(criteria()),
        "charts": len(charts()),
        "explained questions": len(questions()),
        "panels": len(TABS),
        "resource files": sum(path.is_file() for path in paths.resources().rglob("*")),
    }


def run() -> int:
    """Runs all checks and prints one line for each; 0 when all are well."""
    application()
    results = [_told(name, check) for name, check in CHECKS.items()]
    return 0 if all(results) else _FAULT


def _told(name: str, check: Check) -> bool:
    is_well, detail = check()
    print(f"{'ok  ' if is_well else 'FAIL'}  {name}: {detail}")
    return is_well


def _versions() -> tuple[bool, str]:
    parts = (f"Python {platform.python_version()}", f"Qt {PySide6.__version__}", f"NumPy {np.__version__}")
    return True, ", ".join((VERSION, *parts))


def _fonts() -> tuple[bool, str]:
    families = load_fonts()
    return FAMILY in families, ", ".join(sorted(set(families))) or "none"


def _counts() -> tuple[bool, str]:
    """Against the manifest in a packaged app; a source tree has none and must merely not be empty."""
    here = counts()
    manifest = paths.program_root() / MANIFEST
    expected = json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else here
    wrong = [f"{name} {here.get(name, 0)} instead of {n}" for name, n in expected.items() if here.get(name) != n]
    wrong += [f"no {name}" for name, n in here.items() if n == 0]
    return not wrong, "; ".join(wrong) or ", ".join(f"{n} {name}" for name, n in here.items())


def _document() -> tuple[bool, str]:
    plan = sample_plan()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "selftest.roofplan"
        save(plan, path)
        return load(path) == plan, f"saved and read again, {path.stat().st_size:,} bytes"


def _engine() -> tuple[bool, str]:
    start_s = time.perf_counter()
    results = evaluate(sample_plan().profiles[0], load_catalogue())
    took_ms = 1000 * (time.perf_counter() - start_s)
    return results.choice is not None, f"{len(results.results)} candidates in {took_ms:.0f} ms"


def _pdf() -> tuple[bool, str]:
    plan, catalogue = sample_plan(), load_catalogue()
    results = {profile.id: evaluate(profile, catalogue) for profile in plan.profiles}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "selftest.pdf"
        write_pdf(build(plan, results, catalogue, date.today()), path)
        data = path.read_bytes()
    return data.startswith(b"%PDF-") and FAMILY.encode() in data, f"{len(data):,} bytes"


CHECKS: dict[str, Check] = {
    "versions": _versions,
    "fonts": _fonts,
    "parts": _counts,
    "document": _document,
    "engine": _engine,
    "PDF": _pdf,
}
