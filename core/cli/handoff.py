"""``roofplan handoff``: a candidate of a plan as files that other tools start it from. Nothing is run."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from core.catalogue.loading import load_catalogue
from core.cli.options import add_prices, add_scenario
from core.cli.outputs import keep_apart
from core.cli.whole_plan import evaluated, opened, tell_author
from core.comparison.result import CandidateResult, ResultSet
from core.errors import InputError
from core.handoff.files import files_of, write_files
from core.reading.shown import shown
from core.report.masking import HandedOut, handed_out
from core.units import money_in


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``handoff`` command."""
    parser = commands.add_parser("handoff", help="write files for SkyPilot, GKE, Kubernetes, Slurm and clouds")
    parser.add_argument("plan", type=Path, metavar="PLAN.roofplan", help="a plan, or a profile (JSON)")
    parser.add_argument("--workload", metavar="W", help="id or name of a workload; all of them by default")
    parser.add_argument("--candidate", metavar="ID", help="a candidate by its id; the pick by default")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write there; the texts are printed without it")
    add_scenario(parser)
    add_prices(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Writes or prints the files of each workload's candidate; returns 0.

    Raises InputError for a workload or candidate that the plan does not have, when nothing is picked, or when
    a file would be written over one that is read.
    """
    if arguments.out is not None and arguments.out.exists() and not arguments.out.is_dir():
        raise InputError(f"--out {arguments.out}", "a file", "a folder, new or not")
    plan, catalogue = opened(arguments.plan, arguments.scenario, load_catalogue(), arguments.book, arguments.masked)
    with money_in(plan.currency.money):
        out = handed_out(plan, evaluated(plan, catalogue), catalogue, load_catalogue())
        tell_author(out)
        files = _files(out, arguments)
    if not files:
        raise InputError(str(arguments.plan), _lacking(arguments.candidate), "a candidate of the plan")
    for name in files if arguments.out else ():
        keep_apart({"--out": arguments.out / name}, {"the plan": arguments.plan, "--book": arguments.book})
    _tell(files, arguments.out)
    return 0


def _files(out: HandedOut, arguments: argparse.Namespace) -> dict[str, str]:
    """The texts of each wanted workload's candidate by the names of their files."""
    files: dict[str, str] = {}
    for results in _wanted(out.results, arguments.workload):
        result = _candidate(results, arguments.candidate)
        files |= files_of(results.profile, result, out.catalogue) if result else {}
    return files


def _wanted(results: Mapping[str, ResultSet], workload: str | None) -> list[ResultSet]:
    chosen = [one for one in results.values() if workload in (None, one.profile.id, one.profile.name)]
    if not chosen:
        raise InputError("--workload", shown(workload), f"one of {', '.join(results)}")
    return chosen


def _candidate(results: ResultSet, candidate_id: str | None) -> CandidateResult | None:
    return results.by_id.get(candidate_id) if candidate_id else results.choice


def _lacking(candidate_id: str | None) -> str:
    return f"no candidate {shown(candidate_id)}" if candidate_id else "no workload with a pick"


def _tell(files: Mapping[str, str], folder: Path | None) -> None:
    if folder is not None:
        for path in write_files(files, folder):
            print(f"Written to {path}")
        return
    print("\n".join(f"==> {name} <==\n{text}" for name, text in files.items()), end="")
