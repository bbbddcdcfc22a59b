"""The toolbar: menu, plan, undo, scenario, search, theme and the one filled button."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolBar, QToolButton, QWidget

from gui.actions import MENUS, ActionList
from gui.forms.choice_editors import NoWheelComboBox
from gui.session.plan_session import PlanSession
from gui.theme.fonts import font
from gui.theme.icons import icon
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, caption, tip
from gui.widgets.rule import rule

NAME_PX = (72, 260)
"""The least and the most that the plan's name takes."""
SEARCH_PX = (196, 232)
EDGES_PX = 16
"""What the bar keeps free at both its ends."""
ROOMY_PX, NARROW_PX = 1400, 1060
"""From the first width on the search field is wide; below the second, words that say nothing new give way."""


class Toolbar(QToolBar):
    """Built from the window's actions; follows the session."""

    def __init__(
        self, session: PlanSession, themes: ThemeManager, actions: ActionList, parent: QWidget | None = None
    ) -> None:
        super().__init__("Toolbar", parent)
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setFixedHeight(themes.theme.heights_px["toolbar"])
        self._session, self._themes, self._actions = session, themes, actions
        self._icons: list[tuple[QToolButton | QPushButton, str]] = []
        self._make_widgets()
        self._lay_out()
        session.plan_changed.connect(self.refresh)
        session.scenario_changed.connect(self.refresh)
        themes.changed.connect(self._tint)
        self._tint()
        self.refresh()

    def refresh(self) -> None:
        """Shows the session's plan and scenarios."""
        plan = self._session.plan
        has_plan = self._session.has_plan
        is_read_only = self._session.is_read_only
        self._badge.setText("Read-only" if is_read_only else "Example data")
        self._badge.setVisible((plan.is_sample or is_read_only) and has_plan)
        self._plan_parts.setVisible(has_plan)
        self._show_scenarios()
        self._show_name()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A wider window has a wider search field; in a narrow one words give way, then the plan's name."""
        super().resizeEvent(event)
        self.search.setFixedWidth(SEARCH_PX[self.width() >= ROOMY_PX])
        for words in (self._scenario_words, self._keys):
            words.setVisible(self.width() >= NARROW_PX)
        self._show_name()

    def _show_name(self) -> None:
        """The plan's name in what the others leave of the width."""
        name = self._session.plan.name if self._session.has_plan else "Roofplan"
        others_px = self._row.sizeHint().width() - self._name.sizeHint().width()
        room_px = min(max(self.width() - EDGES_PX - others_px, NAME_PX[0]), NAME_PX[1])
        strong = QFontMetrics(font(13, font().Weight.DemiBold))
        self._name.setText(strong.elidedText(as_text(name), Qt.TextElideMode.ElideRight, room_px))
        self._name.setToolTip(tip(name))

    def _show_scenarios(self) -> None:
        self.scenario.blockSignals(True)
        scenarios = [(as_text(one.name), one.id) for one in self._session.plan.scenarios]
        if scenarios != [(self.scenario.itemText(n), self.scenario.itemData(n)) for n in range(self.scenario.count())]:
            self.scenario.clear()
            for name, scenario_id in scenarios:
                self.scenario.addItem(as_text(name), scenario_id)
        self.scenario.setCurrentIndex(max(0, self.scenario.findData(self._session.scenario_id)))
        self.scenario.blockSignals(False)

    def _make_widgets(self) -> None:
        self.menu_button = named(QToolButton(), "menu", "Menu", "quiet")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setMenu(self._menu())
        self._icons.append((self.menu_button, "menu"))
        self._name = named(Label(), "plan-name", kind="strong")
        self._badge = named(Label("Example data"), "example-badge", kind="badge")
        self._badge.setFixedHeight(18)
        self.scenario = named(NoWheelComboBox(), "scenario", "Scenario")
        self.scenario.setFixedSize(112, 28)
        self.scenario.activated.connect(self._on_scenario)
        self.search = named(QPushButton("Search or run a command"), "search", "Search or run a command", "search")
        self.search.setFixedHeight(28)
        self.search.clicked.connect(self._actions.qt("palette").trigger)
        self._icons.append((self.search, "search"))
        self.export = named(QPushButton("Export PDF…"), "export-pdf", "Export PDF", "primary")
        self.export.setFixedHeight(28)
        self.export.clicked.connect(self._actions.qt("export-pdf").trigger)
        self._actions.qt("export-pdf").changed.connect(self._on_export_changed)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        for name in MENUS:
            self._actions.fill(menu.addMenu(caption(name)), name)
        return menu

    def _button(self, action_id: str, icon_name: str) -> QToolButton:
        made = named(QToolButton(), f"toolbar-{action_id}", self._actions[action_id].text.rstrip("…"), "quiet")
        made.setDefaultAction(self._actions.qt(action_id))
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        made.setFixedSize(28, 28)
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._icons.append((made, icon_name))
        return made

    def _lay_out(self) -> None:
        whole = QWidget()
        row = self._row = QHBoxLayout(whole)
        row.setContentsMargins(2, 0, 4, 0)
        row.setSpacing(0)
        self.menu_button.setFixedSize(32, 28)
        self.menu_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        left: tuple[tuple[QWidget, int], ...] = ((self.menu_button, 8), (self._name, 12), (self._badge, 12))
        for widget, gap in left:
            row.addWidget(widget)
            row.addSpacing(gap)
        self._plan_parts = self._plan_row()
        row.addWidget(self._plan_parts)
        row.addStretch(1)
        self._keys = named(Label(self._actions["palette"].shortcut_words), "palette-keys", kind="small")
        right: tuple[tuple[QWidget, int], ...] = (
            (self.search, 8),
            (self._keys, 12),
            (self._button("toggle-theme", "theme"), 8),
        )
        for widget, gap in right:
            row.addWidget(widget)
            row.addSpacing(gap)
        row.addWidget(self.export)
        self.addWidget(whole)

    def _plan_row(self) -> QWidget:
        """What belongs to an open plan: undo, redo and scenarios."""
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._scenario_words = named(Label("Scenario"), "scenario-label", kind="ink2")
        parts: tuple[tuple[QWidget, int], ...] = (
            (_divider(), 13),
            (self._button("undo", "undo"), 0),
            (self._button("redo", "redo"), 18),
            (_divider(), 13),
            (self._scenario_words, 10),
            (self.scenario, 5),
            (self._button("add-scenario", "plus"), 0),
        )
        for widget, gap in parts:
            row.addWidget(widget)
            row.addSpacing(gap)
        return box

    def _on_scenario(self, index: int) -> None:
        self._session.set_scenario(str(self.scenario.itemData(index)))

    def _on_export_changed(self) -> None:
        action = self._actions.qt("export-pdf")
        self.export.setEnabled(action.isEnabled())
        self.export.setToolTip(action.toolTip())

    def _tint(self) -> None:
        theme = self._themes.theme
        for button, name in self._icons:
            colour = theme.color("ink3" if name == "search" else "ink")
            made = icon(name, colour)
            made.addPixmap(icon(name, theme.color("line2")).pixmap(QSize(16, 16), 2.0), made.Mode.Disabled)
            button.setIcon(made)
            side_px = 14 if name == "search" else 16
            button.setIconSize(QSize(side_px, side_px))
            action = button.defaultAction() if isinstance(button, QToolButton) else None
            if action is not None:
                action.setIcon(made)


def _divider() -> QWidget:
    line = rule(vertical=True)
    line.setFixedHeight(20)
    return line
