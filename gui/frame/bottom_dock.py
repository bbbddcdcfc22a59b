"""The bottom dock: problems, the history of edits, and jobs under way."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QTabWidget, QUndoView, QWidget

from gui.session.plan_session import PlanSession
from gui.theme.icons import icon
from gui.theme.manager import ThemeManager
from gui.theme.naming import named

PAGES = ("problems", "history", "jobs")
_PATH = Qt.ItemDataRole.UserRole


class ProblemList(QListWidget):
    """Problems of the plan; a click goes to the field."""

    field_wanted = Signal(str)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problem-list")
        self.setAccessibleName("Problems")
        self._session = session
        self._themes = themes
        self.itemClicked.connect(self._on_item)
        self.itemActivated.connect(self._on_item)
        session.problems_changed.connect(self.refresh)
        themes.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Lists the session's problems, or says that there are none."""
        self.clear()
        theme = self._themes.theme
        for problem in self._session.problems:
            colour = theme.color("err" if problem.severity == "error" else "warn")
            item = QListWidgetItem(icon("warning", colour), problem.text, self)
            item.setData(_PATH, problem.path)
        if not self._session.problems:
            item = QListWidgetItem("No problems", self)
            item.setFlags(Qt.ItemFlag.NoItemFlags)

    def _on_item(self, item: QListWidgetItem) -> None:
        if path := item.data(_PATH):
            self.field_wanted.emit(str(path))


class JobList(QLabel):
    """What runs off the GUI thread now. Evaluations are short; a newer edit cancels the one under way."""

    def __init__(self, session: PlanSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("job-list")
        self.setContentsMargins(16, 8, 16, 8)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._session = session
        session.busy_changed.connect(self.refresh)
        session.results_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Says what runs, or how the last run went."""
        results = self._session.results
        if self._session.is_busy and self._session.profile is not None:
            self.setText(f"Comparing options for {self._session.profile.name}…")
        elif results is not None:
            last = f"{len(results.results)} options in {1000 * results.evaluation_s:.0f} ms"
            self.setText(f"No jobs. Last: compared {last}")
        else:
            self.setText("No jobs")


class BottomPages(QTabWidget):
    """The three lists under one another's titles."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bottom-pages")
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.problems = ProblemList(session, themes)
        self.history = named(QUndoView(session.undo_stack), "history", "History of edits")
        self.history.setEmptyLabel("As opened")
        self.addTab(self.problems, "Problems")
        self.addTab(self.history, "History")
        self.addTab(JobList(session), "Jobs")

    def show_page(self, name: str) -> None:
        """Brings one of ``PAGES`` to the front."""
        self.setCurrentIndex(PAGES.index(name))

    def shows(self, name: str) -> bool:
        """Whether that page is in front."""
        return PAGES[self.currentIndex()] == name
