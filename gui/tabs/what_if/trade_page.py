"""What is given up for what, and what being wrong costs: the front of three wishes, and the regret matrix."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from core.catalogue.providers import provider_name
from core.comparison.result import ResultSet
from core.comparison.what_if.front import Front, front
from core.comparison.what_if.states import Regrets, regrets
from core.comparison.what_if.study import Study
from core.errors import RoofplanError
from gui.charts.figure.kind import ChartKind
from gui.charts.figure.shown import empty_sentence
from gui.charts.view.chart_view import ChartView
from gui.forms.choice_editors import segmented_buttons
from gui.session.plan_session import PlanSession
from gui.session.road import Priority, stoppable
from gui.tabs.what_if.front_figure import FRONT_TITLE, ONE_ONLY, Up, front_figure
from gui.tabs.what_if.regret_table import RegretTable, least_words
from gui.theme.manager import ThemeManager
from gui.widgets.busy_line import PageBusyLine
from gui.widgets.live import PAGE_SIDE_PX, LivePanel, label
from gui.widgets.rule import rule

OWNER = "what-if trade-offs"
UPS: dict[str, str] = {"time": "Time", "flexibility": "Flexibility"}
FRONT_MIN_PX = 300
REGRET_IS = (
    "Regret: what an option costs beyond the best choice for that outcome, by your weights, as an average over the "
    "draws. Each column is one state of the world: an input at the end of its likely range where regret moves most. A "
    "dash: the option misses a limit there; worst and mean leave that state out and say so."
)


class TradeEngine:
    """The questions, asked in a worker's thread. Tests put canned answers in its place."""

    def study(self, results: ResultSet) -> Any:
        """What the others are asked of. Raises ValueError for results that cannot be asked again."""
        return Study(results, str(results.recommendation.choice), None)

    def front(self, study: Any) -> Front:
        """What nobody beats."""
        return front(study)

    def regrets(self, study: Any) -> Regrets:
        """What being wrong costs."""
        return regrets(study)


