"""What a comparison plan is made of, free of any page or window: a writer decides how each block looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from core.comparison.result import ResultSet


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text; ``style`` is "question", "lead", "body", "heading" (within a section) or "note"."""

    text: str
    style: str = "body"


@dataclass(frozen=True, slots=True)
class Kpi:
    """One key figure: value as read, its range in words, and the three numbers for a range bar (None: no bar)."""

    value: str
    range_text: str
    low: float | None = None
    likely: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class OptionKpis:
    """One option with its key figures; ``role`` is such as "Pick", ``kind`` and ``vendor`` choose the mark. ``note`` is
    a sentence below."""

    role: str
    name: str
    place: str
    kind: str
    vendor: str
    kpis: tuple[Kpi, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class KpiTable:
    """Options beside each other; range bars of one column share one scale. The first row is the pick. ``title`` stands
    above their names."""

    titles: tuple[str, ...]
    rows: tuple[OptionKpis, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class ForAgainst:
    """Two lists beside each other."""

    reasons_for: tuple[str, ...]
    reasons_against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A small figure with a title above and a note below."""

    title: str
    value: str
    note: str = ""
    warn: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts beside each other."""

    items: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its name, its value as read, and its length of the longest, 0..1."""

    name: str
    value: str
    share: float


@dataclass(frozen=True, slots=True)
class KeyFigures:
    """A plan's few figures, with bars at their right: ``title`` is that of the bars."""

    items: tuple[Fact, ...]
    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A table column; ``align`` is "left" or "right", ``weight`` its share of the width."""

    title: str
    align: str = "left"
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell: text, a smaller text beside or below it, and its looks.

    ``mark`` is "" or a kind and vendor as "gpu:NVIDIA", with "!" in front when hollow (misses a limit), "/" when half
    filled (plausible), "~" when its outline is broken (on paper);
    ``meter`` draws that many of four bars; ``tone`` is "", "strong", "muted", "warn" or "bad".
    """

    text: str
    second: str = ""
    below: bool = False
    mark: str = ""
    meter: int | None = None
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its heading row repeats on every page it runs over."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart by its id, with the results it shows; ``height_share`` is of the page, ``alt`` says what is seen."""

    chart: str
    results: ResultSet
    selected_id: str | None
    caption: str
    alt: str
    height_share: float = 0.4


@dataclass(frozen=True, slots=True)
class Decide:
    """The line on which a plan is signed: ``title`` says what the day is; owner, name and date are left to the pen."""

    title: str
    day: str


@dataclass(frozen=True, slots=True)
class SignOff:
    """A box to sign: one line a role."""

    roles: tuple[str, ...]


Block = Paragraph | KpiTable | ForAgainst | Facts | KeyFigures | Table | Figure | SignOff | Decide


@dataclass(frozen=True, slots=True)
class Section:
    """One or more pages under one title; ``id`` is that of the page picker."""

    id: str
    title: str
    blocks: tuple[Block, ...]


PaperSize = Literal["a4", "letter"]


@dataclass(frozen=True, slots=True)
class Document:
    """The whole plan on paper. ``header`` and ``footer`` stand on every page (left, right; left, middle)."""

    title: str
    header: tuple[str, str]
    footer: tuple[str, str]
    sections: tuple[Section, ...]
    keywords: tuple[str, ...] = field(default=())
    paper: PaperSize = "a4"
