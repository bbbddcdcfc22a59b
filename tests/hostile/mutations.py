"""Damage: what can happen to a file, one change at a time, each drawn by a seeded chance."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

MOST_BYTES = 400_000
"""A file grows no further: the limits of size have tests of their own."""

_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_TEXT = re.compile(rb'"[^"]{1,40}"')
EXTREMES = (
    b"0", b"-1", b"-0.0", b"1e308", b"-1e308", b"1e999", b"1e-320", b"NaN", b"Infinity", b"-inf", b"9" * 400, b"1,5",
    b"9" * 5000, b"0x10", b"1_000", b"\xd9\xa3", b"1.2.3", b"", b"2147483648", b"18446744073709551616", b"0.1e-400",
)  # fmt: skip
WORDS = (
    b"", b"null", b"true", b"[]", b"{}", b'"', b"'", b",", b"\n", b"\r", b"\t", b"\0", b"\x1b[31m", b"=1+1", b"@x",
    b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"\xf0\x9f\x98\x80", b"\xe2\x80\xa8",
    b"../../etc/passwd", b"<img src=x>", b"9999-12-31", b"0001-01-01", b"2026-02-30", b"9999/12/31 23:59:59.999",
    b"A" * 40_000, b"[" * 5000, b'{"a":' * 2000, b"(" * 3000, b"{'Gpus': [{'Count': 1e400}]}", b"tpu-v5p-0",
    b"a2-highgpu-0g", b"v5litepod-99999999999", b"-2",
)  # fmt: skip
ENCODINGS = ("utf-16", "utf-16-be", "utf-32", "latin-1", "cp1252", "utf-8-sig", "cp037")

Change = Callable[[bytes, random.Random], bytes]


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randrange(len(data) + 1)


def flip(data: bytes, chance: random.Random) -> bytes:
    """A few bytes become others."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 4, 40)) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(data: bytes, chance: random.Random) -> bytes:
    """The end is missing."""
    return data[: _place(data, chance)]


def drop(data: bytes, chance: random.Random) -> bytes:
    """A piece is missing."""
    start = _place(data, chance)
    return data[:start] + data[start + chance.choice((1, 8, 100, 2000)) :]


def repeat(data: bytes, chance: random.Random) -> bytes:
    """A piece comes again and again."""
    start = _place(data, chance)
    piece = data[start : start + chance.choice((1, 5, 60, 600))]
    return data[:start] + piece * chance.choice((2, 20, 500)) + data[start:]


def insert(data: bytes, chance: random.Random) -> bytes:
    """A word that means something somewhere."""
    start = _place(data, chance)
    return data[:start] + chance.choice(WORDS) + data[start:]


def extreme(data: bytes, chance: random.Random) -> bytes:
    """A number becomes an extreme one, or all of them do."""
    numbers = list(_NUMBER.finditer(data))
    if not numbers:
        return insert(data, chance)
    if chance.random() < 0.1:
        return _NUMBER.sub(chance.choice(EXTREMES).replace(b"\\", b""), data)
    one = chance.choice(numbers)
    return data[: one.start()] + chance.choice(EXTREMES) + data[one.end() :]


def other_text(data: bytes, chance: random.Random) -> bytes:
    """A quoted text becomes another value."""
    texts = list(_TEXT.finditer(data))
    if not texts:
        return insert(data, chance)
    one, value = chance.choice(texts), chance.choice((*WORDS, *EXTREMES))
    quoted = value if chance.random() < 0.5 else b'"' + value + b'"'
    return data[: one.start()] + quoted + data[one.end() :]


def nest(data: bytes, chance: random.Random) -> bytes:
    """A value lies deeper, by a few levels or by very many."""
    depth = chance.choice((1, 50, 2000, 100_000))
    begin, end = chance.choice(((b"[", b"]"), (b'{"a":', b"}")))
    numbers = list(_NUMBER.finditer(data))
    if not numbers or chance.random() < 0.3:
        return begin * min(depth, 50_000) + data + end * min(depth, 50_000)
    one = chance.choice(numbers)
    return data[: one.start()] + begin * depth + one[0] + end * depth + data[one.end() :]


def column(data: bytes, chance: random.Random) -> bytes:
    """A column goes, comes twice, or is called otherwise."""
    lines = data.split(b"\n")
    at = chance.randrange(max(lines[0].count(b",") + 1, 1))
    how = chance.choice(("drop", "twice", "name"))
    return b"\n".join(
        _with_column(line, at, how if number or how != "name" else "rename") for number, line in enumerate(lines)
    )


def _with_column(line: bytes, at: int, how: str) -> bytes:
    cells = line.split(b",")
    if at < len(cells):
        cells[at : at + 1] = {"drop": [], "twice": [cells[at]] * 2, "rename": [b"x"], "name": [cells[at]]}[how]
    return b",".join(cells)


def lines(data: bytes, chance: random.Random) -> bytes:
    """Lines in another order, some of them twice, under other ends."""
    listed = data.split(b"\n")
    chance.shuffle(listed)
    return chance.choice((b"\n", b"\r\n", b"\r", b"\n\n", b"")).join(
        listed + listed[: chance.randrange(len(listed) + 1)]
    )


