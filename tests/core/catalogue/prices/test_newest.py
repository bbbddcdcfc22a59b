"""Of several prices of one machine, place and way to pay the newest counts; the user's own before all."""

from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.entries import Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.prices.newest import newer_price, newest_of_each
from core.comparison.search.options import options

RUNPOD = "runpod_1x-h100-sxm-secure_any_on_demand"


def _offer(id: str) -> Offer:
    return next(offer for offer in load_catalogue().offers if offer.id == id)


def test_an_older_price_is_listed_and_not_evaluated() -> None:
    catalogue = load_catalogue()
    old, new = _offer(f"{RUNPOD}_2026-09-25"), _offer(RUNPOD)
    assert (old.usd_per_chip_hour, new.usd_per_chip_hour) == (3.49, 3.99)
    assert newer_price(old, catalogue) == new and newer_price(new, catalogue) is None
    evaluated = {option.offer.id for option in options(catalogue)}
    assert RUNPOD in evaluated and old.id not in evaluated


@given(st.permutations(["2026-09-25", "2026-10-10", "2025", "undated", "2026-10/11 (undated)"]))
def test_the_newest_counts_in_whatever_order_they_come(days: list[str]) -> None:
    offers = [_offer(RUNPOD).model_copy(update={"id": day, "as_of": day}) for day in days]
    assert [offer.as_of for offer in newest_of_each(offers)] == ["2026-10-10"]


def test_a_price_of_ones_own_counts_before_a_newer_shipped_one() -> None:
    own = _offer(RUNPOD).model_copy(update={"id": "mine", "as_of": "undated", "layer": "plan"})
    assert newest_of_each([_offer(RUNPOD), own]) == (own,)


def test_the_dearest_of_one_day_counts() -> None:
    one = _offer(RUNPOD)
    dear = one.model_copy(update={"id": "dear", "usd_per_chip_hour": 9.0})
    assert newest_of_each([dear, one]) == newest_of_each([one, dear]) == (dear,)
