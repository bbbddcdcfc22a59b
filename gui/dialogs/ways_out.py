"""Ways out besides the paper: workbook, slide, charts and hand-off files, asked for here and written on the road."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from core.comparison.result import ResultSet
from core.errors import InputError, RoofplanError
from core.handoff.files import files_of, write_files
from core.handoff.text import slug
from core.report.blocks import Document
from core.report.masking import HandedOut
from core.units import counted, money_here
from core.writing.whole_file import with_ending
from gui.charts.files import write_charts
from gui.session.paper import Paper
from gui.session.plan_session import PlanSession
from gui.session.road import Cancelled, Progress, stoppable
from gui.theme.manager import ThemeManager
from gui.theme.theme import Theme

Write = Callable[[Paper, HandedOut, Path, Progress], str]
"""Writes to a file or folder; returns what to say of it."""
WriteDocument = Callable[[Document, Path], None]
Say = Callable[[str, str, Callable[[], object] | None], None]


class WaysOut(QObject):
    """Asks where to, gathers the results of all workloads, masks them where the plan says so, and has them written.

    ``say`` shows a text and a button: its words and what it does. ``written`` tells of files that are there.
    """

    written = Signal()

    def __init__(
        self, session: PlanSession, themes: ThemeManager, window: QWidget, say: Say, write_slide: WriteDocument
    ) -> None:
        super().__init__(window)
        self._write_slide = write_slide
        self._session, self._themes, self._window, self._say = session, themes, window, say

    def ask_workbook(self) -> None:
        """The workbook of the whole plan."""
        start = f"{self._session.plan.name}.xlsx"
        name, _ = QFileDialog.getSaveFileName(self._window, "Export workbook", start, "Excel workbook (*.xlsx)")
        if name:
            self.start(_workbook, with_ending(Path(name), ".xlsx"))

    def ask_slide(self) -> None:
        """The first page of the paper as one slide, as a PDF or a picture."""
        start, kinds = f"{self._session.plan.name}, slide.pdf", "PDF (*.pdf);;Picture (*.png)"
        name, kind = QFileDialog.getSaveFileName(self._window, "Export summary slide", start, kinds)
        if name:
            endings = (".png", ".pdf") if kind.startswith("Picture") else (".pdf", ".png")
            self.start(partial(_slide, self._write_slide), with_ending(Path(name), *endings))

    def ask_charts(self) -> None:
        """All charts of all workloads."""
        if folder := self._folder("Export all charts to a folder"):
            self.start(partial(_charts, self._themes.theme), folder)

    def ask_handoff(self, candidate_id: str = "") -> None:
        """Files for the tools that start the work: of a candidate of the workload on screen, or of all picks."""
        if folder := self._folder("Write hand-off files to a folder"):
            shown = self._session.profile
            self.start(partial(_handoff, shown.id if shown else "", candidate_id), folder)

    def connect_panel(self, panel: QWidget) -> None:
        """Hears a tab whose candidates can be handed over."""
        signal = getattr(panel, "handoff_wanted", None)
        if signal is not None:
            signal.connect(self.ask_handoff)

    def start(self, write: Write, path: Path) -> None:
        """Gathers and writes. What is edited meanwhile does not reach the files, and closing waits for them."""
        work = self._session.gather(None, f"Evaluating workloads for {path.name}", finishes=True)
        work.failed.connect(partial(self._on_refused, path))
        work.crashed.connect(self._session.crashed)
        work.ended.connect(partial(self._write_down, write, self._session.paper(), path))

    def _folder(self, title: str) -> Path | None:
        name = QFileDialog.getExistingDirectory(self._window, title)
        return Path(name) if name else None

    def _write_down(self, write: Write, paper: Paper, path: Path, results: Sequence[ResultSet]) -> None:
        if len(results) < len(paper.plan.profiles):
            return  # why was told already
        step = partial(_written, paper, results, write, path)
        work = self._session.road.start(None, step, f"Writing {path.name}", finishes=True)
        self._session.hear(work, partial(self._on_written, path), partial(self._on_refused, path))

    def _on_written(self, path: Path, told: tuple[str, ...]) -> None:
        folder = path if path.is_dir() else path.parent
        self._say(". ".join(told), "Open folder", partial(_open, folder))
        self.written.emit()

    def _on_refused(self, path: Path, error: RoofplanError) -> None:
        self._say(f"{path.name} was not written: {error}", "", None)


def _open(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _written(
    paper: Paper, results: Sequence[ResultSet], write: Write, path: Path, cancelled: Cancelled, progress: Progress
) -> tuple[str, ...]:
    """Writes what may leave; returns what was written, and what the author must know of private prices in it."""
    out = paper.handed_out({one.profile.id: one for one in results}, cancelled)
    with money_here(paper.plan.currency.money):
        said = stoppable(partial(write, paper, out, path, progress))(cancelled, progress)
    return said, *_prices_words(out)


def _prices_words(out: HandedOut) -> tuple[str, ...]:
    if out.is_masked:
        return "Public prices stand in for your own", *out.told
    is_private = any(offer.layer != "catalogue" for one in out.results.values() for offer in one.columns.offers)
    return ("Prices of your own count in it, unmasked",) if is_private else ()


def _workbook(paper: Paper, out: HandedOut, path: Path, _: Progress) -> str:
    from core.report.workbook.write import sheets_of, write_workbook  # only now, as every start would pay for it

    write_workbook(sheets_of(out.plan, out.results, out.catalogue, paper.today), path)
    return f"Exported {path.name}"


def _slide(write: WriteDocument, paper: Paper, out: HandedOut, path: Path, _: Progress) -> str:
    from core.report.document import PRESETS  # only now, as every start would pay for it

    write(replace(paper, pages=PRESETS["one-page"]).document(out), path)
    return f"Exported {path.name}"


def _charts(theme: Theme, _: Paper, out: HandedOut, folder: Path, progress: Progress) -> str:
    files: list[Path] = []
    for number, (name, results) in enumerate(out.results.items()):

        def told(share: float, number: int = number) -> None:
            progress((number + share) / len(out.results))

        files += write_charts(results, theme, folder, slug(name), told)
    return f"Exported {counted(len(files), 'picture')} to {folder.name}"


def _handoff(workload: str, candidate_id: str, _: Paper, out: HandedOut, folder: Path, __: Progress) -> str:
    """Raises InputError where there is nothing to hand over."""
    files: dict[str, str] = {}
    for name, results in out.results.items():
        is_asked = not candidate_id or name == workload
        result = results.by_id.get(candidate_id or results.recommendation.choice or "") if is_asked else None
        files |= files_of(results.profile, result, out.catalogue) if result else {}
    if not files:
        raise InputError("Hand-off", "nothing that is picked", "a candidate that the plan may hand over")
    write_files(files, folder)
    return f"Wrote {counted(len(files), 'hand-off file')} to {folder.name}. Nothing was run"
