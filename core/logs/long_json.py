"""A JSON object on one line that is far too long: its lists left out, so that its figures can be read.

Load tests write every request's latencies and texts into lists beside the figures of the whole test.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]]|[^"\[\]]+')
_MOST_WAITING = 2**20
"""Characters of a text that has not ended yet."""


class ShortenedJson:
    """Takes a line piece by piece; ``text`` is what is left of it, ``[]`` for each list."""

    def __init__(self, most_chars: int) -> None:
        self._most_chars = most_chars
        self._kept: list[str] | None = []
        self._n_kept = self._depth = 0
        self._waiting = ""

    @property
    def text(self) -> str | None:
        """The shortened line; None where it is no JSON, cut within a list or a text, or too long all the same."""
        is_whole = self._kept is not None and not self._depth and not self._waiting
        return "".join(self._kept or ()) if is_whole else None

    def take(self, part: str) -> None:
        """The next characters of the line."""
        if self._kept is None:
            return
        part = self._waiting + part
        at = 0
        while at < len(part) and (piece := _PIECE.match(part, at)):
            self._keep(piece[0])
            at = piece.end()
        self._waiting = part[at:]
        if len(self._waiting) > _MOST_WAITING or self._n_kept > self._most_chars:
            self._kept = None

    def _keep(self, piece: str) -> None:
        assert self._kept is not None
        if piece == "]":
            self._depth -= 1
        if not self._depth:
            self._n_kept += len(piece)
            if self._n_kept <= self._most_chars:
                self._kept.append(piece)
        if piece == "[":
            self._depth += 1
