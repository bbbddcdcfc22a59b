"""Adding or correcting one entry of the catalogue: a form, what stands against it, and where it is kept."""

from __future__ import annotations

from datetime import date
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Entry
from core.plan.drafts.kinds import KINDS, Kind, Verdict, judged
from gui.forms.draft_form import DraftForm
from gui.theme.manager import ThemeManager
from gui.theme.naming import named

SIZE_PX = (700, 680)
_SEGMENT_PX = 92
Where = Literal["plan", "book"]
WHERE_WORDS: dict[Where, str] = {"plan": "This plan", "book": "Price book"}
WHERE_HELP: dict[Where, str] = {
    "plan": "Saved with the plan: whoever gets the plan sees it.",
    "book": "Stays on this machine, for all your plans, and out of every file you share.",
}


class EntryDialog(QDialog):
    """One entry. ``taken`` carries the entries made (an offer may bring its host) and where they are to be kept."""

    taken = Signal(object, str)

    def __init__(
        self,
        kind: Kind,
        catalogue: Catalogue,
        themes: ThemeManager,
        parent: QWidget,
        corrected: Entry | None = None,
        where: Where = "plan",
        today: date | None = None,
    ) -> None:
        super().__init__(parent)
        self._kind, self._catalogue = kind, catalogue
        day = today or date.today()
        self.is_correction = corrected is not None
        draft = kind.begin(day) if corrected is None else kind.correct(corrected, day)
        self.form = DraftForm(
            draft,
            themes,
            lambda value: kind.ask(value, catalogue),
            lambda value: kind.hints(value, catalogue),
            lambda value: kind.settle(value, catalogue),
        )
        self._was_tried = False
        self._odd: tuple[str, ...] = ()
        title = f"Correct {_the(kind)}" if self.is_correction else f"Add {kind.article} {kind.word}"
        named(self, "entry-dialog", title)
        self.setWindowTitle(title)
        self.resize(*SIZE_PX)
        self._build()
        self.form.changed.connect(self._on_changed)
        self.set_where(where)

    @property
    def where(self) -> Where:
        """Where the entry is to be kept."""
        return "book" if self.places.checkedId() == 1 else "plan"

    def set_where(self, where: Where) -> None:
        """Chooses where the entry is kept."""
        self.places.button(1 if where == "book" else 0).setChecked(True)
        self._say_where()

    def accept(self) -> None:
        """Takes the entry when nothing stands against it; what only looks odd is told once and may be taken then."""
        verdict = self._judged()
        self._was_tried = True
        if verdict.errors:
            self._show(verdict)
            self.form.focus_on(next(iter(verdict.errors)))
            return
        if verdict.odd and verdict.odd != self._odd:
            self._odd = verdict.odd
            self._show(verdict)
            return
        self.taken.emit(self._kind.entries(self.form.value, self._catalogue), self.where)
        super().accept()

    def _judged(self) -> Verdict:
        if self.form.refused:
            return Verdict(self.form.refused)
        return judged(self._kind, self.form.value, self._catalogue)  # type: ignore[arg-type]

    def _show(self, verdict: Verdict) -> None:
        self.form.show_errors(verdict.errors)
        general = [words for path, words in verdict.errors.items() if path not in self.form.rows]
        self.message.setProperty("kind", "err" if verdict.errors else "warn")
        self.message.style().polish(self.message)
        words = general or (["Look at the fields marked above."] if verdict.errors else list(verdict.odd))
        self.message.setText(" ".join(words))
        self.message.setVisible(bool(words))
        self._name_button()

    def _on_changed(self) -> None:
        self._odd = ()
        if self._was_tried:
            self._show(self._judged())
        self._name_button()

    def _name_button(self) -> None:
        plain = "Correct" if self.is_correction else "Add"
        self.take.setText(f"{plain} anyway" if self._odd else plain)

    def _say_where(self) -> None:
        self._where_help.setText(WHERE_HELP[self.where])

    def _build(self) -> None:
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        inside = QWidget()
        box = QVBoxLayout(inside)
        box.setContentsMargins(8, 8, 16, 8)
        box.addWidget(self.form)
        scroll.setWidget(inside)
        self.message = named(QLabel(), "entry-message")
        self.message.setWordWrap(True)
        self.message.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(10)
        self.message.setContentsMargins(20, 0, 0, 0)
        column.addWidget(scroll, 1)
        column.addWidget(self.message)
        column.addLayout(self._where_row())
        column.addLayout(self._buttons())

    def _where_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(20, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(QLabel("Keep in"))
        row.addSpacing(12)
        self.places = QButtonGroup(self)
        self.places.setExclusive(True)
        for number, (where, words) in enumerate(WHERE_WORDS.items()):
            button = named(QPushButton(words), f"keep-in-{where}", f"Keep in: {words}", "segment")
            button.setCheckable(True)
            button.setFixedWidth(_SEGMENT_PX)
            button.setProperty("place", ("first", "last")[number])
            self.places.addButton(button, number)
            row.addWidget(button)
        self._where_help = QLabel()
        self._where_help.setProperty("kind", "small")
        self._where_help.setContentsMargins(12, 0, 0, 0)
        row.addWidget(self._where_help, 1)
        self.places.idClicked.connect(self._say_where)
        return row

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addStretch(1)
        self.cancel = named(QPushButton("Cancel"), "entry-cancel", "Cancel")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self.reject)
        self.take = named(QPushButton(), "entry-take", "Take", "primary")
        self.take.setDefault(True)
        self.take.clicked.connect(self.accept)
        self._name_button()
        row.addWidget(self.cancel)
        row.addWidget(self.take)
        return row


def _the(kind: Kind) -> str:
    return f"this {kind.word}"


def entry_dialog(
    table: str, catalogue: Catalogue, themes: ThemeManager, parent: QWidget, corrected: Entry | None = None
) -> EntryDialog:
    """The dialog for a table; one that corrects an entry of the book keeps it there."""
    where: Where = "book" if corrected is not None and corrected.layer == "book" else "plan"
    return EntryDialog(KINDS[table], catalogue, themes, parent, corrected, where)
