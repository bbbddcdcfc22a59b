"""The tab row with its underline."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QKeySequence, QPainter, QPaintEvent, QPen, QResizeEvent, QShortcut
from PySide6.QtWidgets import QTabBar, QWidget

from gui.theme.fonts import font
from gui.theme.manager import ThemeManager

TAB_SIDES_PX = (12, 8)
"""Room at either side of a title, and where not all titles would fit with it."""
FIRST_TAB_PX = 8


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
