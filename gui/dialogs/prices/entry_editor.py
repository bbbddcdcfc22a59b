"""Adding or correcting one entry of the catalogue or a discount of the price book, and choosing where it is kept."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Entry
from core.catalogue.own.layers import Discount
from core.comparison.result import CandidateResult
from core.plan.drafts.base import Draft
from core.plan.drafts.discount import DiscountDraft, discount_draft, discount_fields, discount_verdict
from core.plan.drafts.kinds import HAVE, KINDS, Kind, judged
from core.plan.drafts.offer import answer_draft
from gui.dialogs.prices.form_dialog import FormDialog
from gui.forms.choice_editors import segmented_buttons
from gui.forms.dialog_form import DialogForm
from gui.theme.manager import ThemeManager
from gui.theme.plain import Label
from gui.theme.screen_room import within_screen

SIZE_PX = (640, 480)


def discount_dialog(
    discount: Discount | None, catalogue: Catalogue, themes: ThemeManager, parent: QWidget
) -> FormDialog:
    """The dialog for a new discount, or for a change of one; ``answered`` carries the draft."""
    today = date.today()
    draft = DiscountDraft(as_of=today) if discount is None else discount_draft(discount, today)
    form = DialogForm(draft, themes, lambda value: discount_fields(value, catalogue), untaken=draft.untaken)
    title, verb = ("Add a discount", "Add") if discount is None else ("Change this discount", "Change")
    dialog = FormDialog(title, form, partial(discount_verdict, catalogue=catalogue), verb, parent)
    within_screen(dialog, *SIZE_PX)
    return dialog


_SEGMENT_PX = 92
_INSET_PX = 20
Where = Literal["plan", "book"]
WHERE_WORDS: dict[str, str] = {"plan": "This plan", "book": "Price book"}
WHERE_HELP: dict[Where, str] = {
    "plan": "Saved with the plan: whoever gets the plan sees it.",
    "book": "Stays on this machine, for all your plans, and out of every file you share.",
}


class EntryDialog(FormDialog):
    """One entry. ``taken`` carries the entries made (an offer may bring its host) and where they are to be kept.

    ``asks_where`` is False where that is known, as in the price book. ``begun`` is a draft to go on with, under a
    ``title`` of its own.
    """

    taken = Signal(object, str)

    def __init__(
        self,
        kind: Kind,
        catalogue: Catalogue,
        themes: ThemeManager,
        parent: QWidget,
        corrected: Entry | None = None,
        where: Where = "plan",
        asks_where: bool = True,
        begun: Draft | None = None,
        title: str = "",
    ) -> None:
        self._kind, self._catalogue, self._asks_where = kind, catalogue, asks_where
        self.is_correction = corrected is not None
        draft = begun or (kind.begin(date.today()) if corrected is None else kind.correct(corrected, date.today()))
        form = DialogForm(
            draft,
            themes,
            lambda value: kind.ask(value, catalogue),
            lambda value: kind.hints(value, catalogue),
            lambda value: kind.settle(value, catalogue),
            draft.untaken,
        )
        words, verb = _words(kind, self.is_correction)
        title = title or words
        super().__init__(title, form, lambda value: judged(kind, value, catalogue), verb, parent)
        self.answered.connect(self._on_answered)
        self.set_where(where)

    @property
    def where(self) -> Where:
        """Where the entry is to be kept."""
        return "book" if self.places.checkedId() == 1 else "plan"

    def set_where(self, where: Where) -> None:
        """Chooses where the entry is kept."""
        self.places.button(1 if where == "book" else 0).setChecked(True)
        self._say_where()

    def extra_rows(self) -> list[QHBoxLayout]:
        """The choice between this plan and the book."""
        row = QHBoxLayout()
        row.setContentsMargins(_INSET_PX, 0, 0, 0)
        row.setSpacing(0)
        title = Label("Keep in")
        title.setVisible(self._asks_where)
        row.addWidget(title)
        row.addSpacing(12)
        self.places, buttons = segmented_buttons(self, WHERE_WORDS, "keep-in", "Keep in", _SEGMENT_PX)
        for button in self.places.buttons():
            button.setVisible(self._asks_where)
        row.addLayout(buttons)
        self._where_help = Label()
        self._where_help.setProperty("kind", "small")
        self._where_help.setContentsMargins(12, 0, 0, 0)
        self._where_help.setVisible(self._asks_where)
        row.addWidget(self._where_help, 1)
        self.places.idClicked.connect(self._say_where)
        return [row]

    def _say_where(self) -> None:
        self._where_help.setText(WHERE_HELP[self.where])

    def _on_answered(self, draft: Any) -> None:
        self.taken.emit(self._kind.entries(draft, self._catalogue), self.where)


def _words(kind: Kind, is_correction: bool) -> tuple[str, str]:
    if kind is HAVE:
        return "What you have", "Change" if is_correction else "Compare with it"
    if is_correction:
        return f"Correct this {kind.word}", "Correct"
    return f"Add {kind.article} {kind.word}", "Add"


def entry_dialog(
    table: str, catalogue: Catalogue, themes: ThemeManager, parent: QWidget, corrected: Entry | None = None
) -> EntryDialog:
    """The dialog for a table; one that corrects an entry of the book keeps it there."""
    where: Where = "book" if corrected is not None and corrected.layer == "book" else "plan"
    kind = HAVE if table == HAVE.table or getattr(corrected, "held_chips", None) is not None else KINDS[table]
    return EntryDialog(kind, catalogue, themes, parent, corrected, where)


def answer_dialog(asked: CandidateResult, catalogue: Catalogue, themes: ThemeManager, parent: QWidget) -> EntryDialog:
    """The dialog for what a seller answers about an option: begins as its offer, at its price, with the keyboard."""
    candidate = asked.candidate
    price = candidate.usd_per_chip_hour
    draft = answer_draft(candidate.offer, candidate.n_chips, price, catalogue, date.today())
    title = f"The seller's answer: {candidate.name}, {candidate.place}"
    dialog = EntryDialog(KINDS["offers"], catalogue, themes, parent, begun=draft, title=title)
    dialog.form.focus_on("amount_usd")
    return dialog
