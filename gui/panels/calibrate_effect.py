"""Predicted and measured before and after, for this log and for those accepted earlier."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from core.calibration.accepted import AcceptedCalibration
from core.calibration.fit import corrections
from core.units import THIN, plain
from gui.charts.predicted_measured import Pair, predicted_measured_figure
from gui.charts.shown import colour_key, shape_of
from gui.charts.view import ChartView
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager


class CalibrateEffect(QWidget):
    """The scatter and the table of errors."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._themes = themes
        self.chart = ChartView(self)
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
        found = []
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
            found.append(pair)
        return found

    def _log_name(self, log_id: str) -> str:
        return next((log.file_name for log in self._session.plan.logs if log.id == log_id), log_id)

    def _show_table(self, pairs: Sequence[Pair]) -> None:
        for cell in self._cells:
            self._grid.removeWidget(cell)
            cell.deleteLater()
        self._cells = []
        if not pairs:
            return
        rows = [("Error, tokens/s", "Before", "After")]
        rows += [(p.name, _error(p.before, p.measured), _error(p.after, p.measured)) for p in pairs]
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                self._add_cell(row, column, text)

    def _add_cell(self, row: int, column: int, text: str) -> None:
        cell = QLabel(text, self)
        cell.setProperty("kind", "small" if row == 0 else ("strong" if column == 2 else "ink2"))
        if column:
            cell.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(cell, row, column)
        self._cells.append(cell)


def _error(predicted: float, measured: float) -> str:
    return f"{plain(100 * abs(predicted / measured - 1), 2)}{THIN}%"
