"""Predicted and measured before and after, for this log and earlier ones, and the sentence with Discard and Accept."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.calibration.accepted import AcceptedCalibration
from core.calibration.speed_factors import corrections
from core.catalogue.entries import Accelerator
from core.units import THIN, plain, span
from gui.charts.figure.shown import colour_key, shape_of
from gui.charts.kinds.predicted_measured import Pair, predicted_measured_figure
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label, caption, tip
from gui.theme.removal import take_away


class CalibrateFooter(QWidget):
    """Says the speed factor and its range; accepting is an undo step of the panel's."""

    accepted = Signal()
    discarded = Signal()
    another_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(56)
        self.factor = named(Label(), "calibration-factor", kind="strong")
        self.detail = named(Label(), "calibration-detail", kind="small")
        self.detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.another = _button("Import another…", "import-another", "")
        self.discard = _button("Discard", "discard-calibration", "")
        self.accept = _button("Accept", "accept-calibration", "primary")
        self.another.clicked.connect(self.another_wanted)
        self.discard.clicked.connect(self.discarded)
        self.accept.clicked.connect(self.accepted)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 20, 0)
        row.setSpacing(12)
        row.addWidget(self.factor)
        row.addWidget(self.detail, 1)
        for button in (self.another, self.discard, self.accept):
            row.addWidget(button)

    def show_proposal(self, proposal: AcceptedCalibration, chip: Accelerator | None, is_accepted: bool) -> None:
        """Says what accepting would change, or that it is accepted."""
        name = chip.short_name if chip else proposal.accelerator_id
        low, high = proposal.factor * (1 - proposal.spread), proposal.factor * (1 + proposal.spread)
        self.factor.setText(f"Speed factor for {name}: {plain(proposal.factor)}")
        state = "In use. " if is_accepted else ""
        text = f"{state}{span(plain(low), plain(high))} (±{plain(100 * proposal.spread, 2)}{THIN}%), {proposal.how}"
        self.detail.setText(text)
        self.detail.setToolTip(tip(text))
        self.accept.setEnabled(not is_accepted)
        self.accept.setText("Accepted" if is_accepted else "Accept")

    def show_wait(self) -> None:
        """The factor of another log is being worked out."""
        self.show_problem("")
        self.factor.setText("Predicting what was measured…")

    def show_problem(self, text: str) -> None:
        """Says why there is no factor."""
        self.factor.setText("No calibration yet")
        self.detail.setText(text)
        self.detail.setToolTip(tip(text))
        self.accept.setText("Accept")
        self.accept.setEnabled(False)


def _button(text: str, name: str, kind: str) -> QPushButton:
    return named(QPushButton(caption(text)), name, text.rstrip("…"), kind)


class CalibrateEffect(QWidget):
    """The scatter and the table of errors."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._themes = themes
        self.chart = ChartView(parent=self)
        self.chart.setObjectName("chart-predicted-measured")
        self._grid = QGridLayout()
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self._cells: list[QLabel] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 12)
        column.addWidget(self.chart, 1)
        column.addLayout(self._grid)

    def show_proposal(self, proposal: AcceptedCalibration | None) -> None:
        """Shows accepted calibrations together with a proposal (None when there is none)."""
        earlier = self._session.plan.calibrations
        key = (proposal.log_id, proposal.profile_id) if proposal else None
        shown = [c for c in earlier if (c.log_id, c.profile_id) != key] + ([proposal] if proposal else [])
        pairs = self._pairs(shown)
        self.chart.show_figure(predicted_measured_figure(pairs), self._themes.theme)
        self._show_table(pairs)

    def _pairs(self, shown: Sequence[AcceptedCalibration]) -> list[Pair]:
        factors = corrections(shown)
        pairs = []
        for one in shown:
            chip = self._session.catalogue.accelerator_by_id.get(one.accelerator_id)
            factor = factors.find(one.accelerator_id, one.work)
            if chip is None or factor is None:
                continue
            before = one.predicted_tokens_per_s / one.n_chips
            name = f"{self._log_name(one.log_id)}, {chip.short_name}"
            measured = one.measured_tokens_per_s / one.n_chips
            pair = Pair(
                f"{one.log_id}:{one.profile_id}",
                name,
                colour_key(chip),
                shape_of(chip),
                measured,
                before,
                before * factor.factor,
            )
            pairs.append(pair)
        return pairs

    def _log_name(self, log_id: str) -> str:
        return next((log.file_name for log in self._session.plan.logs if log.id == log_id), log_id)

    def _show_table(self, pairs: Sequence[Pair]) -> None:
        for cell in self._cells:
            self._grid.removeWidget(cell)
            take_away(cell)
        self._cells = []
        if not pairs:
            return
        rows = [("Error, tokens/s", "Before", "After")]
        rows += [(p.name, _error(p.before, p.measured), _error(p.after, p.measured)) for p in pairs]
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                self._add_cell(row, column, text)

    def _add_cell(self, row: int, column: int, text: str) -> None:
        cell = Label(text, self)
        cell.setProperty("kind", "small" if row == 0 else ("strong" if column == 2 else "ink2"))
        if column:
            cell.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(cell, row, column)
        self._cells.append(cell)


def _error(predicted: float, measured: float) -> str:
    return f"{plain(100 * abs(predicted / measured - 1), 2)}{THIN}%"
