"""Rows of tables that consoles draw with lines: cells between bars."""

from __future__ import annotations

import re

_BARS = re.compile(r"[│┃|]")
_FRAME_SIGNS = tuple("━─┄┅┏┓┗┛┳┻╇╈┡┩┢┪├┤┼┌┐└┘┬┴╋+=-│┃|")
_DRAWN = re.compile(r"[\s━─┄┅┏┓┗┛┳┻╇╈┡┩┢┪├┤┼┌┐└┘┬┴╋+=-]*")


def cells_between_bars(line: str) -> list[str]:
    """The cells of a row, without the frame; none where a line has no bar or only draws the frame."""
    if ("│" not in line and "┃" not in line and "|" not in line) or _DRAWN.fullmatch(_BARS.sub("", line)):
        return []
    cells = [cell.strip() for cell in _BARS.split(line)]
    first = 1 if cells and not cells[0] else 0
    last = len(cells) - 1 if len(cells) > 1 and not cells[-1] else len(cells)
    return cells[first:last]


def is_frame(line: str) -> bool:
    """True for a line that only draws."""
    return line.lstrip()[:1] in _FRAME_SIGNS and bool(_DRAWN.fullmatch(_BARS.sub("", line)))
