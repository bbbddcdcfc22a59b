"""A private offer of the user's own, as plans of several commands hold it."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import OwnEntries
from core.plan.drafts.offer import OfferDraft, offer_entries


@pytest.fixture
def own_offer() -> OwnEntries:
    offer = OfferDraft(
        provider="Harbour Racks", place="user-tyo", purchase_model="dedicated_monthly", instance="8x H100",
        accelerator_id="h100-sxm", n_chips=8, per="chip_hour", amount_usd=0.3, source="Quote", as_of=date(2026, 11, 3),
    )  # fmt: skip
    return offer_entries(offer, load_catalogue())
