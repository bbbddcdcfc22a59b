"""The strip under the toolbar: the answer in one sentence, how sure it is, and four figures with their ranges."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gui.frame.verdict_text import Kpi, Verdict, verdict
from gui.session.plan_session import PlanSession
from gui.theme.fonts import font
from gui.theme.naming import named
from gui.widgets.rule import rule

SIDE_PX = 20
KPI_IDS = ("cost", "finish", "flexibility", "stays-first")
NARROW_PX = 1100
"""Below this width facts without a figure give way to the price."""
ROOMY_PX = 1400
"""From this width on the words that may go are shown."""


class KpiView(QWidget):
    """One figure: label, value, range."""

    def __init__(self, kpi_id: str) -> None:
        super().__init__()
        self.setObjectName(f"kpi-{kpi_id}")
        self._kpi: Kpi | None = None
        self.title, self.value, self.note = QLabel(), QLabel(), QLabel()
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
        self._kpi = kpi
        self.title.setText(kpi.title)
        self.value.setText(kpi.value)
        self.note.setText(kpi.note + (kpi.spare if is_roomy else ""))
        self.setAccessibleName(f"{kpi.title}: {kpi.value}, {kpi.note}{kpi.spare}")

    def show_room(self, is_roomy: bool) -> None:
        """The window became wider or narrower."""
        if self._kpi is not None:
            self.show_kpi(self._kpi, is_roomy)


class VerdictStrip(QWidget):
    """Follows the session's results. ``prices_wanted`` asks how old prices may be."""

    prices_wanted = Signal()

    def __init__(self, session: PlanSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("verdict")
        self.setProperty("surface", "underlined")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(76)
        self._session = session
        self._words, self._facts_of, self._is_short = "", Verdict(""), False
        self._shown: tuple[Verdict, str] | None = None
        self._headline = named(QLabel(), "verdict-headline", kind="headline")
        self._headline.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._facts = QHBoxLayout()
        self._facts.setSpacing(9)
        self._price, self._price_line = named(QPushButton(), "verdict-price", "Oldest price", "status"), _line()
        self._price.clicked.connect(self.prices_wanted)
        self._kpis = {kpi_id: KpiView(kpi_id) for kpi_id in KPI_IDS}
        self._build()
        session.results_changed.connect(self.refresh)
        session.plan_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Shows the session's results."""
        shown = verdict(self._session.results, date.today(), self._session.plan.old_price_days)
        if self._session.results is None and self._session.has_plan:
            shown = Verdict("No ranking yet: see the problem" if self._session.stale else "Comparing options…")
        results = self._session.results
        whole = str(results.recommendation.headline) if results else shown.headline
        if (shown, whole) != self._shown:
            self._shown = shown, whole
            self._show(shown, whole)

    def _show(self, shown: Verdict, whole: str) -> None:
        self._words = shown.headline
        self._elide()
        self._headline.setToolTip(whole)
        if replace(shown, headline="", kpis=()) != replace(self._facts_of, headline="", kpis=()):
            self._show_facts(shown)
        told = {kpi.id: kpi for kpi in shown.kpis}
        for kpi_id, view in self._kpis.items():
            if kpi_id in told:
                view.show_kpi(told[kpi_id], self._is_roomy)
            view.setVisible(kpi_id in told)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Drops or adds the words that may go."""
        super().resizeEvent(event)
        self._elide()
        for view in self._kpis.values():
            view.show_room(self._is_roomy)
        if self._is_narrow != self._is_short:
            self._show_facts(self._facts_of)

    def _elide(self) -> None:
        metrics = QFontMetrics(font(16, QFont.Weight.DemiBold))
        width_px = max(self._headline.width(), 200)
        self._headline.setText(metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, width_px))
        self._headline.setAccessibleName(self._words)

    @property
    def _is_narrow(self) -> bool:
        return self.width() < NARROW_PX

    @property
    def _is_roomy(self) -> bool:
        return self.width() >= ROOMY_PX

    def _build(self) -> None:
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 12, 0)
        left.setSpacing(5)
        left.addStretch(1)
        left.addWidget(self._headline)
        left.addLayout(self._facts_row())
        left.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(SIDE_PX, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(left, 1)
        for view in self._kpis.values():
            row.addWidget(view)

    def _facts_row(self) -> QHBoxLayout:
        whole = QHBoxLayout()
        whole.setSpacing(9)
        whole.addLayout(self._facts)
        whole.addWidget(self._price_line)
        whole.addWidget(self._price)
        whole.addStretch(1)
        return whole

    def _show_facts(self, shown: Verdict) -> None:
        while item := self._facts.takeAt(0):
            if widget := item.widget():
                widget.hide()  # deleted later, it would be painted under the new facts until then
                widget.deleteLater()
        self._facts_of, self._is_short = shown, self._is_narrow
        facts = [fact for fact in shown.facts if fact[1] or not self._is_narrow]
        for number, (words, strong) in enumerate(facts):
            if number:
                self._facts.addWidget(_line())
            self._facts.addWidget(_fact(words, strong))
        self._show_price(shown)

    def _show_price(self, shown: Verdict) -> None:
        """The oldest price as a button: it leads to the number of days after which prices count as old."""
        self._price.setText(f"\u26a0 {shown.price}" if shown.price_is_old else shown.price)
        self._price.setAccessibleName(shown.price)
        self._price.setToolTip(shown.price_tip)
        self._price.setProperty("state", "warn" if shown.price_is_old else "")
        self._price.style().polish(self._price)
        self._price.setVisible(bool(shown.price))
        self._price_line.setVisible(bool(shown.price and shown.facts))


def _line() -> QWidget:
    line = rule(vertical=True)
    line.setFixedHeight(12)
    return line


def _fact(words: str, strong: str) -> QLabel:
    text = QLabel(f"{words} <b>{strong}</b>" if strong else words)
    text.setTextFormat(Qt.TextFormat.RichText)
    text.setProperty("kind", "fact")
    return text
