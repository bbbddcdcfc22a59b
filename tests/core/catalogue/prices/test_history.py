"""What a host cost on a day that is past, and prices that are of the past."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.checks.consistency import problems
from core.catalogue.entries import Offer
from core.catalogue.loading import load_catalogue, read_catalogue
from core.catalogue.own.layers import OwnEntries, layered
from core.catalogue.prices.history import holds_on, price_on, price_points, stale_reason

Put = Callable[[str, int, str, str], None]
P5 = ("aws", "p5.48xlarge")
LAST_DAY = date(2025, 6, 4)


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_p5_price_is_told_right_on_any_day(day: date) -> None:
    point = price_on(load_catalogue(), *P5, day)
    assert point is not None
    assert point.usd_per_host_hour == (98.32 if day <= LAST_DAY else 55.04)
    assert point.usd_per_host_hour / point.n_chips == (12.29 if day <= LAST_DAY else 6.88)
    assert not point.estimate


def test_p5_changed_from_one_day_to_the_next() -> None:
    catalogue = load_catalogue()
    before, after = (price_on(catalogue, *P5, LAST_DAY + timedelta(days=n)) for n in (0, 1))
    assert before is not None and after is not None
    assert (before.usd_per_host_hour, after.usd_per_host_hour) == (98.32, 55.04)
    assert after.valid_until is None and "AWSTRACK" in after.source


def test_p5_history_agrees_with_the_offer_and_the_cost_inputs() -> None:
    catalogue = load_catalogue()
    [offer] = [offer for offer in catalogue.offers if offer.id == "aws_p5.48xlarge_us-east-1_on_demand"]
    now = price_on(catalogue, *P5, date(2026, 11, 21))
    assert now is not None and now.usd_per_host_hour == offer.usd_per_host_hour
    told = sorted(row.typical or 0 for row in catalogue.cost_inputs_by_name["provisioned_price_history"])
    assert told == sorted(
        point.usd_per_host_hour for point in price_points(catalogue, *P5) if point.region == "us-east-1"
    )


HOSTS = [point for point in load_catalogue().price_history if point.seller_class is None]


@given(st.dates(date(2023, 1, 1), date(2028, 1, 1)), st.sampled_from(HOSTS))
def test_one_price_holds_on_each_day_of_a_history(day: date, point: object) -> None:
    catalogue = load_catalogue()
    one = catalogue.price_history[catalogue.price_history.index(point)]  # type: ignore[arg-type]
    points = [
        p for p in price_points(catalogue, one.provider, one.instance, one.purchase_model) if p.region == one.region
    ]
    holding = [p for p in points if holds_on(p, day)]
    first = min(p.valid_from or date.min for p in points)
    assert len(holding) == (1 if day >= first else 0)
    found = price_on(catalogue, one.provider, one.instance, day, one.region, one.purchase_model)
    assert found == (holding[0] if holding else None)


def test_other_regions_have_the_price_of_their_offer_since_it_was_read() -> None:
    catalogue = load_catalogue()
    found = price_on(catalogue, *P5, date(2026, 11, 1), "us-west-1")
    assert found is not None and found.usd_per_host_hour == 68.8
    assert price_on(catalogue, *P5, date(2024, 1, 1), "us-west-1") is None


def test_nobody_knows_the_price_of_an_unknown_host_or_way_to_pay() -> None:
    catalogue = load_catalogue()
    assert price_on(catalogue, "aws", "p99", date(2026, 1, 1)) is None
    assert price_on(catalogue, *P5, date(2026, 1, 1), purchase_model="commit_3y") is None


def _p5(usd_per_host_hour: float, region: str = "us-east-1") -> Offer:
    found = next(offer for offer in load_catalogue().offers if offer.id == f"aws_p5.48xlarge_{region}_on_demand")
    changes = {"usd_per_host_hour": usd_per_host_hour, "usd_per_chip_hour": usd_per_host_hour / 8}
    return found.model_copy(update={**changes, "source": "file:vms.csv", "as_of": "2026-11-21"})


def test_price_of_the_past_is_recognised() -> None:
    reason = stale_reason(_p5(98.32), load_catalogue())
    assert reason == "98.32 USD per host and hour was the price until 2025-06-04; it is 55.04 now"


def test_price_of_the_past_is_recognised_where_only_another_region_has_a_history() -> None:
    assert "until 2025-06-04; it is 68.8 now" in (stale_reason(_p5(98.32, "us-west-1"), load_catalogue()) or "")


@pytest.mark.parametrize("region", ["us-east-1", "us-west-1"])
def test_price_of_the_past_is_recognised_when_it_stands_in_the_catalogue(region: str) -> None:
    entered = _p5(98.32, region)
    found = layered(load_catalogue(), OwnEntries(offers=(entered,)))
    assert "until 2025-06-04" in (stale_reason(entered, found) or "")
    assert "until 2025-06-04" in (stale_reason(entered.model_copy(update={"id": "mine"}), found) or "")


@pytest.mark.parametrize("usd", [55.04, 55.0, 40.0, 98.0])
def test_present_and_new_prices_are_not_of_the_past(usd: float) -> None:
    assert stale_reason(_p5(usd), load_catalogue()) is None


def test_no_shipped_offer_is_of_the_past() -> None:
    """Azure's host still costs 98.32, as it did in 2024: the same figure, and no old price."""
    catalogue = load_catalogue()
    assert [offer.id for offer in catalogue.offers if stale_reason(offer, catalogue)] == []
    assert any(
        o.provider == "azure" and o.usd_per_host_hour == 98.32 and o.as_of == "2026-11-09" for o in catalogue.offers
    )


@pytest.mark.parametrize(
    ("row", "column", "text", "field"),
    [
        (3, "valid_from", "2025-06-01", "valid_from"),
        (2, "valid_until", "", "valid_from"),
        (5, "valid_until", "2020-01-01", "valid_until"),
        (4, "instance", "nothing", "instance"),
        (4, "n_chips", "4", "instance"),
        (4, "usd_per_host_hour", "0", "usd_per_host_hour"),
        (4, "source", "NOWHERE", "source"),
    ],
)
def test_contradiction_in_the_history_is_named(
    folder: Path, put: Put, row: int, column: str, text: str, field: str
) -> None:
    put("price_history", row, column, text)
    places = [problem.where for problem in problems(read_catalogue(folder))]
    assert any(place.startswith("price_history.csv, row ") and place.endswith(f"field {field}") for place in places)
