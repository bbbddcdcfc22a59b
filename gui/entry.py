"""What the command ``roofplan`` starts: every subcommand without Qt, and the window only when it is asked for."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli import program as cli

if TYPE_CHECKING:
    from core.report.blocks import Document

_NO_DISPLAY = "there is no display for the window (neither DISPLAY nor WAYLAND_DISPLAY is set); see roofplan --help"
RARELY = 200_000
"""Objects after which a command looks for cycles: it ends soon, and looking at every answer again and again would take
a tenth of its time. The window sees to them in its own way."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program and returns its exit status (see ``roofplan --help``)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        gc.set_threshold(RARELY)
    if arguments == ["--sample"]:
        return open_window(None, sample=True)
    if arguments[:1] == ["--read-only"] and len(arguments) == 2:
        return open_window(Path(arguments[1]), read_only=True)
    return cli.main(
        arguments, open_window=open_window, pdf_writer=write_pdf, slide_writer=write_slide, selftest=selftest
    )


def open_window(plan: Path | None, sample: bool = False, read_only: bool = False) -> int:
    """Opens the window, on a plan file, on the sample plan, or on the start page; returns when it is closed.

    Without a display it says so and returns 1: Qt would end the whole program.
    """
    if _lacks_display():
        sys.stderr.write(f"roofplan: {_NO_DISPLAY}\n")
        return cli.WRONG_INPUT
    from gui.settings import load_settings
    from gui.start.application import application  # Qt takes a while, which a command without a window need not pay.
    from gui.start.glimpse import Glimpse

    application()
    glimpse = Glimpse(f"Opening {plan.name}" if plan else "Starting", load_settings())
    glimpse.show_painted()
    from gui.app import run  # All the rest takes longer: something to see comes first.

    return run(plan, sample=sample, read_only=read_only, glimpse=glimpse)


def _lacks_display() -> bool:
    """True where Qt would look for a display on Linux and there is none, nor another platform that was named."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform == "linux" and not any(os.environ.get(name) for name in named)


def write_pdf(document: Document, path: Path) -> None:
    """Writes a comparison plan as PDF; works without a display."""
    from gui.headless import application
    from gui.pdf.writer import write_pdf as write

    application()
    write(document, path)


def write_slide(document: Document, path: Path) -> None:
    """Writes the first page of a comparison plan as one slide; works without a display."""
    from gui.pdf.writer import write_slide as write

    write(document, path)


def selftest(as_json: bool, only: Sequence[str]) -> int:
    """Checks the program from inside and prints one line a check, or JSON; 0 when all is well, 3 otherwise."""
    from gui.selftest.run import run

    return run(as_json, only)


if __name__ == "__main__":
    sys.exit(main())
