"""The bottom dock: problems, the history of edits, and jobs under way."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QUndoView,
    QVBoxLayout,
    QWidget,
)

from gui.session.plan_session import PlanSession
from gui.session.road import Work
from gui.theme.icons import icon
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label
from gui.theme.removal import take_away

PAGES = ("problems", "history", "jobs")
BAR_PX = 160
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


class JobRow(QWidget):
    """One work on the road: its title, how far it is, and the way to stop it."""

    stop_wanted = Signal(int)

    def __init__(self, work: Work) -> None:
        super().__init__()
        self.number = work.number
        self.setObjectName(f"job-{work.number}")
        self.title = Label()
        self.bar = named(QProgressBar(), "job-progress", f"Progress: {work.title}")
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(BAR_PX)
        self.cancel = named(QPushButton("Cancel"), "job-cancel", f"Cancel: {work.title}", "quiet")
        self.cancel.clicked.connect(self._on_cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.title)
        row.addWidget(self.bar)
        row.addWidget(self.cancel)
        row.addStretch(1)
        self.show_work(work)

    def show_work(self, work: Work) -> None:
        """Says how far it is; a work of one step has a bar only once it tells a share."""
        self.title.setText(f"{work.title}, {work.words}" if work.words else f"{work.title}…")
        self.bar.setVisible(work.share > 0 or work.n_steps > 1)
        self.bar.setValue(round(100 * work.share))

    def _on_cancel(self) -> None:
        self.stop_wanted.emit(self.number)


class JobList(QScrollArea):
    """What is on the road now, oldest first. Evaluations are short; a newer edit cancels the one under way."""

    def __init__(self, session: PlanSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("job-list")
        self.setWidgetResizable(True)
        self._session = session
        self.rows: dict[int, JobRow] = {}
        self.last = named(Label(), "job-last")
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(16, 8, 16, 8)
        self._column.setSpacing(4)
        self._column.addWidget(self.last)
        self._column.addStretch(1)
        self.setWidget(inside)
        session.road.changed.connect(self._on_change)
        session.results_changed.connect(self._on_change)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed meanwhile."""
        super().showEvent(event)
        self.refresh()

    def _on_change(self) -> None:
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Says what runs, or how the last evaluation went."""
        works = {work.number: work for work in self._session.road.listed}
        for number in self.rows.keys() - works.keys():
            take_away(self.rows.pop(number))
        for number, work in works.items():
            if number not in self.rows:
                self._add(work)
            self.rows[number].show_work(work)
        results = self._session.results
        last = f"{len(results.results)} options in {1000 * results.evaluation_s:.0f} ms" if results else ""
        self.last.setText(f"No jobs. Last: compared {last}" if last else "No jobs")
        self.last.setVisible(not works)

    def _add(self, work: Work) -> None:
        row = JobRow(work)
        row.stop_wanted.connect(self._session.road.give_up)
        self._column.insertWidget(len(self.rows), row)
        self.rows[work.number] = row


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
