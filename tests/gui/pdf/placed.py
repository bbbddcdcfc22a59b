"""Where everything stands on a page of a PDF of ours: texts with the room that they take, read from its operators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pypdf import PageObject, PdfReader

from core.units import NO_BREAK

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]
"""Left, bottom, right, top in points."""

_TOKEN = re.compile(
    rb"(?P<text>\((?:\\.|[^\\()]|\((?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))*\))*\))|(?P<mark><<.*?>>\s*BDC)|(?P<hex><[0-9A-Fa-f]*>)|(?P<name>/[^\s\[\]<>()/]+)"
    rb"|(?P<number>[-+]?\d*\.?\d+)|(?P<how>[A-Za-z'\"]+[01]?\*?)",
    re.DOTALL,
)
_ESCAPED = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}
_SAME_LINE_PT = 2.0
"""Names and figures of one row stand on lines so near to each other."""
BLANK = "\0"
"""Glyph 0, which shows that a typeface lacks a letter."""
_ASCENT, _DESCENT = 0.73, 0.02
"""Height of capitals above the line, and room below it, of the size: descenders may touch what stands below."""


@dataclass(frozen=True)
class Text:
    """One run of letters: its words, its room without spaces at its end, the size of its type and its typeface."""

    words: str
    box: Box
    size: float
    font: str
    is_upright: bool
    is_furniture: bool

    @property
    def left(self) -> float:
        return self.box[0]

    @property
    def right(self) -> float:
        return self.box[2]

    @property
    def base(self) -> float:
        """Where the line stands, whole tenths of a point."""
        return round(self.box[1] + _DESCENT * self.size, 1)


@dataclass
class Font:
    """How wide the glyphs of a typeface are, in thousandths of its size, and which letters they show."""

    name: str
    widths: dict[int, float]
    usual: float
    letters: dict[int, str]


@dataclass
class _Drawing:
    """The state of a page's operators, and what they have drawn so far."""

    fonts: dict[str, Font]
    at: Matrix = (1, 0, 0, 1, 0, 0)
    line: Matrix = (1, 0, 0, 1, 0, 0)
    font: Font | None = None
    size: float = 0.0
    kept: list[Matrix] = field(default_factory=list)
    marks: list[bytes] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    ink: list[tuple[float, float]] = field(default_factory=list)
    path: list[tuple[float, float]] = field(default_factory=list)


def n_blank_glyphs(reader: PdfReader) -> int:
    """How often a letter is shown that its typeface lacks."""
    return sum(text.words.count(BLANK) for page in reader.pages for text in placed(page)[0])


def lines(page: PageObject) -> list[list[str]]:
    """What stands on a page, line by line from above, each from the left: a table's cells are its texts."""
    rows: list[list[Text]] = []
    own = (one for one in placed(page)[0] if one.words.strip() and one.is_upright and not one.is_furniture)
    for one in sorted(own, key=lambda one: -one.base):
        if rows and rows[-1][0].base - one.base < _SAME_LINE_PT:
            rows[-1].append(one)
        else:
            rows.append([one])
    return [[one.words.replace(NO_BREAK, " ").strip() for one in sorted(row, key=lambda one: one.left)] for row in rows]


def placed(page: PageObject) -> tuple[list[Text], list[tuple[float, float]]]:
    """All texts of a page, and points of all lines and shapes, furniture aside."""
    drawing = _Drawing(_fonts(page))
    waiting: list[bytes] = []
    for token in _TOKEN.finditer(page.get_contents().get_data()):  # type: ignore[union-attr]
        if token.lastgroup == "how":
            _done(drawing, token[0].decode(), waiting)
            waiting = []
        elif token.lastgroup == "mark":
            drawing.marks.append(b" ".join((*waiting, token[0])))
            waiting = []
        else:
            waiting.append(token[0])
    return drawing.texts, drawing.ink


