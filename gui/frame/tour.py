"""The tour: a card in the lower right corner that goes through the tabs in the guides' order."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.learning.tour import STEPS, Step
from gui.session.plan_session import PlanSession
from gui.theme.naming import named
from gui.theme.plain import Label, caption

_WIDTH_PX, _EDGE_PX = 380, 20


class Tour(QFrame):
    """``tab_wanted`` goes to the tab of a step, ``ended`` says that the tour was left or gone through."""

    tab_wanted = Signal(str)
    ended = Signal()

    def __init__(self, session: PlanSession, host: QWidget) -> None:
        super().__init__(host)
        named(self, "tour", "Tour")
        self.setProperty("surface", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session, self._at = session, 0
        self._build()
        host.installEventFilter(self)
        session.results_changed.connect(self._show_words)
        self.hide()

    @property
    def step(self) -> Step:
        """The one that is shown."""
        return STEPS[self._at]

    def begin(self) -> None:
        """From the first step on."""
        self._go(0)
        self.show()
        self.next.setFocus()

    def leave(self) -> None:
        """Ends the tour."""
        self.hide()
        self.ended.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves, as it does any dialog."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window changed its size."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _build(self) -> None:
        self.count = named(Label(), "tour-count", kind="small")
        self.title = named(Label(), "tour-title", kind="section")
        self.words = named(Label(), "tour-words")
        self.words.setWordWrap(True)
        self.back = named(QPushButton("Back"), "tour-back")
        self.next = named(QPushButton("Next"), "tour-next", kind="primary")
        self.close_button = named(QPushButton("Leave the tour"), "tour-leave", kind="quiet")
        self.back.clicked.connect(lambda: self._go(self._at - 1))
        self.next.clicked.connect(self._on_next)
        self.close_button.clicked.connect(self.leave)
        buttons = QHBoxLayout()
        buttons.addWidget(self.close_button)
        buttons.addStretch(1)
        buttons.addWidget(self.back)
        buttons.addWidget(self.next)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 14, 18, 14)
        column.setSpacing(6)
        for widget in (self.count, self.title, self.words):
            column.addWidget(widget)
        column.addSpacing(4)
        column.addLayout(buttons)
        self.setFixedWidth(_WIDTH_PX)

    def _on_next(self) -> None:
        if self._at + 1 == len(STEPS):
            self.leave()
        else:
            self._go(self._at + 1)

    def _go(self, number: int) -> None:
        self._at = number
        self.count.setText(f"{number + 1} of {len(STEPS)}")
        self.title.setText(self.step.title)
        self.back.setEnabled(number > 0)
        self.next.setText(caption("Done" if number + 1 == len(STEPS) else "Next"))
        self._show_words()
        self.tab_wanted.emit(self.step.tab)

    def _show_words(self) -> None:
        self.words.setText(str(self.step.words(self._session.results)))
        self._place()

    def _place(self) -> None:
        host = cast(QWidget, self.parentWidget())
        self.setFixedHeight(self.heightForWidth(_WIDTH_PX) if self.hasHeightForWidth() else self.sizeHint().height())
        self.move(host.width() - self.width() - _EDGE_PX, host.height() - self.height() - _EDGE_PX)
        self.raise_()
