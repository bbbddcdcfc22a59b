"""The main window: puts toolbar, verdict, docks and tabs together, and passes wishes from one to another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from core.plan.sample_plan import portfolio_plan, sample_plan
from core.report.blocks import Document
from core.workload.library import load_profiles, more_profiles
from gui.actions import ActionList
from gui.dialogs.command_palette import CommandPalette, palette_entries
from gui.dialogs.comments import ask_comments
from gui.dialogs.export import PdfExport
from gui.dialogs.files import FileDialogs
from gui.dialogs.help import HelpDialogs
from gui.dialogs.plan import PlanDialogs
from gui.dialogs.ways_out import WaysOut
from gui.frame.bottom_dock import BottomPages
from gui.frame.project import ProjectPanel
from gui.frame.start import MOST_LISTED, StartOffer, StartPage
from gui.frame.status import StatusStrip
from gui.frame.toolbar import Toolbar
from gui.frame.tour import Tour
from gui.frame.verdict import VerdictStrip
from gui.frame.why.dock import WIDE_PX, WhyPlace
from gui.session.calls import Calls
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.settings import Settings, restore_window_layout, save_window_layout
from gui.tabs.tab_pages import TabPages
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import as_text
from gui.widgets.message_bar import MessageBar
from gui.widgets.overlay import AtLowerEdge
from gui.window.areas import focus_next_area
from gui.window.command_table import actions_of
from gui.window.connections import connect
from gui.window.incoming_files import IncomingFiles, local_files
from gui.window.price_actions import PriceActions

LEAST_PX = (960, 600)


class MainWindow(QMainWindow):
    """One window, one plan. Charts are loaded after the first paint."""

    def __init__(self, session: PlanSession, files: FileSession, themes: ThemeManager, settings: Settings) -> None:
        super().__init__()
        self.setObjectName("main-window")
        self.setMinimumSize(*LEAST_PX)
        self.setAcceptDrops(True)
        self.session, self.files, self.themes, self.settings = session, files, themes, settings
        self._is_painted = False
        self.message = MessageBar(themes)
        self.dialogs = FileDialogs(self, files, self.message.say)
        self.calls = Calls(self)
        self.parts = PlanDialogs(self, session)
        self.help = HelpDialogs(self, session)
        self.prices = PriceActions(self, session, themes, self.message.say)
        self.exporter = PdfExport(session, self, self.message.say, write_document)
        self.ways_out = WaysOut(session, themes, self, self.message.say, write_slide)
        self.commands = ActionList(self, actions_of(session, self._handlers(), self._show_tab))
        self._build()
        connect(self)
        if not session.has_plan:
            self.show_start()
        self.refresh()
        self.resizeDocks([self.project_dock], [self.project_dock.minimumWidth()], Qt.Orientation.Horizontal)
        restore_window_layout(self, settings)
        self.why.place()

    def refresh(self) -> None:
        """Shows what can be done now, the title, and the start page or the tabs."""
        self.setWindowTitle(as_text(self.files.title))
        self.setWindowModified(self.files.is_dirty)
        self.commands.refresh()
        has_plan = self.session.has_plan
        if has_plan != (self._stack.currentWidget() is self.tabs):
            self._stack.setCurrentWidget(self.tabs) if has_plan else self.show_start()
        for widget in (self.verdict, self.project_dock):
            widget.setVisible(has_plan)

    def say(self, text: str, button: str = "", handler: Callable[[], object] | None = None) -> None:
        """Shows a message that does not stop the work."""
        self.message.say(text, button, handler)

    def show_start(self) -> None:
        """The start page with what there is to start from."""
        copies = self.dialogs.snapshots(most=MOST_LISTED)
        offer = StartOffer(load_profiles() | more_profiles(), self.settings.recent_files(), copies)
        self.start_page.show_offer(offer)
        self._stack.setCurrentWidget(self.start_page)
        self.why.place()

    def new_plan(self, profile_id: str = "") -> None:
        """A new plan from a shipped workload, or from defaults, shown in the form."""
        if self.dialogs.new((load_profiles() | more_profiles()).get(profile_id)):
            self.tabs.show_tab("describe")

    def begin_tour(self) -> None:
        """The tour from its first step on."""
        self.tour.begin()
        if not self.settings.has_seen_tour:
            self.settings.has_seen_tour = True
            self.settings.save()

    def open_sample(self) -> None:
        """The sample plan; who has not seen the tour is taken through it."""
        self.dialogs.open_example(sample_plan)
        if self.session.plan.is_sample and not self.settings.has_seen_tour:
            self.begin_tour()

    def open_eight_models(self) -> None:
        """The example of several workloads on shared chips, at the page that is about them."""
        if self.dialogs.open_example(portfolio_plan):
            self.tabs.show_portfolio()

    def start_with_chips(self) -> None:
        """A new plan from defaults, beginning with what the user has."""
        self.new_plan()
        if self.session.has_plan:
            self.prices.edit_entry("have")

    def add_workload(self) -> None:
        """A further workload, shown in the form."""
        if self.parts.add_workload():
            self.tabs.show_tab("describe")

    def show_palette(self) -> None:
        """Opens the palette and runs what was chosen."""
        entries = palette_entries(self.commands, self.session, self.tabs.show_field)
        palette = CommandPalette([*entries, *self.help.entries()], self)
        palette.exec()
        chosen = palette.chosen
        palette.deleteLater()
        if chosen is not None:
            chosen.run()

    def show_bottom(self, page: str) -> None:
        """Opens the bottom dock at a page; asks twice for the same page and it closes."""
        is_same = self.bottom_dock.isVisible() and self.bottom.shows(page)
        self.bottom.show_page(page)
        self.bottom_dock.setVisible(not is_same)

    def next_area(self) -> None:
        """Moves the focus on: toolbar, project, tab row, content, Why, status."""
        tabs = self.tabs
        focus_next_area([self.toolbar, self.project, tabs.strip, tabs.content, self.why.place_of_focus(), self.status])

    def toggle_theme(self) -> None:
        """Light to dark or back; remembered."""
        self.themes.toggle()
        self._keep_theme()

    def choose_theme(self, choice: str) -> None:
        """Light, dark or as the system; remembered."""
        self.themes.choose("dark" if choice == "dark" else "light" if choice == "light" else "system")
        self._keep_theme()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about unsaved changes, then ends everything in good order."""
        if not self.dialogs.may_leave():
            event.ignore()
            return
        save_window_layout(self, self.settings)
        self.tabs.close_panels()
        self.files.close()
        self.session.close()
        super().closeEvent(event)

    def come_forward(self) -> None:
        """Another start of Roofplan wants this window."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def changeEvent(self, event: QEvent) -> None:
        """Whoever comes back to the window may find the file changed by somebody else."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.files.look_at_file()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Takes what was dropped, once the source program has been let go."""
        QTimer.singleShot(0, self, partial(self.incoming.take, *local_files(event.mimeData())))

    def paintEvent(self, event: QPaintEvent) -> None:
        """After the first paint charts are loaded and the first results asked for."""
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            self.windowHandle().installEventFilter(self.session.road.way)
            QTimer.singleShot(0, self, self._after_first_paint)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Docks follow the width of the window."""
        super().resizeEvent(event)
        crossed = (event.oldSize().width() >= WIDE_PX) != (event.size().width() >= WIDE_PX)
        if crossed:
            self.why.forget_wish()

    def _build(self) -> None:
        self.toolbar = Toolbar(self.session, self.themes, self.commands)
        self.verdict = VerdictStrip(self.session)
        self.tabs = TabPages(self.session, self.themes)
        self.incoming = IncomingFiles(self.session, self.dialogs, self.tabs, self.prices, self.message.say)
        self.start_page = StartPage()
        self.setMenuWidget(_column(self.toolbar, self.verdict))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.start_page)
        self._stack.addWidget(self.tabs)
        central = QWidget()
        self.setCentralWidget(central)
        self.project = ProjectPanel(self.session, self.themes)
        self.project_dock = self._dock("dock-project", "Project", self.project, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.project_dock.setTitleBarWidget(QWidget())
        self.project_dock.setMinimumWidth(self.themes.theme.widths_px["project_dock"])  # narrower no title can be read
        self.bottom = BottomPages(self.session, self.themes)
        self.bottom_dock = self._dock("dock-bottom", "Messages", self.bottom, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.bottom_dock.setTitleBarWidget(QWidget())
        self.bottom_dock.hide()
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.why = WhyPlace(self, central, self.session, self.themes)
        row = QHBoxLayout(central)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        content = _column(self._stack)
        row.addWidget(content, 1)
        AtLowerEdge(self.message, content)
        self.tour = Tour(self.session, content)
        row.addWidget(self.why.handle)
        self.status = StatusStrip(self.session, self.files)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setFixedHeight(self.themes.theme.heights_px["status"])
        self.statusBar().setContentsMargins(0, 0, 0, 0)
        self.statusBar().addWidget(self.status, 1)

    def _dock(self, name: str, title: str, inside: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = named(QDockWidget(title), name, title)
        dock.setWidget(inside)
        self.addDockWidget(area, dock)
        return dock

    def _after_first_paint(self) -> None:
        self.tabs.load()
        self.why.load()
        self.setFocus()
        self.session.start()
        self.session.whole_plan.watch()

    def _show_tab(self, panel_id: str) -> None:
        self.tabs.show_tab(panel_id)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        """What each command of the table does here."""
        return {
            "new": self.new_plan,
            "open-sample": self.open_sample,
            "open-eight-models": self.open_eight_models,
            "open": self.dialogs.ask_open,
            "open-read-only": self.dialogs.ask_open_read_only,
            "start": self.show_start,
            "save": self.dialogs.save,
            "save-as": self.dialogs.save_as,
            "versions": self.dialogs.earlier_versions,
            "import-log": self._import_log,
            "import-config": self._import_config,
            "export-pdf": self.exporter.ask_and_export,
            "export-workbook": self.ways_out.ask_workbook,
            "export-slide": self.ways_out.ask_slide,
            "export-charts": self.ways_out.ask_charts,
            "compare-plans": self._compare_plans,
            "handoff": self.ways_out.ask_handoff,
            "quit": self.close,
            "undo": self.session.undo_stack.undo,
            "redo": self.session.undo_stack.redo,
            "rename": self.parts.rename,
            "comments": partial(ask_comments, self, self.session),
            "add-workload": self.add_workload,
            "add-scenario": self.parts.add_scenario,
            "palette": self.show_palette,
            "why": self._toggle_why,
            "problems": partial(self.show_bottom, "problems"),
            "history": partial(self.show_bottom, "history"),
            "jobs": partial(self.show_bottom, "jobs"),
            "next-area": self.next_area,
            "money": self.parts.money,
            "scan-code": self.parts.scan_code,
            "toggle-theme": self.toggle_theme,
            "theme-light": partial(self.choose_theme, "light"),
            "theme-dark": partial(self.choose_theme, "dark"),
            "theme-system": partial(self.choose_theme, "system"),
            **self.prices.handlers(),
            "help": self.help.help,
            "tour": self.begin_tour,
            "shortcuts": self._show_shortcuts,
            "about": self.help.about,
        }

    def _import_log(self) -> None:
        self.incoming.ask_log()

    def _import_config(self) -> None:
        self.tabs.describe().ask_config()

    def _compare_plans(self) -> None:
        from gui.tabs.report.plan_diff import PlanDiffDialog  # only now, as every start would pay for it

        PlanDiffDialog(self.session, write_document, self).open()

    def _toggle_why(self) -> None:
        self.why.toggle()

    def _show_shortcuts(self) -> None:
        self.help.shortcuts(self.commands.actions)

    def _keep_theme(self) -> None:
        self.settings.theme = self.themes.choice
        self.settings.save()


def write_document(document: Document, path: Path) -> None:
    """Writes the PDF; the writer is loaded when it is first needed."""
    from gui.pdf.writer import write_pdf

    write_pdf(document, path)


def write_slide(document: Document, path: Path) -> None:
    """As a slide; the typesetter is loaded when the first one is written."""
    from gui.pdf.writer import write_slide as write

    write(document, path)


def _column(*widgets: QWidget) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget)
    return whole
