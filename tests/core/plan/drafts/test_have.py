"""What the user has, as it is typed: entries that hold together, and the way back into the form."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.own.checks import checked_layers
from core.plan.drafts.have import HaveDraft, have_draft, have_entries, have_fields, have_words, new_have
from core.plan.drafts.kinds import HAVE, judged
from core.plan.plan import Plan
from core.plan.store import load, save


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


TODAY = date(2026, 11, 22)
HOUSE = new_have(TODAY).model_copy(update={"accelerator_id": "h100-sxm", "held_chips": 64})
RESERVED = HOUSE.model_copy(
    update={"where": "reserved", "provider": "Lambda", "until": date(2027, 6, 30), "usd_per_chip_hour": 1.25}
)


def test_in_the_house_is_a_server_that_costs_nothing_anew(catalogue: Catalogue) -> None:
    (server,) = have_entries(HOUSE, catalogue).servers
    assert (server.n_chips, server.held_chips, server.in_house, server.typical_usd) == (8, 64, True, 0.0)
    whole = checked_layers(catalogue, have_entries(HOUSE, catalogue))
    offer = next(one for one in whole.offers if one.held_chips)
    assert (offer.held_chips, offer.usd_per_chip_hour, offer.quality) == (64, 0.0, "entered")


@pytest.mark.parametrize("usd", [0.0, 1.25])
def test_a_reservation_is_an_offer_with_a_last_day(catalogue: Catalogue, usd: float) -> None:
    made = have_entries(RESERVED.model_copy(update={"usd_per_chip_hour": usd}), catalogue)
    checked_layers(catalogue, made)
    (offer,) = made.offers
    assert (offer.provider, offer.held_chips, offer.held_until) == ("lambda", 64, date(2027, 6, 30))
    assert offer.usd_per_host_hour == 8 * usd


def test_only_what_is_held_may_cost_nothing(catalogue: Catalogue) -> None:
    made = have_entries(RESERVED.model_copy(update={"usd_per_chip_hour": 0.0}), catalogue)
    sold = made.model_copy(update={"offers": (made.offers[0].model_copy(update={"held_chips": None}),)})
    with pytest.raises(Exception, match="usd_per_chip_hour"):
        checked_layers(catalogue, sold)


@pytest.mark.parametrize("draft", [HOUSE, RESERVED], ids=["house", "reserved"])
def test_the_form_opens_again_with_what_was_typed(catalogue: Catalogue, draft: HaveDraft) -> None:
    made = have_entries(draft, catalogue)
    entry = (*made.servers, *made.offers)[0]
    again = have_draft(entry, TODAY)
    asked = ("where", "accelerator_id", "held_chips", "n_chips", "usd_per_chip_hour")
    assert [getattr(again, name) for name in asked] == [getattr(draft, name) for name in asked]
    changed = again.model_copy(update={"held_chips": 32})
    assert have_entries(changed, checked_layers(catalogue, made)).model_dump()["servers" if made.servers else "offers"][
        0
    ].get("id", entry.source) == getattr(entry, "id", entry.source)


def test_the_form_asks_for_what_belongs_to_the_place(catalogue: Catalogue) -> None:
    house, reserved = ({info.path for info in have_fields(draft, catalogue)} for draft in (HOUSE, RESERVED))
    assert "power_kw" in house and not house & {"provider", "until", "usd_per_chip_hour", "place"}
    assert {"provider", "until", "usd_per_chip_hour", "place"} <= reserved and "power_kw" not in reserved


def test_what_is_missing_is_named(catalogue: Catalogue) -> None:
    kind = HAVE
    assert set(judged(kind, new_have(TODAY), catalogue).errors) == {"accelerator_id", "held_chips"}
    assert set(judged(kind, RESERVED.model_copy(update={"provider": " "}), catalogue).errors) == {"provider"}
    assert judged(kind, HOUSE, catalogue).errors == {} and judged(kind, HOUSE, catalogue).odd == ()


def test_servers_are_counted_in_words(catalogue: Catalogue) -> None:
    assert have_words(HOUSE, catalogue) == "8 servers of 8 chips"
    assert have_words(HOUSE.model_copy(update={"held_chips": 20}), catalogue).startswith("No whole number")
    assert have_words(new_have(TODAY), catalogue) == ""


def test_a_plan_keeps_what_the_user_has(catalogue: Catalogue, tmp_path) -> None:
    plan = Plan(id="mine", own=have_entries(RESERVED, catalogue))
    save(plan, tmp_path / "mine.roofplan")
    assert load(tmp_path / "mine.roofplan").own == plan.own
