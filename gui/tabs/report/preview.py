"""Pages as they will be printed, laid out as in the PDF, each painted when it comes into view."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QHideEvent, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QProgressBar, QScrollArea, QVBoxLayout, QWidget

from gui.pdf.typeset import Sheets
from gui.theme.naming import named
from gui.theme.painted import without_painter
from gui.theme.plain import Label
from gui.theme.removal import take_away

_SIDE_PX = 24
_GAP_PX = 16
_BAR_PX = 240
FIT_WIDTH = 0.0
_MOST_FIT = 1.35


class PageView(QWidget):
    """One sheet of paper; white in every theme."""

    def __init__(self, layout: Sheets, index: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pages, self._index = layout, index
        self._image: QImage | None = None
        self.setObjectName(f"sheet-{index + 1}")
        self.setAccessibleName(f"Page {index + 1} of {layout.n_pages}")

    def set_scale(self, scale: float) -> None:
        """Shows the sheet at a scale of its size at 96 dots per inch."""
        size = QSize(*(round(edge * scale) for edge in self.pages.size_px))
        if size != self.size():
            self.forget_picture()
            self.setFixedSize(size)

    def picture(self) -> QImage:
        """The sheet as a picture, sharp on dense screens."""
        ratio = self.devicePixelRatioF()
        image = QImage(
            round(self.width() * ratio), round(self.height() * ratio), QImage.Format.Format_ARGB32_Premultiplied
        )
        image.fill(QColor("white"))
        painter = QPainter(image)
        width_px, height_px = self.pages.size_px
        painter.scale(image.width() / width_px, image.height() / height_px)
        self.pages.paint_page(painter, self._index)
        painter.end()
        image.setDevicePixelRatio(ratio)
        return without_painter(image)

    @property
    def is_painted(self) -> bool:
        """True while its picture is kept."""
        return self._image is not None

    def forget_picture(self) -> None:
        """It is painted anew when it is looked at again."""
        self._image = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sheet, painted once for each size."""
        if self._image is None:
            self._image = self.picture()
        painter = QPainter(self)
        painter.drawImage(QPoint(0, 0), self._image)
        painter.setPen(QColor(0, 0, 0, 40))
        painter.drawRect(QRect(0, 0, self.width() - 1, self.height() - 1))


class _Wait(QWidget):
    """What stands where there are no pages yet: a sentence, and how far they are."""

    def __init__(self) -> None:
        super().__init__()
        self.words = named(Label(), "report-wait", kind="ink2")
        self.bar = named(QProgressBar(), "report-progress", "Progress of the pages")
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(_BAR_PX)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self.words, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)


class Preview(QScrollArea):
    """Sheets below each other. ``zoom`` 0 fits the width.

    Only sheets in view or close to it keep their pictures: each takes 3 to 15 MiB, and there may be a hundred.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "report-preview", "Preview of the pages")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAutoFillBackground(False)
        self._zoom = FIT_WIDTH
        self.sheets: list[PageView] = []
        self._inside = QWidget()
        self._inside.setProperty("surface", "dock")
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(_SIDE_PX, _GAP_PX, _SIDE_PX, _GAP_PX)
        self._column.setSpacing(_GAP_PX)
        self.wait = _Wait()
        self._column.addWidget(self.wait, 1)
        self.wait.hide()
        self.setWidget(self._inside)
        self._inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.verticalScrollBar().valueChanged.connect(self._forget_far_pictures)

    def show_layout(self, layout: Sheets) -> None:
        """Shows other pages; the place that was in view stays in view."""
        at = self.verticalScrollBar().value()
        self.wait.hide()
        while self._column.count():
            self._column.takeAt(0)
        for sheet in self.sheets:
            take_away(sheet)
        self.sheets = [PageView(layout, index) for index in range(layout.n_pages)]
        for sheet in self.sheets:
            sheet.set_scale(self._scale(layout))
            self._column.addWidget(sheet, 0, Qt.AlignmentFlag.AlignHCenter)
        self._column.addStretch(1)
        self._column.addWidget(self.wait)
        self._inside.adjustSize()
        self.verticalScrollBar().setValue(at)

    def show_wait(self, words: str, share: float | None) -> None:
        """Says what is done until there are pages, and what share of it, if that is known; pages stay."""
        self.wait.words.setText(words)
        self.wait.bar.setVisible(share is not None)
        self.wait.bar.setValue(round(100 * (share or 0.0)))
        self.wait.setVisible(not self.sheets)

    def set_zoom(self, zoom: float) -> None:
        """Another scale; 0 fits the width."""
        self._zoom = zoom
        self._scale_sheets()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A page that fits the width follows it."""
        super().resizeEvent(event)
        self._scale_sheets()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: no picture is needed."""
        super().hideEvent(event)
        for sheet in self.sheets:
            sheet.forget_picture()

    def _forget_far_pictures(self, top_px: int) -> None:
        height_px = self.viewport().height()
        near = range(top_px - height_px, top_px + 2 * height_px)
        for sheet in self.sheets:
            if sheet.y() >= near.stop or sheet.y() + sheet.height() <= near.start:
                sheet.forget_picture()

    def _scale(self, layout: Sheets) -> float:
        if self._zoom > FIT_WIDTH:
            return self._zoom
        room = self.width() - 2 * _SIDE_PX - self.verticalScrollBar().sizeHint().width()
        return max(0.3, min(room / layout.size_px[0], _MOST_FIT))

    def _scale_sheets(self) -> None:
        for sheet in self.sheets:
            sheet.set_scale(self._scale(sheet.pages))
