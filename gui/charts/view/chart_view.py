"""The widget that shows a figure: zoom, hover, selection, pinning, limit dragging, keyboard, export.

pyqtgraph's ViewBox zooms and pans; its scene carries three layers, each one cached object (see :mod:`layers`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QVBoxLayout, QWidget

from core.comparison.result import CandidateResult, ResultSet
from core.report.masking import KEPT
from core.units import shown_money
from gui.charts.figure.figure import Figure, Mark
from gui.charts.figure.kind import ChartKind
from gui.charts.figure.shown import subject
from gui.charts.paint.areas import paint_pointed
from gui.charts.paint.brush import Ink
from gui.charts.paint.picture import Picture, margins
from gui.charts.paint.points import Highlights
from gui.charts.view.export import ask_and_save, copy_picture
from gui.charts.view.graphs import pg
from gui.charts.view.interaction import ChartInteraction
from gui.charts.view.layers import Layer, Plot
from gui.charts.view.pointing import tip_of
from gui.charts.view.title_term import TitleTerm
from gui.theme.plain import tip
from gui.theme.theme import Theme

_KEYBOARD_REASONS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


_HANDED = ChartKind()
"""Of charts that are handed their figures by :meth:`ChartView.show_figure`."""

_PREFIX = "chart-"


class ChartView(QWidget):
    """A chart of one kind, which says how results become a figure; all else is shared.

    ``explain_requested`` gives the key of what was clicked, after ``picked`` gave its id; ``edit_requested`` gives
    field, value and words of what a dragged limit edits. ``draw`` may be replaced by one that was told more, such as
    what is pinned. ``limit_dropped`` comes once, where a hand let go of a limit or a key moved it. ``lights`` is what
    is selected in a chart whose rows are no candidates.
    """

    picked = Signal(str)
    explain_requested = Signal(str)
    pin_requested = Signal(str)
    cleared = Signal()
    limit_moved = Signal(str, float)
    limit_dropped = Signal(str, float)
    mark_held = Signal(str, float, float)
    mark_moved = Signal(str, float, float)
    edit_requested = Signal(str, object, str)

    def __init__(self, kind: ChartKind = _HANDED, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind, self.draw = kind, kind.draw
        pg.setConfigOptions(antialias=True)
        self.figure = Figure(title="")
        self.lit = Highlights()
        self.stale = False
        self._held: tuple[Mark, float, float] | None = None
        self.lights = ""
        self.answer: Any = None
        self._drawn: tuple[tuple[object, ...], tuple[object, ...], Figure] = (), (), self.figure
        self._theme: Theme | None = None
        self._zoomed = False
        self._by_keyboard = False
        self.may_leave: Callable[[], bool] = lambda: True
        self.setObjectName(f"{_PREFIX}{kind.id}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._build_scene()

    def _build_scene(self) -> None:
        self._hand = ChartInteraction(self)
        self._plot = Plot(self, self._hand)
        self._below = Layer(self._paint_below, -10)
        self._data, self._over = Layer(self._paint_data, 10), Layer(self._paint_over, 20)
        self._layers = (self._below, self._data, self._over)
        for layer in self._layers:
            self._plot.scene().addItem(layer)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._plot)
        self._view_box = self._plot.box
        self._view_box.sigRangeChanged.connect(self._on_range)
        self._view_box.sigRangeChangedManually.connect(self._on_zoom)
        self._term = TitleTerm(self)

    def set_results(self, results: ResultSet, selected_id: str | None, theme: Theme, answer: Any = None) -> None:
        """Show other results, keeping the zoom if there is one; ``answer`` is the engine's to the kind's question."""
        self.answer = answer
        self.show_figure(self._figure_of(results, selected_id), theme, self.lights or selected_id)

    def _figure_of(self, results: ResultSet, selected_id: str | None) -> Figure:
        question, shown = self.kind.question, subject(results, selected_id)
        if question is None or shown is None:
            return self._once(results, selected_id, partial(self.draw, results, selected_id))
        if self.answer is not None:
            return self._once(results, selected_id, partial(question.draw, results, shown, self.answer))
        return self.figure if self.figure.rows else Figure(self.kind.title, empty=question.at_work)

    def _once(self, results: ResultSet, selected_id: str | None, draw: Callable[[], Figure]) -> Figure:
        """The figure that was drawn last, where it was of the same: other charts of a tab wait for answers longer."""
        objects = results, self.answer, self.draw  # kept, so that no other object can take their place
        asked = *map(id, objects), selected_id, shown_money()
        if self._drawn[0] != asked:
            self._drawn = asked, objects, draw()
        return self._drawn[2]

    def waits_for(self, answer: Any, shown: CandidateResult | None) -> bool:
        """True while the engine works on the kind's question about a candidate: what is drawn is from before."""
        return self.kind.question is not None and shown is not None and answer is None

    def words(self, results: ResultSet, shown: CandidateResult) -> Sequence[str]:
        """Sentences below the chart about a candidate; none while the engine works on its question."""
        question = self.kind.question
        if question is None:
            return self.kind.words(results, shown)
        return () if self.answer is None else question.words(results, self.answer)

    def show_figure(self, figure: Figure, theme: Theme, selected_id: str | None = None) -> None:
        """Show a figure in a theme's colours. One that is on screen already is not drawn again."""
        if (figure, theme, selected_id) == (self.figure, self._theme, self.lit.selected):
            return
        self.figure, self._theme = figure, theme
        self.lit = replace(self.lit, selected=selected_id)
        self._plot.setBackground(theme.color("bg"))
        self._view_box.setMouseEnabled(x=not figure.empty, y=not (figure.rows or figure.empty))
        self.setAccessibleName(figure.title or self.kind.title)
        self.setAccessibleDescription(self.summary())
        if not self._zoomed and not self._hand.is_dragging:
            self._fit()
        self._lay_out()

    def summary(self) -> str:
        """What the chart says, in words, for a screen reader."""
        return self.figure.empty or self.figure.summary

    def set_pinned(self, pinned: tuple[str, ...]) -> None:
        """Show which two candidates are compared as A and B."""
        if pinned != self.lit.pinned:
            self.lit = replace(self.lit, pinned=pinned)
            self._data.update()

    def set_stale(self, stale: bool) -> None:
        """Fade the data while the input is wrong and the results are from before."""
        if stale != self.stale:
            self.stale = stale
            self._data.update()

    def reset_view(self) -> None:
        """Undo zooming and panning."""
        self._zoomed = False
        self._fit()
        self._lay_out()

    def picture(self) -> Picture | None:
        """The figure laid out for the widget's size and zoom."""
        if self._theme is None:
            return None
        x_view, y_view = self._view_box.viewRange()
        size = self._plot.size()
        view = tuple(x_view), tuple(y_view)
        return Picture.laid_out(
            self.figure, self._theme, size.width(), size.height(), *view, self.stale, self.kind.has_rows
        )

    def _fit(self) -> None:
        x, y = self.figure.x, self.figure.y
        self._view_box.setRange(xRange=(x.low, x.high), yRange=(y.low, y.high), padding=0, disableAutoRange=True)

    def _lay_out(self) -> None:
        size = self._plot.size()
        edge = margins(self.figure, size.width())
        whole = QRectF(0, 0, size.width(), size.height())
        self._view_box.setGeometry(whole.adjusted(edge.left, edge.top, -edge.right, -edge.bottom))
        self._view_box.prepareForPaint()  # in the middle of a paint it would call for the window's next frame at once
        for layer in self._layers:
            layer.set_size(size.width(), size.height())
        self._term.follow(self.figure, self.kind.has_rows)

    def _on_range(self, *_: object) -> None:
        for layer in self._layers:
            layer.update()

    def _on_zoom(self, *_: object) -> None:
        self._zoomed = True

    def _paint_below(self, painter: QPainter) -> None:
        if picture := self.picture():
            picture.paint_below(painter)

    def _paint_data(self, painter: QPainter) -> None:
        if picture := self.picture():
            picture.paint_data(painter, self.lit)
            picture.paint_empty(painter)

    def _paint_over(self, painter: QPainter) -> None:
        picture = self.picture()
        if picture is None:
            return
        ink = Ink(painter, picture.theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._held:
            self._paint_held(ink, picture, *self._held)
        paint_pointed(ink, self.figure, picture.view, self.lit)
        for mark in self.figure.marks:
            if mark.id == self.lit.hovered:
                ink.ring(picture.view.px(mark.x), picture.view.py(mark.y), mark.radius_px + 3, "ink3", 1.0)
        if self.hasFocus() and self._by_keyboard:
            painter.setPen(ink.pen("accent", 2.0))
            painter.drawRect(QRectF(1, 1, self._plot.width() - 2, self._plot.height() - 2))

    def _paint_held(self, ink: Ink, picture: Picture, mark: Mark, x: float, y: float) -> None:
        """A line from where the mark stands to where the hand has it, and its ghost there."""
        view = picture.view
        start, end = (view.px(mark.x), view.py(mark.y)), (view.px(x), view.py(y))
        ink.line(*start, *end, ink.pen("accent", 1.5, dash=(4.0, 3.0)))
        ink.glyph(*end, mark.radius_px, mark.shape, "accent", True, "full")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        super().resizeEvent(event)
        self._lay_out()

    def hideEvent(self, event: QHideEvent) -> None:
        """What the figure was drawn of is let go: answers take megabytes, and a hidden tab may stay hidden."""
        super().hideEvent(event)
        self._drawn = (), (), self.figure

    def set_hovered(self, candidate_id: str | None, part: str = "") -> None:
        """Ring the point, or outline the part of a bar, that the pointer or the arrow keys are at."""
        if (candidate_id, part) != (self.lit.hovered, self.lit.part):
            self.lit = replace(self.lit, hovered=candidate_id, part=part)
            self.setAccessibleDescription(tip_of(self.figure, candidate_id, part) or self.summary())
            (self._data if self.figure.rows else self._over).update()

    def move_limit(self, limit_id: str, at: float, value: float) -> None:
        """Move a limit's line while it is dragged and tell its value; results follow when they are there."""
        moved = tuple(replace(one, at=at) if one.id == limit_id else one for one in self.figure.limits)
        self.figure = replace(self.figure, limits=moved)
        self._on_range()
        self.limit_moved.emit(limit_id, value)
        for drag in self.kind.drags:
            if drag.limit_id == limit_id:
                self.edit_requested.emit(drag.field, drag.typed(value), drag.words)

    def drop_limit(self, limit_id: str, value: float) -> None:
        """The hand let go of a limit, or a key moved it."""
        self.limit_dropped.emit(limit_id, value)

    def hold_mark(self, mark: Mark | None, x: float = 0.0, y: float = 0.0) -> None:
        """A mark is held at a place, or let go."""
        self._held = (mark, x, y) if mark else None
        self._over.update()
        if mark is not None:
            self.mark_held.emit(mark.id, x, y)

    def drop_mark(self, mark: Mark, x: float, y: float) -> None:
        """The hand put a mark to a place."""
        self.mark_moved.emit(mark.id, x, y)

    def pick(self, candidate_id: str) -> None:
        """The user chose a point."""
        self.picked.emit(candidate_id)

    def explain(self, key: str) -> None:
        """The user wants what stands behind a figure."""
        self.explain_requested.emit(key)

    def pin(self, candidate_id: str) -> None:
        """The user wants a point kept as A or B."""
        self.pin_requested.emit(candidate_id)

    def clear(self) -> None:
        """The user wants nothing selected."""
        self.cleared.emit()

    def show_tip(self, text: str, at: QPoint) -> None:
        """What lies under the pointer, in words; nothing when the text is empty."""
        QToolTip.showText(at + QPoint(12, 12), tip(text), self)

    def show_cursor(self, shape: Qt.CursorShape) -> None:
        """Tell by the cursor that something can be dragged."""
        self._plot.viewport().setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk the points, Enter selects, Shift+Enter pins, Esc clears, Ctrl+C copies a picture."""
        if not self._hand.key(event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus outline."""
        super().focusInEvent(event)
        self._by_keyboard = event.reason() in _KEYBOARD_REASONS
        self._over.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the outline away."""
        super().focusOutEvent(event)
        self._over.update()

    def copy(self) -> None:
        """Copy the chart as a picture of twice the screen's resolution."""
        if not self.may_leave():
            QGuiApplication.clipboard().setText(KEPT)
        elif self._theme is not None:
            copy_picture(self.figure, self._theme, QSizeF(self._plot.size()), self.lit.selected)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy, export, reset."""
        menu = QMenu(self)
        menu.addAction("Copy picture", self.copy)
        menu.addAction("Export…", self.ask_and_save).setEnabled(self.may_leave())
        menu.addAction("Reset view", self.reset_view)
        menu.exec(event.globalPos())
        menu.deleteLater()

    def ask_and_save(self) -> None:
        """Ask for a file and write the chart as PNG, SVG or CSV."""
        if self._theme is not None and self.may_leave():
            name = self.objectName().removeprefix(_PREFIX)
            ask_and_save(self, self.figure, self._theme, QSizeF(self._plot.size()), name or "chart")
