"""What a source tree holds and answers, kept in a packaged app to be compared with what the app finds in itself."""

from __future__ import annotations

import json
from typing import Any

from core import paths
from core.catalogue.loading import TABLES, load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.explain import questions
from core.comparison.result import ResultSet
from core.cost.registry import components
from core.flexibility.registry import criteria
from core.logs.registry import formats
from core.report.document import PAGES
from core.workload.library import load_profiles, more_profiles
from gui.charts.registry import charts
from gui.tabs.registry import TABS

MANIFEST = "selftest.json"
"""Lies in a packaged app: what :func:`found_here` said in the source tree that the app was built from."""

NOT_SHIPPED = "screenshots"
"""Folder of the resources that only the README shows."""

Answer = dict[str, str | float]


def found_here() -> dict[str, Any]:
    """``counts`` and ``answers`` of this program, whether it lies in a source tree, is installed or packaged."""
    return {"counts": counts(), "answers": answers()}


def stored() -> dict[str, Any]:
    """What was stored when the app was packaged; empty in a source tree and in an installed wheel."""
    manifest = paths.program_root() / MANIFEST
    return dict(json.loads(manifest.read_text(encoding="utf-8"))) if manifest.exists() else {}


def counts() -> dict[str, int]:
    """How many entries each registry and each table of the catalogue has."""
    catalogue = load_catalogue()
    tables = {f"catalogue {name}": len(getattr(catalogue, name)) for name in TABLES}
    resources = (path for path in paths.resources().rglob("*") if path.is_file() and path.suffix != ".pyc")
    return tables | {
        "workload profiles": len(load_profiles()) + len(more_profiles()),
        "log formats": len(formats()),
        "cost components": len(components()),
        "flexibility criteria": len(criteria()),
        "charts": len(charts()),
        "explained questions": len(questions()),
        "panels": len(TABS),
        "report pages": len(PAGES),
        "resource files": sum(path.parent.name != NOT_SHIPPED for path in resources),
    }


def answers() -> dict[str, Answer]:
    """The pick of each profile that is shown first, with its figures."""
    catalogue = load_catalogue()
    return {id: _answer(evaluate(profile, catalogue)) for id, profile in load_profiles().items()}


def _answer(results: ResultSet) -> Answer:
    chosen = results.choice
    answer: Answer = {"pick": chosen.id if chosen else "none", "candidates": len(results.results)}
    if chosen:
        answer |= {"cost_usd": chosen.cost.total.likely, "cost_high_usd": chosen.cost.total.high}
        answer |= {"run_h": chosen.run_h.likely, "flexibility": chosen.flexibility.score.likely}
    return answer
