"""The scenarios' sheet on screen: painted cells that are clicked, walked with arrows, and edited where they stand."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolButton, QToolTip, QWidget

from gui.charts.paint.brush import Ink
from gui.tabs.what_if.sheet import LINE_PX, Band, Columns, Sheet
from gui.tabs.what_if.sheet_paint import Cell, Look, paint_sheet
from gui.theme.icons import icon
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import as_text, tip
from gui.theme.removal import take_away

WALKED = ("input", "answer", "option")
MENU_PX, RESET_PX = 26, 20
STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class SheetView(QWidget):
    """Cells by number of band and column. ``edit_wanted`` and ``reset_wanted`` name an input and a scenario by number,
    ``menu_wanted`` a scenario and its button, ``picked`` an option, ``opened`` a scenario whose head was clicked twice,
    ``moved`` a scenario and the place to which its head was dragged."""

    edit_wanted = Signal(int, int)
    reset_wanted = Signal(int, int)
    menu_wanted = Signal(int, object)
    picked = Signal(int, str)
    opened = Signal(int)
    moved = Signal(int, int)
    copied = Signal(str)
    scrolled = Signal()

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "scenario-sheet", "Scenarios side by side")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._themes = themes
        self.sheet: Sheet | None = None
        self.columns = Columns(0.0, 0)
        self._cell: Cell | None = None
        self._hovered: Cell | None = None
        self._dragged: int | None = None
        self._buttons: list[tuple[QToolButton, Cell]] = []

    def show_sheet(self, sheet: Sheet) -> None:
        """Other scenarios, or the same in another state."""
        has_moved = self.sheet is None or _buttons_of(self.sheet) != _buttons_of(sheet)
        self.sheet = sheet
        self.setMinimumHeight(round(sheet.height))
        if self._cell is not None and not (self._cell[0] < len(sheet.bands) and self._cell[1] < sheet.n_columns):
            self._cell = None
        if has_moved:
            self._make_buttons(sheet)
        self.scroll_to(self.columns.offset)
        self._tell()

    def scroll_to(self, offset: float) -> None:
        """Scrolls the scenarios beside the base sideways."""
        n_columns = self.sheet.n_columns if self.sheet else 0
        self.columns = Columns(float(self.width()), n_columns)
        self.columns = Columns(float(self.width()), n_columns, min(max(offset, 0.0), self.columns.scroll_px))
        self._place_buttons()
        self.update()
        self.scrolled.emit()

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(700, round(self.sheet.height) if self.sheet else 200)

    def cell_at(self, at: QPointF) -> Cell | None:
        """The cell at a place."""
        column = self.columns.at(at.x())
        if self.sheet is None or column is None:
            return None
        bands = enumerate(self.sheet.bands)
        number = next((n for n, band in bands if band.top <= at.y() < band.top + band.height), None)
        return None if number is None else (number, column)

    def middle_of(self, kind: str, number: int, column: int) -> QPointF:
        """Where a cell stands on the widget."""
        band = self._band(kind, number)
        return QPointF(self.columns.left(column) + self.columns.column_px / 2, band.middle)

    def place_of(self, number: int, column: int) -> tuple[float, float, float]:
        """Left, top and width of the editor of an input."""
        band = self._band("input", number)
        return self.columns.left(column) + 4, band.top - 4, self.columns.column_px - 10

    def _band(self, kind: str, number: int) -> Band:
        assert self.sheet is not None
        return next(one for one in self.sheet.bands if (one.kind, one.number) == (kind, number))

    def paintEvent(self, event: QPaintEvent) -> None:
        """All cells."""
        if self.sheet is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self._cell if self.hasFocus() else None
        paint_sheet(
            Ink(painter, self._themes.theme), self.sheet, self.columns, Look(focused, self._hovered), self.height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns take the room there is."""
        super().resizeEvent(event)
        self.scroll_to(self.columns.offset)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Takes the focus to a cell; a head may be dragged from here."""
        self._cell = self.cell_at(event.position())
        is_head = self._cell is not None and self.sheet is not None and self.sheet.bands[self._cell[0]].kind == "head"
        self._dragged = self._cell[1] if is_head and self._cell and self._cell[1] else None
        self._tell()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Cells that can be edited say so."""
        cell = self.cell_at(event.position())
        if cell != self._hovered:
            self._hovered = cell
            kind = self.sheet.bands[cell[0]].kind if self.sheet and cell else ""
            shapes = {"input": Qt.CursorShape.IBeamCursor, "option": Qt.CursorShape.PointingHandCursor}
            self.setCursor(shapes.get(kind, Qt.CursorShape.ArrowCursor))
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at."""
        self._hovered = None
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Edits an input, picks an option, or drops a head."""
        cell, dragged = self.cell_at(event.position()), self._dragged
        self._dragged = None
        if dragged is not None and cell is not None and cell[1] not in (0, dragged):
            self.moved.emit(dragged, cell[1])
        elif cell is not None and cell == self._cell:
            self._act(cell)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A head shows its scenario."""
        cell = self.cell_at(event.position())
        if self.sheet and cell and self.sheet.bands[cell[0]].kind == "head":
            self.opened.emit(cell[1])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, Enter edits, Del resets, Ctrl+C copies the cell or, where none has the focus, the table."""
        key = Qt.Key(event.key())
        if key in STEPS and not event.modifiers():
            self._walk(*STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2) and self._cell:
            self._act(self._cell)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self._cell and self.sheet:
            self._reset(self._cell)
        elif key == Qt.Key.Key_Escape:
            self._cell = None
            self._tell()
        elif key == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.copied.emit(self._copy())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring comes, at the first input where it has no place yet."""
        if self._cell is None and event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._walk(0, 0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        self.update()

    def event(self, event: QEvent) -> bool:
        """What has no room in a cell is told in full on hovering."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self._words(self.cell_at(QPointF(event.pos())))
            QToolTip.showText(event.globalPos(), tip(words), self)
            return True
        return super().event(event)

    def _copy(self) -> str:
        if self.sheet is None:
            return ""
        if self._cell is not None:
            return ", ".join(self.sheet.texts(self.sheet.bands[self._cell[0]], self._cell[1]))
        return "\n".join("\t".join(line) for line in self.sheet.grid())

    def _act(self, cell: Cell) -> None:
        if self.sheet is None:
            return
        band = self.sheet.bands[cell[0]]
        if band.kind == "input":
            self.edit_wanted.emit(band.number, cell[1])
        point = self.sheet.options[band.number].points[cell[1]] if band.kind == "option" else None
        if point is not None:
            self.picked.emit(cell[1], point.result.id)

    def _reset(self, cell: Cell) -> None:
        assert self.sheet is not None
        band = self.sheet.bands[cell[0]]
        if band.kind == "input" and self.sheet.inputs.rows[band.number].cells[cell[1]].is_changed:
            self.reset_wanted.emit(band.number, cell[1])

    def _walk(self, down: int, right: int) -> None:
        if self.sheet is None:
            return
        rows = [number for number, band in enumerate(self.sheet.bands) if band.kind in WALKED]
        if not rows:
            return
        row, column = self._cell if self._cell and self._cell[0] in rows else (rows[0], 0)
        if self._cell is not None:
            row = rows[min(max(rows.index(row) + down, 0), len(rows) - 1)]
            column = min(max(column + right, 0), self.sheet.n_columns - 1)
        self._cell = (row, column)
        self._bring(column)
        self._tell()

    def _bring(self, column: int) -> None:
        """Scrolls sideways until a column can be seen whole."""
        left, right = self.columns.left(column), self.columns.left(column) + self.columns.column_px
        if column and left < self.columns.free_left:
            self.scroll_to(self.columns.offset - (self.columns.free_left - left))
        elif right > self.columns.width:
            self.scroll_to(self.columns.offset + right - self.columns.width)

    def _words(self, cell: Cell | None) -> str:
        if self.sheet is None or cell is None:
            return ""
        band, name = self.sheet.bands[cell[0]], self.sheet.answers[cell[1]].name
        texts = self.sheet.texts(band, cell[1])
        return f"{self.sheet.title(band) or 'Scenario'}, {name}: {', '.join(texts)}" if texts else ""

    def _tell(self) -> None:
        """Readers hear the cell that has the focus."""
        head = self.sheet.head if self.sheet else ""
        self.setAccessibleDescription(as_text(self._words(self._cell) or head))
        self.update()

    def _make_buttons(self, sheet: Sheet) -> None:
        for button, _ in self._buttons:
            take_away(button)
        self._buttons = [*map(self._menu_button, range(1, sheet.n_columns))]
        for number, row in enumerate(sheet.inputs.rows):
            for column, cell in enumerate(row.cells):
                if cell.is_changed and column:
                    self._buttons.append(self._reset_button(number, column))
        for button, _ in self._buttons:
            button.show()

    def _menu_button(self, column: int) -> tuple[QToolButton, Cell]:
        assert self.sheet is not None
        one = self.sheet.answers[column]
        button = named(QToolButton(self), f"scenario-menu-{one.id}", as_text(f"{one.name}: menu"), "quiet")
        button.setText("\u22ef")
        button.setFixedSize(MENU_PX, MENU_PX)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda: self.menu_wanted.emit(column, button))
        return button, (-1, column)

    def _reset_button(self, number: int, column: int) -> tuple[QToolButton, Cell]:
        assert self.sheet is not None
        info, one = self.sheet.inputs.rows[number].info, self.sheet.answers[column]
        title = as_text(f"{one.name}: {info.title} as in the base")
        button = named(QToolButton(self), f"scenario-reset-{one.id}-{info.path}", title, "quiet")
        button.setFixedSize(RESET_PX, RESET_PX)
        button.setIconSize(QSize(12, 12))
        button.setIcon(icon("reset", self._themes.theme.color("ink2"), 12))
        button.setToolTip(tip(title))
        button.clicked.connect(partial(self.reset_wanted.emit, number, column))
        return button, (number, column)

    def _place_buttons(self) -> None:
        for button, (number, column) in self._buttons:
            right = self.columns.left(column) + self.columns.column_px
            is_seen = column < self.columns.n and self.columns.left(column) >= self.columns.free_left - LINE_PX
            if number < 0:
                button.move(round(right - MENU_PX - 12), 5)
            else:
                button.move(round(right - RESET_PX - 16), round(self._band("input", number).middle - RESET_PX / 2))
            button.setVisible(is_seen and right <= self.columns.width + RESET_PX)

    def refresh_colours(self) -> None:
        """The theme changed."""
        for button, (number, _) in self._buttons:
            if number >= 0:
                button.setIcon(icon("reset", self._themes.theme.color("ink2"), 12))
        self.update()


def _buttons_of(sheet: Sheet) -> tuple[object, ...]:
    """On what the buttons depend."""
    cells = tuple((row.info.path, tuple(cell.is_changed for cell in row.cells)) for row in sheet.inputs.rows)
    return tuple((one.id, one.name) for one in sheet.answers), cells
