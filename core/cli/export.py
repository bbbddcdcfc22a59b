"""``roofplan export``: a plan as a PDF comparison plan, without a display."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

from core.calibration.speed_factors import corrections
from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.own.checks import sound_layers
from core.comparison.evaluate import evaluate
from core.errors import InputError, MachineError
from core.plan.plan import Plan
from core.plan.scenario import resolve
from core.plan.store import load
from core.report.document import PRESETS, build_masked
from core.units import money_in


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``export`` command."""
    parser = commands.add_parser("export", help="write a plan as a PDF comparison plan")
    parser.add_argument("plan", type=Path, metavar="PLAN.roofplan")
    parser.add_argument("--pdf", type=Path, required=True, metavar="FILE", help="the PDF to write")
    parser.add_argument("--preset", choices=tuple(PRESETS), help="which pages; the plan's own choice by default")
    parser.add_argument("--scenario", default="base", metavar="ID", help="the scenario to evaluate (base by default)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Evaluates every workload of the plan and writes the PDF; returns 0."""
    if arguments.pdf_writer is None:
        raise MachineError(f"write {arguments.pdf}", "PDF needs the app's drawing parts, which are not installed here")
    plan = resolve(load(arguments.plan), arguments.scenario)
    catalogue, left_out = sound_layers(load_catalogue(), plan.own)
    for fault in left_out:
        print(f"Left out: {fault}", file=sys.stderr)
    if not plan.profiles:
        raise InputError(str(arguments.plan), "no workload", "a plan with at least one")
    with money_in(plan.currency.money):
        _write(plan, catalogue, arguments)
    print(f"Written to {arguments.pdf}")
    return 0


def _write(plan: Plan, catalogue: Catalogue, arguments: argparse.Namespace) -> None:
    factors = corrections(plan.calibrations)
    results = {profile.id: evaluate(profile, catalogue, factors) for profile in plan.profiles}
    pages = PRESETS[arguments.preset] if arguments.preset else plan.report_pages or None
    document = build_masked(plan, results, catalogue, date.today(), pages=pages, scenario_id=arguments.scenario)
    arguments.pdf_writer(document, arguments.pdf)
