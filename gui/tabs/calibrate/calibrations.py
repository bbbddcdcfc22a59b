"""All calibrations of the plan: switched on and off, compared, taken out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.calibration.accepted import AcceptedCalibration, AcceptedLesson
from core.calibration.speed_factors import OTHER_MODELS_SHARE, corrections, pulled
from core.plan.imports import log_names
from core.ranges import Evidence
from core.throughput.correction import SpeedFactor, TermFactor
from core.throughput.measured import TERM_WORDS
from core.units import DASH, THIN, plain
from gui.charts.figure.shown import colour_key, shape_of
from gui.charts.kinds.check_errors import words as error_words
from gui.charts.kinds.predicted_measured import Pair, predicted_measured_figure
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.tables.text_table import TextColumn, TextRow, TextTable
from gui.tabs.calibrate.footer import share_words
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label

_COLUMNS = (
    TextColumn("In use, chip", 200),
    TextColumn("Workload", 150),
    TextColumn("Factor", 70, True),
    TextColumn("Alone", 70, True),
    TextColumn("Range left", 84, True),
    TextColumn("Error before", 96, True),
    TextColumn("Error after", 90, True),
    TextColumn("File", 180),
    TextColumn("Accepted", 96),
)
_SEPARATOR = "\n"


class CalibrationList(QWidget):
    """A row a calibration; what is ticked counts. Each change is one undo step."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._themes = session, themes
        self.chart = ChartView(parent=self)
        self.chart.setObjectName("chart-predicted-measured")
        self.table = TextTable("calibration-list", "Calibrations of this plan", _COLUMNS, self)
        self.empty = named(Label("Nothing is accepted yet: import a log and accept what it says."), "no-calibrations")
        self.note = named(Label(), "calibration-note", kind="small")
        self.note.setWordWrap(True)
        self.remove = named(QPushButton("Remove"), "remove-calibration", "Remove the selected calibration")
        self.remove.clicked.connect(self._on_remove)
        self.table.rows.ticked.connect(self._on_ticked)
        self.table.selectionModel().currentChanged.connect(self._on_row)
        below = QHBoxLayout()
        below.addWidget(self.note, 1)
        below.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 12)
        column.addWidget(self.empty)
        column.addWidget(self.table, 2)
        column.addLayout(below)
        column.addWidget(self.chart, 3)
        session.plan_changed.connect(self.refresh)
        themes.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Lists what the plan holds now."""
        plan, names = self._session.plan, log_names(self._session.plan)
        every, lessons = plan.calibrations, plan.lessons
        key, has_any = self.table.selected_key, bool(every or lessons)
        off = [_key(one) for one in every if not one.is_on] + [_key(one) for one in lessons if not one.is_on]
        self.table.rows.forget_ticks(off)
        rows = [self._row(one, names) for one in every] + [self._lesson_row(one, names) for one in lessons]
        self.table.show_rows(rows)
        keys = [row.key for row in rows]
        self.table.selectRow(keys.index(key) if key in keys else 0)
        self.table.setVisible(has_any)
        self.empty.setVisible(not has_any)
        self.remove.setEnabled(has_any)
        self.note.setText(self._siblings(every) if every else "")
        self.chart.setVisible(bool(every))
        self.chart.show_figure(predicted_measured_figure(self._pairs(every, names)), self._themes.theme)

    def _row(self, one: AcceptedCalibration, names: dict[str, str]) -> TextRow:
        plan = self._session.plan
        factor = corrections(plan.calibrations).find(one.accelerator_id, one.work, one.n_params) if one.is_on else None
        used = factor.factor if factor else pulled(one, one.factor)
        share = one.predicted_tokens_per_s / one.measured_tokens_per_s
        return self._told(one, one.work, names, factor, (share, used * share))

    def _lesson_row(self, one: AcceptedLesson, names: dict[str, str]) -> TextRow:
        """A figure beside speed; its factor is that of all ticked logs together."""
        terms = corrections((), self._session.plan.lessons).terms if one.is_on else ()
        factor = next((known for known in terms if known.where == one.where), None)
        share = one.predicted / one.measured
        after = (factor.factor if factor else 1.0) * share
        return self._told(one, TERM_WORDS[one.term].name, names, factor, (share, after))

    def _told(
        self,
        one: AcceptedCalibration | AcceptedLesson,
        what: str,
        names: dict[str, str],
        factor: SpeedFactor | TermFactor | None,
        shares: tuple[float, float],
    ) -> TextRow:
        """A row of either kind; ``shares`` are predicted over measured, before and after."""
        errors = (f"{error_words(100.0 * (share - 1.0))}{THIN}%" for share in shares)
        cells = (
            f"{self._chip_name(one.accelerator_id)}, {what}",
            self._workload_name(one.profile_id),
            plain(factor.factor) if factor else "off",
            plain(one.factor),
            f"±{plain(100 * (factor.spread if factor else one.spread), 2)}{THIN}%",
            *errors,
            names.get(one.log_id, "a log that is gone"),
            one.accepted_on or DASH,
        )
        return TextRow(_key(one), cells, can_tick=True)

    def _chip_name(self, accelerator_id: str) -> str:
        chips = self._session.catalogue.accelerator_by_id
        return chips[accelerator_id].short_name if accelerator_id in chips else accelerator_id

    def _workload_name(self, profile_id: str) -> str:
        every = self._session.plan.profiles
        return next((one.name for one in every if one.id == profile_id), "a workload that is gone")

    def _pairs(self, every: Sequence[AcceptedCalibration], names: dict[str, str]) -> list[Pair]:
        """Speeds per chip, measured and predicted with and without what is ticked."""
        factors, chips = corrections(every), self._session.catalogue.accelerator_by_id
        pairs = []
        for one in (one for one in every if one.accelerator_id in chips):
            chip, factor = chips[one.accelerator_id], factors.find(one.accelerator_id, one.work, one.n_params)
            measured, before = one.measured_tokens_per_s / one.n_chips, one.predicted_tokens_per_s / one.n_chips
            name = f"{names.get(one.log_id, 'a log that is gone')}, {chip.short_name}"
            after = before * (factor.factor if factor and one.is_on else 1.0)
            pairs.append(Pair(_key(one), name, colour_key(chip), shape_of(chip), measured, before, after))
        return pairs

    def _siblings(self, every: Sequence[AcceptedCalibration]) -> str:
        factors, measured = corrections(every).factors.values(), {one.accelerator_id for one in every}
        chips = self._session.catalogue.accelerator_by_id
        names = sorted(
            {
                chips[one.accelerator_id].short_name
                for one in factors
                if one.evidence is Evidence.TRANSFERRED and one.accelerator_id in chips.keys() - measured
            }
        )
        shares = {work: share_words(share) for work, share in OTHER_MODELS_SHARE.items()}
        training, serving = f"{shares['training']} of it in training", f"{shares['inference']} in serving"
        others = f"{shares['training']} of it" if len({*shares.values()}) == 1 else f"{training} and {serving}"
        moved = f" Transferred by half, with a wider range, to {', '.join(names)}." if names else ""
        return (
            "Factor: of all ticked logs of that model on that chip together. Alone: of this log. Other models on "
            f"that chip take {others}.{moved}"
        )

    def _on_ticked(self) -> None:
        off, plan = self.table.rows.unticked, self._session.plan
        changed = tuple(one.model_copy(update={"is_on": _key(one) not in off}) for one in plan.calibrations)
        lessons = tuple(one.model_copy(update={"is_on": _key(one) not in off}) for one in plan.lessons)
        self._replace(changed, lessons, "Switch a calibration on or off")

    def _on_remove(self) -> None:
        key, plan = self.table.selected_key, self._session.plan
        left = tuple(one for one in plan.calibrations if _key(one) != key)
        self._replace(left, tuple(one for one in plan.lessons if _key(one) != key), "Remove a calibration")

    def _on_row(self) -> None:
        self.remove.setEnabled(bool(self.table.selected_key))

    def _replace(
        self, calibrations: tuple[AcceptedCalibration, ...], lessons: tuple[AcceptedLesson, ...], label: str
    ) -> None:
        changed = {"calibrations": calibrations, "lessons": lessons}
        self._session.replace_plan(self._session.plan.model_copy(update=changed), label)


def _key(one: AcceptedCalibration | AcceptedLesson) -> str:
    term = one.term if isinstance(one, AcceptedLesson) else ""
    return _SEPARATOR.join((one.log_id, one.profile_id, term))
