"""Which theme is shown; changes it for the whole application."""

from __future__ import annotations

from functools import cache
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from core import paths
from gui.theme.fonts import font, load_fonts
from gui.theme.icons import icon_file
from gui.theme.theme import Theme, theme
from gui.theme.tokens import Choice, chosen


class ThemeManager(QObject):
    """Applies a theme to the application and says when it changed. One is made at start and passed on."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: Choice = "system") -> None:
        super().__init__(app)
        load_fonts()
        self._app = app
        self._choice: Choice = choice
        self.theme: Theme = theme("light")
        app.setStyle("Fusion")
        app.setFont(font())
        app.styleHints().colorSchemeChanged.connect(self._on_system_change)
        self._apply()

    @property
    def choice(self) -> Choice:
        """What the user asked for: light, dark or as the system."""
        return self._choice

    def choose(self, choice: Choice) -> None:
        """Shows another theme."""
        self._choice = choice
        self._apply()

    def toggle(self) -> None:
        """Light to dark or back."""
        self.choose("light" if self.theme.is_dark else "dark")

    def _on_system_change(self, _: Qt.ColorScheme) -> None:
        if self._choice == "system":
            self._apply()

    def _apply(self) -> None:
        self.theme = theme(chosen(self._choice))
        self._app.setPalette(_palette(self.theme))
        self._app.setStyleSheet(_style_sheet(self.theme))
        self.changed.emit()


_ROLES = {
    QPalette.ColorRole.Window: "bg",
    QPalette.ColorRole.WindowText: "ink",
    QPalette.ColorRole.Base: "field",
    QPalette.ColorRole.AlternateBase: "dock",
    QPalette.ColorRole.Text: "ink",
    QPalette.ColorRole.Button: "bg",
    QPalette.ColorRole.ButtonText: "ink",
    QPalette.ColorRole.ToolTipBase: "dock",
    QPalette.ColorRole.ToolTipText: "ink",
    QPalette.ColorRole.PlaceholderText: "ink3",
    QPalette.ColorRole.Highlight: "sel",
    QPalette.ColorRole.HighlightedText: "ink",
    QPalette.ColorRole.Link: "ink",
    QPalette.ColorRole.Accent: "accent",
}


def _palette(shown: Theme) -> QPalette:
    palette = QPalette()
    for role, token in _ROLES.items():
        palette.setColor(role, shown.color(token))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(shown.color("ctl")))
    return palette


def _style_sheet(shown: Theme) -> str:
    """The sheet of all widgets in the colours of a theme. Widgets ask for a look by their property ``kind``."""
    return _template().substitute(
        shown.colours,
        chevron=icon_file("chevron-down", shown.colours["ink2"]),
        chevron_left=icon_file("chevron-left", shown.colours["ink2"]),
        chevron_right=icon_file("chevron-right", shown.colours["ink2"]),
        tick=icon_file("check", shown.colours["btnt"]),
    )


@cache
def _template() -> Template:
    return Template((paths.resources() / "theme" / "style.qss").read_text(encoding="utf-8"))
