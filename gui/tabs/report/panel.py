"""The Report tab: which pages, a live preview of them, and files to hand over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.comparison.result import ResultSet
from core.errors import MachineError, RoofplanError
from core.report.document import PAGES
from core.report.masking import HandedOut
from core.report.tabular import candidate_csv
from core.report.workbook.write import sheets_of, write_workbook
from core.units import counted, money_here, noun
from core.writing.whole_file import hand_over, with_ending
from gui.dialogs.export import PdfExport
from gui.pdf.typeset import Sheets, sheets
from gui.pdf.writer import write_pdf
from gui.session.paper import Paper
from gui.session.plan_session import PlanSession
from gui.session.road import Cancelled, Progress, Work, stoppable
from gui.tabs.report.page_picker import PagePicker
from gui.tabs.report.preview import FIT_WIDTH, Preview
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, caption
from gui.widgets.rule import rule

_SIDE_PX = 248
_SETTLE_MS = 120
_PATIENCE_MS = 300
"""Pages that come sooner replace those before without a word."""

LAYING_OUT = "Laying out the pages…"
MASKING = "Putting public prices in the place of private ones, and laying out the pages…"
Write = Callable[[Paper, HandedOut, Path], None]
PAPERS = {"a4": "A4", "letter": "Letter"}
_ZOOMS = {"Fit width": FIT_WIDTH, "75 %": 0.75, "100 %": 1.0, "150 %": 1.5}


class ReportPanel(QWidget):
    """Page picker and files at left, pages at right. The choice of pages is part of the plan and can be undone."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel-report")
        self._session = session
        self._folder: Path | None = None
        self.export = PdfExport(session, self, self._say, write_pdf)
        self._work: Work | None = None
        self._trouble = ""
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._tell_progress)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self.refresh)
        self._build()
        for signal in (session.plan_changed, session.results_changed, session.scenario_changed):
            signal.connect(self._on_change)
        self._offer_files()

    @property
    def pages(self) -> tuple[str, ...]:
        """Ids of the pages that the plan asks for; all of them where it does not say."""
        return self._session.plan.report_pages or tuple(PAGES)

    def refresh(self) -> None:
        """Has results gathered and pages laid out on the road; those before stay until then."""
        session = self._session
        self.picker.show_pages(self.pages)
        self.paper.setCurrentIndex(self.paper.findData(session.plan.report_paper))
        if not session.has_plan:
            return
        self._trouble = ""
        work = self._followed(session.gather(self, "Evaluating workloads for the report"))
        work.failed.connect(self._on_trouble)
        work.ended.connect(partial(self._lay_out, session.paper(self.pages)))
        self._patience.start()
        if not self.preview.sheets:
            self._tell_progress()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed meanwhile."""
        super().showEvent(event)
        self._settle.start(0)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: what is under way for the pages ends, and they are made when they are seen again."""
        super().hideEvent(event)
        self.close_panel()

    def ask_csv(self) -> None:
        """Asks where the table of the candidates of the workload on screen shall go as CSV."""
        if (results := self._shown()) is None:
            return
        path = self._ask_file("Save table as CSV", results.profile.name, ".csv", "CSV (*.csv)")
        if path is not None:
            self._write_table(self._session.paper(), _write_csv, path, [results])

    def ask_xlsx(self) -> None:
        """Asks where the tables of the candidates of all workloads shall go, a sheet each, in one workbook."""
        if (results := self._shown()) is None:
            return
        profiles = self._session.plan.profiles
        start = self._session.plan.name if len(profiles) > 1 else results.profile.name
        path = self._ask_file("Save table as Excel", start, ".xlsx", "Excel workbook (*.xlsx)")
        if path is not None:
            work = self._session.gather(None, f"Evaluating workloads for {path.name}", finishes=True)
            work.failed.connect(self._on_refused)
            work.crashed.connect(self._session.crashed)
            work.ended.connect(partial(self._write_table, self._session.paper(), _write_xlsx, path))

    def close_panel(self) -> None:
        """Wants no pages any more."""
        self._settle.stop()
        self._patience.stop()
        self._session.road.cancel(self)
        self._work = None

    def _followed(self, work: Work) -> Work:
        self._work = work
        work.progressed.connect(self._on_progress)
        work.crashed.connect(self._session.crashed)
        return work

    def _lay_out(self, paper: Paper, results: Sequence[ResultSet]) -> None:
        step = partial(_laid_out, paper, results)
        work = self._followed(self._session.road.start(self, step, "Laying out the report"))
        work.done.connect(self._on_pages_there)
        work.failed.connect(self._on_no_pages)
        self._on_progress()

    def _on_pages_there(self, layout: Sheets) -> None:
        self._work = None
        self._patience.stop()
        self.preview.show_layout(layout)
        self._count.setText(f"{counted(layout.n_pages, 'page')}, {PAPERS[layout.document.paper]}{self._trouble}")

    def _on_progress(self, _: float = 0.0) -> None:
        if not self._patience.isActive() or not self.preview.sheets:
            self._tell_progress()

    def _tell_progress(self) -> None:
        if self._work is not None:
            of = self._work.words
            last = LAYING_OUT if self._session.may_leave() else MASKING
            words = f"Evaluating {of} {noun(of.rsplit(' ', 1)[-1], 'workload')}…" if of else last
            self.preview.show_wait(words, self._work.share if of else None)
            self._count.clear()

    def _on_trouble(self, error: RoofplanError) -> None:
        """A workload that cannot be evaluated is not in the pages; without any pages the reason stands there."""
        self._patience.stop()
        self._trouble = f". Something is missing: {error}"
        self.preview.show_wait(f"No pages: {error}", None)
        self._count.clear()

    def _on_no_pages(self, error: RoofplanError) -> None:
        """Nothing of it goes on that could be told instead."""
        self._work = None
        self._on_trouble(error)

    def _build(self) -> None:
        self.picker = PagePicker()
        self.picker.chosen.connect(self._on_pages)
        self.preview = Preview()
        self._count = named(Label(), "page-count")
        self._count.setProperty("kind", "small")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side())
        row.addWidget(rule(vertical=True))
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addLayout(self._head())
        right.addWidget(rule())
        right.addWidget(self.preview, 1)
        row.addLayout(right, 1)

    def _side(self) -> QWidget:
        side = QWidget()
        side.setFixedWidth(_SIDE_PX)
        column = QVBoxLayout(side)
        column.setContentsMargins(20, 14, 20, 14)
        column.setSpacing(8)
        column.addWidget(_heading("Pages"))
        column.addWidget(self._pages(), 100)
        column.addSpacing(10)
        column.addWidget(_heading("Files"))
        self.pdf_button = _button("Export PDF…", "export-pdf", self.export.ask_and_export, "primary")
        csv = _button("Save table as CSV…", "save-csv", self.ask_csv)
        xlsx = _button("Save table as Excel…", "save-xlsx", self.ask_xlsx)
        self._file_buttons = (self.pdf_button, csv, xlsx)
        for button in self._file_buttons:
            column.addWidget(button)
        self._message = named(Label(), "report-message")
        self._message.setWordWrap(True)
        self._open = _button("Open folder", "open-folder", self._open_folder, "link")
        self._message.hide()
        self._open.hide()
        column.addWidget(self._message)
        column.addWidget(self._open)
        column.addStretch(1)
        return side

    def _pages(self) -> QScrollArea:
        """The list of pages, as high as there is room and no higher than it is."""
        area = QScrollArea()
        area.setWidget(self.picker)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setMaximumHeight(self.picker.sizeHint().height())
        return area

    def _papers(self) -> QComboBox:
        self.paper = named(QComboBox(), "report-paper", "Size of the paper")
        for size, words in PAPERS.items():
            self.paper.addItem(as_text(words), size)
        self.paper.activated.connect(self._on_paper)
        return self.paper

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(20, 6, 20, 6)
        head.setSpacing(8)
        self.zoom = named(QComboBox(), "report-zoom", "Zoom")
        for words, zoom in _ZOOMS.items():
            self.zoom.addItem(as_text(words), zoom)
        self.zoom.activated.connect(self._on_zoom)
        head.addWidget(self._count, 1)
        head.addWidget(self._papers())
        head.addWidget(self.zoom)
        return head

    def _offer_files(self) -> None:
        """Without results there is nothing to export, as the menu says too."""
        results = self._session.results
        for button in self._file_buttons:
            button.setEnabled(results is not None and bool(results.results))

    def _on_change(self) -> None:
        self._offer_files()
        if self.isVisible():
            self._settle.start(_SETTLE_MS)

    def _on_pages(self, pages: object) -> None:
        plan = self._session.plan
        chosen = tuple(str(page) for page in pages) if isinstance(pages, tuple) else ()
        wanted = () if chosen == tuple(PAGES) else chosen
        self._session.replace_plan(plan.model_copy(update={"report_pages": wanted}), "Choose report pages")

    def _on_paper(self, index: int) -> None:
        size = self.paper.itemData(index)
        self._session.replace_plan(self._session.plan.model_copy(update={"report_paper": size}), "Choose paper size")

    def _on_zoom(self, index: int) -> None:
        self.preview.set_zoom(float(self.zoom.itemData(index)))

    def _shown(self) -> ResultSet | None:
        """What is on screen; says so where that is nothing."""
        if self._session.results is None:
            self._say("There are no results to save yet.", "", None)
        return self._session.results

    def _ask_file(self, title: str, start: str, suffix: str, kinds: str) -> Path | None:
        name, _ = QFileDialog.getSaveFileName(self, title, f"{start}{suffix}", kinds)
        return with_ending(Path(name), suffix) if name else None

    def _write_table(self, paper: Paper, write: Write, path: Path, results: Sequence[ResultSet]) -> None:
        if not results:
            return  # why was told already
        step = partial(_written, paper, write, results, path)
        work = self._session.road.start(None, step, f"Writing {path.name}", finishes=True)
        self._session.hear(work, self._on_table, self._on_refused)

    def _on_table(self, written: tuple[Path, HandedOut]) -> None:
        path, out = written
        self._tell(_saved_words(path, out), path.parent)

    def _on_refused(self, error: RoofplanError) -> None:
        self._say(f"The table was not written: {error}", "", None)

    def _say(self, text: str, button: str, handler: Callable[[], object] | None) -> None:
        is_done = handler is not None
        path = self.export.path
        self._tell(text.replace(path.name, str(path), 1) if is_done else text, path.parent if is_done else None)

    def _tell(self, text: str, folder: Path | None) -> None:
        self._folder = folder
        self._message.setText(text)
        self._message.setProperty("kind", "good" if folder else "err")
        self._message.style().polish(self._message)
        self._message.show()
        self._open.setVisible(folder is not None)

    def _open_folder(self) -> None:
        if self._folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))


