"""``roofplan export``: a plan as a PDF comparison plan, without a display."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.cli.whole_plan import evaluated, opened
from core.errors import MachineError
from core.plan.plan import Plan
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
    plan, catalogue = opened(arguments.plan, arguments.scenario, load_catalogue())
    with money_in(plan.currency.money):
        _write(plan, catalogue, arguments)
    print(f"Written to {arguments.pdf}")
    return 0


def _write(plan: Plan, catalogue: Catalogue, arguments: argparse.Namespace) -> None:
    results = evaluated(plan, catalogue)
    pages = PRESETS[arguments.preset] if arguments.preset else plan.report_pages or None
    document = build_masked(plan, results, catalogue, date.today(), pages=pages, scenario_id=arguments.scenario)
    arguments.pdf_writer(document, arguments.pdf)
