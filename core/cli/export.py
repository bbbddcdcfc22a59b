"""``roofplan export``: a plan as a PDF comparison plan, a workbook or one slide, without a display."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import get_args

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.cli.options import add_prices, add_scenario, writer_for
from core.cli.output import positive
from core.cli.outputs import file_ending_in, keep_apart
from core.cli.whole_plan import evaluated, opened, tell_author
from core.errors import InputError
from core.plan.plan import Plan
from core.report.blocks import PaperSize
from core.report.document import PRESETS, build
from core.report.masking import handed_out
from core.report.workbook.write import sheets_of, write_workbook
from core.units import money_in


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the ``export`` command."""
    parser = commands.add_parser("export", help="write a plan as a PDF comparison plan, a workbook or a slide")
    parser.add_argument("plan", type=Path, metavar="PLAN.roofplan", help="a plan, or a profile (JSON)")
    parser.add_argument("--pdf", type=file_ending_in(".pdf"), metavar="FILE.pdf", help="the PDF to write")
    parser.add_argument(
        "--xlsx", type=file_ending_in(".xlsx"), metavar="FILE.xlsx", help="the workbook to write, with live formulas"
    )
    slide = file_ending_in(".pdf", ".png")
    parser.add_argument("--slide", type=slide, metavar="FILE.(pdf|png)", help="one slide of the first page, 16:9")
    parser.add_argument("--top", type=positive, metavar="N", help="the workbook's N best candidates of each workload")
    parser.add_argument("--preset", choices=tuple(PRESETS), help="which pages; the plan's own choice by default")
    parser.add_argument("--paper", choices=get_args(PaperSize), help="the size of the pages; the plan's own by default")
    add_scenario(parser)
    add_prices(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Evaluates every workload of the plan and writes what is asked for; returns 0.

    Raises InputError when nothing is asked for or a file would be written over one that is read,
    MachineError when there is no PDF writer.
    """
    wanted = [one for one in (arguments.pdf, arguments.xlsx, arguments.slide) if one is not None]
    if not wanted:
        raise InputError("export", "no file to write", "--pdf FILE, --xlsx FILE or --slide FILE")
    keep_apart(
        {"--pdf": arguments.pdf, "--xlsx": arguments.xlsx, "--slide": arguments.slide},
        {"the plan": arguments.plan, "--book": arguments.book},
    )
    drawn = arguments.pdf or arguments.slide
    if drawn:
        writer_for(drawn, arguments.pdf_writer if arguments.pdf else arguments.slide_writer)
    plan, catalogue = opened(arguments.plan, arguments.scenario, load_catalogue(), arguments.book, arguments.masked)
    if arguments.paper:
        plan = plan.model_copy(update={"report_paper": arguments.paper})
    with money_in(plan.currency.money):
        _write(plan, catalogue, arguments)
    print(f"Written to {' and '.join(map(str, wanted))}")
    return 0


def _write(plan: Plan, catalogue: Catalogue, arguments: argparse.Namespace) -> None:
    out, today = handed_out(plan, evaluated(plan, catalogue), catalogue, load_catalogue()), date.today()
    tell_author(out)
    if arguments.pdf:
        pages = PRESETS[arguments.preset] if arguments.preset else plan.report_pages or None
        how = (pages, arguments.scenario, out.leaves_out_actuals)
        document = build(out.plan, out.results, out.catalogue, today, *how)
        arguments.pdf_writer(document, arguments.pdf)
    if arguments.slide:
        document = build(out.plan, out.results, out.catalogue, today, PRESETS["one-page"], arguments.scenario)
        arguments.slide_writer(document, arguments.slide)
    if arguments.xlsx:
        write_workbook(sheets_of(out.plan, out.results, out.catalogue, today, arguments.top), arguments.xlsx)
