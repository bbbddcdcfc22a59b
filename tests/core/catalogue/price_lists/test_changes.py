"""A price book is checked before it is taken over."""

from pathlib import Path

import pytest

from core.catalogue.entries import Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.price_lists.changes import (
    Change,
    Changes,
    changes,
    offer_id,
    read_price_book,
    summaries,
    taken_over,
)
from core.catalogue.prices.newest import newer_price
from core.catalogue.saving import write_catalogue
from core.errors import InputError

HEADER = (
    "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
    "quality,source,as_of,estimate,note\n"
)
CHANGED = "aws,p5.48xlarge,h100-sxm,8,us-east-1,on_demand,5,40,ok,contract 7,2026-11-30,no,\n"
NEW = "aws,p5.48xlarge,h100-sxm,8,us-east-1,dedicated_monthly,4,32,ok,contract 7,2026-11-30,no,\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.csv"
    path.write_text(HEADER + CHANGED + NEW, encoding="utf-8")
    return path


def test_new_and_changed_prices_are_told_apart(book: Path) -> None:
    catalogue = load_catalogue()
    found = changes(catalogue, read_price_book(book, catalogue))
    assert [offer.purchase_model for offer in found.new] == ["dedicated_monthly"]
    assert [(now.usd_per_host_hour, new.usd_per_host_hour) for now, new in found.changed] == [(55.04, 40.0)]
    assert found.removed == ()


def test_providers_with_most_changes_of_any_kind_come_first() -> None:
    """Of a: two changed; of b: one new; of c: one removed and two new; of d: nothing but the same."""
    offer = next(one for one in load_catalogue().offers if one.purchase_model == "on_demand")

    def of(provider: str) -> Offer:
        return offer.model_copy(update={"provider": provider})

    a, b, c, d = map(of, "abcd")
    found = Changes(new=(b, c, c), changed=(Change(a, a), Change(a, a)), removed=(c,), same=(Change(d, d),), flagged=())
    told = [(one.provider, one.n_new, one.n_changed, one.n_removed, one.n_same) for one in summaries(found)]
    assert told == [("c", 2, 0, 1, 0), ("a", 0, 2, 0, 0), ("b", 1, 0, 0, 0), ("d", 0, 0, 0, 1)]


def test_replacing_a_provider_removes_only_its_offers(book: Path) -> None:
    catalogue = load_catalogue()
    found = changes(catalogue, read_price_book(book, catalogue), replace_providers=True)
    assert {offer.provider for offer in found.removed} == {"aws"}
    assert len(found.removed) == sum(offer.provider == "aws" for offer in catalogue.offers) - 1


def test_own_offers_held_against_the_catalogue_change_nothing(folder: Path) -> None:
    catalogue = load_catalogue()
    found = changes(catalogue, read_price_book(folder / "offers.csv", catalogue), replace_providers=True)
    assert (found.new, found.changed, found.removed, found.n_same) == (
        (),
        (),
        (),
        len(catalogue.offers) - len(catalogue.servers),
    )


def test_copy_with_new_prices_can_be_loaded(book: Path, tmp_path: Path) -> None:
    catalogue = load_catalogue()
    found = changes(catalogue, read_price_book(book, catalogue))
    write_catalogue(taken_over(catalogue, found, "book.csv"), tmp_path / "mine")
    mine = load_catalogue(tmp_path / "mine")
    assert len(mine.offers) == len(catalogue.offers) + 1
    assert mine.date == "2026-11-30"
    assert mine.sources["contract 7"] == "as written in book.csv"
    assert (mine.accelerators, mine.hosts, mine.slices) == (catalogue.accelerators, catalogue.hosts, catalogue.slices)


def test_shipped_ids_follow_the_rule() -> None:
    """The newest price bears the plain id, older ones the words for their day behind it."""
    catalogue = load_catalogue()
    for offer in catalogue.offers:
        plain = offer_id(offer.provider, offer.instance, offer.region, offer.purchase_model)
        newer = newer_price(offer, catalogue)
        assert offer.id == plain if newer is None else offer.id.startswith(f"{plain}_") and newer.id == plain


@pytest.mark.parametrize(
    ("row", "where"),
    [
        (NEW.replace("p5.48xlarge", "p9.huge"), "book.csv, row 2, field instance"),
        (NEW.replace(",32,", ",4,"), "book.csv, row 2, field usd_per_host_hour"),
        (NEW.replace("dedicated_monthly", "barter"), "book.csv, row 2, field purchase_model"),
        (NEW + NEW, "book.csv, row 3, field id"),
    ],
)
def test_bad_price_is_named(book: Path, row: str, where: str) -> None:
    book.write_text(HEADER + row, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_price_book(book, load_catalogue())
    assert caught.value.where == where


def test_copy_never_lands_on_something(book: Path) -> None:
    with pytest.raises(InputError, match="something is there already"):
        write_catalogue(load_catalogue(), book.parent)
    assert book.exists()


def test_copy_that_does_not_hold_together_leaves_nothing(tmp_path: Path) -> None:
    catalogue = load_catalogue()
    homeless = catalogue.offers[0].model_copy(update={"id": "x", "provider": "no one"})
    broken = taken_over(catalogue, changes(catalogue, [homeless]), "")
    with pytest.raises(InputError):
        write_catalogue(broken, tmp_path / "mine")
    assert list(tmp_path.iterdir()) == []
