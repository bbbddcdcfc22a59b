"""The design tokens of one theme, as Qt values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from PySide6.QtGui import QColor

from core import paths
from core.catalogue.chip_families import chip_families
from core.cost.registry import component_by_part

NEUTRAL, TEXT_OF = "ctl", "_label_text"
"""Token of marks without a colour of their own; what follows a mark's token in that of the text beside it."""


@dataclass(frozen=True)
class Theme:
    """Colours of the light or dark theme, and the sizes that both share (logical pixels)."""

    name: str
    colours: dict[str, str]
    band_opacity: float
    type_px: dict[str, int]
    heights_px: dict[str, int]
    widths_px: dict[str, int]

    @property
    def is_dark(self) -> bool:
        """True for the dark theme."""
        return self.name == "dark"

    def color(self, name: str) -> QColor:
        """A colour by token: ``ink``, ``bg``, ``google_tpu`` ... Raises KeyError for an unknown token."""
        return QColor(self.colours[name])

    def part_colour(self, part: str) -> str:
        """The name of the colour that a part of the bill declares. Raises KeyError for none of the bill."""
        colour = component_by_part()[part].colour
        return colour.dark if self.is_dark else colour.light


def chip_key(kind: str, vendor: str) -> str:
    """Token of the colour that a chip keeps everywhere: its family's, by the family's id, or the neutral one."""
    family = chip_families().of_maker(kind, vendor)
    return family.id if family.light and family.dark else NEUTRAL


def _chip_colours(name: str) -> dict[str, str]:
    """Colours of marks, and of the texts beside them, of the families that have some."""
    colours: dict[str, str] = {}
    for row in chip_families().rows:
        if row.light and row.dark:
            colours[row.id], colours[f"{row.id}{TEXT_OF}"] = row.light if name == "light" else row.dark
    return colours


@cache
def theme(name: str) -> Theme:
    """The theme called ``light`` or ``dark``."""
    tokens = _tokens()
    own = tokens[name]
    return Theme(
        name=name,
        colours={**own["surface_and_text"], **_chip_colours(name)},
        band_opacity=own["band_opacity"],
        type_px=tokens["type_px"],
        heights_px=tokens["heights_px"],
        widths_px=tokens["widths_px"],
    )


@cache
def _tokens() -> dict[str, Any]:
    text = (paths.resources() / "theme" / "tokens.json").read_text(encoding="utf-8")
    tokens: dict[str, Any] = json.loads(text)
    return tokens