def line(data: bytes, chance: random.Random) -> bytes:
    """A line comes twice, goes, changes place with the next one, or is cut in the middle."""
    listed = data.split(b"\n")
    at = chance.randrange(len(listed))
    how = chance.choice(("twice", "drop", "swap", "cut"))
    here = listed[at : at + 2]
    half = [here[0][: len(here[0]) // 2], *here[1:]]
    listed[at : at + 2] = {"twice": [here[0], *here], "drop": here[1:], "swap": here[::-1], "cut": half}[how]
    return b"\n".join(listed)


def encode(data: bytes, chance: random.Random) -> bytes:
    """The text in another encoding."""
    return data.decode("utf-8", "replace").encode(chance.choice(ENCODINGS), "replace")


def pack(data: bytes, chance: random.Random) -> bytes:
    """The file within a zip or a gzip, without the hour it is made, so that it can be drawn again."""
    if chance.random() < 0.2:
        return gzip.compress(data, 1, mtime=0)
    packed = io.BytesIO()
    packing = chance.choice(
        (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2)
    )
    with zipfile.ZipFile(packed, "w", packing) as archive:
        for name in chance.choice((("aws/vms.csv",), ("aws.csv", "gcp.csv"), ("../x.csv",), ("a" * 300 + ".csv",))):
            archive.writestr(zipfile.ZipInfo(name), data, packing)
    return packed.getvalue()


JSON_VALUES: tuple[object, ...] = (
    None, True, 0, -1, 1, 0.5, 1e-9, 1e16, 1e18, 1e300, -1e300, 10**300, "", "x", "A" * 3000,
    "\0\x1b", "=1+1", "9999-12-31", "0001-01-01",
    [], {}, [1, "a"], {"a": [{}]}, [[0.0, 1e300]], "NaN", "\U0001f600", "h100-sxm", "aws", "spot",
)  # fmt: skip


def value(data: bytes, chance: random.Random) -> bytes:
    """A value of a JSON text becomes another, goes, or moves to another name; any other text as :func:`extreme`."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return extreme(data, chance)
    places = list(_places(content))
    if places:
        holder, key = chance.choice(places)
        how = chance.random()
        if how < 0.7:
            holder[key] = chance.choice(JSON_VALUES)
        elif how < 0.85:
            del holder[key]
        elif isinstance(holder, dict):
            holder[chance.choice(("kind", "x", "", key + "x"))] = holder.pop(key)
    return json.dumps(content).encode()


def _places(content: Any) -> Iterator[tuple[Any, Any]]:
    """Every holder of values with the name or number of each."""
    keys = (
        list(content) if isinstance(content, dict) else list(range(len(content))) if isinstance(content, list) else []
    )
    for key in keys:
        yield content, key
        yield from _places(content[key])


SCHEMES = (
    'DROP TABLE "{table}"', 'ALTER TABLE "{table}" DROP COLUMN "{name}"', 'DELETE FROM "{table}"',
    'ALTER TABLE "{table}" RENAME COLUMN "{name}" TO x', 'ALTER TABLE "{table}" RENAME TO x',
    'INSERT INTO "{table}" SELECT * FROM "{table}"', 'CREATE TABLE more AS SELECT * FROM "{table}"',
    'CREATE TRIGGER t AFTER UPDATE ON "{table}" BEGIN SELECT 1; END', "CREATE VIEW v AS SELECT 1",
    "PRAGMA user_version = 99", "PRAGMA user_version = 1", "PRAGMA application_id = 7",
)  # fmt: skip


def base(data: bytes, chance: random.Random) -> bytes:
    """A cell of an SQLite file holds something else, or its tables are others; any other file as :func:`flip`."""
    opened = sqlite3.connect(":memory:")
    try:
        opened.deserialize(data)
        table = chance.choice(
            [name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        )
        name = chance.choice([one[1] for one in opened.execute(f'PRAGMA table_info("{table}")')])
        if chance.random() < 0.2:
            opened.execute(chance.choice(SCHEMES).format(table=table, name=name))
        else:
            _change_cell(opened, table, name, chance)
        opened.commit()
        return bytes(opened.serialize())
    except (sqlite3.Error, IndexError, UnicodeError):
        return flip(data, chance)
    finally:
        opened.close()


def _change_cell(opened: sqlite3.Connection, table: str, name: str, chance: random.Random) -> None:
    number, old = chance.choice(list(opened.execute(f'SELECT rowid, "{name}" FROM "{table}"')))
    text = old if isinstance(old, bytes) else str(old).encode("utf-8", "replace")
    new = chance.choice((value, value, value, extreme, insert, nest))(text, chance).decode("utf-8", "replace")
    opened.execute(f'UPDATE OR IGNORE "{table}" SET "{name}" = ? WHERE rowid = ?', (new, number))


CHANGES: tuple[Change, ...] = (
    value, value, value, value, value, flip, cut, drop, repeat, insert, insert, extreme, extreme, extreme, other_text,
    other_text, nest, column, column, lines, line, line, line, encode,
)  # fmt: skip


SPLICED = 0.1
"""Share of the files that begin from two seeds."""


def spliced(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The begin of one file and the end of another, or one within the other."""
    here, there = _place(data, chance), _place(other, chance)
    return data[:here] + other[there:] + (data[here:] if chance.random() < 0.5 else b"")


def damaged(seeds: tuple[bytes, ...], chance: random.Random, may_be_packed: bool) -> bytes:
    """One of the seeds after one change or a few, perhaps packed and damaged again."""
    data = chance.choice(seeds)
    if not data.startswith(b"SQLite") and chance.random() < SPLICED:
        data = spliced(data, chance.choice(seeds), chance)
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        change = base if data.startswith(b"SQLite") and chance.random() < 0.8 else chance.choice(CHANGES)
        data = change(data, chance)[:MOST_BYTES]
    if may_be_packed and chance.random() < 0.3:
        data = pack(data, chance)
        data = flip(data, chance) if chance.random() < 0.5 else data
    return data
