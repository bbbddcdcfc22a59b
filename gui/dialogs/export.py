"""Writing the comparison plan as PDF, away from the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from core.report.blocks import Document
from core.report.document import build_masked
from core.report.masking import private_results
from gui.dialogs.prices.private_prices import PrivatePricesDialog
from gui.session.background import Background
from gui.session.plan_session import PlanSession

Write = Callable[[Document, Path], None]
Say = Callable[[str, str, Callable[[], object] | None], None]


class PdfExport(QObject):
    """Asks for a file, builds the document and has it written by ``write``.

    ``say`` shows a text and a button: its words and what it does.
    """

    def __init__(self, session: PlanSession, window: QWidget, say: Say, write: Write) -> None:
        super().__init__(window)
        self._session, self._window, self._say, self._write = session, window, say, write
        self._path = Path()
        self.question: PrivatePricesDialog | None = None
        self._writer = Background(self)
        self._writer.done.connect(self._on_written)
        self._writer.refused.connect(self._on_refused)
        self._writer.crashed.connect(session.crashed)

    @property
    def path(self) -> Path:
        """The file that was last written or refused."""
        return self._path

    def ask_and_export(self) -> None:
        """Asks where the PDF shall go and writes it there; first whether private prices may stand in it, if any do."""
        has_own = any(offer.layer != "catalogue" for offer in self._session.catalogue.offers)
        private = private_results(self._session.results_of_all()) if has_own else []
        if not private:
            self.ask_file()
            return
        self.question = PrivatePricesDialog(self._session, private, self._window)
        self.question.accepted.connect(self.ask_file)
        self.question.open()

    def ask_file(self) -> None:
        """Asks for the file and writes it."""
        start = f"{self._session.plan.name}.pdf"
        name, _ = QFileDialog.getSaveFileName(self._window, "Export PDF", start, "PDF (*.pdf)")
        if name:
            self.export(Path(name))

    def export(self, path: Path) -> None:
        """Writes the comparison plan of all workloads, as the shown scenario has them, with the pages chosen."""
        session = self._session
        self._path = path if path.suffix else path.with_suffix(".pdf")
        pages = session.plan.report_pages or None
        document = build_masked(
            session.shown_plan,
            session.results_of_all(),
            session.catalogue,
            date.today(),
            pages,
            session.scenario_id,
        )
        self._writer.start(partial(self._write, document, self._path))

    def stop(self) -> None:
        """Waits for a file under way."""
        self._writer.stop()

    def _on_written(self, _: object) -> None:
        self._say(f"Exported {self._path.name}", "Open", self._open)

    def _on_refused(self, reason: str) -> None:
        self._say(f"The PDF was not written: {reason}", "", None)

    def _open(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path)))
