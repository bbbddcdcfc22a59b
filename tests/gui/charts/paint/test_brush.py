"""Halos: a text stands apart from whatever lies under it, on all sides."""

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator

from gui.charts.paint.brush import HALO_PX, TEXT_PX, Ink, _halo_picture
from gui.theme.fonts import typeface
from gui.theme.theme import theme
from tests.gui.sample_session import themes

pytestmark = pytest.mark.usefixtures("qapp")


def painted(halo: bool) -> QImage:
    """A word over red."""
    image = QImage(80, 30, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    Ink(painter, themes().theme).text(10, 15, "B200 %", "ink", strong=True, halo=halo)
    painter.end()
    return image


def test_a_halo_parts_each_letter_from_what_lies_under_it() -> None:
    plain, haloed, red = painted(False), painted(True), QColor("red").name()
    reach = int(HALO_PX / 2)
    inked = [(x, y) for x in range(80) for y in range(30) if plain.pixelColor(x, y).red() < 100]
    near = {(x + dx, y + dy) for x, y in inked for dx in (-reach, 0, reach) for dy in (-reach, 0, reach)}
    assert len(inked) > 50 and red not in {haloed.pixelColor(x, y).name() for x, y in near}
    far = [(x, y) for x in range(80) for y in range(30) if all(abs(x - a) > 5 or abs(y - b) > 5 for a, b in inked)]
    assert far and {haloed.pixelColor(x, y).name() for x, y in far} == {red}


def test_letters_on_paper_do_not_move_when_they_were_painted_on_a_screen_before() -> None:
    """The same plan gives the same drawing: letters kept for the screen were 1/64 px off, and the halos with them."""
    ink_theme = themes().theme

    def drawing() -> str:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        painter = QPainter(generator)
        Ink(painter, ink_theme).text(100.37, 50.11, "Trillium v6e 12", halo=True)
        painter.end()
        return bytes(buffer.data().data()).decode()

    before = drawing()
    picture = QImage(200, 60, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(picture)
    painter.setFont(typeface(TEXT_PX, False, False)[0])
    painter.drawText(10, 30, "Trillium v6e 12")
    painter.end()
    assert drawing() == before


def test_a_halo_of_a_finer_screen_has_as_many_more_dots_both_ways() -> None:
    plain, fine = (_halo_picture("B200", TEXT_PX, False, 0xFFFFFFFF, ratio) for ratio in (1.0, 2.0))
    assert abs(fine.width() - 2 * plain.width()) <= 1 and abs(fine.height() - 2 * plain.height()) <= 1
    assert fine.devicePixelRatio() == 2.0


@pytest.mark.parametrize(("device", "is_textured"), [(QPixmap, False), (QImage, True)])
def test_parts_of_bars_keep_their_textures_in_files(device: type[QPixmap] | type[QImage], is_textured: bool) -> None:
    """In a picture that was saved all parts were flat: printed in grey they were alike. The screen's stay flat."""
    themes()
    target = QPixmap(60, 20) if device is QPixmap else QImage(60, 20, QImage.Format.Format_ARGB32)
    target.fill(QColor("black"))
    painter = QPainter(target)
    Ink(painter, theme("light")).part(QRectF(0, 0, 60, 20), "part:storage")
    painter.end()
    shown = target.toImage() if isinstance(target, QPixmap) else target
    assert (len({shown.pixel(x, 10) for x in range(60)}) > 1) is is_textured
