"""Where the Why panel stands: in a dock on wide windows, else behind a narrow handle, over the content on demand."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QToolButton, QVBoxLayout, QWidget

from gui.session.plan_session import PlanSession
from gui.theme.fonts import font
from gui.theme.icons import icon
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label

WIDE_PX = 1440
"""From this window width on the dock stands open beside a plan, from the start: results squeeze nothing when they come.
"""

VERY_WIDE_PX = 2200
DOCK_PX = (296, 400)
LEAST_PX = 240
TITLE_PX = 36


class WhyHandle(QWidget):
    """The folded panel: a chevron and its name, turned."""

    opened = Signal()

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "why-handle", "Why this result")
        self._themes = themes
        self.setFixedWidth(themes.theme.widths_px["why_drawer_closed"])
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        themes.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Surface, rules, chevron, words."""
        painter, theme = QPainter(self), self._themes.theme
        painter.fillRect(self.rect(), theme.color("dock"))
        painter.fillRect(0, 0, 1, self.height(), theme.color("line"))
        painter.fillRect(0, TITLE_PX - 1, self.width(), 1, theme.color("line"))
        icon("chevron-left", theme.color("ink2")).paint(painter, QRect(8, 12, 12, 12))
        painter.setFont(font(12))
        painter.setPen(theme.color("ink2"))
        painter.save()
        painter.translate(10, TITLE_PX + 12)
        painter.rotate(90)
        painter.drawText(0, 0, "Why this result")
        painter.restore()
        if self.hasFocus():
            painter.setPen(theme.color("accent"))
            painter.drawRect(self.rect().adjusted(1, 1, -2, -2))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Opens the panel over the content."""
        self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space open as a click does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)


class WhyTitle(QWidget):
    """Title row of the panel, with its pin and close buttons. In a dock it is what one drags."""

    pinned = Signal()
    closed = Signal()

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(TITLE_PX)
        self.setProperty("surface", "why-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._themes = themes
        self._pin = named(QToolButton(), "why-pin", "Keep open beside the content", "quiet")
        self._close = named(QToolButton(), "why-close", "Close Why", "quiet")
        self._pin.setToolTip("Keep open beside the content, or fold away")
        self._close.setToolTip("Close (Esc)")
        self._pin.clicked.connect(self.pinned)
        self._close.clicked.connect(self.closed)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 5, 8, 5)
        row.setSpacing(0)
        row.addWidget(named(Label("Why"), "why-title", kind="section"))
        row.addStretch(1)
        for button in (self._pin, self._close):
            button.setFixedSize(26, 26)
            row.addWidget(button)
        themes.changed.connect(self._tint)
        self._tint()

    def _tint(self) -> None:
        for button, name in ((self._pin, "pin"), (self._close, "close")):
            button.setIcon(icon(name, self._themes.theme.color("ink2")))


class WhyPlace(QObject):
    """Moves one panel between dock and overlay. ``central`` holds the content and the handle at its right edge."""

    answer_wanted = Signal(str)

    def __init__(self, window: QMainWindow, central: QWidget, session: PlanSession, themes: ThemeManager) -> None:
        super().__init__(window)
        self._window, self._central, self._session, self._themes = window, central, session, themes
        self._asked: bool | None = None
        self.handle = WhyHandle(themes)
        self.dock = named(QDockWidget("Why"), "dock-why")
        self._panel = QWidget(self.dock)
        dock_title = WhyTitle(themes)
        self.dock.setTitleBarWidget(dock_title)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.overlay = self._made_overlay(themes)
        self.dock.hide()
        dock_title.pinned.connect(self.fold)
        dock_title.closed.connect(self.fold)
        self.handle.opened.connect(self.toggle_overlay)
        session.plan_changed.connect(self.place)
        central.installEventFilter(self)

    def load(self) -> None:
        """Makes the panel itself; its import brings the charts, which the first paint does not wait for."""
        from gui.frame.why.panel import WhyPanel

        self._panel.deleteLater()
        self._panel = panel = WhyPanel(self._session, self._themes)
        panel.answer_wanted.connect(self.answer_wanted)
        if self.dock.isVisibleTo(self._window):
            self._panel.setMinimumWidth(LEAST_PX)
            self.dock.setWidget(self._panel)
        else:
            self._panel.setParent(self.overlay)
        self.place()

    def place_of_focus(self) -> QWidget:
        """The area that stands for Why in the round of F6."""
        if self.overlay.isVisible():
            return self.overlay
        return self.dock if self.dock.isVisible() else self.handle

    def place(self) -> None:
        """Docks or folds by the width of the window, unless the user said otherwise."""
        is_wide = self._window.width() >= WIDE_PX
        docked = self._session.has_plan and (is_wide if self._asked is None else self._asked)
        if docked != self.dock.isVisibleTo(self._window):
            self._dock() if docked else self._fold()
        self.handle.setVisible(not docked and self._session.has_plan)

    def forget_wish(self) -> None:
        """The window crossed the width that decides: decide anew."""
        self._asked = None
        self.place()

    def pin(self) -> None:
        """Keeps the panel open beside the content."""
        self._asked = True
        self.place()

    def fold(self) -> None:
        """Folds the panel into its handle."""
        self.overlay.hide()
        self._asked = False
        self.place()

    def toggle(self) -> None:
        """Opens the panel in the way that suits the width, or folds it."""
        if self.dock.isVisibleTo(self._window):
            self.fold()
        elif self._window.width() >= WIDE_PX:
            self.pin()
        else:
            self.toggle_overlay()

    def explain(self, key: str) -> None:
        """Opens the formula of a figure of the selected candidate, unfolding the panel if need be."""
        self._tell("explain", key)

    def explain_plan(self) -> None:
        """Shows what the plan's workloads come to together, unfolding the panel if need be."""
        self._tell("explain_plan")

    def tell(self, story: object, opens: bool) -> None:
        """Shows what a tab tells of something that is no candidate; the panel unfolds for it only if it ``opens``."""
        self._tell("tell", story, opens=opens)

    def _tell(self, wish: str, *about: object, opens: bool = True) -> None:
        """Opens the panel and tells it a wish; one that is not loaded yet hears none."""
        if opens and not self.dock.isVisibleTo(self._window) and not self.overlay.isVisible():
            self.toggle()
        heard = getattr(self._panel, wish, None)
        if heard is not None:
            heard(*about)

    def toggle_overlay(self) -> None:
        """Opens the panel over the content, or closes it there."""
        if self.overlay.isVisible():
            self.overlay.hide()
            return
        self._overlay_column.addWidget(self._panel)
        self._panel.show()
        self._settle_overlay()
        self.overlay.show()
        self.overlay.raise_()
        self._panel.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keeps the overlay at the right edge; Esc closes it."""
        if event.type() == QEvent.Type.Resize:
            self._settle_overlay()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self.overlay.isVisible():
            self.overlay.hide()
            self.handle.setFocus()
            return True
        return super().eventFilter(watched, event)

    def _made_overlay(self, themes: ThemeManager) -> QWidget:
        overlay = named(QWidget(self._central), "why-overlay")
        overlay.setProperty("surface", "overlay")
        overlay.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._overlay_column = column = QVBoxLayout(overlay)
        column.setContentsMargins(1, 0, 0, 0)
        column.setSpacing(0)
        title = WhyTitle(themes)
        title.pinned.connect(self.pin)
        title.closed.connect(overlay.hide)
        column.addWidget(title)
        overlay.installEventFilter(self)
        overlay.hide()
        return overlay

    def _dock(self) -> None:
        self.overlay.hide()
        width_px = DOCK_PX[self._window.width() >= VERY_WIDE_PX]
        self._panel.setMinimumWidth(LEAST_PX)
        self.dock.setWidget(self._panel)
        self._panel.show()
        self.dock.show()
        self._window.resizeDocks([self.dock], [width_px], Qt.Orientation.Horizontal)

    def _fold(self) -> None:
        self.dock.hide()

    def _settle_overlay(self) -> None:
        width_px = DOCK_PX[0]
        right = self._central.width() - self.handle.width()
        self.overlay.setGeometry(right - width_px, 0, width_px, self._central.height())
