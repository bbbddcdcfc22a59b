"""What others measured on a chip and what the engine says of it: scatter, table, error in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.calibration.published_rows import (
    Published,
    PublishedMetric,
    n_published,
    n_set_aside,
    published,
)
from core.calibration.studies.shipped_studies import SHIPPED
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator
from core.errors import RoofplanError
from core.units import grouped
from gui.charts.figure.figure import Figure
from gui.charts.figure.shown import subject
from gui.charts.kinds.published_rows import METRIC_WORDS, TITLE, error_words, published_rows
from gui.charts.view.chart_view import ChartView
from gui.forms.choice_editors import NoWheelComboBox
from gui.session.plan_session import PlanSession
from gui.session.road import whole
from gui.tables.published import PublishedTable
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import as_text
from gui.widgets.live import PAGE_SIDE_PX, label
from gui.widgets.rule import rule

CHART_INSET_PX = 4
"""A chart begins its title so far from its edge."""

FIRST_CHIP = "h100-sxm"
FIT_NOTE = (
    "The shipped coefficients were fitted with these rows among others. The stated ranges come from rows whose "
    "source the fit had not seen."
)


COUNTS = "rows of each chip"


def read_published(accelerator_id: str, catalogue: Catalogue) -> tuple[Published, ...]:
    """Rows of a chip for training and for serving, predicted."""
    return tuple(published(accelerator_id, work, catalogue) for work in SHIPPED)


def n_rows(accelerator_id: str) -> int:
    """Shipped rows of a chip, all kinds of work."""
    return sum(n_published(work, in_samples)[accelerator_id] for work in SHIPPED for in_samples in (False, True))


def _counted(chip_ids: Sequence[str]) -> dict[str, int]:
    return {chip_id: n_rows(chip_id) for chip_id in chip_ids}


class CalibratePublished(QWidget):
    """Chip and quantity above, scatter at left, rows at right. Predicted off the GUI thread, once a chip."""

    shown = Signal()

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._themes = session, themes
        self._known: dict[str, tuple[Published, ...]] = {}
        self._asked: set[str] = set()
        self._troubles: dict[str, str] = {}
        self._build()
        self.chip.currentIndexChanged.connect(self._refresh)
        self.quantity.currentIndexChanged.connect(self._show_metric)
        self.chart.picked.connect(self._on_pick)
        session.selection_changed.connect(self._follow)
        themes.changed.connect(self._show_metric)

    @property
    def accelerator(self) -> Accelerator | None:
        """The chip chosen."""
        return self._session.catalogue.accelerator_by_id.get(str(self.chip.currentData()))

    def close_panel(self) -> None:
        """Wants no answer any more."""
        for asked in (COUNTS, *self._asked):
            self._session.road.cancel((self, asked))

    def showEvent(self, event: QShowEvent) -> None:
        """The chip of the selected candidate, when first seen; before that, what there is of each chip."""
        super().showEvent(event)
        if self.chip.count():
            self._follow()
        else:
            self._count()

    def _build(self) -> None:
        self.chip = named(NoWheelComboBox(), "published-chip", "Chip")
        self.quantity = named(NoWheelComboBox(), "published-metric", "Quantity")
        self.chip.setMinimumWidth(190)
        self.quantity.setMinimumWidth(230)
        self.words = label("", "strong", "published-error", wraps=True)
        self.note = label("", "small", "published-note", wraps=True)
        self.chart = named(ChartView(parent=self), "chart-published-rows")
        self.table = PublishedTable(self)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(rule())
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.setContentsMargins(PAGE_SIDE_PX - CHART_INSET_PX, 4, 0, 4)
        middle.addWidget(self.chart, 9)
        self._between = rule(vertical=True)
        middle.addWidget(self._between)
        middle.addWidget(self.table, 11)
        column.addLayout(middle, 1)

    def _head(self) -> QVBoxLayout:
        choices = QHBoxLayout()
        choices.setSpacing(8)
        choices.addWidget(label("Chip", "ink2"))
        choices.addWidget(self.chip)
        choices.addSpacing(12)
        choices.addWidget(label("Quantity", "ink2"))
        choices.addWidget(self.quantity)
        choices.addStretch(1)
        head = QVBoxLayout()
        head.setContentsMargins(PAGE_SIDE_PX, 10, PAGE_SIDE_PX, 8)
        head.setSpacing(6)
        head.addLayout(choices)
        head.addWidget(self.words)
        head.addWidget(self.note)
        return head

    def _count(self) -> None:
        """Reads all tables to count the rows of each chip, which takes a third of a second."""
        self.words.setText("One moment")
        ids = [chip.id for chip in self._session.catalogue.accelerators]
        work = self._session.road.start((self, COUNTS), whole(partial(_counted, ids)), "Counting published rows")
        self._session.hear(work, self._fill_chips, self._on_uncounted)

    def _on_uncounted(self, error: RoofplanError) -> None:
        self.words.setText(f"The published rows were not counted: {error}")

    def _fill_chips(self, counts: Mapping[str, int]) -> None:
        """Chips with rows first, most rows first; the others follow by name."""
        known = self._session.catalogue.accelerator_by_id
        chips = sorted((known[one] for one in counts if one in known), key=lambda c: (-counts[c.id], c.short_name))
        self.chip.blockSignals(True)
        self.chip.clear()
        for chip in chips:
            count = counts[chip.id]
            words = f"{chip.short_name}, {grouped(count)}" if count else f"{chip.short_name}, none"
            self.chip.addItem(as_text(words), chip.id)
        self.chip.setCurrentIndex(max(self.chip.findData(FIRST_CHIP), 0))
        self.chip.blockSignals(False)
        self._follow()

    def _follow(self) -> None:
        """Takes the chip of the selected candidate."""
        results = self._session.results
        selected = subject(results, self._session.selected_id) if results else None
        if self._session.selected_id is not None or not self._asked:
            index = self.chip.findData(selected.candidate.accelerator.id) if selected else -1
            if index >= 0:
                self.chip.setCurrentIndex(index)
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        """Shows the chip's rows, asking for them first where they are not known."""
        chip = self.accelerator
        if chip is None or not self.isVisible():
            return
        if chip.id not in self._known and chip.id not in self._asked:
            self._ask(chip)
        self._fill_metrics(self._known.get(chip.id, ()))

    def _ask(self, chip: Accelerator) -> None:
        self._asked.add(chip.id)
        self._troubles.pop(chip.id, None)
        step = whole(partial(read_published, chip.id, self._session.catalogue))
        work = self._session.road.start((self, chip.id), step, f"Predicting published rows of {chip.short_name}")
        self._session.hear(work, self._on_read, partial(self._on_failed, chip.id))

    def _on_read(self, rows: tuple[Published, ...]) -> None:
        self._known[rows[0].accelerator_id] = rows
        self._refresh()
        self.shown.emit()

    def _on_failed(self, chip_id: str, error: RoofplanError) -> None:
        """Asked again when the chip is chosen again."""
        self._asked.discard(chip_id)
        self._troubles[chip_id] = f"The rows were not predicted: {error}"
        self._show_metric()

    def _fill_metrics(self, rows: tuple[Published, ...]) -> None:
        """Quantities of the workload's kind first; the one shown before stays where the chip has it."""
        before = self.quantity.currentData()
        first = "training" if self._is_training else "inference"
        names = [m.metric for one in sorted(rows, key=lambda one: one.work != first) for m in one.metrics if m.entries]
        self.quantity.blockSignals(True)
        self.quantity.clear()
        for name in names:
            words = f"{METRIC_WORDS[name].words}, {grouped(len(self._entries(name).entries))}"
            self.quantity.addItem(as_text(words), name)
        self.quantity.setCurrentIndex(max(self.quantity.findData(before), 0) if names else -1)
        self.quantity.setEnabled(len(names) > 1)
        self.quantity.blockSignals(False)
        self._show_metric()

    @property
    def _is_training(self) -> bool:
        profile = self._session.profile
        return profile is not None and profile.job.trains

    def _entries(self, name: str) -> PublishedMetric:
        chip = self.accelerator
        rows = self._known.get(chip.id, ()) if chip else ()
        return next(metric for one in rows for metric in one.metrics if metric.metric == name)

    def _show_metric(self) -> None:
        chip, name = self.accelerator, self.quantity.currentData()
        if chip is None:
            return
        has_rows = name is not None
        self.table.setVisible(has_rows)
        self._between.setVisible(has_rows)
        if not has_rows:
            self._show_none(chip)
            return
        metric = self._entries(str(name))
        self.words.setText(error_words(metric, chip.short_name))
        self.note.setText(self._note(chip))
        self.table.rows.show(metric.entries)
        self.chart.reset_view()
        self.chart.show_figure(published_rows(metric, chip), self._themes.theme)

    def _show_none(self, chip: Accelerator) -> None:
        if chip.id not in self._known:
            trouble = self._troubles.get(chip.id)
            self.words.setText(trouble or f"Predicting the published rows of {chip.short_name}…")
            self.note.setText("")
            empty = "Nothing to show" if trouble else "One moment"
            self.chart.show_figure(Figure(TITLE, empty=empty), self._themes.theme)
            return
        self.words.setText(f"No published run of {chip.short_name} ships with this program.")
        self.note.setText(
            "Its predictions rest on the data sheet and on how well chips like it were used; their range is wider for "
            "it. A log of your own is the evidence that helps most."
        )
        self.chart.show_figure(
            Figure(TITLE, empty=f"Nothing measured on {chip.short_name} to compare with"), self._themes.theme
        )

    def _note(self, chip: Accelerator) -> str:
        """What the rows are, how many of the chip have no prediction and why, how many were set aside for all chips."""
        missing: dict[str, int] = {}
        for one in self._known[chip.id]:
            for metric in one.metrics:
                for reason, count in metric.skipped.items():
                    missing[reason] = missing.get(reason, 0) + count
        listed = "; ".join(f"{grouped(count)}: {reason}" for reason, count in missing.items())
        unpredicted = f" Of this chip without prediction: {listed}." if listed else ""
        aside = sum(n_set_aside(work) for work in SHIPPED)
        left = f"Of all chips, {grouped(aside)} rows were set aside before the fit: derived, doubtful or not predicted."
        return f"{FIT_NOTE}{unpredicted} {left}"

    def _on_pick(self, entry_id: str) -> None:
        self.table.select(entry_id)

    def _on_row(self, *_: object) -> None:
        """Fills the mark of the row at hand."""
        chip, row, name = self.accelerator, self.table.currentIndex().row(), self.quantity.currentData()
        if chip is None or name is None or not 0 <= row < len(self.table.rows.entries):
            return
        entry_id = self.table.rows.entries[row].scored.id
        self.chart.show_figure(published_rows(self._entries(str(name)), chip, entry_id), self._themes.theme, entry_id)
