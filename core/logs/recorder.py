"""Programs of makers that tell how busy the chips of this machine are, and how they are asked for a log."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core import paths

_COLUMNS = (
    "timestamp,index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw,power.limit,temperature.gpu,"
    "clocks.sm"
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that is looked for on the search path.

    ``arguments`` make one that goes on by itself (``{seconds}`` between readings), or one reading where ``repeats`` is
    False: then it is started again for each, below a line with the time. ``ending`` is that of the file.
    """

    program: str
    maker: str
    arguments: tuple[str, ...]
    repeats: bool
    ending: str

    def command(self, every_s: int) -> list[str]:
        """The arguments for a reading each ``every_s`` seconds."""
        return [argument.format(seconds=every_s) for argument in self.arguments]

    def line(self, every_s: int) -> str:
        """The command as one types it on another machine, with the file that it writes to."""
        words = " ".join([self.program, *self.command(every_s)])
        if self.repeats:
            return f"{words} > {self.program}.{self.ending}"
        return f"while sleep {every_s}; do date -Iseconds; {words}; done > {self.program}.{self.ending}"


TOOLS: tuple[Tool, ...] = (
    Tool("nvidia-smi", "NVIDIA", (f"--query-gpu={_COLUMNS}", "--format=csv", "--loop={seconds}"), True, "csv"),
    Tool("amd-smi", "AMD", ("metric", "--csv", "--watch={seconds}"), True, "csv"),
    Tool(
        "rocm-smi", "AMD", ("--showuse", "--showmeminfo", "vram", "--showpower", "--showtemp", "--json"), False, "json"
    ),
    Tool("tpu-info", "Google TPU", (), False, "txt"),
)
"""The older one of a maker after the newer one. Options as the makers' manuals give them."""


def tools_here(which: Callable[[str], str | None] = shutil.which) -> list[Tool]:
    """The tools that this machine has."""
    return [tool for tool in TOOLS if which(tool.program)]


def recording_path(tool: Tool, now: datetime) -> Path:
    """Where a recording that begins now is kept: among the user's own files, named by tool and time.

    Raises OSError when that folder cannot be made.
    """
    folder = paths.user_data() / "recordings"
    folder.mkdir(exist_ok=True)
    return folder / f"{tool.program} {now:%Y-%m-%d %H.%M.%S}.{tool.ending}"
