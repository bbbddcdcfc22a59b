"""What the window says, what was paid for and not used, and how far predictions were off."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.amounts import PRICE_PER_CHIP_HOUR, Amount
from core.calibration.accepted import Check
from core.calibration.own_logs.use import Bill, Use, in_steps
from core.calibration.speed_factors import OTHER_MODELS_SHARE, OTHERS_CLOSER
from core.units import THIN, counted, gib_text, grouped, plain, shown_money, span
from gui.charts.kinds.check_errors import check_errors
from gui.charts.view.chart_view import ChartView
from gui.tabs.calibrate.also_measured import CalibrateAlsoMeasured
from gui.tabs.calibrate.cells import Cells
from gui.tabs.calibrate.footer import share_words
from gui.tabs.calibrate.load_row import LoadRow
from gui.theme.naming import named
from gui.theme.plain import Label, caption
from gui.theme.theme import Theme
from gui.widgets.rule import rule

WIDTH_PX = 276
_ROW_PX, _CHART_PX = 25, 100

Line = tuple[str, str, str]


class CalibrateSummary(QWidget):
    """Two short tables, what else was measured, and the errors, at the right of the plots.

    ``chip_wanted`` names the chip whose own line is to be drawn, none to take it away.
    """

    chip_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(WIDTH_PX + 40)
        self._window = _Table("This window", self)
        self._waste = _Table("Paid for, not used", self)
        self.straggler = named(QPushButton(), "draw-straggler", "Draw the straggler's own line")
        self.straggler.setCheckable(True)
        self.straggler.toggled.connect(self._on_straggler)
        self._chip = ""
        self.also = CalibrateAlsoMeasured(self)
        self.load = LoadRow(self)
        self.chart = ChartView(parent=self)
        self.chart.setObjectName("chart-check-errors")
        self.reach = named(Label(), "calibration-reach", kind="small")
        self.reach.setWordWrap(True)
        self.reach.hide()
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(20, 10, 20, 4)
        column.setSpacing(6)
        column.addWidget(self._window)
        column.addWidget(self.straggler, 0, Qt.AlignmentFlag.AlignLeft)
        for widget in (rule(), self._waste, rule(), self.load, self.also, self.chart):
            column.addWidget(widget)
        column.addWidget(self.reach)
        column.addStretch(1)
        scrolled = named(QScrollArea(), "log-summary", "What the log says")
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setWidgetResizable(True)
        scrolled.setWidget(inner)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolled)

    def show_use(self, use: Use, n_chips: int, kept_s: float) -> None:
        """Figures of what counts."""
        lasts = f"{plain(kept_s / 60.0)}{THIN}min" if kept_s >= 60 else _minutes(kept_s)  # as the caption of the plots
        head = f"{counted(n_chips, 'chip')}, {lasts}"
        self._window.show_lines(head, [line for line in window_lines(use) if line[1]])
        chip = use.straggler.chip if use.straggler else ""
        if chip != self._chip:
            self.straggler.setChecked(False)
        self._chip = chip
        self.straggler.setVisible(bool(chip))
        self.straggler.setText(caption(f"Draw chip {chip}"))

    def _on_straggler(self, is_drawn: bool) -> None:
        self.chip_wanted.emit(self._chip if is_drawn else "")

    def show_bill(self, bill: Bill, usd_per_chip_hour: float | None) -> None:
        """What the whole log cost, at the plan's price."""
        price = Amount(usd_per_chip_hour, PRICE_PER_CHIP_HOUR) if usd_per_chip_hour is not None else None
        head = "no price in the plan" if price is None else f"at {price} per chip-hour"
        self._waste.show_bill(head, bill)

    def show_checks(self, checks: Sequence[Check], theme: Theme, work: str = "") -> None:
        """Errors before and after, and below them how far a log of that kind of work reaches."""
        self.reach.setVisible(bool(checks) and bool(work))
        self.reach.setText(reach_words(work) if work else "")
        self.chart.setVisible(bool(checks))
        self.chart.setFixedHeight(_CHART_PX + _ROW_PX * max(len(checks), 2))
        self.chart.show_figure(check_errors(checks), theme)


def reach_words(work: str) -> str:
    """What a log of one model says of others on its chip: how far they move, and how often that was right."""
    n_logs, closer = OTHERS_CLOSER[work]
    runs = "training runs" if work == "training" else "runs of servers"
    return (
        f"The factor is of this model. Others on the chip move {share_words(OTHER_MODELS_SHARE[work])} as far: "
        f"taken as such a log, {plain(100 * closer, 2)}{THIN}% of {grouped(n_logs)} published {runs} brought them "
        "closer."
    )


