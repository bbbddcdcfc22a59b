"""``roofplan compare``: evaluate one profile and print or write the answer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from core.calibration.accepted import AcceptedCalibration, AcceptedLesson
from core.calibration.speed_factors import corrections
from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.places.known_places import check_places
from core.catalogue.prices.dates import OLD_PRICE_DAYS
from core.cli.options import PdfWriter, add_prices, writer_for
from core.cli.output import json_text, positive, print_json
from core.cli.outputs import file_ending_in, keep_apart, listed
from core.cli.whole_plan import evaluated, holds_a_plan, opened, tell_author
from core.comparison.as_json import budget_reach_json, to_json
from core.comparison.evaluate import evaluate
from core.comparison.over_time.answer import over_time
from core.comparison.over_time.limits_words import limits_lines
from core.comparison.over_time.words import headline
from core.comparison.portfolio.answer import portfolio_answer
from core.comparison.portfolio.words import headline as portfolio_line
from core.comparison.questions.budget_reach import NOTHING, BudgetReach, budget_reach, reach_sentences
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import answer_of
from core.errors import InputError, MachineError
from core.plan.layers import catalogue_from
from core.plan.plan import Plan
from core.plan.store import load, save
from core.reading.json_text import read_json
from core.reading.shown import shown
from core.report.masking import handed_out
from core.report.plan_words import plan_lines
from core.report.tabular import candidate_csv
from core.report.text import comparison_text
from core.report.whole_json import whole_json
from core.report.workbook.write import sheets_of, write_workbook, write_xlsx
from core.throughput.correction import NO_CORRECTIONS, Corrections
from core.units import money_in, parse_number
from core.workload.library import read_profile
from core.workload.validation_words import field_path
from core.writing.whole_file import hand_over

M = TypeVar("M", bound=BaseModel)

OUT_KINDS = (".json", ".csv", ".xlsx", ".pdf", ".roofplan")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``compare`` command."""
    parser = commands.add_parser("compare", help="compare every GPU and TPU option for one workload profile")
    parser.add_argument("profile", type=Path, metavar="PROFILE.json", help="a profile, or a plan")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print one JSON object")
    shape.add_argument("--csv", action="store_true", help="print one row a candidate")
    parser.add_argument(
        "--out", type=file_ending_in(*OUT_KINDS), metavar="FILE", help=f"write to a file ending in {listed(OUT_KINDS)}"
    )
    parser.add_argument("--top", type=positive, metavar="N", help="only the N best candidates")
    parser.add_argument(
        "--budget-reach", type=_usd, nargs="?", const=0.0, metavar="USD",
        help="also say how far a budget gets: this one, else that of the profile",
    )  # fmt: skip
    parser.add_argument(
        "--old-price-days", type=positive, default=OLD_PRICE_DAYS, metavar="N", help="flag prices older than N days"
    )
    parser.add_argument("--catalogue", type=Path, metavar="DIR", help="use this catalogue folder")
    add_prices(parser)
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="a plan, or JSON of accepted calibrations")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Evaluates the profile; writes ``--out`` when given, else prints. Returns 0.

    Raises InputError when it would be written over a file that is read.
    """
    keep_apart({"--out": arguments.out}, _read_by(arguments))
    if holds_a_plan(arguments.profile):
        return _run_plan(arguments)
    catalogue = _catalogue(arguments)
    profile = read_profile(arguments.profile)
    check_places(profile, catalogue)
    results = evaluate(profile, catalogue, read_corrections(arguments.calibration))
    if arguments.masked:
        results, catalogue = _masked(results, catalogue, arguments)
    if arguments.out is not None:
        _write(results, catalogue, arguments)
        print(f"{results.recommendation.headline}\nWritten to {arguments.out}")
    elif arguments.json:
        print_json(_record(results, arguments), indent=1)
    elif arguments.csv:
        sys.stdout.write(candidate_csv(results, arguments.top))
    else:
        print(comparison_text(results, arguments.top, date.today(), arguments.old_price_days))
        for text in reach_sentences(results, _reach_of(results, arguments)):
            print(text)
    return 0


def _read_by(arguments: argparse.Namespace) -> dict[str, Path | None]:
    return {
        "the profile": arguments.profile,
        "--catalogue": arguments.catalogue,
        "--book": arguments.book,
        "--calibration": arguments.calibration,
    }


def _masked(results: ResultSet, catalogue: Catalogue, arguments: argparse.Namespace) -> tuple[ResultSet, Catalogue]:
    """The answer and the catalogue at stand-ins, where private prices count."""
    profile = results.profile
    plan = Plan(id=profile.id, name=profile.name, profiles=(profile,), masks_private_prices=True)
    out = handed_out(plan, {profile.id: results}, catalogue, load_catalogue(arguments.catalogue))
    tell_author(out)
    return out.results[profile.id], out.catalogue


def _run_plan(arguments: argparse.Namespace) -> int:
    """Every workload of a plan and what their picks come to together, masked where the plan says so; returns 0."""
    if arguments.csv or (arguments.out is not None and arguments.out.suffix.lower() != ".xlsx"):
        raise InputError(str(arguments.profile), "a plan", "a profile with --csv and --out, but for a workbook (.xlsx)")
    shipped = load_catalogue(arguments.catalogue)
    plan, layers = opened(arguments.profile, "base", shipped, arguments.book, arguments.masked)
    with money_in(plan.currency.money):
        out = handed_out(plan, evaluated(plan, layers), layers, shipped)
        tell_author(out)
        if arguments.out is not None:
            sheets = sheets_of(out.plan, out.results, out.catalogue, date.today(), arguments.top)
            write_workbook(sheets, arguments.out)
            print(f"Written to {arguments.out}")
            return 0
        if arguments.json:
            print_json(whole_json(out, arguments.top, arguments.old_price_days), indent=1)
            return 0
        result_sets = tuple(out.results.values())
        answer = answer_of(result_sets)
        today, days = date.today(), arguments.old_price_days
        texts = [f"{one.profile.name}\n{comparison_text(one, arguments.top, today, days)}" for one in result_sets]
        lines = (*_phase_lines(out.plan, out.results), *_portfolio_lines(out.plan, out.results))
        print("\n\n".join([*plan_lines(answer), *lines, *texts]))
    return 0


def _phase_lines(plan: Plan, results: Mapping[str, ResultSet]) -> tuple[str, ...]:
    """Which way through the phases fits best, and which break hard limits; nothing without phases."""
    try:
        answer = over_time(plan.phases, results, plan.phases_deadline)
    except InputError as error:
        return (f"Phases: {error}",)
    if answer is None:
        return ()
    return ("\n".join([f"Phases: {headline(answer)}", *(f"{line}." for line in limits_lines(answer))]),)


def _portfolio_lines(plan: Plan, results: Mapping[str, ResultSet]) -> tuple[str, ...]:
    """Which way to run the portfolio costs least; nothing without one."""
    try:
        answer = portfolio_answer(plan.portfolio, results, plan.phases)
    except InputError as error:
        return (f"Portfolio: {error}",)
    return (f"Portfolio: {portfolio_line(answer)}",) if answer is not None else ()


def _reach_of(results: ResultSet, arguments: argparse.Namespace) -> BudgetReach:
    """How far the budget gets with the pick; nothing where it is not asked or there is no pick."""
    if arguments.budget_reach is None or results.choice is None:
        return NOTHING
    return budget_reach(results, results.choice, arguments.budget_reach or None)


def _catalogue(arguments: argparse.Namespace) -> Catalogue:
    if arguments.book is None:
        return load_catalogue(arguments.catalogue)
    return catalogue_from(arguments.catalogue, arguments.book)


def read_corrections(path: Path | None) -> Corrections:
    """Corrections from a plan's accepted calibrations, or from JSON of them, a list or by
    name with ``lessons``; none without a file.

    Raises InputError when the file holds neither.
    """
    if path is None:
        return NO_CORRECTIONS
    if path.suffix == ".roofplan":
        plan = load(path)
        return corrections(plan.calibrations, plan.lessons)
    content: Any = read_json(path, "a plan (.roofplan) or a JSON list of calibrations")
    named = content if isinstance(content, dict) else {"calibrations": content}
    if not {"calibrations", "lessons"} & named.keys():
        raise InputError(str(path), "JSON without calibrations", "a plan (.roofplan) or JSON of accepted calibrations")
    lessons = _rows(path, named.get("lessons", []), AcceptedLesson, "a list of accepted lessons")
    return corrections(
        _rows(path, named.get("calibrations", []), AcceptedCalibration, "a list of accepted calibrations"), lessons
    )


def _rows(path: Path, rows: object, kind: type[M], expected: str) -> tuple[M, ...]:
    try:
        every: TypeAdapter[tuple[M, ...]] = TypeAdapter(tuple[kind, ...])  # type: ignore[valid-type]
        return every.validate_python(rows)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ", ".join((str(path), *([field_path(first["loc"])] if first["loc"] else [])))
        raise InputError(where, shown(first["input"]), expected) from None


def _write(results: ResultSet, catalogue: Catalogue, arguments: argparse.Namespace) -> None:
    writers: dict[str, Callable[[Path], None]] = {
        ".json": lambda path: _write_text(path, json_text(_record(results, arguments), indent=1) + "\n"),
        ".csv": lambda path: _write_text(path, candidate_csv(results, arguments.top)),
        ".xlsx": lambda path: write_xlsx(results, path, arguments.top),
        ".pdf": lambda path: _write_pdf(results, catalogue, arguments.pdf_writer, path),
        ".roofplan": lambda path: _write_plan(results, path),
    }
    writers[arguments.out.suffix.lower()](arguments.out)


def _write_text(path: Path, text: str) -> None:
    try:
        hand_over(path, text.encode())
    except OSError as error:
        raise MachineError(f"write {path}", error.strerror or str(error)) from error


def _write_pdf(results: ResultSet, catalogue: Catalogue, writer: PdfWriter | None, path: Path) -> None:
    from core.report.document import build  # 65 ms of the start, which only a PDF needs

    pdf_writer = writer_for(path, writer)
    profile = results.profile
    plan = Plan(id=profile.id, name=profile.name, profiles=(profile,))
    pdf_writer(build(plan, {profile.id: results}, catalogue, date.today()), path)


def _write_plan(results: ResultSet, path: Path) -> None:
    profile = results.profile
    save(Plan(id=profile.id, name=profile.name, profiles=(profile,)), path)


def _record(results: ResultSet, arguments: argparse.Namespace) -> dict[str, Any]:
    told = to_json(results, arguments.top, old_price_days=arguments.old_price_days)
    if arguments.budget_reach is not None:
        told["budget_reach"] = budget_reach_json(_reach_of(results, arguments))
    return told


def _usd(text: str) -> float:
    try:
        amount = parse_number(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if not 0 < amount <= 1e12:
        raise argparse.ArgumentTypeError(f"'{text}' is not an amount above 0")
    return amount
