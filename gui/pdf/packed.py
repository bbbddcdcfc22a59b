"""A PDF made small: the thousands of little objects that tag a paper are packed together and compressed.

Typst writes every object by itself and plain, which is two thirds of a paper. Object streams (PDF 1.5, ISO 32000-1,
7.5.7 and 7.5.8) hold the very same objects in a tenth of the room. Nothing is left out, and pages are not touched.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from itertools import pairwise

_AT_ONCE = 200
"""Objects of one stream: whoever wants one of them unpacks all of it."""
_TABLE = re.compile(rb"xref\n0 (\d+)\n((?:\d{10} \d{5} [nf]\r\n)+)trailer\n<<(.*?)>>\nstartxref", re.DOTALL)
_STAYS = re.compile(rb"endstream\Z|\A<<[^<>]*/Type/(?:Catalog|Pages?|Font)")
"""Streams, and the few objects that tell pages and typefaces, which simple readers look for in plain."""
_SIZE = re.compile(rb"/Size \d+")
_ROW = 20
_OFFSET_BYTES = 4


def packed(pdf: bytes) -> bytes:
    """The same PDF in less room; ``pdf`` is one as typst writes it, with one plain table of its objects. Any other
    comes back as it is."""
    table = _TABLE.search(pdf, int(pdf.rsplit(b"startxref", 1)[1].split()[0]))
    return _written(pdf, table) if table else pdf


def _written(pdf: bytes, table: re.Match[bytes]) -> bytes:
    bodies = dict(_bodies(pdf, table[2], table.start()))
    small = {number: body for number, body in bodies.items() if not _STAYS.search(body)}
    out = bytearray(pdf[: pdf.index(b"1 0 obj")])
    rows: dict[int, tuple[int, int, int]] = {0: (0, 0, 0xFFFF)}
    for number, body in bodies.items():
        if number not in small:
            rows[number] = (1, len(out), 0)
            out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    last = int(table[1])
    for many in _batches(small):
        rows |= {number: (2, last, place) for place, number in enumerate(many)}
        rows[last] = (1, len(out), 0)
        out += _object_stream(last, {number: small[number] for number in many})
        last += 1
    rows[last] = (1, len(out), 0)
    start = len(out)
    about = _SIZE.sub(b"/Type/XRef/Size %d/W[1 %d 2]" % (last + 1, _OFFSET_BYTES), table[3])
    out += _stream(last, about, b"".join(_row(*rows[number]) for number in range(last + 1)))
    return bytes(out + b"startxref\n%d\n%%%%EOF" % start)


def _bodies(pdf: bytes, table: bytes, end: int) -> Iterator[tuple[int, bytes]]:
    """Number and words of every object, in the order in which they stand."""
    rows = (table[at : at + _ROW] for at in range(0, len(table), _ROW))
    starts = sorted((int(row[:10]), number) for number, row in enumerate(rows) if row[17:18] == b"n")
    for (start, number), (after, _) in pairwise([*starts, (end, 0)]):
        whole = pdf[start:after].rstrip()
        yield number, whole.removeprefix(b"%d 0 obj" % number).removesuffix(b"endobj").strip()


def _batches(numbers: Iterable[int]) -> Iterator[list[int]]:
    listed = list(numbers)
    return (listed[at : at + _AT_ONCE] for at in range(0, len(listed), _AT_ONCE))


def _object_stream(number: int, objects: dict[int, bytes]) -> bytes:
    """Objects after a list of their numbers and of where each begins."""
    places, at = [], 0
    for one, body in objects.items():
        places.append(b"%d %d" % (one, at))
        at += len(body) + 1
    head = b" ".join(places) + b"\n"
    about = b"/Type/ObjStm/N %d/First %d" % (len(objects), len(head))
    return _stream(number, about, head + b"\n".join(objects.values()))


def _stream(number: int, about: bytes, data: bytes) -> bytes:
    small = zlib.compress(data, 9)
    head = b"%d 0 obj\n<<%b/Filter/FlateDecode/Length %d>>\nstream\n" % (number, about, len(small))
    return head + small + b"\nendstream\nendobj\n"


def _row(kind: int, where: int, which: int) -> bytes:
    """A row of the table of objects: free, at a place of the file, or which of a stream's."""
    return bytes([kind]) + where.to_bytes(_OFFSET_BYTES) + which.to_bytes(2)