class TradePage(LivePanel):
    """Asks only while it is seen, and each answer once; what is known of an answer is drawn at once."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("what-if-trade-offs")
        self.engine = TradeEngine()
        self.about: ResultSet | None = None
        self.front: Front | None = None
        self.told: Regrets | None = None
        self._trouble = ""
        self._build()
        self.busy = PageBusyLine(themes, self, session.road, OWNER)
        self._connect()

    @property
    def up(self) -> Up:
        """What stands upright in the chart."""
        return cast(Up, list(UPS)[max(self.ups.checkedId(), 0)])

    def show_results(self, results: ResultSet) -> None:
        """What is known of these results; the rest is asked for."""
        words = empty_sentence(results) if not results.results else "" if results.choice else _no_pick(results)
        if not words and len(results.best_per_accelerator) < 2:
            words = ONE_ONLY
        if words or results.basis is None:
            self._say(words or "Nothing is known of what these results rest on")
            return
        if results is not self.about:
            self.stop()
            self.about, self.front, self.told, self._trouble = results, None, None, ""
        if self._trouble:
            self._say(self._trouble)
            return
        if self.isVisible() and self.told is None and not self.session.road.is_busy(OWNER):
            self._ask(results)
        self._draw()

    def show_nothing(self) -> None:
        """Before there are results."""
        self._say("Describe the workload to see what is given up for what")

    def stop(self) -> None:
        """Asks nothing any more; what is known stays."""
        self.session.road.cancel(OWNER)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is worked out for a page that nobody sees."""
        super().hideEvent(event)
        self.stop()
        self._is_dirty, self._trouble = True, ""

    def _ask(self, results: ResultSet) -> None:
        """The front first: it is there at once."""
        told: dict[str, Any] = {}
        steps = [stoppable(partial(_first, self.engine, results, told)), stoppable(partial(_then, self.engine, told))]
        work = self.session.road.start_batch(OWNER, steps, len(steps), priority=Priority.SOON)
        self.session.hear(work, self._on_answer, self._on_failed)

    def _on_failed(self, error: RoofplanError) -> None:
        """Not asked again until there are other results, or until the page is opened again."""
        self._trouble = f"The trade-offs were not worked out: {error}"
        self._say(self._trouble)

    def _on_answer(self, answer: Front | Regrets) -> None:
        if isinstance(answer, Regrets):
            self.told = answer
        else:
            self.front = answer
        self._draw()

    def _say(self, words: str) -> None:
        self.stop()
        self.sentence.setText(words)
        self.stack.setCurrentWidget(self.sentence)

    def _draw(self) -> None:
        self.stack.setCurrentWidget(self.area)
        results = self.about
        if results is None:
            return
        if self.front is not None:
            self.chart.show_figure(front_figure(self.front, results, self.up), self.theme, self.session.selected_id)
        self.matrix.setVisible(self.told is not None)
        if self.told is not None:
            names = {one: option_name(results, one) for one in self.told.matrix.ids}
            self.regrets.show_regrets(self.told, names, self.theme)
            self.least.setText(str(least_words(self.told, names)))
            self.unit.setText(f"expected regret, {self.regrets.rows.scale.words}")

    def _choose(self, option: str) -> None:
        """Why tells of an option."""
        if self.about is not None and option in self.about.by_id:
            self.session.select(option)

    def _build(self) -> None:
        self.stack = QStackedWidget()
        self.sentence = label("", "ink2", "what-if-trade-sentence", wraps=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self._page())
        self.stack.addWidget(self.sentence)
        self.stack.addWidget(self.area)
        self.body.addWidget(self.stack, 1)
        self.controls = QWidget()
        row = QHBoxLayout(self.controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(label("Cost against", "ink2"))
        self.ups, buttons = segmented_buttons(self, UPS, "what-if-up-axis", "Cost against", 84)
        self.ups.button(0).setChecked(True)
        row.addLayout(buttons)

    def _page(self) -> QWidget:
        self.chart = ChartView(ChartKind("trade-offs", FRONT_TITLE))
        self.chart.setMinimumHeight(FRONT_MIN_PX)
        self.regrets, self.least = RegretTable(), label("", "", "what-if-least", wraps=True)
        self.unit = label("", "small", "what-if-regret-unit")
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(PAGE_SIDE_PX, 8, PAGE_SIDE_PX, 8)
        column.setSpacing(6)
        column.addWidget(self.chart, 1)
        column.addWidget(rule())
        column.addWidget(self._matrix())
        return page

    def _matrix(self) -> QWidget:
        self.matrix = QWidget()
        column = QVBoxLayout(self.matrix)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(label("What being wrong costs", "strong"))
        head.addWidget(self.unit)
        head.addStretch(1)
        column.addLayout(head)
        for widget in (self.regrets, self.least, label(REGRET_IS, "small", wraps=True)):
            column.addWidget(widget)
        return self.matrix

    def _connect(self) -> None:
        self.regrets.may_leave = self.session.may_leave
        self.connect_charts(self.chart)
        self.regrets.chosen.connect(self._choose)
        self.ups.idClicked.connect(lambda _: self._draw())


def _first(engine: TradeEngine, results: ResultSet, told: dict[str, Any]) -> Front:
    """The study serves the next step too."""
    told["study"] = engine.study(results)
    return engine.front(told["study"])


def _then(engine: TradeEngine, told: dict[str, Any]) -> Regrets:
    return engine.regrets(told["study"])


def option_name(results: ResultSet, option: str) -> str:
    """``512 × B200, Lambda``."""
    known = results.by_id.get(option)
    return option if known is None else f"{known.candidate.name}, {provider_name(known.candidate.offer.provider)}"


def _no_pick(results: ResultSet) -> str:
    return str(results.recommendation.headline)
