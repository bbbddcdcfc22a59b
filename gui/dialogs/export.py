"""Writing the comparison plan as PDF: results, document and file are made on the road."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from core.comparison.result import ResultSet
from core.errors import RoofplanError
from core.report.blocks import Document
from core.report.masking import private_results
from core.writing.whole_file import with_ending
from gui.dialogs.prices.private_prices import PrivatePricesDialog
from gui.session.paper import Paper
from gui.session.plan_session import PlanSession
from gui.session.road import Cancelled, Progress, stoppable

Write = Callable[[Document, Path], None]
Say = Callable[[str, str, Callable[[], object] | None], None]


class PdfExport(QObject):
    """Asks for a file, builds the document and has it written by ``write``.

    ``say`` shows a text and a button: its words and what it does. ``written`` tells of a file that is there.
    """

    written = Signal()

    def __init__(self, session: PlanSession, window: QWidget, say: Say, write: Write) -> None:
        super().__init__(window)
        self._session, self._window, self._say, self._write = session, window, say, write
        self._path = Path()
        self.question: PrivatePricesDialog | None = None

    @property
    def path(self) -> Path:
        """The file that was last written or refused."""
        return self._path

    def ask_and_export(self) -> None:
        """Asks where the PDF shall go and writes it there; first whether private prices may stand in it, if any do."""
        if all(offer.layer == "catalogue" for offer in self._session.catalogue.offers):
            self.ask_file()
            return
        work = self._session.gather((self, "private"), "Looking for prices of your own")
        work.failed.connect(self._on_refused)
        work.crashed.connect(self._session.crashed)
        work.ended.connect(self._ask_private)

    def ask_file(self) -> None:
        """Asks for the file and writes it."""
        start = f"{self._session.plan.name}.pdf"
        name, _ = QFileDialog.getSaveFileName(self._window, "Export PDF", start, "PDF (*.pdf)")
        if name:
            self.export(Path(name))

    def export(self, path: Path) -> None:
        """Writes the comparison plan of all workloads, as the shown scenario has them, with the pages chosen.

        What is edited meanwhile does not reach the file, and closing the program waits for it.
        """
        self._path = with_ending(path, ".pdf")
        work = self._session.gather(None, f"Evaluating workloads for {self._path.name}", finishes=True)
        work.failed.connect(self._on_refused)
        work.crashed.connect(self._session.crashed)
        work.ended.connect(partial(self._write_down, self._session.paper(), self._path))

    def _ask_private(self, results: Sequence[ResultSet]) -> None:
        private = private_results({one.profile.id: one for one in results})
        if not private:
            self.ask_file()
            return
        self.question = PrivatePricesDialog(self._session, private, self._window)
        self.question.accepted.connect(self.ask_file)
        self.question.open()

    def _write_down(self, paper: Paper, path: Path, results: Sequence[ResultSet]) -> None:
        if len(results) < len(paper.plan.profiles):
            return  # why was told already
        step = partial(_written, paper, results, self._write, path)
        work = self._session.road.start(None, step, f"Writing {path.name}", finishes=True)
        self._session.hear(work, self._on_written, self._on_refused)

    def _on_written(self, told: tuple[str, ...]) -> None:
        self._say(". ".join((f"Exported {self._path.name}", *told)), "Open", self._open)
        self.written.emit()

    def _on_refused(self, error: RoofplanError) -> None:
        self._say(f"The PDF was not written: {error}", "", None)

    def _open(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path)))


def _written(
    paper: Paper, results: Sequence[ResultSet], write: Write, path: Path, cancelled: Cancelled, progress: Progress
) -> tuple[str, ...]:
    """Writes the file; returns what the author must know of a masked paper."""
    out = paper.handed_out({one.profile.id: one for one in results}, cancelled)
    progress(0.5)
    stoppable(partial(write, paper.document(out), path))(cancelled, progress)
    return out.told
