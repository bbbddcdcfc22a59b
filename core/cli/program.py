"""The command line: the same engine without a window. Only the command that is asked for is imported."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType

from core.cli.options import PdfWriter
from core.cli.output import print_what_can_be
from core.errors import MachineError, RoofplanError
from core.version import VERSION

OK, WRONG_INPUT, USAGE, BUG = 0, 1, 2, 3

_REFUSED = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What a disk says that is full or broken. All files of ours are told by name: without one it is what is printed to."""

COMMANDS = {
    "compare": "core.cli.compare",
    "validate": "core.cli.validate",
    "logs": "core.cli.logs",
    "scan": "core.cli.scan",
    "catalogue": "core.cli.catalogue",
    "export": "core.cli.export",
    "handoff": "core.cli.handoff",
    "diff": "core.cli.diff",
}

OpenWindow = Callable[[Path | None], int]
SelfTest = Callable[[bool, Sequence[str]], int]


def main(
    argv: Sequence[str] | None = None,
    *,
    open_window: OpenWindow | None = None,
    pdf_writer: PdfWriter | None = None,
    slide_writer: PdfWriter | None = None,
    selftest: SelfTest | None = None,
) -> int:
    """Runs one command and returns the exit status: 0 done, 1 wrong input, 2 usage, 3 a bug.

    The window, the writers of PDF and slide, and the self-test come from outside, since this package knows no Qt.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    print_what_can_be()
    guard = _Guard()
    with guard:
        guard.status = _run(words, open_window, {"pdf_writer": pdf_writer, "slide_writer": slide_writer}, selftest)
    with guard:
        _flush()  # while it can still be told that the output did not take it
    return guard.status


def _run(
    words: list[str],
    open_window: OpenWindow | None,
    writers: Mapping[str, PdfWriter | None],
    selftest: SelfTest | None,
) -> int:
    if not words or (words[0] not in COMMANDS and words[0] != "selftest" and not words[0].startswith("-")):
        return _open(words, open_window)
    arguments = _parser(words[0]).parse_args(words, argparse.Namespace(**writers))
    if arguments.command == "selftest":
        return _selftest(selftest, arguments)
    return int(arguments.run(arguments))


def _parser(wanted: str) -> argparse.ArgumentParser:
    """The parser with the wanted command, or with all of them for the general help."""
    parser = argparse.ArgumentParser(
        prog="roofplan",
        description="Compare GPU and TPU options for your AI workload. Without a command the window opens.",
        epilog="roofplan PLAN.roofplan opens a plan, with --read-only before it to be looked at. "
        "Exit status: 0 done, 1 wrong input, 2 usage, 3 a bug.",
    )
    parser.add_argument("--version", action="version", version=f"roofplan {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        if wanted in ("-h", "--help", name):
            import_module(module).add_parser(commands)
    checker = commands.add_parser("selftest", help="check a packaged app from inside")
    checker.add_argument("--json", action="store_true", help="print one JSON object")
    checker.add_argument("--only", action="append", default=[], metavar="CHECK", help="run this check; may be repeated")
    return parser


def _open(words: list[str], open_window: OpenWindow | None) -> int:
    """Opens the window on a plan file, or empty; a word that is neither file nor command is a usage error."""
    if len(words) > 1 or (words and not words[0].endswith(".roofplan") and not os.access(words[0], os.F_OK)):
        known = ", ".join([*COMMANDS, "selftest"])
        print(f"roofplan: '{words[0]}' is neither a plan file nor one of the commands {known}", file=sys.stderr)
        return USAGE
    if open_window is None:
        print("roofplan: there is no window here; name a command, or see roofplan --help", file=sys.stderr)
        return USAGE
    return open_window(Path(words[0]) if words else None)


def _selftest(selftest: SelfTest | None, arguments: argparse.Namespace) -> int:
    if selftest is None:
        print("roofplan: selftest is part of the app with a window", file=sys.stderr)
        return USAGE
    return selftest(arguments.json, arguments.only)


class _Guard:
    """Turns what escapes a command into an exit status, with one line on stderr for the user's own errors."""

    def __init__(self) -> None:
        self.status = OK

    def __enter__(self) -> _Guard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is None:
            return False
        if isinstance(error, SystemExit):
            self.status = error.code if isinstance(error.code, int) else OK
            return True
        if isinstance(error, BrokenPipeError):
            _print_nowhere()  # the reader, such as head, has seen enough
            return True
        if isinstance(error, OSError) and error.errno in _REFUSED and error.filename is None:
            error = MachineError("write the output", error.strerror or str(error))
            _print_nowhere()
        if isinstance(error, RoofplanError):
            print(f"roofplan: {error}", file=sys.stderr)
            self.status = WRONG_INPUT
            return True
        if not isinstance(error, Exception):
            return False
        print(f"roofplan: a fault of the program, not yours ({type(error).__name__}). {_kept(error)}", file=sys.stderr)
        self.status = BUG
        return True


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _print_nowhere() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _kept(error: BaseException) -> str:
    """Where the report is, or the report itself where no file can be written; neither holds what is private."""
    from core.crash.story import new_report, report_of, story_of  # costs what all faultless runs need not pay

    report = report_of(story_of(error))
    try:
        file = new_report()
        file.write_text(f"{report}\n", encoding="utf-8")
    except OSError as refusal:
        return f"The trace could not be written ({refusal.strerror or refusal}):\n{report}"
    return f"The trace is in {file}"


if __name__ == "__main__":
    sys.exit(main())
