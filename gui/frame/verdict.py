"""The strip under the toolbar: the answer in one sentence, how sure it is, and the figures that count."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.comparison.over_time.answer import OverTime
from core.comparison.portfolio.result import PortfolioAnswer
from core.report.plan_words import plan_line
from gui.frame.verdict_phases import phases_verdict
from gui.frame.verdict_portfolio import portfolio_verdict
from gui.frame.verdict_text import ADVICE, Kpi, Verdict, verdict, whole_words, workload_words
from gui.session.plan_session import PlanSession
from gui.theme.naming import named
from gui.theme.plain import Label, as_html, caption, tip
from gui.theme.term_label import TermLabel
from gui.widgets.elided import ElidedLabel
from gui.widgets.rule import rule

SIDE_PX = 20
LEFT_GAP_PX = 12
KPI_IDS = ("cost", "finish", "in-limits", "chance-best", "regret")
TIGHT_PX = 1160
"""Below this width the workload's name takes the room of the words before the date of the oldest price, and the last
figure gives way."""
NARROW_PX = 1100
"""Below this width facts without a figure give way."""
ROOMY_PX = 1400
"""From this width on the words that may go are shown, beside the name of one workload of several too."""


class KpiView(QWidget):
    """One figure: label, value, range."""

    def __init__(self, kpi_id: str) -> None:
        super().__init__()
        self.setObjectName(f"kpi-{kpi_id}")
        self.title, self.value, self.note = TermLabel(), Label(), TermLabel()
        self.title.setProperty("kind", "kpi-title")
        self.value.setProperty("kind", "kpi")
        self.note.setProperty("kind", "small")
        column = QVBoxLayout()
        column.setContentsMargins(16, 0, 16, 0)
        column.setSpacing(0)
        for text, height_px in ((self.title, 16), (self.value, 24), (self.note, 16)):
            text.setFixedHeight(height_px)
            column.addWidget(text)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(rule(vertical=True))
        row.addLayout(column)
        self.setFixedHeight(56)

    def show_kpi(self, kpi: Kpi, is_roomy: bool) -> None:
        """Shows a figure, with the words that may go if there is room."""
        self.title.setText(kpi.title)
        self.value.setText(kpi.value)
        self.note.setText(kpi.note + (kpi.spare if is_roomy else ""))
        self.setAccessibleName(f"{kpi.title}: {kpi.value}, {kpi.note}{kpi.spare}")


class VerdictStrip(QWidget):
    """Follows the session's results. ``prices_wanted`` asks how old prices may be, ``whole_wanted`` what the workloads
    of the plan come to together."""

    prices_wanted = Signal()
    whole_wanted = Signal()

    def __init__(self, session: PlanSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("verdict")
        self.setProperty("surface", "underlined")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(76)
        self._session = session
        self._shown = Verdict("")
        self._instead: Verdict | None = None
        self._facts_shown: list[tuple[str, str, str]] = []
        self._fitted_px = 0
        self._fact_labels: list[tuple[QWidget, QLabel]] = []
        self._followed: tuple[object, ...] = ()
        self._headline = named(ElidedLabel(), "verdict-headline", kind="headline")
        self._headline.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._workload, self._workload_line = named(ElidedLabel(), "verdict-workload", kind="strong"), _line()
        self._facts = QHBoxLayout()
        self._facts.setSpacing(9)
        self._price, self._price_line = named(QPushButton(), "verdict-price", "Oldest price", "status"), _line()
        self._price.clicked.connect(self.prices_wanted)
        self._whole, self._whole_line = named(QPushButton(), "verdict-whole", "Whole plan", "status"), _line()
        self._whole.clicked.connect(self.whole_wanted)
        self._kpis = {kpi_id: KpiView(kpi_id) for kpi_id in KPI_IDS}
        self._build()
        session.results_changed.connect(self.refresh)
        session.plan_changed.connect(self._follow_plan)
        session.profile_changed.connect(self._follow_plan)
        session.whole_plan.changed.connect(self._show_whole)
        self.refresh()

    def refresh(self) -> None:
        """Shows the session's results."""
        self._followed = self._of_the_plan()
        shown = verdict(self._session.results, date.today(), self._session.plan.old_price_days)
        if self._session.results is None and self._session.has_plan:
            shown = Verdict("No ranking yet: see the problem" if self._session.stale else "Comparing options…")
        self._shown = self._instead or shown
        self._show_workload()
        self._fit()

    def tell(self, answer: OverTime | PortfolioAnswer | None) -> None:
        """Shows what a plan over time, or a portfolio, comes to in the place of the session's results; None: these."""
        if isinstance(answer, PortfolioAnswer):
            self._instead = portfolio_verdict(answer)
        else:
            self._instead = phases_verdict(answer) if answer is not None else None
        self.refresh()

    def _follow_plan(self) -> None:
        """Another plan is told where it says something else without new results; these are told by themselves."""
        if self._of_the_plan() != self._followed:
            self.refresh()

    def _of_the_plan(self) -> tuple[object, ...]:
        """What the strip says of the plan beside its results."""
        plan = self._session.plan
        return plan.old_price_days, self._session.has_plan, self._session.stale, self._workload_words()

    def _show_kpis(self, shown: Verdict) -> None:
        told = {kpi.id: kpi for kpi in shown.kpis}
        for kpi_id, view in self._kpis.items():
            if kpi_id in told:
                view.show_kpi(told[kpi_id], self._is_roomy)
            view.setVisible(kpi_id in told and not self._is_too_much(kpi_id))

    def _is_too_much(self, kpi_id: str) -> bool:
        """Nobody can read all figures in a narrow window; what being wrong would cost stands in Why too."""
        return kpi_id == "regret" and self.width() < TIGHT_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Drops or adds the words that may go."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Figures that measure more once they are laid out leave less to the words."""
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self._figures_px() != self._fitted_px:
            self._fit()
        return is_done

    def _fit(self) -> None:
        """Shows what is to be said in as many words as there is room for, the figures first."""
        self._show_kpis(self._shown)
        if self._told(self._shown) != self._facts_shown:
            self._show_facts(self._shown)
        self._show_price(self._shown)
        self._drop_facts()
        self._row.activate()  # what one of these leaves free, or takes, belongs to the other texts at once
        self._show_headline(self._shown)
        self._show_whole()
        self._fitted_px = self._figures_px()

    @property
    def _is_roomy(self) -> bool:
        return self.width() >= ROOMY_PX

    def _build(self) -> None:
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, LEFT_GAP_PX, 0)
        left.setSpacing(5)
        left.addStretch(1)
        left.addWidget(self._headline)
        left.addLayout(self._facts_row())
        left.addStretch(1)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(SIDE_PX, 0, 0, 0)
        row.setSpacing(0)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)  # what is said follows the width
        row.addLayout(left, 1)
        for view in self._kpis.values():
            row.addWidget(view)

    def _facts_row(self) -> QHBoxLayout:
        whole = QHBoxLayout()
        whole.setSpacing(9)
        for widget in (self._workload, self._workload_line):
            whole.addWidget(widget)
        whole.addLayout(self._facts)
        whole.addWidget(self._price_line)
        whole.addWidget(self._price)
        for widget in (self._whole_line, self._whole):
            whole.addWidget(widget)
        whole.addStretch(1)
        self._facts_line = whole
        return whole

    def _show_whole(self) -> None:
        """The whole plan's line, where it has room beside all that is said of the workload on screen."""
        whole = self._session.whole_plan
        words = whole_words(whole.answer, whole.is_working)
        self._whole.setText(words)
        self._whole.setToolTip(tip(plan_line(whole.answer) if whole.answer else ""))
        shown = (self._whole_line, self._whole)
        needed_px = self._needed_px(*shown)
        others_px = self._facts_line.sizeHint().width() - (0 if self._whole.isHidden() else needed_px)
        free_px = self.width() - 2 * SIDE_PX - self._figures_px() - others_px
        for widget in shown:
            widget.setVisible(bool(words) and needed_px <= free_px)

    def _show_headline(self, shown: Verdict) -> None:
        """The headline, or in its place the pick alone where it would be cut."""
        results = self._session.results
        whole_px = self._headline.fontMetrics().horizontalAdvance(shown.headline)
        self._headline.setText(shown.brief if shown.brief and whole_px > self._headline.width() else shown.headline)
        self._headline.setAccessibleName(shown.headline)
        told = str(results.recommendation.headline) if results and self._instead is None else shown.headline
        self._headline.setToolTip(tip(told))

    def _show_workload(self) -> None:
        self._workload.setText(self._workload_words())
        for widget in (self._workload, self._workload_line):
            widget.setVisible(bool(self._workload.text()))

    def _workload_words(self) -> str:
        """The workload of several that the answer is for, which is the one from before until results are new; none for
        a plan over time, which is of all."""
        if self._instead is not None:
            return ""
        results = self._session.results
        shown = results.profile if results else self._session.profile
        return workload_words(self._session.shown_plan.profiles, shown)

    def _show_facts(self, shown: Verdict) -> None:
        self._facts_shown = self._told(shown)
        while len(self._fact_labels) < len(self._facts_shown):
            self._fact_labels.append((_line(), _fact()))
            for widget in self._fact_labels[-1]:
                self._facts.addWidget(widget)
        for number, (line, text) in enumerate(self._fact_labels):
            is_told = number < len(self._facts_shown)
            if is_told:
                _tell(text, *self._facts_shown[number])
            text.setVisible(is_told)
            line.setVisible(is_told and number > 0)

    def _drop_facts(self) -> None:
        """A fact without a figure is told whole or not at all."""
        whole_px = 0 if self._whole.isHidden() else self._needed_px(self._whole_line, self._whole)
        room_px = self.width() - SIDE_PX - LEFT_GAP_PX - self._figures_px()
        for number, (line, text) in enumerate(self._fact_labels[: len(self._facts_shown)]):
            if not self._facts_shown[number][1]:
                needed_px = self._needed_px(line, text)
                others_px = self._facts_line.sizeHint().width() - whole_px - (0 if text.isHidden() else needed_px)
                text.setVisible(others_px + needed_px <= room_px)
                line.setVisible(not text.isHidden() and number > 0)

    def _figures_px(self) -> int:
        return sum(view.sizeHint().width() for view in self._kpis.values() if not view.isHidden())

    def _needed_px(self, *widgets: QWidget) -> int:
        return sum(widget.sizeHint().width() + self._facts_line.spacing() for widget in widgets)

    def _told(self, shown: Verdict) -> list[tuple[str, str, str]]:
        """The facts for which there is room, with their tips: those without a figure give way to the workload's name
        and the price."""
        has_room = self.width() >= (ROOMY_PX if self._workload.text() else NARROW_PX)
        facts = [fact for fact in shown.facts if fact[1] or has_room]
        return [(*fact, shown.advice_tip if fact[0].startswith(ADVICE) else "") for fact in facts]

    def _show_price(self, shown: Verdict) -> None:
        """The oldest price as a button: it leads to the number of days after which prices count as old."""
        is_tight = self.width() < TIGHT_PX and bool(self._workload.text())
        words = shown.price_brief if is_tight else shown.price
        self._price.setText(caption(f"\u26a0 {words}" if shown.price_is_old else words))
        self._price.setAccessibleName(shown.price)
        self._price.setToolTip(tip(shown.price_tip))
        state = "warn" if shown.price_is_old else ""
        if self._price.property("state") != state:
            self._price.setProperty("state", state)
            self._price.style().polish(self._price)
        self._price.setVisible(bool(shown.price))
        self._price_line.setVisible(bool(shown.price and shown.facts))


def _line() -> QWidget:
    line = rule(vertical=True)
    line.setFixedHeight(12)
    return line


def _fact() -> QLabel:
    text = TermLabel()
    text.setTextFormat(Qt.TextFormat.RichText)
    text.setProperty("kind", "fact")
    return text


def _tell(text: QLabel, words: str, strong: str, told: str) -> None:
    weighty = f' <span style="font-weight: 600">{as_html(strong)}</span>' if strong else ""
    text.setText(f"{as_html(words)}{weighty}")
    text.setToolTip(tip(told))
