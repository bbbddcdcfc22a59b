"""What prices from a list would change, and what is taken over of it."""

from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Host, Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.own.checks import checked_layers
from core.catalogue.own.layers import OwnEntries
from core.catalogue.price_lists.changes import OLDER, Change, changes, entries_of, offer_id, summaries, taken_over
from core.catalogue.price_lists.price_list import Flag

AWS = "aws_p5.48xlarge_us-east-1_on_demand"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def _of(catalogue: Catalogue, key: str, factor: float = 1.0, **fields: str) -> Offer:
    offer = next(offer for offer in catalogue.offers if offer.id == key)
    usd = {name: getattr(offer, name) * factor for name in ("usd_per_chip_hour", "usd_per_host_hour")}
    return offer.model_copy(update={**usd, **fields})


def _elsewhere(catalogue: Catalogue, region: str = "moon-1", **fields: str) -> Offer:
    offer = _of(catalogue, AWS)
    new_id = offer_id(offer.provider, offer.instance, region, offer.purchase_model)
    return offer.model_copy(update={"id": new_id, "region": region, "source": "list", **fields})


def test_moves_come_biggest_first(catalogue: Catalogue) -> None:
    keys = [offer.id for offer in catalogue.offers if offer.provider == "verda"][:3]
    offers = [_of(catalogue, key, factor) for key, factor in zip(keys, (1.1, 0.5, 1.3), strict=True)]
    found = changes(catalogue, offers)
    assert [round(one.percent, 6) for one in found.changed] == [-50.0, 30.0, 10.0]
    assert [one.new.id for one in found.changed] == [keys[1], keys[2], keys[0]]


@pytest.mark.parametrize(("factor", "is_same"), [(1.00005, True), (0.99995, True), (1.001, False), (0.999, False)])
def test_rounding_is_no_change(catalogue: Catalogue, factor: float, is_same: bool) -> None:
    found = changes(catalogue, [_of(catalogue, AWS, factor)])
    assert (found.n_same, len(found.changed)) == ((1, 0) if is_same else (0, 1))


def test_same_price_of_a_host_with_other_chips_is_a_change(catalogue: Catalogue) -> None:
    offer = _of(catalogue, AWS).model_copy(update={"accelerator_id": "h200-sxm"})
    assert len(changes(catalogue, [offer]).changed) == 1


@pytest.mark.parametrize(
    ("as_of", "is_refreshed"), [("2026-12-24", True), ("2020-01-01", False), ("unknown", False), ("", False)]
)
def test_price_read_again_is_refreshed_only_by_a_later_day(
    catalogue: Catalogue, as_of: str, is_refreshed: bool
) -> None:
    found = changes(catalogue, [_of(catalogue, AWS, as_of=as_of, source="list")])
    assert [one.new.as_of for one in found.refreshed] == ([as_of] if is_refreshed else [])
    assert [offer.as_of for offer in entries_of(found).offers] == ([as_of] if is_refreshed else [])


@pytest.mark.parametrize(
    ("now", "new", "is_older"),
    [
        ("2026-11-10", "2026-11-09", True),
        ("2026-11-10", "2026-11-10", False),
        ("2026-11-10", "2026-10", True),
        ("2026-11-10", "2026-11", False),
        ("2026-11-10", "undated", False),
        ("undated", "2020-01-01", False),
        ("2026-11-10", "2026-Q3", True),
        ("2026-11-10", "2026-H2", False),
        ("2026-11-10", "2024-2025", True),
    ],
)
def test_a_changed_price_that_is_surely_older_is_flagged_and_left_out_unless_asked_for(
    catalogue: Catalogue, now: str, new: str, is_older: bool
) -> None:
    in_use = _of(catalogue, AWS, as_of=now)
    others = tuple(offer for offer in catalogue.offers if offer.id != AWS)
    shop = replace(catalogue, offers=(*others, in_use))
    found = changes(shop, [_of(catalogue, AWS, 0.5, as_of=new, source="list")])
    assert (found.older == {AWS}) is is_older
    assert [flag.kind for flag in found.flagged] == ([OLDER] if is_older else [])
    kept = taken_over(shop, found, "list", leave=found.older).offers
    assert (in_use in kept) is is_older
    assert in_use not in taken_over(shop, found, "list").offers


