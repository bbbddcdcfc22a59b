"""Themes: readable, complete, and changed everywhere at once."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.catalogue.chip_families import chip_families
from core.catalogue.loading import load_catalogue
from core.cost.registry import part_ids
from gui.charts.figure.shown import colour_key
from gui.theme.fonts import FAMILY, font, load_fonts
from gui.theme.icons import icon
from gui.theme.theme import theme
from tests.gui.sample_session import themes

TEXT = ("ink", "ink2", "ink3", "accent", "good", "warn", "err")
SURFACES = ("bg", "dock")


def luminance(colour: QColor) -> float:
    """WCAG 2 relative luminance."""
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_can_be_read(name: str) -> None:
    shown = theme(name)
    for text in TEXT:
        for surface in SURFACES:
            assert contrast(shown.color(text), shown.color(surface)) >= 4.5, (text, surface)
    assert contrast(shown.color("btnt"), shown.color("btn")) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_data_can_be_told_from_the_surface(name: str) -> None:
    shown = theme(name)
    for part in part_ids():
        assert contrast(QColor(shown.part_colour(part)), shown.color("bg")) >= 3.0, part
    for key in {colour_key(chip) for chip in load_catalogue().accelerators} | {"other_parts"}:
        assert contrast(shown.color(key), shown.color("bg")) >= 3.0, key


@pytest.mark.parametrize("name", ["light", "dark"])
def test_families_of_chips_have_readable_texts_and_colours_of_their_own(name: str) -> None:
    shown = theme(name)
    keys = [row.id for row in chip_families().rows if row.light and row.dark]
    assert len({shown.colours[key] for key in keys}) == len(keys) > 2
    for key in keys:
        assert contrast(shown.color(f"{key}_label_text"), shown.color("bg")) >= 4.5, key


def test_parts_of_a_bill_have_colours_of_their_own() -> None:
    for name in ("light", "dark"):
        assert len({theme(name).part_colour(part) for part in part_ids()}) == len(part_ids())


def test_a_change_reaches_the_application(qtbot: QtBot, qapp: QApplication) -> None:
    manager = themes()
    manager.choose("light")
    with qtbot.waitSignal(manager.changed):
        manager.choose("dark")
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme("dark").color("bg")
    assert theme("dark").colours["ink"] in qapp.styleSheet()
    manager.choose("light")
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme("light").color("bg")


def test_the_shipped_typeface_is_used(qapp: QApplication) -> None:
    assert FAMILY in load_fonts()
    assert font(16).pixelSize() == 16


def test_icons_are_drawn_and_unknown_ones_refused(qapp: QApplication) -> None:
    image = icon("undo", "#112233").pixmap(16, 16).toImage()
    assert any(image.pixelColor(x, y).alpha() > 0 for x in range(image.width()) for y in range(image.height()))
    with pytest.raises(KeyError):
        icon("no-such-icon", "#112233")
