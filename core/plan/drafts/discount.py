"""A discount that a provider granted, as it is typed."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from core.catalogue.catalogue import Catalogue
from core.catalogue.own.layers import Discount
from core.catalogue.prices.dates import parse_as_of
from core.plan.drafts.base import Draft, chip_names, described_fields
from core.plan.drafts.kinds import Verdict
from core.plan.drafts.sellers import provider_names
from core.plan.fields import NEEDED, FieldInfo
from core.workload.field_description import described
from core.workload.places import PURCHASE_WORDS

DISCOUNT = "Discount"
ALL = ""


class DiscountDraft(Draft):
    """A share off the list prices of a provider, for one way to pay and one chip, or for all."""

    needs: ClassVar[tuple[str, ...]] = ("provider", "percent")

    provider: str = described("", title="Provider", help="Off its list prices", group=DISCOUNT)
    purchase_model: str = described(ALL, title="Way to pay", help="", group=DISCOUNT)
    accelerator_id: str = described(ALL, title="Chip", help="", group=DISCOUNT)
    percent: float | None = described(
        None, title="Discount", help="Where several hold, the largest counts", group=DISCOUNT, unit="%", ge=0, lt=100,
        empty=NEEDED,
    )  # fmt: skip


def discount_fields(draft: DiscountDraft, catalogue: Catalogue) -> list[FieldInfo]:
    """What the form asks; there is no estimate of a discount."""
    ways = {key: words.capitalize() for key, words in PURCHASE_WORDS.items() if key != "owned"}
    sold = {offer.accelerator_id for offer in catalogue.offers if offer.provider == draft.provider}
    chips = {chip: name for chip, name in chip_names(catalogue).items() if chip in sold or chip == draft.accelerator_id}
    lists = {
        "provider": provider_names(catalogue),
        "purchase_model": {ALL: "All", **ways},
        "accelerator_id": {ALL: "All", **chips},
    }
    return described_fields(draft, lists, ("based_on", "estimate"))


def discount_of(draft: DiscountDraft) -> Discount:
    """The discount; call it once nothing is missing."""
    return Discount.model_validate(
        {
            "provider": draft.provider,
            "percent": draft.percent,
            "purchase_model": draft.purchase_model or None,
            "accelerator_id": draft.accelerator_id or None,
            "source": draft.source.strip(),
            "as_of": draft.as_of.isoformat(),
            "note": draft.note.strip(),
        }
    )


def discount_draft(discount: Discount, today: date) -> DiscountDraft:
    """A draft that begins as a discount of the book; it keeps its source and its day."""
    return DiscountDraft.begun(
        provider=discount.provider,
        purchase_model=discount.purchase_model or ALL,
        accelerator_id=discount.accelerator_id or ALL,
        percent=discount.percent,
        source=discount.source,
        as_of=parse_as_of(discount.as_of) or today,
        note=discount.note,
    )


def discount_verdict(draft: DiscountDraft, catalogue: Catalogue, today: date | None = None) -> Verdict:
    """What is missing, and whether any price is touched at all; ``today`` is the clock's without one."""
    missing = dict.fromkeys(draft.missing(), "Still needed")
    problems = missing or draft.faults_of_day(catalogue.date, today)
    if problems:
        return Verdict(problems)
    touched = [
        offer
        for offer in catalogue.offers
        if offer.provider == draft.provider
        and draft.purchase_model in (ALL, offer.purchase_model)
        and draft.accelerator_id in (ALL, offer.accelerator_id)
    ]
    return Verdict(odd=() if touched else ("No price of the catalogue is touched by it.",))
