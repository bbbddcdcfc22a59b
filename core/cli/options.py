"""Options that several commands share, and what they ask of the machine."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.errors import MachineError

PdfWriter = Callable[[Any, Path], None]


def add_prices(parser: argparse.ArgumentParser) -> None:
    """Adds ``--book`` and ``--masked``: with whose prices, and whether they may be seen."""
    parser.add_argument(
        "--book", type=Path, metavar="FILE",
        help="with the prices of this private price book; your own by default where a plan uses it",
    )  # fmt: skip
    parser.add_argument("--masked", action="store_true", help="public prices stand in for private ones")


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """Adds ``--scenario``."""
    parser.add_argument("--scenario", default="base", metavar="ID", help="the scenario to evaluate (base by default)")


def writer_for(path: Path, writer: PdfWriter | None) -> PdfWriter:
    """The writer of a PDF or a slide. Raises MachineError where there is none."""
    if writer is None:
        raise MachineError(f"write {path}", "PDF needs the app's drawing parts, which are not installed here")
    return writer
