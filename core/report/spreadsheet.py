"""Cells as every spreadsheet takes them: no control characters, and no text that would run as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

Value = str | float | int | bool | None

_BLANK = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
_UNWRITABLE = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_BEGINS_A_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
_NUMBER = re.compile(r"[+-]?[\d.,\u202f]*\d(?:e[+-]?\d+)?\s?%?", re.IGNORECASE)


def clean(text: str) -> str:
    """The text in one line: tabs and line ends as spaces, other control characters and half ones as U+FFFD."""
    return _UNWRITABLE.sub("\ufffd", _BLANK.sub(" ", text))


def cell(value: Value) -> Value:
    """The value as a spreadsheet may have it: text that begins like a formula gets a leading apostrophe.

    Numbers stay numbers, those written as text too.
    """
    if not isinstance(value, str):
        return value
    text = clean(value)
    is_formula = text.lstrip().startswith(_BEGINS_A_FORMULA) and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula else text


def separated(rows: Iterable[Sequence[Value]], separator: str = ",") -> str:
    """Rows as CSV text, or with tabs as what a spreadsheet pastes."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerows([cell(one) for one in row] for row in rows)
    return out.getvalue()