def window_lines(use: Use) -> list[Line]:
    """Name, value and note of each figure; an empty value where the log does not hold it."""
    duty, spread, peak, least = use.duty_pct, use.duty_span_pct, use.memory_peak, use.straggler
    by_chip = f"{span(plain(spread[0], 2), plain(spread[1], 2))} by chip" if spread else ""
    spare = use.memory_spare_gib
    slow = sum(one.seconds for one in use.throttled)
    throttled = f"{_minutes(slow)} throttled" if slow else ""
    inside = f"{plain(use.energy_kwh, 2)} in window" if use.energy_kwh is not None else ""
    whole = use.whole_energy_kwh
    lines = [
        ("Duty cycle", "" if duty is None else f"{plain(duty, 2)}{THIN}%", by_chip),
        ("Energy, with idle", "" if whole is None else f"{plain(whole, 2)}{THIN}kWh", inside),
        ("Memory peak", gib_text(peak.value) if peak else "", f"{plain(spare)} spare" if spare is not None else ""),
    ]
    if least is not None:
        lines.append((f"Straggler, chip {least.chip}", f"{plain(100 * least.value, 2)}{THIN}% less", throttled))
    else:
        lines.append(("Straggler", "none" if spread else "", throttled))
    return lines


class _Table(QWidget):
    """A title, words at its right, and rows of which the last may be a total."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        name = title.lower().replace(" ", "-").replace(",", "")
        self.setObjectName(name)
        self._head = named(Label(), f"{name}-head", kind="small")
        self._head.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._cells = Cells(self)
        self._hours = named(Label(), f"{name}-hours", kind="strong")
        self._usd = named(Label(), f"{name}-usd", kind="strong")
        self._usd.setAlignment(Qt.AlignmentFlag.AlignRight)
        total = QHBoxLayout()
        total.addWidget(self._hours)
        total.addWidget(self._usd, 1)
        top = QGridLayout()
        top.addWidget(named(Label(title), f"{name}-title", kind="section"), 0, 0)
        top.addWidget(self._head, 0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self._cells)
        column.addLayout(total)
        self._show_total("", "")

    def _show_total(self, hours: str, usd: str) -> None:
        for label, text in ((self._hours, hours), (self._usd, usd)):
            label.setText(text)
            label.setVisible(bool(text))

    def show_lines(self, head: str, lines: Sequence[Line]) -> None:
        """Name, value in strong, note."""
        self._head.setText(head)
        self._cells.show_rows(lines or [("Nothing of this is in the log", "", "")], ("", "strong", "small"))

    def show_bill(self, head: str, bill: Bill) -> None:
        """Rows in minutes, hours and money, and their total of the whole, all as printed."""
        self._head.setText(head)
        if not bill.rows:
            words = "Nothing: all of the log counts" if bill.whole.seconds else "This log has no readings over time"
            self._cells.show_rows([(words, "", "", "")], ("", "small", "small", ""))
            self._show_total("", "")
            return
        rows, total = bill_lines(bill)
        most = max(one.seconds for one in bill.rows)
        self._cells.show_rows(rows, ("", "small", "small", ""), [one.seconds / most for one in bill.rows])
        self._show_total(f"{total[0]} chip-hours", total[1])


def bill_lines(bill: Bill) -> tuple[list[tuple[str, str, str, str]], tuple[str, str]]:
    """Words, time, chip-hours and money of each row, and hours and money of their total with those of the whole."""
    hours, usd = _in_hours(bill), _in_money(bill)
    rows = [
        (one.words, _minutes(one.seconds), f"{hours[i]}{THIN}h", usd[i] if usd else "")
        for i, one in enumerate(bill.rows)
    ]
    return rows, (f"{hours[-2]} of {hours[-1]}", f"{usd[-2]} of {usd[-1]}" if usd else "")


def _in_hours(bill: Bill) -> list[str]:
    """Chip-hours of the rows, of their total and of the whole; the rows as printed add up to the total as printed."""
    step = 0.1 if bill.whole.chip_hours >= 1 else 0.001
    rows, total = in_steps([one.chip_hours for one in bill.rows], step)
    whole = round(bill.whole.chip_hours / step)
    decimals = 1 if step == 0.1 else 3
    return [f"{n * step:.{decimals}f}" for n in (*rows, total, max(whole, total))]


def _in_money(bill: Bill) -> list[str]:
    """As :func:`_in_hours`, in cents or, for a large log, whole units of the money shown."""
    priced = [one.usd for one in (*bill.rows, bill.whole) if one.usd is not None]
    if len(priced) <= len(bill.rows):
        return []
    money = shown_money()
    here = [usd * money.per_usd for usd in priced]
    step, decimals = (0.01, 2) if here[-1] < 100 else (1.0, 0)
    rows, total = in_steps(here[:-1], step)
    whole = max(round(here[-1] / step), total)
    return [f"{money.sign}{n * step:,.{decimals}f}".replace(",", THIN) for n in (*rows, total, whole)]


def _minutes(seconds: float) -> str:
    return f"{plain(seconds / 60.0, 2)}{THIN}min" if seconds >= 60 else f"{plain(seconds, 2)}{THIN}s"
