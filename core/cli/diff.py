"""``roofplan diff``: two plans, or two scenarios of one, held against each other."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from core.catalogue.loading import load_catalogue
from core.cli.options import add_prices, writer_for
from core.cli.output import print_json
from core.cli.outputs import file_ending_in, keep_apart
from core.cli.whole_plan import evaluated, opened, read_plan, tell_author
from core.errors import InputError
from core.plan.difference import differences
from core.plan.plan import Plan
from core.reading.shown import shown
from core.report.masking import HandedOut, handed_out
from core.report.plan_diff import Side, diff_document, diff_json, result_lines, side_of, told_apart, unlike_words
from core.units import money_in


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``diff`` command."""
    parser = commands.add_parser("diff", help="hold two plans, or two scenarios of one, against each other")
    parser.add_argument("before", type=Path, metavar="A", help="a plan, or a profile (JSON)")
    parser.add_argument("after", type=Path, metavar="B", help="another one, or the same in another scenario")
    parser.add_argument("--scenario", default="base", metavar="ID", help="the scenario of A (base by default)")
    parser.add_argument("--scenario-b", default="base", metavar="ID", help="the scenario of B (base by default)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--pdf", type=file_ending_in(".pdf"), metavar="FILE.pdf", help="write it on paper")
    add_prices(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Evaluates both, and prints or writes what differs; returns 0.

    Raises InputError when it would be written over one of them, MachineError when there is no PDF writer.
    """
    keep_apart({"--pdf": arguments.pdf}, {"A": arguments.before, "B": arguments.after, "--book": arguments.book})
    if arguments.pdf:
        writer_for(arguments.pdf, arguments.pdf_writer)
    both = (arguments.before, arguments.scenario), (arguments.after, arguments.scenario_b)
    plans = [read_plan(path) for path, _ in both]
    for option, plan, (path, scenario) in zip(("--scenario", "--scenario-b"), plans, both, strict=True):
        _check_scenario(option, plan, path, scenario)
    arguments.masked = arguments.masked or any(plan.masks_private_prices for plan in plans)
    outs = [_handed_out(path, scenario, arguments) for path, scenario in both]
    old, new = told_apart(side_of(outs[0], arguments.scenario), side_of(outs[1], arguments.scenario_b))
    is_masked = any(out.is_masked for out in outs)
    with money_in(old.plan.currency.money):
        if arguments.pdf:
            arguments.pdf_writer(diff_document(old, new, date.today(), is_masked), arguments.pdf)
            print(f"Written to {arguments.pdf}")
        elif arguments.json:
            print_json(diff_json(old, new), indent=1)
        else:
            _print(old, new)
    return 0


def _check_scenario(option: str, plan: Plan, path: Path, scenario: str) -> None:
    known = [one.id for one in plan.scenarios]
    if scenario not in known:
        raise InputError(f"{option}, a scenario of {path}", shown(scenario), f"one of {', '.join(known)}")


def _handed_out(path: Path, scenario: str, arguments: argparse.Namespace) -> HandedOut:
    """What may leave of one of the two; where one of them masks private prices, both do."""
    shipped = load_catalogue()
    plan, catalogue = opened(path, scenario, shipped, arguments.book, arguments.masked)
    out = handed_out(plan, evaluated(plan, catalogue), catalogue, shipped)
    tell_author(out)
    return out


def _print(old: Side, new: Side) -> None:
    print(f"A: {old.label}\nB: {new.label}\n")
    for words in unlike_words(old, new):
        print(words)
    lines = list(result_lines(old, new))
    for workload, (title, before, after) in lines:
        print(f"{'  ' if before == after else '* '}{workload}, {title.lower()}: {before} | {after}")
    print("\n* differs: A | B\n" if any(before != after for _, (_, before, after) in lines) else "")
    for one in differences(old.plan, new.plan):
        print(f"{one.workload or 'Plan'}, {one.title}: {one.before} | {one.after}")