def test_summary_counts_by_provider(catalogue: Catalogue) -> None:
    verda = next(offer.id for offer in catalogue.offers if offer.provider == "verda")
    offers = [
        _of(catalogue, AWS, 1.2), _elsewhere(catalogue), _elsewhere(catalogue, "moon-2"), _of(catalogue, verda),
    ]  # fmt: skip
    flags = [Flag(AWS, "odd"), Flag(AWS, "very odd"), Flag(verda, "odd")]
    aws, other = summaries(changes(catalogue, offers, flags=flags))
    assert (aws.provider, aws.n_new, aws.n_changed, aws.n_removed, aws.n_same, aws.n_flagged) == ("aws", 2, 1, 0, 0, 1)
    assert aws.median_percent == pytest.approx(20.0)
    assert (other.provider, other.n_same, other.n_flagged, other.median_percent) == ("verda", 1, 1, None)


def test_removed_are_counted_when_a_provider_is_replaced(catalogue: Catalogue) -> None:
    found = changes(catalogue, [_of(catalogue, AWS)], replace_providers=True)
    [summary] = summaries(found)
    assert summary.n_removed == len(found.removed) > 10


def _host(catalogue: Catalogue, instance: str) -> Host:
    host = catalogue.host_by_instance["aws", "p5.48xlarge"]
    return host.model_copy(update={"instance": instance, "source": "list"})


def test_entries_hold_what_is_new_and_the_hosts_they_need(catalogue: Catalogue) -> None:
    hosts = [_host(catalogue, "p8.huge"), _host(catalogue, "p9.huge")]
    fresh = _elsewhere(catalogue).model_copy(update={"id": "aws_p9.huge_moon-1_on_demand", "instance": "p9.huge"})
    found = changes(catalogue, [fresh, _of(catalogue, AWS, 1.2), _elsewhere(catalogue, "moon-2")])
    entries = entries_of(found, hosts)
    assert {offer.id for offer in entries.offers} == {
        fresh.id, AWS, "aws_p5.48xlarge_moon-2_on_demand",
    }  # fmt: skip
    assert [host.instance for host in entries.hosts] == ["p9.huge"]
    layered = checked_layers(catalogue, entries)
    assert {offer.layer for offer in layered.offers if offer.id in {fresh.id, AWS}} == {"plan"}


def test_offers_may_be_left_out_with_their_hosts(catalogue: Catalogue) -> None:
    fresh = _elsewhere(catalogue).model_copy(update={"id": "x", "instance": "p9.huge"})
    found = changes(catalogue, [fresh])
    assert entries_of(found, [_host(catalogue, "p9.huge")], leave={"x"}) == OwnEntries()


def test_copy_of_the_catalogue_has_new_hosts_and_refreshed_prices(catalogue: Catalogue) -> None:
    again = _of(catalogue, AWS, as_of="2026-12-24", source="list")
    found = changes(catalogue, [again, _elsewhere(catalogue)])
    after = taken_over(catalogue, found, "vms.csv", [_host(catalogue, "p9.huge")])
    assert len(after.offers) == len(catalogue.offers) + 1
    assert len(after.hosts) == len(catalogue.hosts) + 1
    assert [offer.as_of for offer in after.offers if offer.id == AWS] == ["2026-12-24"]
    assert after.sources["list"] == "as written in vms.csv"
    assert after.date == "2026-12-24"


def test_change_knows_its_move(catalogue: Catalogue) -> None:
    offer = _of(catalogue, AWS)
    assert Change(offer, _of(catalogue, AWS, 0.56)).percent == pytest.approx(-44.0)
