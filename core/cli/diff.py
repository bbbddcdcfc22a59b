"""``roofplan diff``: two plans, or two scenarios of one, held against each other."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from core.catalogue.loading import load_catalogue
from core.cli.output import print_json
from core.cli.whole_plan import evaluated, opened, tell_author
from core.errors import MachineError
from core.plan.difference import differences
from core.report.masking import handed_out
from core.report.plan_diff import Side, diff_document, diff_json, result_lines
from core.units import money_in


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``diff`` command."""
    parser = commands.add_parser("diff", help="hold two plans, or two scenarios of one, against each other")
    parser.add_argument("before", type=Path, metavar="A", help="a plan, or a profile (JSON)")
    parser.add_argument("after", type=Path, metavar="B", help="another one, or the same in another scenario")
    parser.add_argument("--scenario", default="base", metavar="ID", help="the scenario of A (base by default)")
    parser.add_argument("--scenario-b", default="base", metavar="ID", help="the scenario of B (base by default)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="write it on paper")
    parser.add_argument("--book", type=Path, metavar="FILE", help="with the prices of this private price book")
    parser.add_argument("--masked", action="store_true", help="public prices stand in for private ones")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Evaluates both, and prints or writes what differs; returns 0. Raises MachineError when there is no PDF writer."""
    if arguments.pdf and arguments.pdf_writer is None:
        raise MachineError(f"write {arguments.pdf}", "PDF needs the app's drawing parts, which are not installed here")
    old, is_masked = _side(arguments.before, arguments.scenario, arguments)
    new, is_masked_too = _side(arguments.after, arguments.scenario_b, arguments)
    with money_in(old.plan.currency.money):
        if arguments.pdf:
            arguments.pdf_writer(diff_document(old, new, date.today(), is_masked or is_masked_too), arguments.pdf)
            print(f"Written to {arguments.pdf}")
        elif arguments.json:
            print_json(diff_json(old, new), indent=1)
        else:
            _print(old, new)
    return 0


def _side(path: Path, scenario: str, arguments: argparse.Namespace) -> tuple[Side, bool]:
    shipped = load_catalogue()
    plan, catalogue = opened(path, scenario, shipped, arguments.book)
    if arguments.masked:
        plan = plan.model_copy(update={"masks_private_prices": True})
    out = handed_out(plan, evaluated(plan, catalogue), catalogue, shipped)
    tell_author(out)
    named = next((one.name for one in plan.scenarios if one.id == scenario), scenario)
    label = out.plan.name if scenario == "base" else f"{out.plan.name}, {named}"
    return Side(label, out.plan, out.results), out.is_masked


def _print(old: Side, new: Side) -> None:
    print(f"A: {old.label}\nB: {new.label}\n")
    for workload, (title, before, after) in result_lines(old, new):
        print(f"{'  ' if before == after else '* '}{workload}, {title.lower()}: {before} | {after}")
    print()
    for one in differences(old.plan, new.plan):
        print(f"{one.workload or 'Plan'}, {one.title}: {one.before} | {one.after}")