def _done(drawing: _Drawing, how: str, given: list[bytes]) -> None:
    """One operator carried out."""
    if how == "q":
        drawing.kept.append(drawing.at)
    elif how == "Q":
        drawing.at = drawing.kept.pop()
    elif how == "cm":
        drawing.at = _times(_matrix(given), drawing.at)
    elif how == "Tm":
        drawing.line = _matrix(given)
    elif how == "Tf":
        drawing.font, drawing.size = drawing.fonts[given[0].decode()], float(given[1])
    elif how in ("Tj", "TJ"):
        _write(drawing, given)
    elif how == "BDC":
        drawing.marks.append(b" ".join(given))
    elif how == "BMC":
        drawing.marks.append(b"")
    elif how == "EMC":
        drawing.marks.pop()
    else:
        _draw(drawing, how, given)


def _draw(drawing: _Drawing, how: str, given: list[bytes]) -> None:
    """Points of a path are kept once it is painted; a path that only clips paints nothing."""
    if how in ("m", "l", "c"):
        x, y = (float(one) for one in given[-2:])
        drawing.path.append(_point(drawing.at, x, y))
    elif how == "re":
        x, y, width, height = (float(one) for one in given)
        drawing.path += [_point(drawing.at, x, y), _point(drawing.at, x + width, y + height)]
    elif how in ("S", "s", "f", "f*", "B", "B*", "b", "b*", "n"):
        if how != "n" and not _is_furniture(drawing):
            drawing.ink += drawing.path
        drawing.path = []


def _write(drawing: _Drawing, given: list[bytes]) -> None:
    font = drawing.font
    assert font is not None
    width, ends, words = 0.0, 0.0, ""
    for part in given:
        if part[:1] not in b"(<":
            width -= float(part)
            continue
        for code in _codes(part):
            width += font.widths.get(code, font.usual)
            words += font.letters.get(code, "") if code else BLANK
            ends = ends if words[-1:].isspace() else width
    whole = _times(drawing.line, drawing.at)
    size = drawing.size
    corners = [_point(whole, x, y) for x in (0.0, ends / 1000 * size) for y in (-_DESCENT * size, _ASCENT * size)]
    xs, ys = zip(*corners, strict=True)
    scale = (whole[2] ** 2 + whole[3] ** 2) ** 0.5
    box = (min(xs), min(ys), max(xs), max(ys))
    drawing.texts.append(
        Text(words, box, size * scale, font.name, abs(whole[1]) < 1e-6 and whole[0] > 0, _is_furniture(drawing))
    )


def _is_furniture(drawing: _Drawing) -> bool:
    return any(b"/Pagination" in mark for mark in drawing.marks)


def _matrix(given: list[bytes]) -> Matrix:
    a, b, c, d, e, f = (float(one) for one in given)
    return a, b, c, d, e, f


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _point(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _codes(text: bytes) -> list[int]:
    """Numbers of glyphs, two bytes each."""
    plain = bytes.fromhex(text[1:-1].decode()) if text[:1] == b"<" else _ESCAPED.sub(_unescaped, text[1:-1])
    return [int.from_bytes(plain[at : at + 2]) for at in range(0, len(plain), 2)]


def _unescaped(match: re.Match[bytes]) -> bytes:
    one = match[1]
    return bytes([int(one, 8) & 255]) if one.isdigit() else _LETTERS.get(one, one)


def _fonts(page: PageObject) -> dict[str, Font]:
    resources: Any = page["/Resources"]
    return {name: _font(one.get_object()) for name, one in resources.get("/Font", {}).items()}


def _font(made: Any) -> Font:
    inner = made["/DescendantFonts"][0].get_object()
    widths: dict[int, float] = {}
    listed = iter(inner.get("/W", []))
    for first in listed:
        following = next(listed)
        many = following if isinstance(following, list) else [float(next(listed))] * (int(following) - int(first) + 1)
        widths |= {int(first) + n: float(width) for n, width in enumerate(many)}
    told = made["/ToUnicode"].get_object().get_data()
    return Font(str(made["/BaseFont"]), widths, float(inner.get("/DW", 1000)), dict(_told(told)))


def _told(table: bytes) -> Iterator[tuple[int, str]]:
    """Letters of glyphs, told one by one or by ranges."""
    for part in re.findall(rb"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, letters in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", part):
            yield int(code, 16), bytes.fromhex(letters.decode()).decode("utf-16-be")
    for part in re.findall(rb"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for low, high, first in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", part):
            for n in range(int(high, 16) - int(low, 16) + 1):
                yield int(low, 16) + n, chr(int(first, 16) + n)
