"""The Performance tab: where the time goes, what fills the memory, and how far the chips are from their roof."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.comparison.questions.distance_to_users import route_sentence
from core.comparison.result import CandidateResult, ResultSet
from core.report.run_words import replica_words
from core.throughput.types import Layout, Throughput
from core.units import THIN, grouped, ms_words, scaled, span
from core.workload.profile import Profile
from gui.charts.figure.shown import shown_results, subject
from gui.charts.paint.picture import least_height
from gui.charts.registry import pages_of
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.tabs.performance.evidence import EvidenceLine
from gui.theme.fonts import font
from gui.theme.manager import ThemeManager
from gui.widgets.live import CURVE_INSET_PX, PAGE_SIDE_PX, LivePanel, label, padded
from gui.widgets.rule import rule

LEAST_PCT = 3.0
"""Terms below this share of a step are not told in words; the chart has them."""

SIDE_BY_SIDE_PX = 1090
"""From this width on charts stand in twos: bars between names and figures need so much."""

GAP_PX = 16
LINE_GAP_PX = 2
ANY_PX = 10_000
SCROLL_BAR_PX = 16
LEAST_PX = (230, 170)
"""Least height of a chart of curves: one as wide as the tab, and one of two beside each other."""

_DEGREES = (
    ("replicas", "replicas"),
    ("dp", "data"),
    ("fsdp", "fully sharded"),
    ("tp", "tensor"),
    ("pp", "pipeline"),
    ("cp", "context"),
    ("ep", "expert"),
)


def layout_text(layout: Layout, serving: bool) -> str:
    """How the job is spread, in words: ``32-way data, 8-way tensor, micro-batch 4, no recompute``."""
    parts = [f"{grouped(getattr(layout, key))}-way {word}" for key, word in _DEGREES[1:] if getattr(layout, key) > 1]
    if serving:
        parts.insert(0, replica_words(layout))
        return ", ".join([*parts, f"batch up to {grouped(layout.max_batch)}"] if layout.max_batch else parts)
    parts += [f"{layout.interleave} stages a rank"] if layout.interleave > 1 else []
    parts += ["gradients split"] if layout.zero > 1 else []
    recompute = "no recompute" if layout.recompute == "none" else f"{layout.recompute} recompute"
    return ", ".join([*(parts or ["one copy"]), f"micro-batch {layout.micro_batch}", recompute])


def speed_text(result: CandidateResult) -> str:
    """Speed with its 80 % range, MFU and what limits it."""
    speed = result.throughput
    tokens = speed.tokens_per_s
    ends = span(scaled(tokens.low, 2), scaled(tokens.high, 2))
    text = f"{scaled(tokens.likely)} {speed.unit}/s, 80{THIN}% range {ends}; MFU {100 * speed.mfu:.0f}{THIN}%"
    text += f" in {speed.precision.upper()}"
    return f"{text}; limited by {bottleneck_words(speed)}"


def bottleneck_words(speed: Throughput) -> str:
    """What limits the step and the share of its largest terms: ``compute (72 % of the step; network 15 %)``."""
    total = sum(speed.step_terms_s.values())
    if total <= 0:
        return speed.bottleneck
    shares = sorted(((100 * s / total, term) for term, s in speed.step_terms_s.items()), reverse=True)
    largest, others = shares[0], [f"{term} {share:.0f}{THIN}%" for share, term in shares[1:4] if share >= LEAST_PCT]
    first = f"{largest[0]:.0f}{THIN}% of the step"
    own = first if largest[1] == speed.bottleneck else f"{largest[1]} {first}"
    return f"{speed.bottleneck} ({'; '.join([own, ', '.join(others)] if others else [own])})"


def latency_text(result: CandidateResult) -> str:
    """First and next token latency; empty when training."""
    latency = result.throughput.latency
    if latency is None:
        return ""
    if result.throughput.unit == "samples":
        return _latency_words("answer", latency.ttft_p50_ms, latency.ttft_p99_ms)
    first = _latency_words("first token", latency.ttft_p50_ms, latency.ttft_p99_ms)
    return f"{first}; {_latency_words('each next', latency.tpot_p50_ms, latency.tpot_p99_ms)}"


def _latency_words(what: str, half_ms: float, late_ms: float) -> str:
    return f"{what} {ms_words(half_ms)}, 99{THIN}% within {ms_words(late_ms)}"


class PerformancePanel(LivePanel):
    """The selected candidate in words over its charts; serving online adds the latency under load."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-performance")
        self.by_id = {kind.id: ChartView(kind) for page in pages_of("performance").values() for kind in page}
        self._name = label("", "strong", "performance-name")
        self._layout = label("", "ink2", "performance-layout", wraps=True)
        self._evidence = EvidenceLine(themes)
        self._notes = label("", "small", "performance-notes", wraps=True)
        self._reserved_px, self._reserved_for = 0, (0, "")
        self._build()
        self.connect_charts(*self.charts())

    def _build(self) -> None:
        self._head = QWidget()
        head = QVBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(LINE_GAP_PX)
        for text in (self._name, self._layout, self._evidence, self._notes):
            head.addWidget(text)
        head.addStretch(1)
        self.body.addLayout(padded(self._head, 10, 8))
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        charts = self.charts()
        self._rows = [_row(charts[first : first + 2]) for first in range(0, len(charts), 2)]
        for row in self._rows:
            column.addWidget(rule())
            column.addLayout(row, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.body.addWidget(scroll, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Charts keep a height at which they can be read; what does not fit scrolls."""
        super().resizeEvent(event)
        self._fit()
        if self.session.results is not None:
            self._reserve(self.session.results)

    def _fit(self) -> None:
        beside = self.width() >= SIDE_BY_SIDE_PX
        for row in self._rows:
            row.setDirection(row.Direction.LeftToRight if beside else row.Direction.TopToBottom)
        room_px = self.width() - PAGE_SIDE_PX - SCROLL_BAR_PX
        chart_px = (room_px - GAP_PX) / 2 if beside else room_px
        for chart in self.charts():
            chart.setMinimumHeight(max(math.ceil(least_height(chart.figure, chart_px)), LEAST_PX[beside]))

    def charts(self) -> tuple[ChartView, ...]:
        """Those that declare to stand on this tab, in their turn."""
        return tuple(self.by_id.values())

    def show_results(self, results: ResultSet) -> None:
        """Draw the charts and describe the selected candidate."""
        super().show_results(results)
        self._fit()
        shown = subject(results, self.session.selected_id)
        self._show_latency(results.profile.job.answers_users)
        self._evidence.show_result(results.profile, shown)
        self._name.setText(f"{shown.candidate.name}, {shown.candidate.place}" if shown else "")
        self._layout.setText(
            _description(shown, results.profile, route_sentence(results.profile, shown)) if shown else ""
        )
        notes = _notes(shown) if shown else ""
        self._notes.setText(notes)
        self._notes.setVisible(bool(notes))
        self._reserve(results)

    def _show_latency(self, has_load: bool) -> None:
        """Where nobody waits for answers the chart beside it has the whole width."""
        chart = self.by_id["latency-load"]
        for part in filter(None, (chart.parentWidget(), chart)):
            part.setVisible(has_load)

    def _reserve(self, results: ResultSet) -> None:
        """Keeps room for the words of every option that the charts show, so that they stand still under all of them."""
        shown = shown_results(results, self.session.selected_id)
        kind = (self._head.width(), results.profile.job.kind)
        before_px = self._reserved_px if kind == self._reserved_for else 0
        self._reserved_px = max([before_px, *(self._words_px(results, one) for one in shown)])
        self._reserved_for = kind
        self._head.setMinimumHeight(self._reserved_px)

    def _words_px(self, results: ResultSet, one: CandidateResult) -> int:
        """Height of the head with the words of one option."""
        width_px = self._head.width()
        way = route_sentence(results.profile, one)
        texts = [(one.candidate.name, width_px), (_description(one, results.profile, way), width_px)]
        texts += [(self._evidence.words_of(results.profile, one), width_px - self._evidence.indent_px)]
        texts += [(_notes(one), width_px)]
        heights = [_text_px(text, room_px) for text, room_px in texts if text]
        return sum(heights) + LINE_GAP_PX * (len(heights) - 1)


def _notes(shown: CandidateResult) -> str:
    return " ".join(f"{note.rstrip('.')}." for note in shown.throughput.notes)


def _text_px(text: str, width_px: int) -> int:
    """Height of a text that wraps."""
    room = QRect(0, 0, max(width_px, 1), ANY_PX)
    return QFontMetrics(font()).boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()


def _row(charts: Sequence[ChartView]) -> QBoxLayout:
    """Charts of one width."""
    row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
    row.setContentsMargins(0, 4, PAGE_SIDE_PX, 4)
    row.setSpacing(GAP_PX)
    for chart in charts:
        row.addWidget(chart if chart.kind.has_rows else _inset(chart), 1)
    return row


def _inset(chart: ChartView) -> QWidget:
    """A chart of curves, which begins where the names of rows do."""
    holder = QWidget()
    box = QVBoxLayout(holder)
    box.setContentsMargins(CURVE_INSET_PX, 0, 0, 0)
    box.addWidget(chart)
    return holder


def _description(shown: CandidateResult, profile: Profile, way: str) -> str:
    """Layout, speed, times of answers where somebody waits for them, and the way to users; else why it does not run."""
    if not shown.throughput.fits:
        return " ".join(f"{r.text} {r.nearest_change}".strip() for r in shown.throughput.reasons or shown.reasons)
    job, latency = profile.job, latency_text(shown) if profile.job.answers_users else ""
    lines = [layout_text(shown.throughput.layout, not job.trains), speed_text(shown), latency, way]
    return "\n".join(line[:1].upper() + line[1:] for line in lines if line)
