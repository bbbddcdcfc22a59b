"""Entries as they are typed: what is asked, what is refused, and which entries come of them."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Entry
from core.catalogue.loading import load_catalogue
from core.catalogue.own.checks import faults
from core.catalogue.own.layers import OwnEntries, PriceBook, layered
from core.plan.drafts.base import Draft, self_standing, with_entries, without_entry
from core.plan.drafts.chip import ChipDraft, chip_draft
from core.plan.drafts.host import HostDraft
from core.plan.drafts.kinds import KINDS, entry_of, judged
from core.plan.drafts.offer import (
    OfferDraft,
    answer_draft,
    offer_draft,
    offer_fields,
    price_words,
    settled,
    usd_per_host_hour,
)
from core.plan.drafts.sellers import place_choices, provider_id
from core.plan.drafts.server import ServerDraft

TODAY = date(2026, 11, 21)
DEDICATED = OfferDraft(
    provider="Harbour Racks",
    place="user-hk",
    purchase_model="dedicated_monthly",
    instance="8x H100",
    accelerator_id="h100-sxm",
    n_chips=8,
    per="host_month",
    amount_usd=14_600.0,
    source="Quote of 3 November",
    as_of=TODAY,
)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def made(table: str, draft: Draft, catalogue: Catalogue) -> OwnEntries:
    return KINDS[table].entries(draft, catalogue)


def test_a_month_is_730_hours_and_a_host_is_its_chips_together() -> None:
    assert usd_per_host_hour(14_600, "host_month", 8) == pytest.approx(20.0)
    assert usd_per_host_hour(2.5, "chip_hour", 8) == pytest.approx(20.0)
    assert usd_per_host_hour(20.0, "host_hour", 8) == pytest.approx(20.0)


def test_a_dedicated_server_in_hong_kong_becomes_an_offer_with_its_host(catalogue: Catalogue) -> None:
    assert judged(KINDS["offers"], DEDICATED, catalogue).errors == {}
    entries = made("offers", DEDICATED, catalogue)
    [offer], [host] = entries.offers, entries.hosts
    assert (offer.provider, offer.region, offer.purchase_model) == ("Harbour Racks", "user-hk", "dedicated_monthly")
    assert offer.usd_per_chip_hour == pytest.approx(2.5)
    assert (host.instance, host.n_chips, host.accelerator_id) == ("8x H100", 8, "h100-sxm")
    assert offer.source == "Quote of 3 November"
    assert offer.as_of == "2026-11-21"
    assert not list(faults(entries, layered(catalogue, entries)))


def test_a_figure_of_a_day_to_come_is_told_at_its_date(catalogue: Catalogue) -> None:
    """A quote was taken as of next year. One that a plan holds already still begins a draft."""
    ahead = DEDICATED.model_copy(update={"as_of": date(2999, 12, 1)})
    words = "Found 1 Dec 2999, a day to come. Expected today or a day before."
    assert judged(KINDS["offers"], ahead, catalogue).errors == {"as_of": words}
    [offer] = made("offers", ahead, catalogue).offers
    assert offer.as_of == "2999-12-01"


def test_size_and_network_are_asked_and_go_into_the_offer_and_back(catalogue: Catalogue) -> None:
    assert {"attested_chips", "joined"} <= {info.path for info in offer_fields(DEDICATED, catalogue)}
    [silent] = made("offers", DEDICATED, catalogue).offers
    assert (silent.attested_chips, silent.joined) == (None, None)
    for word, joined in (("", None), ("yes", True), ("no", False)):
        told = DEDICATED.model_copy(update={"attested_chips": 64, "joined": word})
        [offer] = made("offers", told, catalogue).offers
        assert (offer.attested_chips, offer.joined) == (64, joined)
        assert (offer_draft(offer, TODAY).attested_chips, offer_draft(offer, TODAY).joined) == (64, word)


@pytest.mark.parametrize("instance", ["gpu_8x_h100_sxm5", "1x mi300x"])
def test_an_answer_begins_as_the_offer_that_was_asked_about(catalogue: Catalogue, instance: str) -> None:
    offer = next(one for one in catalogue.offers if one.instance == instance)
    draft = answer_draft(offer, 64, 1.23456, catalogue, TODAY)
    assert draft.amount_usd == 1.2346
    assert (draft.attested_chips, draft.joined, draft.per, draft.source) == (64, "", "chip_hour", "")
    assert draft.missing() == ("source",)
    typed = draft.model_copy(update={"source": "Quote 2211", "amount_usd": 2.0, "joined": "yes"})
    assert judged(KINDS["offers"], typed, catalogue).errors == {}
    [own] = made("offers", typed, catalogue).offers
    same = ("id", "provider", "instance", "region", "purchase_model", "accelerator_id", "chips_per_host")
    assert [getattr(own, name) for name in same] == [getattr(offer, name) for name in same]
    assert (own.usd_per_chip_hour, own.attested_chips, own.joined) == (2.0, 64, True)


def test_the_other_units_of_a_price_are_told(catalogue: Catalogue) -> None:
    words = price_words(DEDICATED, catalogue)
    assert "$20.00 a host and hour" in words
    assert "$2.50 a chip and hour" in words
    assert "month" not in words


@pytest.mark.parametrize("city", ["Hong Kong", "Tokyo", "Los Angeles"])
def test_places_have_human_names(catalogue: Catalogue, city: str) -> None:
    assert city in place_choices(catalogue, "Harbour Racks").values()


def test_a_city_without_a_region_gets_one_with_its_coordinates(catalogue: Catalogue) -> None:
    choice = next(key for key, name in place_choices(catalogue, "x").items() if name == "Osaka")
    entries = made("offers", DEDICATED.model_copy(update={"place": choice}), catalogue)
    [region] = entries.regions
    assert region.place == "Osaka"
    assert region.latitude_deg == pytest.approx(34.7, abs=0.5)
    assert entries.offers[0].region == region.region


def test_a_seller_is_known_by_its_name(catalogue: Catalogue) -> None:
    assert provider_id(catalogue, "coreweave") == "coreweave"
    assert provider_id(catalogue, " CoreWeave ") == "coreweave"
    assert provider_id(catalogue, "Harbour  Racks") == "Harbour Racks"


def test_a_known_host_answers_for_itself(catalogue: Catalogue) -> None:
    host = next(host for host in catalogue.rented_hosts if host.provider == "lambda" and host.n_chips == 8)
    draft = DEDICATED.model_copy(update={"provider": "Lambda", "host": host.instance})
    asked = {info.path for info in offer_fields(draft, catalogue)}
    assert "host" in asked
    assert not asked & {"instance", "accelerator_id", "n_chips", "scaleup"}
    entries = made("offers", draft, catalogue)
    assert entries.hosts == ()
    assert entries.offers[0].accelerator_id == host.accelerator_id


@pytest.mark.parametrize(
    ("paid", "amount_usd", "per"),
    [
        ("dedicated_monthly", None, "host_month"),
        ("dedicated_monthly", 2.5, "chip_hour"),
        ("on_demand", None, "chip_hour"),
    ],
)
def test_who_pays_by_the_month_is_asked_for_a_month_s_price_until_one_is_typed(
    catalogue: Catalogue, paid: str, amount_usd: float | None, per: str
) -> None:
    draft = DEDICATED.model_copy(update={"purchase_model": paid, "amount_usd": amount_usd, "per": "chip_hour"})
    assert settled(draft, catalogue).per == per


@pytest.mark.parametrize("kind", list(KINDS))
def test_an_entry_is_an_estimate_only_where_its_owner_says_so(kind: str) -> None:
    assert not KINDS[kind].begin(TODAY).estimate


def test_a_host_is_forgotten_with_its_seller(catalogue: Catalogue) -> None:
    draft = DEDICATED.model_copy(update={"provider": "Somebody", "host": "p5.48xlarge", "place": "us-east-1"})
    now = settled(draft, catalogue)
    assert (now.host, now.place) == ("", "any")


@pytest.mark.parametrize("field", ["provider", "amount_usd", "instance", "accelerator_id", "n_chips", "source"])
def test_what_is_missing_is_said_beside_its_field(catalogue: Catalogue, field: str) -> None:
    empty = None if field in ("amount_usd", "n_chips") else ""
    verdict = judged(KINDS["offers"], DEDICATED.model_copy(update={field: empty}), catalogue)
    assert set(verdict.errors) == {field}


def test_a_price_of_another_unit_looks_odd_but_may_be_meant(catalogue: Catalogue) -> None:
    odd = DEDICATED.model_copy(update={"per": "chip_hour", "amount_usd": 80.0, "purchase_model": "on_demand"})
    verdict = judged(KINDS["offers"], odd, catalogue)
    assert verdict.errors == {}
    assert any("whole host" in words for words in verdict.odd)


def test_a_price_that_cannot_be_is_refused_beside_the_amount(catalogue: Catalogue) -> None:
    verdict = judged(KINDS["offers"], DEDICATED.model_copy(update={"per": "chip_hour"}), catalogue)
    assert set(verdict.errors) == {"amount_usd"}
    assert "at most 200" in verdict.errors["amount_usd"]


def test_a_correction_begins_as_the_offer_and_takes_its_place(catalogue: Catalogue) -> None:
    offer = next(one for one in catalogue.offers if one.provider == "aws" and one.purchase_model == "on_demand")
    draft = offer_draft(offer, TODAY)
    assert draft.amount_usd == pytest.approx(offer.usd_per_host_hour)
    changed = draft.model_copy(update={"amount_usd": 1.5 * offer.usd_per_host_hour, "source": "Invoice of May"})
    entries = made("offers", changed, catalogue)
    assert entries.offers[0].id == offer.id
    over = layered(catalogue, entries)
    assert len(over.offers) == len(layered(catalogue, OwnEntries()).offers) + len(catalogue.servers) * (
        not any(one.provider == "own" for one in catalogue.offers)
    )
    found = entry_of(over, "offers", offer.id)
    assert found is not None
    assert found.layer == "plan"


def test_an_entry_of_the_same_name_is_told(catalogue: Catalogue) -> None:
    host = next(host for host in catalogue.rented_hosts if host.provider == "lambda" and host.n_chips == 8)
    draft = HostDraft(
        provider="Lambda",
        instance=host.instance,
        accelerator_id=host.accelerator_id,
        n_chips=8,
        source="x",
        as_of=TODAY,
    )
    assert any("already" in words for words in judged(KINDS["hosts"], draft, catalogue).odd)


def test_a_corrected_host_must_fit_its_prices(catalogue: Catalogue) -> None:
    offer = next(one for one in catalogue.offers if one.provider == "aws" and one.chips_per_host == 8)
    host = catalogue.host_by_instance[(offer.provider, offer.instance)]
    draft = KINDS["hosts"].correct(host, TODAY).model_copy(update={"n_chips": 7, "source": "x"})
    assert "n_chips" in judged(KINDS["hosts"], draft, catalogue).errors


def test_a_server_needs_one_price_only(catalogue: Catalogue) -> None:
    draft = ServerDraft(
        have="have", instance="Old rack", accelerator_id="a100-sxm-80", n_chips=8, typical_usd=60_000.0, power_kw=6.5,
        source="Books of 2025", as_of=TODAY,
    )  # fmt: skip
    assert judged(KINDS["servers"], draft, catalogue).errors == {}
    [server] = made("servers", draft, catalogue).servers
    assert (server.low_usd, server.high_usd, server.in_house) == (60_000.0, 60_000.0, True)
    over = layered(catalogue, OwnEntries(servers=(server,)))
    assert any(offer.instance == "Old rack" and offer.purchase_model == "owned" for offer in over.offers)
    watts = draft.model_copy(update={"power_kw": 1200.0})
    assert any("watts" in words for words in judged(KINDS["servers"], watts, catalogue).odd)
    crossed = draft.model_copy(update={"low_usd": 70_000.0})
    assert set(judged(KINDS["servers"], crossed, catalogue).errors) == {"typical_usd"}


def test_a_new_chip_takes_what_is_not_asked_from_its_like(catalogue: Catalogue) -> None:
    like = catalogue.accelerator_by_id["h100-sxm"]
    asked = {**chip_draft(like, TODAY).model_dump(), "based_on": "", "name": "H150", "short_name": "H150"}
    draft = ChipDraft(**{**asked, "memory_gb": 120.0, "bf16_tflops": 1400.0, "source": "Data sheet"})
    [chip] = made("accelerators", draft, catalogue).accelerators
    assert chip.id == "h150"
    assert (chip.family, chip.matrix_tile) == (like.family, like.matrix_tile)
    assert chip.measured_bf16_tflops is None, "measured on another peak"
    assert chip.measured_fp8_tflops == like.measured_fp8_tflops
    assert judged(KINDS["accelerators"], draft, catalogue).errors == {}


def test_an_entry_that_no_form_takes_begins_a_draft_all_the_same(catalogue: Catalogue) -> None:
    """As price lists and files of others bring them: what is too long or too large is to be typed anew."""
    long = "Accelerator of Harbour 9000"
    chip = catalogue.accelerator_by_id["h100-sxm"].model_copy(update={"short_name": long, "memory_gb": 20_000.0})
    draft = chip_draft(chip, TODAY)
    assert draft.untaken == {"short_name": long, "memory_gb": 20_000.0}
    assert (draft.short_name, draft.memory_gb, draft.name) == ("", None, chip.name)
    assert {"short_name", "memory_gb"} <= set(judged(KINDS["accelerators"], draft, catalogue).errors)
    assert chip_draft(catalogue.accelerator_by_id["h100-sxm"], TODAY).untaken == {}


@pytest.mark.parametrize("table", list(KINDS))
def test_every_shipped_entry_can_be_corrected(catalogue: Catalogue, table: str) -> None:
    kind, entries = KINDS[table], [e for e in getattr(catalogue, table) if getattr(e, "provider", "") != "own"]
    for entry in entries[:: max(1, len(entries) // 25)]:
        _corrected_as_it_is(kind.table, entry, catalogue)


def _corrected_as_it_is(table: str, entry: Entry, catalogue: Catalogue) -> None:
    draft = KINDS[table].correct(entry, TODAY).model_copy(update={"source": "the same"})
    assert draft.missing() == ()
    [again] = getattr(made(table, draft, catalogue), table)
    own = {"source", "as_of", "estimate", "note", "origin", "quality", "layer", "usd_per_chip_hour"}
    kept = {name: value for name, value in entry.model_dump(exclude=own).items() if not isinstance(value, float)}
    assert {name: getattr(again, name) for name in kept} == kept


def test_entries_are_put_in_and_taken_out_by_their_keys(catalogue: Catalogue) -> None:
    one = made("offers", DEDICATED, catalogue)
    cheaper = made("offers", DEDICATED.model_copy(update={"amount_usd": 10_000.0}), catalogue)
    own = with_entries(with_entries(OwnEntries(), one), cheaper)
    assert own.offers == cheaper.offers
    assert without_entry(own, "offers", own.offers[0].id).offers == ()


def test_it_is_said_whether_a_seller_is_known(catalogue: Catalogue) -> None:
    hints = KINDS["offers"].hints
    assert hints(DEDICATED, catalogue)["provider"] == "New to the catalogue"
    assert hints(DEDICATED.model_copy(update={"provider": "lambda"}), catalogue)["provider"].startswith("Known, with ")
    assert hints(OfferDraft(as_of=TODAY), catalogue)["provider"] == ""


def test_an_offer_of_the_plan_does_not_lean_on_the_book(catalogue: Catalogue) -> None:
    chip = ChipDraft(**{**chip_draft(catalogue.accelerator_by_id["h100-sxm"], TODAY).model_dump(), "based_on": "",
                        "name": "H150", "short_name": "H150", "source": "x"})  # fmt: skip
    of_chip = made("accelerators", chip, catalogue)
    with_chip = layered(catalogue, OwnEntries(), PriceBook(entries=of_chip))
    of_host = made("hosts", HostDraft(
        provider="Harbour Racks", instance="8x H150", accelerator_id="h150", n_chips=8, source="x", as_of=TODAY
    ), with_chip)  # fmt: skip
    with_book = layered(catalogue, OwnEntries(), PriceBook(entries=with_entries(of_chip, of_host)))
    draft = DEDICATED.model_copy(update={"host": "8x H150"})
    offer = made("offers", draft, with_book)
    assert offer.hosts == ()
    alone = self_standing(offer, with_book, "plan")
    assert [host.instance for host in alone.hosts] == ["8x H150"]
    assert [chip.id for chip in alone.accelerators] == ["h150"]
    assert not list(faults(alone, layered(catalogue, alone))), "it holds without the book"
    assert self_standing(offer, with_book, "book") == offer, "in the book it is at home"
