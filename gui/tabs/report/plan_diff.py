"""Two plans, or two scenarios of the plan, held against each other on two pages that can be saved as a PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from core.errors import RoofplanError
from core.plan.plan import Plan
from core.plan.scenario import BASE
from core.plan.store import load
from core.report.blocks import Document
from core.report.plan_diff import diff_document, side_of, told_apart
from core.units import money_here
from core.writing.whole_file import with_ending
from gui.forms.choice_editors import NoWheelComboBox
from gui.pdf.typeset import Sheets, sheets
from gui.session.disk import Job
from gui.session.paper import Paper
from gui.session.plan_session import PlanSession
from gui.session.road import Cancelled, Progress, stoppable
from gui.tabs.report.preview import Preview
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, caption
from gui.theme.screen_room import within_screen

TITLE, OTHER = "Compare two plans", "Another plan file…"
WAITING, ASKED = "Comparing…", "Choose what to compare with."
WIDTH_PX, HEIGHT_PX, COMBO_PX, EDGE_PX = 880, 720, 250, 16

Write = Callable[[Document, Path], None]


@dataclass(frozen=True)
class Chosen:
    """One of the two: a plan, and the scenario it is looked at in."""

    plan: Plan
    scenario_id: str


@dataclass(frozen=True)
class Told:
    """The pages, and what the author must know of private prices that others stand in for."""

    sheets: Sheets
    words: tuple[str, ...]


class PlanDiffDialog(QDialog):
    """Two choices above, the pages below. ``shown`` tells of pages, ``written`` of a PDF, ``refused`` of neither."""

    shown = Signal()
    written = Signal()
    refused = Signal()

    def __init__(self, session: PlanSession, write: Write, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "plan-diff", TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(as_text(TITLE))
        within_screen(self, WIDTH_PX, HEIGHT_PX)
        self._session, self._write = session, write
        self._told: Told | None = None
        self.before, self.after = self._choice("plan-diff-before", "First"), self._choice("plan-diff-after", "Second")
        self._build()
        scenarios = [one.id for one in session.plan.scenarios]
        self.before.setCurrentIndex(max(0, scenarios.index(session.scenario_id)))
        others = [index for index in range(len(scenarios)) if index != self.before.currentIndex()]
        self.after.setCurrentIndex(others[0] if others else len(scenarios))
        self._compare()

    def open_file(self, combo: NoWheelComboBox, path: Path) -> None:
        """Reads another plan and takes it for one of the two; a drive may stall, so nobody waits for it."""
        self._say(f"Reading {path.name}…")
        Job(partial(load, path), partial(self._on_read, combo, path)).start()

    def export(self, path: Path) -> None:
        """Writes the pages shown as a PDF."""
        if self._told is not None:
            path = with_ending(path, ".pdf")
            step = stoppable(partial(_written, self._write, self._told.sheets.document, path))
            work = self._session.road.start(None, step, f"Writing {path.name}", finishes=True)
            self._session.hear(work, self._on_written, self._on_unwritten)

    def done(self, result: int) -> None:
        """Wants no pages any more."""
        self._session.road.cancel(self)
        super().done(result)

    def _choice(self, name: str, title: str) -> NoWheelComboBox:
        combo = named(NoWheelComboBox(), name, title)
        combo.setMinimumWidth(COMBO_PX)
        plan = self._session.plan
        for one in plan.scenarios:
            words = "This plan" if one.id == BASE else f"This plan, {one.name}"
            combo.addItem(as_text(words), Chosen(plan, one.id))
        combo.addItem(as_text(OTHER))
        combo.activated.connect(partial(self._on_chosen, combo))
        return combo

    def _build(self) -> None:
        choices = QHBoxLayout()
        for words, combo in (("Compare", self.before), ("with", self.after)):
            choices.addWidget(Label(words))
            choices.addWidget(combo, 1)
        self.preview = Preview()
        self.note = named(Label(), "plan-diff-note", kind="small")
        self.note.setWordWrap(True)
        self.save = named(QPushButton(caption("Export PDF…")), "plan-diff-export", "Export PDF", "primary")
        self.save.clicked.connect(self._ask_file)
        leave = named(QPushButton("Close"), "plan-diff-close", "Close")
        leave.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self.note, 1)
        row.addWidget(leave)
        row.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE_PX, EDGE_PX, EDGE_PX, EDGE_PX)
        column.addLayout(choices)
        column.addWidget(self.preview, 1)
        column.addLayout(row)

    def _on_chosen(self, combo: NoWheelComboBox, _: int) -> None:
        if combo.currentData() is not None:
            self._compare()
            return
        name, _filter = QFileDialog.getOpenFileName(self, TITLE, "", "Roofplan plans (*.roofplan);;All files (*)")
        self.open_file(combo, Path(name)) if name else self._compare()

    def _on_read(self, combo: NoWheelComboBox, path: Path, job: Job) -> None:
        if not isValid(self):  # closed meanwhile
            return
        try:
            plan: Plan = job.result()
        except RoofplanError as error:
            self._refuse(str(error))
            return
        at = combo.count() - 1
        for number, one in enumerate(plan.scenarios):
            words = path.name if one.id == BASE else f"{path.name}, {one.name}"
            combo.insertItem(at + number, as_text(words), Chosen(plan, one.id))
        combo.setCurrentIndex(at)
        self._compare()

    def _compare(self) -> None:
        self._told = None
        self.save.setEnabled(False)
        sides: list[Chosen | None] = [self.before.currentData(), self.after.currentData()]
        self._session.road.cancel(self)
        chosen = [one for one in sides if one is not None]
        self._say(WAITING if len(chosen) == len(sides) else ASKED)
        if len(chosen) == len(sides):
            step = partial(_laid_out, self._papers(chosen))
            work = self._session.road.start(self, step, "Comparing two plans")
            self._session.hear(work, self._on_pages, self._on_failed)

    def _papers(self, chosen: list[Chosen]) -> list[Paper]:
        """Where one of the two masks its private prices both do, as each may hold those of the other."""
        is_masked = any(one.plan.masks_private_prices for one in chosen)
        plans = [one.plan.model_copy(update={"masks_private_prices": is_masked}) for one in chosen]
        return [self._session.paper_of(plan, one.scenario_id) for plan, one in zip(plans, chosen, strict=True)]

    def _on_pages(self, told: Told) -> None:
        self._told = told
        self.preview.show_layout(told.sheets)
        self.save.setEnabled(True)
        self.note.setText(". ".join(told.words))
        self.shown.emit()

    def _ask_file(self) -> None:
        start = f"{self._session.plan.name}, difference.pdf"
        name, _ = QFileDialog.getSaveFileName(self, "Export difference", start, "PDF (*.pdf)")
        if name:
            self.export(Path(name))

    def _on_written(self, path: Path) -> None:
        self.note.setText(f"Exported {path}")
        self.written.emit()

    def _on_failed(self, error: RoofplanError) -> None:
        self._refuse(f"The two were not compared: {error}")

    def _on_unwritten(self, error: RoofplanError) -> None:
        self.note.setText(f"The PDF was not written: {error}")
        self.refused.emit()

    def _refuse(self, words: str) -> None:
        self._say(words)
        self.refused.emit()

    def _say(self, words: str) -> None:
        self.note.setText("")
        self.preview.show_wait(words, None)
        if self.preview.sheets:
            self.note.setText(words)


def _laid_out(papers: list[Paper], cancelled: Cancelled, progress: Progress) -> Told:
    """Both evaluated and laid out, in a worker's thread. Raises InputError for a plan without a workload."""
    outs = []
    for number, paper in enumerate(papers, start=1):
        outs.append(paper.handed_out(paper.results_here_and_now(cancelled), cancelled))
        progress(number / (len(papers) + 1))
    sides = (side_of(out, paper.scenario_id) for out, paper in zip(outs, papers, strict=True))
    with money_here(papers[0].plan.currency.money):
        document = diff_document(*told_apart(*sides), papers[0].today, any(out.is_masked for out in outs))
    laid_out = stoppable(partial(sheets, document))(cancelled, progress)
    return Told(laid_out, tuple(line for out in outs for line in out.told))


def _written(write: Write, document: Document, path: Path) -> Path:
    write(document, path)
    return path
