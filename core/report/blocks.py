"""What a comparison plan is made of, free of any page or window: a writer decides how each block looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from core.comparison.result import ResultSet


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text; ``style`` is "question", "eyebrow", "lead", "body", "heading" (within a section) or "note".

    A question or an eyebrow is the first block of its section, which then begins a page: it stands small above the
    title. The title below a question is the largest on paper, and its section is one page if it can be. ``once``: of
    several sections of one kind only the first says it.
    """

    text: str
    style: str = "body"
    once: bool = False


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
    """One option with its key figures; ``role`` is such as "Pick", ``kind`` and ``vendor`` choose the mark, with the
    ``sign`` of a cell's mark before the name. ``note`` is a sentence below."""

    role: str
    name: str
    place: str
    kind: str
    vendor: str
    kpis: tuple[Kpi, ...]
    note: str = ""
    sign: str = ""


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
    """A table column; ``align`` is "left" or "right", ``weight`` its share of the width. ``keeps_width``:
    it keeps that share, whatever is in it, such as one that is left to the pen."""

    title: str
    align: str = "left"
    weight: float = 1.0
    keeps_width: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell: text, a smaller text beside or below it, and its looks.

    ``mark`` is "" or a kind and vendor as "gpu:NVIDIA", with "!" in front when hollow (misses a limit), "/" when half
    filled (plausible), "~" when its outline is broken (on paper);
    ``swing`` draws a light bar to its first value and a dark one to its second from a line at 0, both -1..1, in the
    place of text;
    ``meter`` draws that many of four bars; ``tone`` is "", "strong", "muted", "warn" or "bad".
    """

    text: str
    second: str = ""
    below: bool = False
    mark: str = ""
    meter: int | None = None
    tone: str = ""
    swing: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its heading row repeats on every page it runs over.

    ``is_aligned``: its columns stand at their weights exactly, whatever is in them, so that tables below each other
    share edges; otherwise weights give way to what the cells need. ``is_small``: set as small as a note. ``is_close``:
    a list rather than a table, its rows close together and without lines between them.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    is_aligned: bool = False
    is_small: bool = False
    is_close: bool = False


@dataclass(frozen=True, slots=True)
class PeriodRow:
    """A row of :class:`Periods`: a value for each period, and their sum; ``tone`` as that of a cell."""

    name: str
    values: tuple[str, ...]
    total: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Periods:
    """Amounts by month or quarter: bars above, each over its own column, and a table of the same columns below.

    ``unit`` heads the first column. ``shares`` are lengths of the bars of the longest, 0..1. ``groups`` are names of
    spans of columns, such as quarters over months, with how many columns each has, told above the bars and set off by
    thin lines; ``group_row`` has a value a group, below the rows at the middle of its span, None without groups.
    ``last`` stands below all.
    """

    unit: str
    periods: tuple[str, ...]
    shares: tuple[float, ...]
    rows: tuple[PeriodRow, ...]
    groups: tuple[tuple[str, int], ...] = ()
    group_row: PeriodRow | None = None
    last: PeriodRow | None = None
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A name and its value; "muted" for what was left as it is usual."""

    name: str
    value: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Many names with values, set small and close in two columns, without lines: read down the first column, then the
    second. A long value breaks within its own half of the column."""

    title: str
    items: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart by its id, with the results it shows; ``height_share`` is of the page, ``alt`` says what is seen.

    On a page of its own section it takes the first of the ``larger`` shares for which there is room.
    """

    chart: str
    results: ResultSet
    selected_id: str | None
    caption: str
    alt: str
    height_share: float = 0.4
    larger: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerFigure:
    """A chart by its id of an answer beside the comparison's own, as of a day; the rest as of :class:`Figure`."""

    chart: str
    answer: Any
    day: date
    caption: str
    alt: str
    height_share: float = 0.2


@dataclass(frozen=True, slots=True)
class Decide:
    """The line on which a plan is signed: ``title`` says what the day is, ``note`` stands below it; owner, name and
    date are left to the pen."""

    title: str
    day: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class SignOff:
    """A box to sign: one line a role."""

    roles: tuple[str, ...]


Charted = Figure | AnswerFigure
Block = Paragraph | KpiTable | ForAgainst | Facts | KeyFigures | Table | Periods | Pairs | Charted | SignOff | Decide


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
