"""The paper's typefaces: Inter, and for letters that it lacks others, asked in an order that is the same everywhere."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache

from core import paths

OWN = "Inter"
_SCRIPTS = (
    "Hebrew", "Arabic", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada",
    "Malayalam", "Sinhala", "Thai", "Lao", "Khmer", "Myanmar", "Ethiopic", "Armenian", "Georgian",
)  # fmt: skip
_FILES = {
    OWN: "Inter-Regular.otf",
    **{f"Noto Sans {script}": f"further/NotoSans{script}-Regular.ttf" for script in _SCRIPTS},
    "Noto Emoji": "further/NotoEmoji-Regular.ttf",
    "DejaVu Sans": "further/DejaVuSans.ttf",
    "Droid Sans Fallback": "further/DroidSansFallback.ttf",
}
FAMILIES = tuple(_FILES)
"""Names by which typst asks for them. Symbols come from DejaVu Sans, Chinese, Japanese and Korean from Droid Sans."""

_UNICODE = ((3, 10), (0, 4), (3, 1), (0, 3))
"""Tables of letters, the one with most first: platform and encoding."""


@cache
def letters(family: str) -> frozenset[int]:
    """Codes of all letters that a typeface of :data:`FAMILIES` can show. Read from its file: a QRawFont answers only in
    the thread that made it, and asking it for each letter takes a second."""
    data = (paths.resources() / "fonts" / _FILES[family]).read_bytes()
    table = memoryview(data)[_table(data, b"cmap") :]
    (count,) = struct.unpack_from(">H", table, 2)
    kinds = (struct.unpack_from(">HHI", table, 4 + 8 * place) for place in range(count))
    offsets = {(platform, encoding): offset for platform, encoding, offset in kinds}
    chosen = table[next(offsets[kind] for kind in _UNICODE if kind in offsets) :]
    spans = _wide_spans if struct.unpack_from(">H", chosen)[0] == 12 else _narrow_spans
    return frozenset(code for span in spans(chosen) for code in span)


def _table(data: bytes, name: bytes) -> int:
    """Where a table of an OpenType file begins."""
    (count,) = struct.unpack_from(">H", data, 4)
    entries = (struct.unpack_from(">4sIII", data, 12 + 16 * place) for place in range(count))
    return next(int(offset) for tag, _, offset, _ in entries if tag == name)


def _wide_spans(table: memoryview) -> Iterator[range]:
    """Codes of a table of format 12: groups of first code, last code and glyph."""
    (count,) = struct.unpack_from(">I", table, 12)
    for place in range(count):
        first, last, glyph = struct.unpack_from(">III", table, 16 + 12 * place)
        yield range(first + (glyph == 0), last + 1)


def _narrow_spans(table: memoryview) -> Iterator[range]:
    """Codes of a table of format 4: segments by their last codes, first codes, deltas and offsets of glyphs."""
    (twice,) = struct.unpack_from(">H", table, 6)
    columns = (struct.unpack_from(f">{twice // 2}H", table, 14 + at * twice + 2 * (at > 0)) for at in range(4))
    for place, (last, first, delta, offset) in enumerate(zip(*columns, strict=True)):
        glyphs = 16 + 3 * twice + 2 * place + offset
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = struct.unpack_from(">H", table, glyphs + 2 * (code - first))[0] if offset else code + delta
            if glyph & 0xFFFF:
                yield range(code, code + 1)
