"""A discount as it is typed: what is asked, what is missing, what comes of it."""

from __future__ import annotations

from datetime import date

import pytest
from pydantic import ValidationError

from core.catalogue.loading import load_catalogue
from core.plan.drafts.discount import DiscountDraft, discount_draft, discount_fields, discount_of, discount_verdict

TODAY = date(2026, 11, 21)
CATALOGUE = load_catalogue()
WHOLE = DiscountDraft(
    provider="aws", percent=12.5, purchase_model="on_demand", accelerator_id="h100-sxm", source=" A letter ",
    as_of=date(2026, 10, 1), note=" Until March ",
)  # fmt: skip


def test_a_discount_comes_back_as_it_was_typed() -> None:
    discount = discount_of(WHOLE)
    assert (discount.provider, discount.percent) == ("aws", 12.5)
    assert (discount.purchase_model, discount.accelerator_id) == ("on_demand", "h100-sxm")
    assert (discount.source, discount.as_of, discount.note) == ("A letter", "2026-10-01", "Until March")
    again = discount_draft(discount, TODAY)
    assert discount_of(again) == discount and again.as_of == date(2026, 10, 1)


def test_all_ways_and_chips_are_the_empty_choice() -> None:
    discount = discount_of(WHOLE.model_copy(update={"purchase_model": "", "accelerator_id": ""}))
    assert discount.purchase_model is None and discount.accelerator_id is None
    again = discount_draft(discount, TODAY)
    assert (again.purchase_model, again.accelerator_id) == ("", "")


def test_the_form_asks_for_chips_that_the_provider_sells_and_the_one_chosen() -> None:
    sold = {offer.accelerator_id for offer in CATALOGUE.offers if offer.provider == "aws"}
    (chip,) = {"tpu-v5p"} - sold
    for chosen, more in (("", set()), (chip, {chip})):
        draft = WHOLE.model_copy(update={"accelerator_id": chosen})
        choices = {field.path: field.choices for field in discount_fields(draft, CATALOGUE)}
        assert set(choices["accelerator_id"]) == {"", *sold, *more}
        ways = choices["purchase_model"]
        assert ways[""] == "All" and "owned" not in ways and ways["on_demand"] == "On demand"


def test_a_discount_of_a_day_to_come_is_refused() -> None:
    ahead = WHOLE.model_copy(update={"as_of": date(2999, 1, 2)})
    assert "2 Jan 2999, a day to come" in discount_verdict(ahead, CATALOGUE).errors["as_of"]
    assert discount_verdict(WHOLE, CATALOGUE).errors == {}


def test_what_is_missing_is_told_before_what_is_odd() -> None:
    empty = discount_verdict(DiscountDraft(as_of=TODAY), CATALOGUE)
    assert set(empty.errors) >= {"provider", "percent"} and empty.odd == ()
    whole = discount_verdict(WHOLE, CATALOGUE)
    assert not whole.errors and whole.odd == ()


@pytest.mark.parametrize("changes", [{"accelerator_id": "tpu-v5p"}, {"purchase_model": "owned"}, {"provider": "no"}])
def test_a_discount_that_touches_no_price_is_odd(changes: dict[str, str]) -> None:
    verdict = discount_verdict(WHOLE.model_copy(update=changes), CATALOGUE)
    assert verdict.odd == ("No price of the catalogue is touched by it.",)


@pytest.mark.parametrize("percent", [-0.1, 100.0])
def test_a_discount_is_from_nothing_to_below_all(percent: float) -> None:
    with pytest.raises(ValidationError):
        DiscountDraft(percent=percent, as_of=TODAY)
    assert DiscountDraft(percent=0, as_of=TODAY).percent == 0
