"""Adding or changing a discount of the price book."""

from __future__ import annotations

from datetime import date
from functools import partial

from PySide6.QtWidgets import QWidget

from core.catalogue.catalogue import Catalogue
from core.catalogue.own import Discount
from core.plan.drafts.discount import DiscountDraft, discount_draft, discount_fields, discount_verdict
from gui.dialogs.draft_dialog import DraftDialog
from gui.forms.draft_form import DraftForm
from gui.theme.manager import ThemeManager

SIZE_PX = (640, 480)


def discount_dialog(
    discount: Discount | None, catalogue: Catalogue, themes: ThemeManager, parent: QWidget
) -> DraftDialog:
    """The dialog for a new discount, or for a change of one; ``answered`` carries the draft."""
    today = date.today()
    draft = DiscountDraft(as_of=today) if discount is None else discount_draft(discount, today)
    form = DraftForm(draft, themes, lambda value: discount_fields(value, catalogue))
    title, verb = ("Add a discount", "Add") if discount is None else ("Change this discount", "Change")
    dialog = DraftDialog(title, form, partial(discount_verdict, catalogue=catalogue), verb, parent)
    dialog.resize(*SIZE_PX)
    return dialog
