"""Printing on any kind of output: what it cannot write is written plainly, else as an escape; JSON stays JSON."""

from __future__ import annotations

import argparse
import codecs
import io
import json
import math
import sys
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

_PLAIN = {
    "\u202f": " ", "\u00a0": " ", "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u00d7": "x", "\u2026": "...",
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2192": "->", "\u2264": "<=", "\u2265": ">=",
    "\u25cb": "o", "\u25a1": "#", "\u25cf": "*", "\u00b0": "deg ", "\u00b1": "+-",
}  # fmt: skip
_HANDLER = "roofplan-plain"


def print_what_can_be() -> None:
    """From now on no character stops what is printed, whatever the encoding of the output."""
    codecs.register_error(_HANDLER, _written_otherwise)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def print_json(record: Any, indent: int = 2) -> None:
    """Prints one JSON value; characters that the output cannot take as JSON escapes."""
    text = json_text(record, indent)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json_text(record, indent, ensure_ascii=True)
    print(text)


def json_text(record: Any, indent: int = 2, ensure_ascii: bool = False) -> str:
    """A record as JSON text. JSON knows no infinity: a number that is none becomes null.

    The name of a file need not be text: a record with one is escaped whole, which only the standard library does.
    """
    try:
        return to_json(record, indent=indent, ensure_ascii=ensure_ascii, inf_nan_mode="null").decode()
    except PydanticSerializationError:
        return json.dumps(_finite(record), indent=indent, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _written_otherwise(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    written = [_PLAIN.get(one) or _escaped(one) for one in error.object[error.start : error.end]]
    return "".join(written), error.end


def _escaped(one: str) -> str:
    units = one.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def positive(text: str) -> int:
    """A whole number above 0; raises ArgumentTypeError for other text, as the parser of arguments asks."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return int(text)
