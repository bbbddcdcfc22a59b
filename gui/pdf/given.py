"""A document as plain data for the template: every block by its name, every text as the paper can print it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any

from core.report.blocks import Charted, Document, Section
from core.report.pages.context import MARK_SIGNS, MISSES
from gui.pdf.drawings import WIDTH_PX, Drawing, drawn
from gui.pdf.printable import INSTEAD, breakable, printable
from gui.pdf.typefaces import FAMILIES
from gui.theme.chip_colours import chip_key
from gui.theme.plain import as_text
from gui.theme.theme import theme

Given = dict[str, Any]
_SIGNS = "".join((MISSES, *MARK_SIGNS.values()))
_LACKING = f"{INSTEAD}: a letter that our typefaces lack"
_TOKENS = ("ink", "ink2", "ink3", "line", "line2", "grid", "good", "warn", "err", "tint", "sel")


def given(document: Document) -> Given:
    """The document with its charts drawn. A QGuiApplication must exist."""
    sections = [_section(one) for one in document.sections]
    head, foot = ([printable(one) for one in line] for line in (document.header, document.footer))
    if INSTEAD in json.dumps([head, foot, sections], ensure_ascii=False):
        foot[-1] = f"{foot[-1]}. {_LACKING}"
    return {
        "typefaces": FAMILIES,
        "title": as_text(document.title),
        "keywords": [as_text(one) for one in document.keywords],
        "header": head,
        "footer": foot,
        "paper": document.paper,
        "sections": sections,
        "colours": _colours(),
        "chips": {chip: theme("light").colours[chip_key(*_kind_and_vendor(chip))] for chip in sorted(_chips(sections))},
    }


def _section(section: Section) -> Given:
    blocks = [_figure(one, section.title) if isinstance(one, Charted) else plain(one) for one in section.blocks]
    return {"id": section.id, "title": breakable(section.title), "blocks": blocks}


def plain(value: Any) -> Any:
    """Dataclasses as their fields with their ``kind``, texts as printed; numbers as they are."""
    if isinstance(value, str):
        return breakable(value)
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if not dataclasses.is_dataclass(value):
        return value
    fields = {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    return fields if "kind" in fields else {"kind": type(value).__name__, **fields}


def _figure(block: Charted, section_title: str) -> Given:
    """A chart, with what it tells a screen reader: its answer in numbers."""
    own, *larger = drawn(block, section_title)
    alt = own.chart.summary or block.alt or own.chart.title or section_title
    return {
        "kind": "Figure",
        "width": WIDTH_PX,
        **_drawing(own),
        "larger": [_drawing(one) for one in larger],
        "caption": breakable(block.caption),
        "alt": as_text(alt),
    }


def _drawing(drawing: Drawing) -> Given:
    texts = [{**dataclasses.asdict(text), "words": printable(text.words)} for text in drawing.texts]
    return {"svg": drawing.svg, "height": drawing.height, "texts": texts}


def _colours() -> Mapping[str, str]:
    light = theme("light")
    return {key: light.colours[key] for key in _TOKENS} | {"part:compute": light.part_colour("compute")}


def _chips(value: Any) -> Iterable[str]:
    """Every ``kind:vendor`` of marks within the data."""
    if isinstance(value, list):
        return {chip for one in value for chip in _chips(one)}
    if not isinstance(value, dict):
        return ()
    own = {value["mark"].lstrip(_SIGNS)} if value.get("mark") else set()
    own |= {f"{value['kind']}:{value['vendor']}"} if "vendor" in value else set()
    return own | {chip for one in value.values() for chip in _chips(one)}


def _kind_and_vendor(chip: str) -> tuple[str, str]:
    kind, _, vendor = chip.partition(":")
    return kind, vendor
