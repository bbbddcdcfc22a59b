"""The project dock: workloads, scenarios, prices and imports of the plan. One click shows one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QVBoxLayout, QWidget

from core.plan.imports import without_log
from core.plan.plan import Plan
from core.plan.scenario import remove_scenario, rename_scenario
from core.plan.workloads import add_workload, remove_workload
from gui.frame.project_delegate import ROW, ProjectDelegate
from gui.frame.project_rows import Row, rows_of, whole_rows
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import tip

_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class ProjectPanel(QWidget):
    """Lists the plan's parts. Every change made here is one undo step."""

    add_workload_wanted = Signal()
    add_scenario_wanted = Signal()
    log_wanted = Signal(str)
    phase_wanted = Signal(str)
    import_wanted = Signal()
    catalogue_wanted = Signal()
    book_wanted = Signal()
    prices_wanted = Signal()
    whole_wanted = Signal()

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("project")
        self._session = session
        self._model = QStandardItemModel(self)
        self._rows: list[Row] = []
        self.view = named(QListView(self), "project-list", "Project")
        self.view.setProperty("surface", "dock")
        self.view.setModel(self._model)
        self.view.setItemDelegate(ProjectDelegate(themes, self.view))
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.addWidget(self.view)
        self._connect(themes)
        self.refresh()

    def refresh(self) -> None:
        """Lists the plan's parts anew, keeping the place."""
        session, whole = self._session, self._session.whole_plan
        together = whole_rows(session.plan, whole.answer, whole.is_working)
        rows = rows_of(session.plan, session.catalogue, session.layers.book, together) if session.has_plan else []
        rows = [row.locked() for row in rows] if session.is_read_only else rows
        if rows != self._rows:
            self._rows = rows
            self._list(rows)
        self._mark()

    def _list(self, rows: Sequence[Row]) -> None:
        at = self.view.currentIndex().row()
        self._model.blockSignals(True)
        self._model.clear()
        for row in rows:
            self._model.appendRow(_item(row))
        self._model.blockSignals(False)
        self._model.layoutChanged.emit()
        if 0 <= at < self._model.rowCount():
            self.view.setCurrentIndex(self._model.index(at, 0))

    def row(self, index: QModelIndex | QPersistentModelIndex) -> Row | None:
        """The row at an index."""
        row = index.data(ROW)
        return row if isinstance(row, Row) else None

    def activate(self, index: QModelIndex) -> None:
        """Shows, or begins, what a row stands for."""
        row = self.row(index)
        if row is None or not row.is_enabled:
            return
        if row.kind == "workload":
            self._session.show_profile(self._workload_index(row.id))
        elif row.kind == "scenario":
            self._session.set_scenario(row.id)
        elif row.kind == "log":
            self.log_wanted.emit(row.id)
        elif row.kind == "phase":
            self.phase_wanted.emit(row.id)
        else:
            self._ask(row.kind)

    def duplicate(self, row: Row) -> None:
        """Adds a copy of a workload."""
        profile = self._session.plan.profiles[self._workload_index(row.id)]
        self._session.replace_plan(add_workload(self._session.plan, profile), f"Duplicate {row.text}")
        self._session.show_profile(len(self._session.plan.profiles) - 1)

    def delete(self, row: Row) -> None:
        """Takes a workload, a scenario or a log out of the plan."""
        self._session.replace_plan(self._without(row), f"Delete {row.text}")

    def menu(self, index: QModelIndex) -> QMenu | None:
        """What can be done with the row at an index; None when nothing can."""
        row = self.row(index)
        if row is None or not row.can_remove:
            return None
        menu = QMenu(self)
        if row.can_rename:
            menu.addAction("Rename", lambda: self.view.edit(index))
        if row.kind == "workload":
            menu.addAction("Duplicate", lambda: self.duplicate(row))
        remove = menu.addAction("Delete", lambda: self.delete(row))
        remove.setEnabled(row.kind != "workload" or len(self._session.plan.profiles) > 1)
        return menu

    def _connect(self, themes: ThemeManager) -> None:
        self.view.clicked.connect(self.activate)
        enter = QShortcut(QKeySequence(Qt.Key.Key_Return), self.view, context=Qt.ShortcutContext.WidgetShortcut)
        enter.activated.connect(self._activate_current)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self._model.itemChanged.connect(self._on_renamed)
        self._session.plan_changed.connect(self.refresh)
        self._session.whole_plan.changed.connect(self.refresh)
        self._session.profile_changed.connect(self._mark)
        self._session.scenario_changed.connect(self._mark)
        themes.changed.connect(self.view.viewport().update)

    def _ask(self, kind: str) -> None:
        wanted = {
            "add-workload": self.add_workload_wanted,
            "add-scenario": self.add_scenario_wanted,
            "import-log": self.import_wanted,
            "prices": self.catalogue_wanted,
            "book": self.book_wanted,
            "import-prices": self.prices_wanted,
            "whole": self.whole_wanted,
        }
        if kind in wanted:
            wanted[kind].emit()

    def _activate_current(self) -> None:
        self.activate(self.view.currentIndex())

    def _show_menu(self, at: QPoint) -> None:
        menu = self.menu(self.view.indexAt(at))
        if menu is not None:
            menu.exec(self.view.viewport().mapToGlobal(at))
            menu.deleteLater()

    def _mark(self) -> None:
        """Marks the workload and, where it is not the base, the scenario on screen."""
        profiles = self._session.plan.profiles
        shown = profiles[self._session.profile_index].id if profiles else ""
        delegate = self.view.itemDelegate()
        marked = {("workload", shown), ("scenario", self._session.scenario_id)}
        if isinstance(delegate, ProjectDelegate) and delegate.shown != marked:
            delegate.shown = marked
            self.view.viewport().update()

    def _workload_index(self, profile_id: str) -> int:
        return next(i for i, profile in enumerate(self._session.plan.profiles) if profile.id == profile_id)

    def _without(self, row: Row) -> Plan:
        plan = self._session.plan
        if row.kind == "workload":
            return remove_workload(plan, self._workload_index(row.id))
        return remove_scenario(plan, row.id) if row.kind == "scenario" else without_log(plan, row.id)

    def _on_renamed(self, item: QStandardItem) -> None:
        row, name = item.data(ROW), item.text().strip()
        if not isinstance(row, Row) or not name or name == row.text:
            return
        plan = self._session.plan
        if row.kind == "workload":
            self._session.replace_plan(_renamed_workload(plan, row.id, name), f"Rename {row.text}")
        else:
            self._session.replace_plan(rename_scenario(plan, row.id, name), f"Rename {row.text}")


def _renamed_workload(plan: Plan, profile_id: str, name: str) -> Plan:
    profiles = tuple(
        one.model_copy(update={"name": name[:80]}) if one.id == profile_id else one for one in plan.profiles
    )
    return plan.model_copy(update={"profiles": profiles})


def _item(row: Row) -> QStandardItem:
    item = QStandardItem(row.text)
    item.setData(row, ROW)
    item.setToolTip(tip(row.detail))
    item.setData(f"{row.text} {row.note}".strip(), Qt.ItemDataRole.AccessibleTextRole)
    if row.kind == "section" or not row.is_enabled:
        item.setFlags(Qt.ItemFlag.NoItemFlags)
    else:
        item.setFlags(_FLAGS | Qt.ItemFlag.ItemIsEditable if row.can_rename else _FLAGS)
    return item