def _laid_out(paper: Paper, results: Sequence[ResultSet], cancelled: Cancelled, progress: Progress) -> Sheets:
    """In a worker's thread: figures are drawn and pages are laid out, until nobody wants them."""
    document = paper.document(paper.handed_out({one.profile.id: one for one in results}, cancelled))
    laid_out: Sheets = stoppable(partial(sheets, document))(cancelled, progress)
    return laid_out


def _written(
    paper: Paper, write: Write, results: Sequence[ResultSet], path: Path, cancelled: Cancelled, _: Progress
) -> tuple[Path, HandedOut]:
    out = paper.handed_out({one.profile.id: one for one in results}, cancelled)
    write(paper, out, path)
    return path, out


def _saved_words(path: Path, out: HandedOut) -> str:
    """Where the table is, and what became of private prices in it."""
    if out.is_masked:
        return " ".join((f"Saved {path}. Public prices stand in for your own.", *out.told))
    is_private = any(offer.layer != "catalogue" for one in out.results.values() for offer in one.columns.offers)
    return f"Saved {path}. It holds prices of your own, unmasked." if is_private else f"Saved {path}"


def _write_csv(_: Paper, out: HandedOut, path: Path) -> None:
    """The table of the only workload that is asked for."""
    [results] = out.results.values()
    try:
        hand_over(path, candidate_csv(results).encode())
    except OSError as error:
        raise MachineError(f"write {path.name}", error.strerror or str(error)) from error


def _write_xlsx(paper: Paper, out: HandedOut, path: Path) -> None:
    with money_here(paper.plan.currency.money):
        sheets = sheets_of(out.plan, out.results, out.catalogue, paper.today, one_each=True)
    write_workbook(sheets, path)


def _heading(text: str) -> QLabel:
    made = Label(text)
    made.setProperty("kind", "section")
    return made


def _button(text: str, name: str, handler: Callable[[], None], kind: str = "") -> QPushButton:
    made = named(QPushButton(caption(text)), name, text.rstrip("…"), kind)
    made.clicked.connect(handler)
    return made
