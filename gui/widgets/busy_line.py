"""The line that runs while results take longer than a moment."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QEvent, QObject, QTimer, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.session.road import Road
from gui.theme.manager import ThemeManager

PATIENCE_MS = 300
"""Results that come sooner are shown without a sign of waiting."""
LINE_PX = 2


class BusyLine(QWidget):
    """Two pixels that move while results are being made, once that has lasted a moment."""

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("busy-line")
        self._themes = themes
        self.is_busy = False
        self.setFixedHeight(LINE_PX)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._begin)
        self._run = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=1400)
        self._run.setLoopCount(-1)
        self._run.valueChanged.connect(self._on_step)

    def set_busy(self, is_busy: bool) -> None:
        """Results are being made, or are there."""
        if is_busy == self.is_busy:
            return
        self.is_busy = is_busy
        if is_busy:
            self._patience.start()
        else:
            self._patience.stop()
            self._run.stop()
            self.update()

    def _begin(self) -> None:
        self._run.start()

    def _on_step(self, _: object) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The moving part, while it moves."""
        if self._run.state() != QVariantAnimation.State.Running:
            return
        share = float(self._run.currentValue())
        length = self.width() // 4
        left = round((self.width() + length) * share) - length
        QPainter(self).fillRect(left, 0, length, LINE_PX, self._themes.theme.color("ink"))


class PageBusyLine(BusyLine):
    """Over the upper edge of a page, as long as the road has anything of the page's owners: it stops whatever comes
    of that, be it an answer, a refusal, a fault, or that nobody wants it any more."""

    def __init__(self, themes: ThemeManager, page: QWidget, road: Road, *owners: Hashable) -> None:
        super().__init__(themes, page)
        self._road, self._owners = road, owners
        page.installEventFilter(self)
        road.changed.connect(self._follow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The page changed its size."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(0, 0, watched.width(), LINE_PX)
            self.raise_()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        self.set_busy(any(self._road.is_busy(owner) for owner in self._owners))
