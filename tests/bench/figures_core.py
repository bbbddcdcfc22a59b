"""Speed of the engine and of the document."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.paths import resources
from core.plan.sample_plan import sample_plan
from core.plan.store import load, save
from core.workload.library import load_profiles


def median_ms(work: Callable[[], object], times: int) -> float:
    """Median of several runs after one to warm up, in ms."""
    work()
    taken_ms = []
    for _ in range(times):
        start_s = time.perf_counter()
        work()
        taken_ms.append(1000 * (time.perf_counter() - start_s))
    return statistics.median(taken_ms)


def save_ms() -> float:
    """Writing the sample plan, whole and on the disk."""
    plan = sample_plan()
    with tempfile.TemporaryDirectory() as folder:
        return median_ms(lambda: save(plan, Path(folder) / "plan.roofplan"), 20)


def load_ms() -> float:
    """Reading it again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.roofplan"
        save(sample_plan(), path)
        return median_ms(lambda: load(path), 20)


def catalogue_load_ms() -> float:
    """Reading and checking all tables of the catalogue."""
    return median_ms(lambda: load_catalogue(resources() / "catalogue"), 5)


def catalogue_eval_ms() -> float:
    """One workload against the whole catalogue: speed, cost, flexibility, ranking, advice."""
    profile, catalogue = sample_plan().profiles[0], load_catalogue()
    return median_ms(lambda: evaluate(profile, catalogue), 9)


def catalogue_eval_worst_ms() -> float:
    """The same for the slowest of the shipped profiles."""
    catalogue = load_catalogue()
    return max(
        median_ms(lambda profile=profile: evaluate(profile, catalogue), 5) for profile in load_profiles().values()
    )


FIGURES = {
    "save_ms": (save_ms, "ms"),
    "load_ms": (load_ms, "ms"),
    "catalogue_load_ms": (catalogue_load_ms, "ms"),
    "catalogue_eval_ms": (catalogue_eval_ms, "ms"),
    "catalogue_eval_worst_ms": (catalogue_eval_worst_ms, "ms"),
}
