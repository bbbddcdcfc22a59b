"""Bars that come and go over the lower edge of what they speak of, so that nothing moves."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class AtLowerEdge(QObject):
    """Keeps a bar at the lower edge of its host, as wide as that and as high as its words need.

    It stands in no layout: the host's content stays where it is.
    """

    def __init__(self, bar: QWidget, host: QWidget) -> None:
        super().__init__(bar)
        bar.installEventFilter(self)
        self.move_to(host)

    @property
    def _bar(self) -> QWidget:
        """Kept by Qt alone: a reference of Python's would close a cycle, and widgets would wait for its collector."""
        return cast(QWidget, self.parent())

    def move_to(self, host: QWidget) -> None:
        """Another host."""
        if before := self._bar.parentWidget():
            before.removeEventFilter(self)
        self._bar.setParent(host)
        host.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The host changed its size, or the bar is shown or has other words."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        bar, host = self._bar, cast(QWidget, self._bar.parentWidget())
        height_px = bar.heightForWidth(host.width()) if bar.hasHeightForWidth() else bar.sizeHint().height()
        bar.setGeometry(0, host.height() - height_px, host.width(), height_px)
        bar.raise_()
