"""A plan opened from a file, and every workload of it evaluated: what several commands begin with."""

from __future__ import annotations

import sys
from pathlib import Path

from core.calibration.speed_factors import corrections
from core.catalogue.catalogue import Catalogue
from core.catalogue.own.checks import sound_layers
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.errors import InputError
from core.plan.plan import Plan
from core.plan.scenario import resolve
from core.plan.store import load


def opened(path: Path, scenario_id: str, catalogue: Catalogue) -> tuple[Plan, Catalogue]:
    """The plan in a scenario, and the catalogue with its own entries; those left out are told on stderr.

    Raises InputError for a plan without a workload.
    """
    plan = resolve(load(path), scenario_id)
    layers, left_out = sound_layers(catalogue, plan.own)
    for fault in left_out:
        print(f"Left out: {fault}", file=sys.stderr)
    if not plan.profiles:
        raise InputError(str(path), "no workload", "a plan with at least one")
    return plan, layers


def evaluated(plan: Plan, catalogue: Catalogue) -> dict[str, ResultSet]:
    """Results of every workload by its id, in the plan's order."""
    factors = corrections(plan.calibrations)
    return {profile.id: evaluate(profile, catalogue, factors) for profile in plan.profiles}
