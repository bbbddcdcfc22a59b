"""The design tokens of one theme, as Qt values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PySide6.QtGui import QColor

from core.cost.registry import component_by_part
from gui.theme.chip_colours import chip_colours
from gui.theme.tokens import tokens


@dataclass(frozen=True)
class Theme:
    """Colours of the light or dark theme, and the sizes that both share (logical pixels)."""

    name: str
    colours: dict[str, str]
    band_opacity: float
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


@cache
def theme(name: str) -> Theme:
    """The theme called ``light`` or ``dark``."""
    own = tokens()[name]
    return Theme(
        name=name,
        colours={**own["surface_and_text"], **chip_colours(name)},
        band_opacity=own["band_opacity"],
        heights_px=tokens()["heights_px"],
        widths_px=tokens()["widths_px"],
    )
