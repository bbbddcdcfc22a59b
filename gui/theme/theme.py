"""The design tokens of one theme, as Qt values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from PySide6.QtGui import QColor

from core import paths
from core.catalogue.entries import Accelerator


@dataclass(frozen=True)
class Theme:
    """Colours of the light or dark theme, and the sizes that both share (logical pixels)."""

    name: str
    colours: dict[str, str]
    cost_parts: dict[str, str]
    band_opacity: float
    heights_px: dict[str, int]
    widths_px: dict[str, int]

    @property
    def is_dark(self) -> bool:
        """True for the dark theme."""
        return self.name == "dark"

    def color(self, name: str) -> QColor:
        """A colour by token: ``ink``, ``bg``, ``tpu`` ... Raises KeyError for an unknown token."""
        return QColor(self.colours[name])

    def cost_part(self, name: str) -> QColor:
        """Colour of a part of the bill, by its id."""
        return QColor(self.cost_parts[name])

    def series(self, accelerator: Accelerator) -> QColor:
        """The colour that a chip keeps everywhere: TPU orange, NVIDIA blue, AMD lighter blue, others grey."""
        if accelerator.kind == "tpu":
            return self.color("tpu")
        if accelerator.kind == "other":
            return self.color("ctl")
        return self.color("gpu_amd" if accelerator.vendor.lower() == "amd" else "gpu_nvidia")


@cache
def theme(name: str) -> Theme:
    """The theme called ``light`` or ``dark``."""
    tokens = _tokens()
    own = tokens[name]
    return Theme(
        name=name,
        colours={**own["surface_and_text"], **own["series"]},
        cost_parts=own["cost_parts"],
        band_opacity=own["band_opacity"],
        heights_px=tokens["heights_px"],
        widths_px=tokens["widths_px"],
    )


@cache
def _tokens() -> dict[str, Any]:
    text = (paths.resources() / "theme" / "tokens.json").read_text(encoding="utf-8")
    tokens: dict[str, Any] = json.loads(text)
    return tokens
