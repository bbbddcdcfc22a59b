"""JSON values that stand in a log, one a line or over many lines, before, after and between other text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from core.errors import InputError
from core.logs.registry import Document
from core.logs.text import LongJson
from core.logs.timestamps import seconds_of_line
from core.reading.json_text import parsed
from core.reading.limits import MOST_JSON_BYTES

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_BEGINS = re.compile(r'\s{0,99}(?:\{\s{0,99}(?:"|$)|\[\s{0,99}(?:[{"]|$))')
"""As JSON does, and a line of a log hardly."""

_MOST_VALUES = 200_000


class JsonBlocks:
    """Gathers lines from an opening brace or bracket until it is closed. ``n_lost`` lines were of none in the end."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.n_lost = 0
        self._lines: list[str] = []
        self._stamp = ""
        self._first, self._depth, self._n_chars = 0, 0, 0
        self._n_kept = 0

    def take(self, number: int, line: str) -> bool:
        """True where the line belongs to a value, or may: :attr:`n_lost` counts it if it did not."""
        if not self._lines and isinstance(line, LongJson):
            return self._take_long(number, line)
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

    @property
    def cut_at(self) -> int:
        """The line on which a value begins that the file cuts short; 0 where there is none."""
        return self._first if self._lines and _BEGINS.match(self._lines[0]) else 0

    def _take_long(self, number: int, line: LongJson) -> bool:
        """A value on one line that is far too long; the whole texts of all are kept up to the limit of one."""
        self._n_kept += len(line.whole)
        whole = line.whole if self._n_kept <= MOST_JSON_BYTES else ""
        value = _parsed(str(line))
        if value is not None or whole:
            self.documents.append(Document(number, value, self._stamp, whole))
        self._stamp = ""
        return value is not None or bool(whole)

    def _close(self) -> None:
        lines, self._lines = self._lines, []
        value = _parsed("\n".join(lines))
        if value is None:
            self.n_lost += len(lines)
            return
        if len(self.documents) < _MOST_VALUES:
            self.documents.append(Document(self._first, value, self._stamp))
        self._stamp = ""


def whole_of(document: Document) -> Document:
    """The document with the lists that were left out, where its text is kept and is JSON."""
    value = _parsed(document.whole) if document.whole else None
    return document if value is None else replace(document, value=value, whole="")


def _parsed(text: str) -> Any:
    """The value of a text; None where it is no JSON, and where it says nothing."""
    try:
        return parsed(text, "", "", takes_odd_numbers=True)
    except InputError:
        return None
