"""One row of a form (mark of change, label, editor, help, what is wrong or doubtful), and rows under their headings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.plan.fields import FieldInfo
from gui.forms.editor import Editor
from gui.theme.fonts import font
from gui.theme.icons import icon
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label, caption, tip
from gui.theme.removal import take_away
from gui.theme.term_label import TermLabel

LABEL_PX = 124
FIELD_PX = 212
DOT_PX = 12
_GAP_PX = 12
_LINE_PX = 280
_LABEL, _FIELD, _SIDE = 1, 2, 3
_KINDS = {"error": "err", "warning": "warn", "note": "small"}


class FieldRow(QWidget):
    """A field with everything said about it. ``repair_wanted`` carries the value that settles a doubt."""

    reset_wanted = Signal()
    repair_wanted = Signal(object)

    def __init__(self, info: FieldInfo, editor: Editor, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.info, self.editor = info, editor
        self._themes = themes
        self._is_narrow = False
        self._before: str | None = None
        self._repair: Any = None
        self._told: tuple[str, ...] = ()
        self._help_words = info.help
        self._build()
        self.show_changed("")
        self.show_message("")

    @property
    def message(self) -> str:
        """The sentence below the field; empty when all is well."""
        return self._message.text() if not self._message_box.isHidden() else ""

    @property
    def is_changed(self) -> bool:
        """True while the row carries the mark of change."""
        return bool(self._before)

    def stops(self) -> list[QWidget]:
        """The widgets that Tab visits, in order: the editor's, then reset and repair."""
        return [*self.editor.stops(), self._reset, self._fix]

    def set_narrow(self, is_narrow: bool) -> None:
        """Help below the field where the form is narrow."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._place_side()

    def set_help(self, text: str) -> None:
        """Another help text, such as what the value means."""
        if text != self._help_words:
            self._help_words = text
            self._help.setText(self._before or text)

    def show_changed(self, before: str) -> None:
        """``Changed from ...`` with a reset arrow in place of the help; nothing for an empty text."""
        if before == self._before:
            return
        self._before = before
        self._reset.setVisible(bool(before))
        self._help.setText(before or self._help_words)
        self._reset.setToolTip(tip(f"Reset {self.info.title.lower()}"))
        self.update()

    def show_message(self, text: str, severity: str = "error", repair: Any = None, repair_words: str = "") -> None:
        """A sentence below the field with a border to match; an empty text takes both away.

        ``severity`` is "error", "warning" or "note"; a note has no sign and no border.
        """
        self._repair = repair
        told = text, severity, repair_words, self._help_words
        if told == self._told:
            return
        self._told = told
        self._message_box.setVisible(bool(text))
        self._message.setText(text)
        is_long = QFontMetrics(font(12)).horizontalAdvance(text) > _LINE_PX
        self._message.setWordWrap(is_long)
        self._message.setMinimumWidth(_LINE_PX if is_long else 0)
        self._message.setProperty("kind", _KINDS[severity])
        self._message.style().polish(self._message)
        self._fix.setText(caption(repair_words))
        self._fix.setAccessibleName(f"{self.info.title}: {repair_words}")
        self._fix.setVisible(bool(repair_words))
        self._sign.setVisible(severity != "note")
        self._tint_sign()
        self.editor.set_state(severity if text and severity != "note" else "")
        self.editor.target().setAccessibleDescription(text or self._help_words)

    def refresh_colours(self) -> None:
        """The theme changed: icons are drawn anew."""
        self._reset.setIcon(icon("reset", self._themes.theme.color("accent"), 12))
        self._tint_sign()

    def _tint_sign(self) -> None:
        token = "err" if self._message.property("kind") == "err" else "warn"
        self._sign.setPixmap(icon("warning", self._themes.theme.color(token), 14).pixmap(QSize(14, 14)))

    def event(self, event: QEvent) -> bool:
        """Claims its height anew when its width or what stands in it changes.

        A layout around it knows the height of wrapped text only as a wish, and squashes editors where room is short.
        """
        is_done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.setMinimumHeight(self._grid.totalHeightForWidth(self.width()))
        return is_done

    def paintEvent(self, event: QPaintEvent) -> None:
        """The violet dot of a changed field."""
        if self._before:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._themes.theme.color("accent"))
            painter.drawEllipse(0, self._label.geometry().center().y() - 2, 6, 6)

    def _build(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 3, 0, 3)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, DOT_PX)
        grid.setColumnMinimumWidth(_LABEL, LABEL_PX + _GAP_PX)
        grid.setColumnStretch(_SIDE, 1)
        self._grid = grid
        self._label = TermLabel(self.info.title)
        self._label.setWordWrap(True)
        self._label.setFixedWidth(LABEL_PX + _GAP_PX)  # the whole column: the layout asks for its height at that width
        self._label.setBuddy(self.editor.target())
        top = Qt.AlignmentFlag.AlignTop if self.editor.is_wide else Qt.AlignmentFlag.AlignVCenter
        self._label.setContentsMargins(0, 4 if self.editor.is_wide else 0, _GAP_PX, 0)
        grid.addWidget(self._label, 0, _LABEL, top)
        self._build_side()
        self._build_message()
        if not self.editor.is_wide:
            self.editor.setFixedWidth(FIELD_PX)
        grid.addWidget(self.editor, 0, _FIELD, 1, 2 if self.editor.is_wide else 1)
        self._place_side()
        grid.addWidget(self._message_box, 2, _FIELD, 1, 2)

    def _build_side(self) -> None:
        self._side = QWidget()
        side = QHBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(6)
        self._reset = named(QToolButton(), f"reset-{self.info.path}", f"Reset {self.info.title}", "quiet")
        self._reset.setFixedSize(20, 20)
        self._reset.setIconSize(QSize(12, 12))
        self._reset.setIcon(icon("reset", self._themes.theme.color("accent"), 12))
        self._reset.clicked.connect(self._on_reset)
        self._help = Label(self.info.help)
        self._help.setProperty("kind", "small")
        self._help.setWordWrap(True)
        side.addWidget(self._reset)
        side.addWidget(self._help, 1)

    def _build_message(self) -> None:
        self._message_box = QWidget()
        row = QHBoxLayout(self._message_box)
        row.setContentsMargins(2, 0, 0, 2)
        row.setSpacing(5)
        self._sign = Label()
        self._message = named(Label(), f"message-{self.info.path}")
        self._message.setStyleSheet("font-size: 12px")
        self._fix = named(QPushButton(), f"repair-{self.info.path}", kind="link")
        self._fix.setStyleSheet("font-size: 12px; min-height: 14px; padding: 0")
        self._fix.clicked.connect(self._on_repair)
        row.addWidget(self._sign)
        row.addWidget(self._message)
        row.addWidget(self._fix)
        row.addStretch(1)

    def _place_side(self) -> None:
        below = self._is_narrow or self.editor.is_wide
        self._side.setContentsMargins(0 if below else _GAP_PX, 0, 0, 0)
        self._grid.removeWidget(self._side)
        if below:
            self._grid.addWidget(self._side, 1, _FIELD, 1, 2)
        else:
            self._grid.addWidget(self._side, 0, _SIDE)

    def _on_reset(self) -> None:
        self.reset_wanted.emit()

    def _on_repair(self) -> None:
        self.repair_wanted.emit(self._repair)


Group = tuple[str, Sequence[FieldRow]]


Offer = tuple[str, str, Callable[[], object]]
"""What a link beside the title of a group says, its name, and what it does."""


class RowList(QWidget):
    """Groups of rows one below the other. Rows that stay are not rebuilt, so they keep focus and cursor. ``offers`` are
    links beside titles of groups."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._headings: list[QWidget] = []
        self.offers: Mapping[str, Offer] = {}
        self.links: dict[str, QPushButton] = {}

    def set_groups(self, groups: Sequence[Group]) -> None:
        """Shows these groups in place of what was there.

        Adding a row that is there already moves it. Taken out first, as an item that Python goes on holding, its new
        item would never hear that its height changed.
        """
        for heading in self._headings:
            take_away(heading)
        self._headings, self.links = [], {}
        for title, rows in groups:
            self._add_heading(title)
            for row in rows:
                self._column.addWidget(row)
                row.show()

    def _add_heading(self, title: str) -> None:
        line = QFrame()
        line.setProperty("kind", "rule")
        holder = QWidget()
        box = QVBoxLayout(holder)
        box.setContentsMargins(DOT_PX, 0, 0, 5)
        box.addWidget(line)
        for widget in (self._heading(title), holder):
            self._column.addWidget(widget)
            self._headings.append(widget)

    def _heading(self, title: str) -> QWidget:
        heading = Label(title)
        heading.setProperty("kind", "section")
        top_px = 16 if self._headings else 4
        if title not in self.offers:
            heading.setContentsMargins(DOT_PX, top_px, 0, 4)
            return heading
        words, name, act = self.offers[title]
        link = named(QPushButton(caption(words)), name, words, "link")
        link.clicked.connect(act)
        self.links[title] = link
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(DOT_PX, max(top_px - 4, 0), 0, 0)
        row.addWidget(heading, 1)
        row.addWidget(link)
        return whole
