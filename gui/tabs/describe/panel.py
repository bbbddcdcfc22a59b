"""The Describe tab: the workload's form beside the throughput that follows from it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.errors import InputError, MachineError
from core.workload.config_json import read_config
from gui.forms.field_row import DOT_PX
from gui.forms.known_values import known_values
from gui.forms.workload_form import WorkloadForm
from gui.session.plan_session import PlanSession
from gui.tabs.describe.chart import DescribeChart
from gui.tabs.describe.field_hints import hints
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.widgets.rule import rule

FORM_PX = 624
_LEAST_FORM_PX = 420
_CHART_SHARE = 0.43
_LINK_INSET_PX = 4


class DescribePanel(QWidget):
    """Form at left, live chart at right. A config.json dropped here becomes the model."""

    tab_requested = Signal(str)
    field_requested = Signal(str)
    explain_requested = Signal(str)
    own_entry_wanted = Signal(str)
    scan_wanted = Signal()

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel-describe")
        self.setAcceptDrops(True)
        self._session = session
        self._catalogue = session.catalogue
        self.form = WorkloadForm(session, themes, known_values(session.catalogue), hints)
        self.chart = DescribeChart(session, themes)
        self._build()
        self.form.config_wanted.connect(self.ask_config)
        self.form.scan_wanted.connect(self.scan_wanted)
        session.plan_changed.connect(self._on_plan)
        self._on_plan()
        self.chart.tab_requested.connect(self.tab_requested)
        self.chart.field_requested.connect(self.field_requested)
        self.chart.explain_requested.connect(self.explain_requested)

    def show_field(self, path: str) -> None:
        """Scrolls to a field, given by its path in the plan or in the profile, and gives it the focus."""
        inside = path.removeprefix(self._session.path(""))
        row = self.form.open_at(inside)
        if row is not None:
            QTimer.singleShot(0, row, self._scroll_to_focus)

    def ask_config(self) -> None:
        """Asks for a config.json and takes its model."""
        name, _ = QFileDialog.getOpenFileName(
            self, "Model from config.json", "", "Model config (*.json);;All files (*)"
        )
        if name:
            self.take_config(Path(name))

    def take_config(self, path: Path) -> None:
        """The model of a config.json, as one undo step; says below the field what was read, or what is wrong."""
        link = self.form.link("model")
        if link is None:
            return
        try:
            read = read_config(path)
        except (InputError, MachineError) as error:
            link.say(f"{error}", "error")
            return
        self._session.end_step()
        refused = self._session.edit(self._session.path("model"), read.model, f"Model from {path.name}")
        self._session.end_step()
        self.show_field("model")
        if refused:
            link.say(refused, "error")
        else:
            link.say(f"Read {path.name}: {read.words}", "warning" if read.warnings else "note")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes one JSON file; everything else is left to the window."""
        if _config_of(event) is not None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Reads the dropped config.json."""
        path = _config_of(event)
        if path is not None:
            event.acceptProposedAction()
            self.take_config(path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The form keeps its width; the chart takes the rest, and what is missing is taken from the form."""
        super().resizeEvent(event)
        wanted = round(self.width() * (1 - _CHART_SHARE))
        self._scroll.setFixedWidth(max(_LEAST_FORM_PX, min(FORM_PX, wanted)))

    def _on_plan(self) -> None:
        """Entries of one's own are choices too; what is open read-only can be read and not changed."""
        for changing in (self.form, self.have):
            changing.setEnabled(not self._session.is_read_only)
        if self._session.catalogue is not self._catalogue:
            self._catalogue = self._session.catalogue
            self.form.set_known(known_values(self._catalogue))

    def _build(self) -> None:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(12, 12, 16, 12)
        column.addLayout(self._have())
        column.addWidget(self.form)
        self._scroll = named(QScrollArea(), "form-area", "Workload")
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(holder)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._scroll)
        row.addWidget(rule(vertical=True))
        row.addWidget(self.chart, 1)

    def _have(self) -> QHBoxLayout:
        """The way to name chips that are there already."""
        row = QHBoxLayout()
        row.setContentsMargins(DOT_PX - _LINK_INSET_PX, 0, 0, 4)
        self.have = named(QPushButton("I have chips for this…"), "describe-have", "I have chips for this", "link")
        self.have.setToolTip("In the house or reserved: see what they do with this, beside what better ones would save")
        self.have.clicked.connect(partial(self.own_entry_wanted.emit, "have"))
        row.addWidget(self.have)
        row.addStretch(1)
        return row

    def _scroll_to_focus(self) -> None:
        focused = self.form.focusWidget()
        if focused is not None:
            self._scroll.ensureWidgetVisible(focused, 0, 80)


def _config_of(event: QDropEvent) -> Path | None:
    """The one JSON file that is dragged; None for anything else."""
    urls = [url for url in event.mimeData().urls() if url.isLocalFile()]
    path = Path(urls[0].toLocalFile()) if len(urls) == 1 else None
    return path if path is not None and path.suffix == ".json" else None
