"""The tab row with its underline, and the line that runs while results take longer than a moment."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, QSize, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QFont, QFontMetrics, QKeySequence, QPainter, QPaintEvent, QPen, QResizeEvent, QShortcut
from PySide6.QtWidgets import QTabBar, QWidget

from gui.theme.fonts import font
from gui.theme.manager import ThemeManager

TAB_SIDES_PX = (12, 8)
"""Room at either side of a title, and where not all titles would fit with it."""
FIRST_TAB_PX = 8
PATIENCE_MS = 300
"""Results that come sooner are shown without a sign of waiting."""


class TabStrip(QTabBar):
    """Titles on the work surface; the open one is semibold over a 2 px line. Nothing moves when another is opened."""

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tabs")
        self.setAccessibleName("Tabs")
        self._themes = themes
        self._height_px, self._side_px = themes.theme.heights_px["tabs"], TAB_SIDES_PX[0]
        self.setFixedHeight(self._height_px)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        themes.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Wide enough for all titles with all their room, however narrow they stand now."""
        return QSize(self._wide_px(), self._height_px)

    def tabSizeHint(self, index: int) -> QSize:
        """Wide enough for the title in semibold."""
        return QSize(self._title_px(index) + 2 * self._side_px, self._height_px)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Titles move together before the last of them are scrolled away."""
        self._side_px = TAB_SIDES_PX[self._wide_px() > self.width()]
        super().resizeEvent(event)

    @property
    def tight_px(self) -> int:
        """Width in which all titles stand, with the least room beside them."""
        return sum(self._title_px(index) + 2 * TAB_SIDES_PX[1] for index in range(self.count()))

    def _wide_px(self) -> int:
        return sum(self._title_px(index) + 2 * TAB_SIDES_PX[0] for index in range(self.count()))

    def _title_px(self, index: int) -> int:
        return QFontMetrics(font(13, QFont.Weight.DemiBold)).horizontalAdvance(self.tabText(index))

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Titles are never cut."""
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Titles, underline, hover and focus."""
        painter = QPainter(self)
        theme = self._themes.theme
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        hovered = self.tabAt(self.mapFromGlobal(self.cursor().pos())) if self.underMouse() else -1
        for index in range(self.count()):
            self._paint_tab(painter, index, index == hovered)

    def _paint_tab(self, painter: QPainter, index: int, is_hovered: bool) -> None:
        theme, rect, is_open = self._themes.theme, self.tabRect(index), index == self.currentIndex()
        painter.setFont(font(13, QFont.Weight.DemiBold if is_open else QFont.Weight.Normal))
        painter.setPen(theme.color("ink" if is_open or is_hovered else "ink2"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.tabText(index))
        if is_open:
            painter.fillRect(QRect(rect.left(), self.height() - 2, rect.width(), 2), theme.color("ink"))
            if self.hasFocus():
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.drawRoundedRect(rect.adjusted(2, 4, -3, -5), 4, 4)


def pages_by_keys(owner: QWidget, strip: QTabBar) -> None:
    """Alt and the arrows turn the pages of a strip while the focus is within its owner."""
    for keys, step in (("Alt+Left", -1), ("Alt+Right", 1)):
        shortcut = QShortcut(QKeySequence(keys), owner, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(partial(_turn, strip, step))


def _turn(strip: QTabBar, step: int) -> None:
    strip.setCurrentIndex(min(max(strip.currentIndex() + step, 0), strip.count() - 1))


class BusyLine(QWidget):
    """Two pixels that move while results are being made, once that has lasted a moment."""

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("busy-line")
        self._themes = themes
        self.setFixedHeight(2)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._begin)
        self._run = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=1400)
        self._run.setLoopCount(-1)
        self._run.valueChanged.connect(self._on_step)

    def set_busy(self, is_busy: bool) -> None:
        """Results are being made, or are there."""
        if is_busy and self._run.state() != QVariantAnimation.State.Running:
            self._patience.start()
        elif not is_busy:
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
        QPainter(self).fillRect(left, 0, length, 2, self._themes.theme.color("ink"))
