"""Terms of owned hardware: what is typed counts, else the catalogue's rows; a bound that is missing is the typical."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import CostInput, Server
from core.cost.owned.terms import (
    OwnTerms,
    book_usd,
    draw_kw,
    n_servers,
    own_terms,
    server_kw,
    staff_usd_per_month,
)
from core.workload.profile import Owning, Profile, Team

CHIP = "h100-sxm"
TYPED = {
    "install_pct": 12.0, "resale_pct": 30.0, "capital_pct_per_year": 7.0, "maintenance_pct_per_year": 3.0,
    "colocation_usd_per_kw_month": 180.0, "electricity_usd_per_kwh": 0.11, "pue": 1.25, "life_years": 4.0,
}  # fmt: skip
FROM_ROWS = {
    "install_share": "capex_network_and_install", "resale_share": "residual_value",
    "capital_share_per_year": "cost_of_capital", "maintenance_share_per_year": "maintenance_contract",
    "colocation_usd_per_kw_month": "colocation", "usd_per_kwh": "electricity", "pue": "pue",
}  # fmt: skip


def _terms(catalogue: Catalogue, owning: Owning | None = None, server: Server | None = None) -> OwnTerms:
    profile = Profile(owning=owning or Owning())
    return own_terms(profile, catalogue, catalogue.accelerator_by_id[CHIP], server or catalogue.servers[0])


def _with_row(catalogue: Catalogue, name: str, low: float | None, typical: float | None, high: float | None):
    row = CostInput(
        name=name, scope="any", low=low, typical=typical, high=high, unit="USD", source="T", as_of="", estimate=False
    )
    return replace(catalogue, cost_inputs=(*(one for one in catalogue.cost_inputs if one.name != name), row))


@pytest.mark.parametrize(("field", "name"), FROM_ROWS.items())
def test_each_term_is_its_row_of_the_catalogue(priced: Catalogue, field: str, name: str) -> None:
    assert getattr(_terms(_with_row(priced, name, 0.01, 0.02, 0.04)), field) == (0.01, 0.02, 0.04)


@pytest.mark.parametrize(
    ("row", "span"),
    [
        ((None, 0.2, 0.3), (0.2, 0.2, 0.3)),
        ((0.1, 0.2, None), (0.1, 0.2, 0.2)),
        ((None, 0.2, None), (0.2, 0.2, 0.2)),
        ((0.1, None, 0.3), (0.1, 0.1, 0.3)),
        ((None, None, 0.3), (0.3, 0.3, 0.3)),
        ((0.0, 0.2, 0.0), (0.0, 0.2, 0.0)),
        ((None, None, None), (0.0, 0.0, 0.0)),
    ],
)
def test_a_missing_bound_takes_the_typical_value_or_the_one_that_is_there(
    priced: Catalogue, row: tuple[float | None, float | None, float | None], span: tuple[float, float, float]
) -> None:
    assert _terms(_with_row(priced, "cost_of_capital", *row)).capital_share_per_year == span


def test_what_is_typed_counts_in_place_of_every_row(priced: Catalogue) -> None:
    """Per cent become shares of 1, years months."""
    terms = _terms(priced, Owning(**TYPED))
    assert terms.install_share == pytest.approx((0.12,) * 3)
    assert terms.resale_share == pytest.approx((0.3,) * 3)
    assert terms.capital_share_per_year == pytest.approx((0.07,) * 3)
    assert terms.maintenance_share_per_year == pytest.approx((0.03,) * 3)
    assert terms.colocation_usd_per_kw_month == (180.0,) * 3
    assert (terms.usd_per_kwh, terms.pue) == ((0.11,) * 3, (1.25,) * 3)
    assert (terms.life_months, _terms(priced).life_months) == (48.0, 36.0)


def test_a_typed_zero_is_no_missing_value(priced: Catalogue) -> None:
    none = Owning(install_pct=0, capital_pct_per_year=0, electricity_usd_per_kwh=0)
    terms = _terms(priced, none)
    assert terms.install_share == terms.capital_share_per_year == terms.usd_per_kwh == (0.0,) * 3


def test_a_server_brings_its_price_and_its_power(priced: Catalogue) -> None:
    """300,000 USD within 20 %, 10 kW; in the house nothing is left to install."""
    terms = _terms(priced)
    assert (terms.server_usd, terms.power_kw) == ((240_000.0, 300_000.0, 360_000.0), 10.0)
    inside = priced.servers[0].model_copy(update={"in_house": True})
    assert _terms(priced, Owning(install_pct=50), inside).install_share == (0.0, 0.0, 0.0)


def test_terms_are_an_estimate_when_any_of_them_is(priced: Catalogue) -> None:
    assert not _terms(priced).estimate
    assert _terms(priced, server=priced.servers[0].model_copy(update={"estimate": True})).estimate
    rows = tuple(
        row.model_copy(update={"estimate": True}) if row.name == "residual_value" else row for row in priced.cost_inputs
    )
    assert _terms(replace(priced, cost_inputs=rows)).estimate


def test_power_of_a_server_without_a_rating_is_that_of_its_chips_at_most(priced: Catalogue) -> None:
    """Eight H100 of 700 W: the rating is for the worst, the draw for work."""
    chip, server = priced.accelerator_by_id[CHIP], priced.servers[0]
    unrated = server.model_copy(update={"power_kw": None})
    assert server_kw(chip, server) == 10.0
    assert server_kw(chip, unrated) > draw_kw(chip, unrated) > 0
    half = unrated.model_copy(update={"n_chips": 4})
    assert server_kw(chip, half) == pytest.approx(server_kw(chip, unrated) / 2)
    assert draw_kw(chip, unrated) == pytest.approx(8 * 0.85 * 700 * 1.45 / 1000)
    assert draw_kw(chip, half) == pytest.approx(draw_kw(chip, unrated) / 2)


@pytest.mark.parametrize(("n_chips", "servers"), [(1, 1), (8, 1), (9, 2), (16, 2), (17, 3)])
def test_chips_stand_in_whole_servers(priced: Catalogue, n_chips: int, servers: int) -> None:
    assert n_servers(n_chips, priced.servers[0]) == servers


def test_staff_costs_the_hours_of_bare_metal_at_a_fortieth_of_a_week(priced: Catalogue) -> None:
    """8 + 1, 16 + 2 and 32 + 4 hours for each of three servers at 4,000 USD / 40 h; 10 typed hours cost 1,000 USD and
    are no estimate."""
    team = Team(engineer_usd_per_week=4000.0, delivery="managed")
    assert staff_usd_per_month(Profile(team=team), priced, 3) == ((1_100.0, 2_200.0, 4_400.0), True)
    typed = Profile(team=team, owning=Owning(staff_h_per_month=10))
    assert staff_usd_per_month(typed, priced, 3) == ((1_000.0,) * 3, False)
    none = Profile(team=team, owning=Owning(staff_h_per_month=0))
    assert staff_usd_per_month(none, priced, 3) == ((0.0,) * 3, False)


def test_worth_is_lost_by_the_month_until_the_end_of_life() -> None:
    """1,000 USD down to 250 in 30 months: 25 a month, then no more."""
    worth = book_usd(np.array(1000.0), np.array([0.0, 1.0, 29.0, 30.0, 31.0]), 30.0, np.array(0.25))
    assert worth == pytest.approx([1000, 975, 275, 250, 250])


def test_an_unrated_server_draws_its_chips_and_82_percent_on_top_at_most(priced: Catalogue) -> None:
    """Eight H100 of 700 W at 105 %: 10.7 kW."""
    unrated = priced.servers[0].model_copy(update={"power_kw": None})
    assert server_kw(priced.accelerator_by_id[CHIP], unrated) == pytest.approx(8 * 1.05 * 700 * 1.82 / 1000)


def test_servers_of_the_user_stand_for_what_is_typed_or_nothing(priced: Catalogue) -> None:
    own = priced.servers[0].model_copy(update={"held_chips": 8})
    assert _terms(priced, server=own).colocation_usd_per_kw_month == (0.0, 0.0, 0.0)
    typed = Owning(colocation_usd_per_kw_month=180.0)
    assert _terms(priced, typed, own).colocation_usd_per_kw_month == (180.0, 180.0, 180.0)


def test_a_share_of_the_price_keeps_its_span_and_leaves_what_is_there(priced: Catalogue) -> None:
    server = priced.servers[0]
    usual = _terms(priced).server_usd
    assert _terms(priced, Owning(server_price_pct=80.0)).server_usd == pytest.approx([0.8 * usd for usd in usual])
    there = server.model_copy(update={"in_house": True})
    assert _terms(priced, Owning(server_price_pct=80.0), there).server_usd == usual
