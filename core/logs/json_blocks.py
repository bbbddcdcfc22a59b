"""JSON values that stand in a log, one a line or over many lines, before, after and between other text."""

from __future__ import annotations

import re

from core.errors import InputError
from core.logs.registry import Document
from core.logs.timestamps import seconds_of_line
from core.reading.json_text import parsed
from core.reading.limits import MOST_JSON_BYTES

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_MOST_VALUES = 200_000


class JsonBlocks:
    """Gathers lines from an opening brace or bracket until it is closed. ``n_lost`` lines were of none in the end."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.n_lost = 0
        self._lines: list[str] = []
        self._stamp = ""
        self._first, self._depth, self._n_chars = 0, 0, 0

    def take(self, number: int, line: str) -> bool:
        """True where the line belongs to a value, or may: :attr:`n_lost` counts it if it did not."""
        if not self._lines and not line.lstrip().startswith(("{", "[")):
            self._stamp = line.strip() if seconds_of_line(line) is not None else self._stamp
            return False
        if not self._lines:
            self._first, self._depth, self._n_chars = number, 0, 0
        bare = _STRING.sub("", line)
        self._depth += bare.count("{") + bare.count("[") - bare.count("}") - bare.count("]")
        self._n_chars += len(line)
        self._lines.append(line)
        if self._depth <= 0 or self._n_chars > MOST_JSON_BYTES:
            self._close()
        return True

    def finish(self) -> list[Document]:
        """All values, in the order of their lines; one that the file cuts short is none."""
        self.n_lost += len(self._lines)
        return self.documents

    def _close(self) -> None:
        lines, self._lines = self._lines, []
        try:
            value = parsed("\n".join(lines), "", "", takes_odd_numbers=True)
        except InputError:
            self.n_lost += len(lines)
            return
        if len(self.documents) < _MOST_VALUES:
            self.documents.append(Document(self._first, value, self._stamp))
        self._stamp = ""
