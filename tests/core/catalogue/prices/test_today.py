"""Prices brought to today: golden figures of two series, and what must hold of any price at any age."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from math import exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer, PricePoint, SellerClass
from core.catalogue.loading import load_catalogue
from core.catalogue.prices.today import NEAR_MONTHS, PriceHistory, PriceToday, drift, price_today
from core.catalogue.prices.trend import PriceSeries, series_by_key
from core.catalogue.sellers.waits import seller_class
from core.catalogue.todays_prices import AS_LISTED, day_of, price_history, todays_price
from core.months import month_number
from core.ranges import Range

CATALOGUE = load_catalogue()
TODAY = day_of(CATALOGUE)
HISTORY = price_history(CATALOGUE)
LAMBDA = next(o for o in CATALOGUE.offers if o.id == "lambda_gpu_8x_h100_sxm5_any_on_demand")
GCP_SPOT = next(o for o in CATALOGUE.offers if o.id == "gcp_a3-highgpu-8g_us-central1_spot")
SHIPPED = st.sampled_from([one for one in CATALOGUE.offers if one.provider != "own"])
DAYS = st.dates(date(2023, 1, 1), TODAY)


def _on(offer: Offer, day: date | str, source: str = "") -> Offer:
    return offer.model_copy(update={"as_of": str(day), "source": source or offer.source})


def _today(offer: Offer, history: PriceHistory = HISTORY) -> PriceToday:
    return price_today(offer, seller_class(CATALOGUE, offer.provider), history, TODAY)


def _median(chip: str, month: str, source: str, own_class: SellerClass, way: str) -> float:
    [point] = [
        p
        for p in CATALOGUE.price_history
        if (p.accelerator_id, str(p.valid_from)[:7], p.source) == (chip, month, source)
        and (p.seller_class, p.purchase_model) == (own_class, way)
    ]
    return point.usd_per_host_hour


def _high(offer: Offer) -> float:
    return todays_price(CATALOGUE, offer).of(offer).high


def test_h100_of_a_specialised_cloud_follows_its_archived_price_pages() -> None:
    then, now = (_median("h100-sxm", month, "GIX", "ai_cloud", "on_demand") for month in ("2025-12", "2026-09"))
    assert (then, now) == (2.99, 3.85)
    brought = _today(_on(LAMBDA, "2025-12-15"))
    assert brought.factor == pytest.approx(3.85 / 2.99)
    assert brought.basis == "By medians of its kind from Dec 2025 to Sep 2026" and brought.source == "GIX"


def test_spot_of_a_hyperscaler_follows_his_own_list() -> None:
    then, now = (_median("h100-sxm", month, "CYC-PRICE", "hyperscaler", "spot") for month in ("2025-12", "2026-07"))
    brought = _today(_on(GCP_SPOT, "2025-12", "CYC-PRICE"))
    assert brought.factor == pytest.approx(now / then) == pytest.approx(1.9502, rel=1e-4)
    assert _today(_on(GCP_SPOT, "2026-10-10")).factor == 1.0


def test_a_missing_month_is_stood_in_for_by_one_up_to_two_months_earlier() -> None:
    start = month_number((2025, 1))
    series = (PriceSeries("A", "any", {start: 2.0, start + 10: 3.0}),)
    history = PriceHistory({("h100-sxm", "ai_cloud", "on_demand"): series}, HISTORY.log_per_root_year, HISTORY.oldest)
    factors = [_today(_on(LAMBDA, f"2025-{month:02d}-10"), history).factor for month in range(1, 12)]
    assert factors[: NEAR_MONTHS + 1] == [1.5] * 3 and set(factors[3:10]) == {1.0}


def test_one_ratio_never_mixes_sources() -> None:
    """The only source with the month of the price is not the one that tells the newest month."""
    start = month_number((2026, 1))
    series = (PriceSeries("OLD", "any", {start: 2.0, start + 1: 2.2}), PriceSeries("NEW", "any", {start + 8: 99.0}))
    history = PriceHistory({("h100-sxm", "ai_cloud", "on_demand"): series}, HISTORY.log_per_root_year, HISTORY.oldest)
    brought = _today(_on(LAMBDA, "2026-01-10"), history)
    assert (brought.factor, brought.most) == (1.1, 1.1) and brought.source == "OLD"


def test_the_list_of_one_seller_moves_nobody_elses_price() -> None:
    aws = next(o for o in CATALOGUE.offers if o.id == "aws_p5.48xlarge_us-east-1_on_demand")
    azure = next(o for o in CATALOGUE.offers if o.id == "azure_standard_nd96isr_h100_v5_eastus_on_demand")
    assert _today(_on(aws, "2025-05-10")).factor == pytest.approx(6.88 / 12.29)
    assert _today(_on(azure, "2025-05-10")).source != "AWSTRACK"


@given(SHIPPED)
def test_a_price_of_today_is_the_listed_one(offer: Offer) -> None:
    brought = _today(_on(offer, TODAY))
    assert (brought.factor, brought.least, brought.most, brought.log_age) == (1.0, 1.0, 1.0, 0.0)


@given(SHIPPED, DAYS, st.integers(0, 400))
def test_the_band_never_narrows_with_age(offer: Offer, day: date, older_days: int) -> None:
    younger, older = (_today(_on(offer, one)) for one in (day, day - timedelta(days=older_days)))
    assert older.log_age >= younger.log_age
    assert older.least <= younger.least <= 1.0 <= younger.most <= older.most
    assert all(one.least <= one.factor <= one.most for one in (younger, older))


@given(SHIPPED, DAYS)
def test_ageing_by_200_days_is_never_cheaper_at_the_cautious_end(offer: Offer, day: date) -> None:
    assert _high(_on(offer, day - timedelta(days=200))) >= _high(_on(offer, day)) - 1e-9


@pytest.mark.parametrize(
    ("words", "since"),
    [
        ("2026-H1", date(2026, 1, 1)),
        ("2026-10/11 (undated v9)", date(2026, 10, 1)),
        ("2025", date(2025, 1, 1)),
        ("undated", HISTORY.oldest),
        ("2026-02 or older", HISTORY.oldest),
    ],
)
def test_a_price_without_a_month_is_not_moved_and_may_be_as_old_as_its_words_allow(words: str, since: date) -> None:
    brought = _today(_on(LAMBDA, words))
    years = (TODAY - since).days / 365.25
    assert brought.factor == 1.0 and brought.basis.startswith("No day told")
    assert brought.log_age == pytest.approx(HISTORY.log_per_root_year["on_demand"] * sqrt(years))


@pytest.mark.parametrize("layer", ["plan", "book"])
@pytest.mark.parametrize("as_of", ["2023-01-01", "undated"])
def test_a_price_of_ones_own_is_taken_as_it_is(layer: str, as_of: str) -> None:
    own = LAMBDA.model_copy(update={"layer": layer, "as_of": as_of, "quality": "entered"})
    price = todays_price(CATALOGUE, own)
    assert (price.factor, price.low, price.high, price.basis) == (1.0, 1.0, 1.0, "As entered")


def test_age_and_second_hand_add_up_as_squares() -> None:
    second_hand = LAMBDA.model_copy(update={"as_of": "2025", "quality": "secondary"})
    aged, price = _today(second_hand), todays_price(CATALOGUE, second_hand)
    log_high = sqrt(aged.log_age**2 + 0.4054651**2)
    assert price.high == pytest.approx(aged.most * exp(log_high))
    assert price.high > todays_price(CATALOGUE, _on(LAMBDA, "2025")).high


def _log_spread(series: Iterable[PriceSeries], lag_months: int) -> tuple[float, int]:
    """Within which log ratio medians so many months apart lie in 80 % of the cases, and the number of ratios."""
    moves = sorted(
        abs(log(one.usd[month + lag_months] / usd))
        for one in series
        for month, usd in one.usd.items()
        if month + lag_months in one.usd
    )
    return moves[int(0.8 * len(moves))], len(moves)


def test_the_shipped_spread_is_what_the_history_says() -> None:
    backed = [point for point in CATALOGUE.price_history if not point.estimate]
    series = series_by_key(backed)
    told = {(row.purchase_model, row.lag_months): (row.log_spread, row.n_ratios) for row in CATALOGUE.price_spread}
    assert {lag for _, lag in told} == {3, 6, 12}
    for (way, lag), (spread, n_ratios) in told.items():
        own = [one for key, several in series.items() if key[2] == way for one in several]
        assert (pytest.approx(spread, abs=1e-5), n_ratios) == _log_spread(own, lag)
    assert drift(CATALOGUE.price_spread) == pytest.approx({"on_demand": 0.1594, "spot": 0.2626}, abs=1e-4)


def test_the_day_is_the_catalogues_and_not_the_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    class Later(date):
        @classmethod
        def today(cls) -> date:
            raise AssertionError("prices must not look at the clock")

    monkeypatch.setattr("core.catalogue.todays_prices.date", Later)
    monkeypatch.setattr("core.catalogue.prices.today.date", Later)
    assert day_of(Catalogue(CATALOGUE.date, *[()] * 7, {})) == TODAY
    assert todays_price(CATALOGUE, _on(LAMBDA, "2026-08-30")).factor > 0


def test_history_points_are_medians_or_prices_of_hosts() -> None:
    medians: list[PricePoint] = [point for point in CATALOGUE.price_history if point.seller_class]
    assert (len(medians), len(CATALOGUE.price_history) - len(medians)) == (1234, 21)


def test_a_price_as_listed_has_no_range_and_has_not_moved() -> None:
    offer = load_catalogue().offers[0]
    usd = offer.usd_per_chip_hour
    assert AS_LISTED.of(offer) == Range(usd, usd, usd) and not AS_LISTED.is_moved
    dearer = replace(AS_LISTED, factor=2.0, low=0.5, high=1.5)
    assert dearer.of(offer) == Range(usd, 2.0 * usd, 3.0 * usd) and dearer.is_moved
