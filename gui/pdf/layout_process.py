"""Has a paper laid out by a process of its own (:mod:`gui.pdf.layout_program`), over pipes, and waits for it.

One process a paper: it starts in 0.05 s of processor time, packaged in 0.15 s, while the charts are drawn here; one
that stayed would keep the memory of its largest paper, of which the next, of other figures, uses nothing. It ends with
its paper, with whoever no longer wants it, and with the program, whose end of the pipes it then misses.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from core.breath import breathe
from core.errors import MachineError
from core.paths import is_packaged, program_root
from gui.pdf.layout_program import ASKED_BY, Order

ACTION = "lay out the paper"
BREATH_S = 0.05
"""How often it is asked meanwhile whether the paper is still wanted."""

_NO_CONSOLE = getattr(subprocess, "CREATE_NO_WINDOW", 0)
_MOST_TOLD = 200


def laid_out(order: Order, words: Callable[[], str]) -> list[bytes]:
    """The pieces that were made of a document, whose words are put together while the process starts; ends early
    where the computation is no longer wanted.

    Raises MachineError when the page cannot be laid out, or the process could not be started or died.
    """
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command(), stdin=pipe, stdout=pipe, stderr=pipe, creationflags=_NO_CONSOLE)
    except OSError as error:
        raise MachineError(ACTION, error.strerror or str(error)) from error
    with ThreadPoolExecutor(1) as pool, process:
        try:
            waiting = pool.submit(process.communicate, order.line() + words().encode())
            while wait([waiting], BREATH_S).not_done:
                breathe()
        except BaseException:
            process.kill()
            raise
        answer, said = waiting.result()
    return list(_pieces(answer, _death(process.returncode, said)))


def command() -> list[str]:
    """How the process is started: the packaged app again, or this Python with the modules of this program."""
    if is_packaged():
        return [sys.executable, ASKED_BY]
    places = [str(program_root()), *filter(None, sys.path)]
    start = f"import sys; sys.path[:] = {places!r}; from gui.pdf.layout_program import main; sys.exit(main())"
    return [sys.executable, "-I", "-S", "-c", start]


def _pieces(answer: bytes, death: str) -> Iterator[bytes]:
    """What the answer holds; one that is not whole tells of the death of who wrote it."""
    head, _, rest = answer.partition(b"\n")
    told: dict[str, Any] = json.loads(head) if rest or head.endswith(b"}") else {"sizes": [-1]}
    if "trouble" in told or sum(told["sizes"]) != len(rest):
        raise MachineError(ACTION, told.get("trouble", death))
    at = 0
    for size in told["sizes"]:
        yield rest[at : at + size]
        at += size


def _death(status: int, said: bytes) -> str:
    """How the process ended, and the last line that it said."""
    last = said.decode(errors="replace").strip().rpartition("\n")[2][:_MOST_TOLD]
    how = f"was killed by signal {-status}" if status < 0 and os.name == "posix" else f"ended with status {status}"
    return f"the process that lays it out {how}{f' ({last})' if last else ''}"
