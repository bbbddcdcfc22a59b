"""Chips as bins with small models in them; a model is carried to another chip by the mouse, by keys or from a menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from core.comparison.portfolio.packing import Packing
from core.report.masking import KEPT
from gui.charts.paint.brush import Ink
from gui.charts.view.plot_menu import PlotMenu
from gui.tables.copying import as_tsv
from gui.tabs.portfolio.bin_painting import paint_bin, paint_carried
from gui.tabs.portfolio.bins import (
    Bin,
    Pill,
    WhyNot,
    bin_at,
    bins_of,
    height_of,
    item_words,
    label_of,
    pill_at,
    table_of,
    why_not,
)
from gui.theme.naming import named
from gui.theme.plain import caption, tip
from gui.theme.theme import Theme

CLICK_PX = 4.0
KEYS = "Arrows walk the models, Shift+Up and Shift+Down carry one, Enter puts it down, Delete takes it off by hand."


@dataclass(frozen=True, slots=True)
class Carry:
    """A model in the hand: over which chip, 0 for none, why it does not fit there, and where the pointer is."""

    pill: Pill
    source: int
    target: int
    why: str
    at: QPointF | None = None

    @property
    def can_drop(self) -> bool:
        """True over another chip on which it fits."""
        return self.target not in (0, self.source) and not self.why


class PackingView(QWidget):
    """``put`` tells a workload and the number of the chip it was put on, ``freed`` one that goes where it fits by
    itself; ``told`` says what would happen while a model is carried, and nothing afterwards."""

    put = Signal(str, int)
    freed = Signal(str)
    told = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        named(self, "portfolio-packing", "Small models on chips")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.may_leave: Callable[[], bool] = lambda: True
        self.why_not: WhyNot = why_not
        self.can_edit = True
        self.packing: Packing | None = None
        self.bins: tuple[Bin, ...] = ()
        self.current: tuple[str, int] | None = None
        self.carry: Carry | None = None
        self._theme: Theme | None = None
        self._colour = "ink2"
        self._pressed: tuple[Pill, int, QPointF] | None = None
        self._files = PlotMenu(self, "portfolio-packing", lambda: self.may_leave())
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.DefaultContextMenu)  # its own menu has more than pictures

    def show_packing(self, packing: Packing, colour: str, theme: Theme, can_edit: bool) -> None:
        """Other chips; ``colour`` is that of the kind of chip."""
        self.packing, self._colour, self._theme, self.can_edit = packing, colour, theme, can_edit
        self._drop_carry()
        self._lay_out()
        if self.current not in [pill.key for pill in self._pills]:
            self.current = None
        self._describe()

    def place_of(self, workload: str, copy: int = 1) -> Pill | None:
        """Where a model stands, for whoever points there."""
        return next((pill for pill in self._pills if pill.key == (workload, copy)), None)

    @property
    def _pills(self) -> list[Pill]:
        return [pill for one in self.bins for pill in one.pills]

    def _lay_out(self) -> None:
        if self.packing is not None:
            self.bins = bins_of(self.packing, float(self.width()), self.can_edit)
            self.setFixedHeight(max(height_of(self.bins), 1))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names stand where there is room."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Chips, then what is carried."""
        if self._theme is None or self.packing is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = Ink(painter, self._theme)
        ink.fill(QRectF(self.rect()), "bg")
        carry = self.carry
        lit = self.current if self.hasFocus() or carry is not None else None
        for one in self.bins:
            paint_bin(ink, one, self._colour, self.packing.load_limit, lit, _state(carry, one.number))
        if carry is not None:
            paint_carried(ink, self._ghost(carry), label_of(carry.pill.placed), bool(carry.why))

    def _ghost(self, carry: Carry) -> QRectF:
        """Below the pointer; carried by keys at the right of the chip it is over."""
        ghost = QRectF(carry.pill.rect)
        if carry.at is not None:
            ghost.moveCenter(carry.at)
        else:
            over = next(one for one in self.bins if one.number == carry.target)
            ghost.moveTopRight(over.rect.topRight() + QPointF(-4, 4))
        return ghost

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Chooses a model and takes hold of it."""
        self.setFocus()
        pill = pill_at(self.bins, event.position())
        over = bin_at(self.bins, event.position())
        if pill is None or over is None:
            return
        self.current = pill.key
        if event.button() == Qt.MouseButton.LeftButton and self.can_edit:
            self._pressed = pill, over.number, event.position()
        self._describe()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The model follows the hand; whether it fits is told before it is let go."""
        at = event.position()
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            can_take = self.can_edit and pill_at(self.bins, at) is not None
            self.setCursor(Qt.CursorShape.OpenHandCursor if can_take else Qt.CursorShape.ArrowCursor)
            return
        pill, source, start = self._pressed
        if self.carry is None and (at - start).manhattanLength() <= CLICK_PX:
            return
        over = bin_at(self.bins, at)
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._hold(Carry(pill, source, over.number if over else 0, "", at))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Puts the model where it fits; anywhere else it goes back."""
        self._pressed = None
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._drop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walks, carries, puts down, frees, copies."""
        key, is_shifted = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1}.get(key, 0)
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif step and (is_shifted or self.carry is not None):
            self._carry_on(step)
        elif step:
            self._walk(step, key in (Qt.Key.Key_Up, Qt.Key.Key_Down))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.carry is not None:
            self._drop()
        elif key == Qt.Key.Key_Escape and self.carry is not None:
            self._drop_carry()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.can_edit:
            self._free()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard begins at the first model."""
        super().focusInEvent(event)
        if self.current is None and self._pills:
            self.current = self._pills[0].key
        self._describe()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What is carried by keys goes back."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._drop_carry()

    def event(self, event: QEvent) -> bool:
        """What a model takes of its chip, on hovering."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tip(self._words_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Where the model may be put, with why not; the table, and the picture."""
        menu = self.menu()
        menu.exec(event.globalPos())
        menu.deleteLater()

    def menu(self) -> QMenu:
        """Every other chip for the chosen model; those on which it does not fit say why. Then what can be copied."""
        menu = QMenu(self)
        pill, packing = self._chosen, self.packing
        if pill is not None and packing is not None and self.can_edit:
            self._list_chips(menu, pill, packing)
        menu.addAction("Copy table", self._copy)
        menu.addAction("Copy picture", self._files.copy)
        menu.addAction("Export\u2026", self._files.ask_and_save).setEnabled(self.may_leave())
        return menu

    def _list_chips(self, menu: QMenu, pill: Pill, packing: Packing) -> None:
        source = self._chip_of(pill)
        for one in self.bins:
            if one.number == source:
                continue
            why = self.why_not(packing, pill.placed, one.number)
            words = f"Put on chip {one.number}" if one.chip else "Put on a chip of its own"
            action = menu.addAction(caption(f"{words}: {why}" if why else words))
            action.setEnabled(not why)
            action.triggered.connect(partial(self.put.emit, pill.placed.workload, one.number))
        menu.addSeparator()
        free = menu.addAction("Where it fits by itself", partial(self.freed.emit, pill.placed.workload))
        free.setEnabled(pill.placed.is_pinned)

    @property
    def _chosen(self) -> Pill | None:
        return next((pill for pill in self._pills if pill.key == self.current), None)

    def _chip_of(self, pill: Pill) -> int:
        return next(one.number for one in self.bins if pill in one.pills)

    def _walk(self, step: int, by_chip: bool) -> None:
        """To the next model, or to the first one of the next chip."""
        pills = [one.pills[0] for one in self.bins if one.pills] if by_chip else self._pills
        chosen = self._chosen
        if not pills:
            return
        here = pills[0] if chosen is None else chosen
        if by_chip and chosen is not None:
            here = next(one.pills[0] for one in self.bins if chosen in one.pills)
        self.current = pills[min(max(pills.index(here) + step, 0), len(pills) - 1)].key
        self._describe()

    def _carry_on(self, step: int) -> None:
        """By keys to the next chip, passing over the one it came from."""
        pill = self.carry.pill if self.carry else self._chosen
        if pill is None or not self.can_edit:
            return
        source = self._chip_of(pill)
        numbers = [one.number for one in self.bins]
        at = numbers.index(self.carry.target if self.carry and self.carry.target else source)
        target = numbers[min(max(at + step, 0), len(numbers) - 1)]
        self._hold(Carry(pill, source, target, ""))

    def _hold(self, carry: Carry) -> None:
        packing = self.packing
        why = ""
        if packing is not None and carry.target not in (0, carry.source):
            why = self.why_not(packing, carry.pill.placed, carry.target)
        self.carry = replace(carry, why=why)
        words = carry_words(self.carry, packing)
        self.setAccessibleDescription(words)
        self.told.emit(words, bool(why))
        self.update()

    def _drop(self) -> None:
        carry = self.carry
        self._drop_carry()
        if carry is not None and carry.can_drop:
            self.put.emit(carry.pill.placed.workload, carry.target)

    def _drop_carry(self) -> None:
        if self.carry is not None:
            self.carry = None
            self.told.emit("", False)
            self.update()

    def _free(self) -> None:
        pill = self._chosen
        if pill is not None and pill.placed.is_pinned:
            self.freed.emit(pill.placed.workload)

    def _copy(self) -> None:
        if self.packing is not None:
            QGuiApplication.clipboard().setText(as_tsv(table_of(self.packing)) if self.may_leave() else KEPT)

    def _words_at(self, at: QPointF) -> str:
        pill, over = pill_at(self.bins, at), bin_at(self.bins, at)
        return item_words(pill.placed, over.chip) if pill and over and over.chip else ""

    def _describe(self) -> None:
        """For screen readers: the chosen model, or all chips."""
        chosen = self._chosen
        over = next((one for one in self.bins if chosen in one.pills), None) if chosen else None
        if chosen and over and over.chip and self.hasFocus():
            self.setAccessibleDescription(f"{item_words(chosen.placed, over.chip)}. {KEYS}")
        else:
            chips = [one for one in self.bins if one.chip]
            told = [f"Chip {one.number}: {', '.join(label_of(pill.placed) for pill in one.pills)}" for one in chips]
            self.setAccessibleDescription(". ".join(told))
        self.update()


def _state(carry: Carry | None, number: int) -> str:
    """How a chip looks while a model is held over it."""
    if carry is None or number != carry.target or number == carry.source:
        return ""
    return "err" if carry.why else "good"


def carry_words(carry: Carry, packing: Packing | None) -> str:
    """What happens where the model is let go."""
    name, is_new = label_of(carry.pill.placed), packing is None or carry.target > len(packing.chips)
    where = "a chip of its own" if is_new else f"chip {carry.target}"
    if carry.target in (0, carry.source):
        return f"{name} stays on chip {carry.source}."
    return f"{name} does not fit on {where}: {carry.why}." if carry.why else f"{name} fits on {where}."
