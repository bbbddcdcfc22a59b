"""The bundled typeface, so that screens and PDFs look the same on every machine."""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

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
    typeface.cache_clear()  # measured with another typeface until now
    width_px.cache_clear()
    return tuple(families)


def font(px: int = 13, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The typeface at a size in logical pixels, with figures of equal width."""
    made = QFont(FAMILY)
    made.setPixelSize(px)
    made.setWeight(weight)
    made.setFeature(QFont.Tag("tnum"), 1)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


@lru_cache(maxsize=64)
def typeface(px: int, is_strong: bool, is_tabular: bool = True) -> tuple[QFont, QFontMetricsF]:
    """A font with its metrics, made once: tables write thousands of words. Not to be changed by whoever uses it."""
    made = font(px, QFont.Weight.DemiBold if is_strong else QFont.Weight.Normal)
    if not is_tabular:
        made.unsetFeature(QFont.Tag("tnum"))
        # Contextual forms of × and - between figures are glyphs without a letter: copied text would lose them.
        made.setFeature(QFont.Tag("calt"), 0)
    return made, QFontMetricsF(made)


@lru_cache(maxsize=2048)  # more than a window shows; each text that is kept holds its page of Python's memory
def width_px(text: str, px: int, is_strong: bool, is_tabular: bool = True) -> float:
    """Width of a line of text in :func:`typeface`: most are painted again and again."""
    return typeface(px, is_strong, is_tabular)[1].horizontalAdvance(text)


def elided(text: str, room_px: float, px: int, is_strong: bool) -> str:
    """A line of text, or what of it fits, with an ellipsis."""
    return typeface(px, is_strong)[1].elidedText(text, Qt.TextElideMode.ElideRight, room_px)
