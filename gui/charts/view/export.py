"""A chart as picture, vector drawing or table, on the clipboard or in a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QFileDialog, QWidget

from core.errors import MachineError
from core.report.spreadsheet import separated
from core.writing.whole_file import hand_over, with_ending
from gui.charts.figure.figure import Figure, still
from gui.charts.paint.drawing import svg_of
from gui.charts.paint.picture import paint_figure
from gui.theme.painted import png_of
from gui.theme.theme import Theme

PICTURE_SCALE = 2


def picture_of(figure: Figure, theme: Theme, size: QSizeF, selected: str | None = None) -> QImage:
    """The figure as an image with twice the pixels of the screen."""
    image = QImage(QSize(int(size.width()), int(size.height())) * PICTURE_SCALE, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.scale(PICTURE_SCALE, PICTURE_SCALE)
    paint_figure(painter, QRectF(0, 0, size.width(), size.height()), still(figure), theme, selected)
    painter.end()
    return image


def copy_picture(figure: Figure, theme: Theme, size: QSizeF, selected: str | None = None) -> None:
    """Put the picture on the clipboard."""
    QGuiApplication.clipboard().setImage(picture_of(figure, theme, size, selected))


def as_csv(figure: Figure) -> str:
    """The figure's numbers as CSV text, header first."""
    return separated(figure.table)


def save(figure: Figure, theme: Theme, size: QSizeF, path: Path) -> None:
    """Write the figure; the ending of the name says how: .png, .svg or .csv.

    Raises MachineError when the file cannot be written.
    """
    try:
        hand_over(path, _content(figure, theme, size, path.suffix.lower()))
    except OSError as error:
        raise MachineError(f"Saving {path.name}", error.strerror or str(error)) from error


def _content(figure: Figure, theme: Theme, size: QSizeF, ending: str) -> bytes:
    if ending == ".csv":
        return as_csv(figure).encode()
    return svg_of(still(figure), theme, size).encode() if ending == ".svg" else png_of(picture_of(figure, theme, size))


EXPORTS = "Picture (*.png);;Drawing (*.svg);;Table (*.csv)"
_ENDINGS = {"P": ".png", "D": ".svg", "T": ".csv"}


def ask_and_save(parent: QWidget, figure: Figure, theme: Theme, size: QSizeF, name: str) -> None:
    """Ask for a file and write the figure there; a name without a known ending gets the one of the chosen kind.

    Raises MachineError when the file cannot be written.
    """
    chosen, kind = QFileDialog.getSaveFileName(parent, "Export chart", f"{name}.png", EXPORTS)
    if chosen:
        endings = (_ENDINGS.get(kind[:1], ".png"), *_ENDINGS.values())
        save(figure, theme, size, with_ending(Path(chosen), *endings))
