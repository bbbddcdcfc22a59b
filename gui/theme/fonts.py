"""The bundled typeface, so that screens and PDFs look the same on every machine."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

from core import paths
from core.errors import MachineError

FAMILY = "Inter"


@cache
def load_fonts() -> tuple[str, ...]:
    """Registers the shipped font files and returns their families.

    Raises MachineError when a file cannot be used. A QGuiApplication must exist.
    """
    families: list[str] = []
    for path in sorted((paths.resources() / "fonts").glob("*.otf")):
        number = QFontDatabase.addApplicationFont(str(path))
        if number < 0:
            raise MachineError(f"Loading the font {path.name}", "the file is damaged or of an unknown kind")
        families.extend(QFontDatabase.applicationFontFamilies(number))
    return tuple(families)


def font(px: int = 13, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The typeface at a size in logical pixels, with figures of equal width."""
    made = QFont(FAMILY)
    made.setPixelSize(px)
    made.setWeight(weight)
    made.setFeature(QFont.Tag("tnum"), 1)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made
