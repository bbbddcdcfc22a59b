"""Copy and export for plots that are no figures: drawn by their own widgets, saved as they stand on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QGraphicsView, QMenu, QWidget

from core.errors import MachineError
from core.report.masking import KEPT
from core.writing.whole_file import refuse_plan, with_ending
from gui.charts.view.export import PICTURE_SCALE
from gui.charts.view.graphs import pg
from gui.theme.plain import as_text

KINDS = "Picture (*.png);;Drawing (*.svg)"
_ENDINGS = (".png", ".svg")


class PlotMenu(QObject):
    """The menu of a plot: a right click, or the key of the menu. ``whole`` is what is saved: the plot, or what holds it
    with its names. Where ``may_leave`` says no, nothing leaves."""

    def __init__(self, plot: QWidget, title: str, may_leave: Callable[[], bool], whole: QWidget | None = None) -> None:
        super().__init__(plot)
        self.plot, self.title, self.whole = plot, title, whole or plot
        self._may_leave = may_leave
        plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        plot.customContextMenuRequested.connect(self._show)

    def copy(self) -> None:
        """Puts a picture of twice the screen's resolution on the clipboard."""
        if self._may_leave():
            QGuiApplication.clipboard().setImage(picture_of_widget(self.whole))
        else:
            QGuiApplication.clipboard().setText(KEPT)

    def ask_and_save(self) -> None:
        """Asks for a file and writes the plot there. Raises MachineError when the file cannot be written."""
        chosen, kind = QFileDialog.getSaveFileName(self.plot, "Export chart", f"{self.title}.png", KINDS)
        if chosen and self._may_leave():
            endings = _ENDINGS[::-1] if kind.startswith("Drawing") else _ENDINGS
            save_widget(self.whole, self.title, with_ending(Path(chosen), *endings))

    def _show(self, at: QPoint) -> None:
        menu = QMenu(self.plot)
        menu.addAction("Copy picture", self.copy)
        menu.addAction("Export…", self.ask_and_save).setEnabled(self._may_leave())
        menu.exec(self.plot.mapToGlobal(at))
        menu.deleteLater()


def picture_of_widget(widget: QWidget) -> QImage:
    """The widget as it stands on the screen, with twice its pixels."""
    image = QImage(widget.size() * PICTURE_SCALE, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(PICTURE_SCALE)
    image.fill(widget.palette().window().color())
    painter = QPainter(image)
    _render(widget, painter)
    painter.end()
    return image


def save_widget(widget: QWidget, title: str, path: Path) -> None:
    """Writes the widget; the ending of the name says how: .png or .svg, which holds shapes and texts.

    Raises MachineError when the file cannot be written.
    """
    refuse_plan(path)
    write = partial(_draw, widget, title) if path.suffix.lower() == ".svg" else picture_of_widget(widget).save
    if write(str(path)) is False:
        raise MachineError(f"Saving {path.name}", "the file cannot be written")


def _draw(widget: QWidget, title: str, path: str) -> bool:
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setFileName(path)
    generator.setSize(QSize(widget.size()))
    generator.setViewBox(QRect(QPoint(), widget.size()))
    generator.setTitle(as_text(title))
    generator.setDescription(as_text(widget.accessibleDescription() or widget.accessibleName()))
    painter = QPainter()
    if not painter.begin(generator):
        return False
    painter.fillRect(widget.rect(), widget.palette().window())
    with _as_shapes(_views(widget)):
        _render(widget, painter)
    return painter.end()


@contextmanager
def _as_shapes(views: Sequence[QGraphicsView]) -> Iterator[None]:
    """Points and grounds, which are stamped pictures on the screen, are drawn."""
    points = [item for view in views for item in view.scene().items() if isinstance(item, pg.ScatterPlotItem)]
    modes = [view.cacheMode() for view in views]
    for view in views:
        view.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
    for item in points:
        item.setExportMode(True, {"resolutionScale": 1.0})
    yield
    for item in points:
        item.setExportMode(False)
    for view, mode in zip(views, modes, strict=True):
        view.setCacheMode(mode)


def _views(widget: QWidget) -> list[QGraphicsView]:
    own = [widget] if isinstance(widget, QGraphicsView) else []
    return [*own, *widget.findChildren(QGraphicsView)]


def _render(widget: QWidget, painter: QPainter) -> None:
    """As any widget is: views of scenes have another method of this name."""
    QWidget.render(widget, painter, QPoint())
