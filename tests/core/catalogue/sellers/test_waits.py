"""Waits for capacity: never shorter for more chips, the closest row counts, what is refused is said to be."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, CapacityWait, CostInput, Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.sellers.waits import (
    NO_WAIT,
    Wait,
    holds_for,
    refused_from,
    rows_by_size,
    seller_class,
    wait_of,
)
from core.workload.profile import PURCHASE_WORDS, PurchaseModel
from tests.core.own_samples import own_server

CATALOGUE = load_catalogue()
SELLERS = sorted({*CATALOGUE.seller_by_provider, "a-new-cloud"})
CHIPS = sorted(CATALOGUE.accelerator_by_id)
RENTED: list[PurchaseModel] = [way for way in PURCHASE_WORDS if way != "owned"]  # type: ignore[misc]
SERVER = next(one for one in CATALOGUE.servers if not one.in_house)
SOLD = sorted(
    {(one.provider, one.accelerator_id, one.purchase_model) for one in CATALOGUE.offers if one.provider != OWN}
)
SIZES = (1, 8, 9, 16, 64, 65, 512, 513, 4096)


def _rented(seller: str, chip: str, way: PurchaseModel, n_chips: int) -> Wait:
    offered = {"provider": seller, "accelerator_id": chip, "purchase_model": way}
    return wait_of(CATALOGUE, CATALOGUE.offers[0].model_copy(update=offered), n_chips)


def _bought(chip: str, n_chips: int) -> Wait:
    offered = {"provider": OWN, "instance": SERVER.instance, "accelerator_id": chip, "purchase_model": "owned"}
    return wait_of(CATALOGUE, CATALOGUE.offers[0].model_copy(update=offered), n_chips)


@given(st.sampled_from(SELLERS), st.sampled_from(CHIPS), st.sampled_from(RENTED))
def test_more_chips_never_wait_less(seller: str, chip: str, way: PurchaseModel) -> None:
    spans = [_rented(seller, chip, way, size).days for size in SIZES]
    for fewer, more in zip(spans, spans[1:], strict=False):
        assert fewer.low <= more.low and fewer.likely <= more.likely and fewer.high <= more.high
    assert spans[0].likely < spans[-1].likely


@given(st.sampled_from(SELLERS), st.sampled_from(CHIPS), st.sampled_from(RENTED), st.sampled_from(SIZES))
def test_every_wait_has_a_source(seller: str, chip: str, way: PurchaseModel, size: int) -> None:
    wait = _rented(seller, chip, way, size)
    assert wait.source in CATALOGUE.sources and wait.as_of
    assert wait.estimate or wait.source != "GUESS"
    assert wait.days.likely < 999


@given(st.sampled_from(CHIPS))
def test_larger_orders_of_servers_take_longer(chip: str) -> None:
    spans = [_bought(chip, size).days.likely for size in SIZES]
    assert spans == sorted(spans) and spans[0] > 0


def test_the_row_of_a_seller_counts_for_him() -> None:
    """Hyperstack had H100 in 98 % of reads, Verda in 40 %; another seller of the class is taken at the worse."""
    days = {name: _rented(name, "h100-sxm", "on_demand", 8).days.likely for name in SELLERS}
    assert days["hyperstack"] == pytest.approx(0.02)
    assert days["verda"] == 1.0 and days["hotaisle"] == 1.0


def test_a_quota_is_asked_for_meanwhile() -> None:
    """L4 machines at GCP are there at once, the quota takes two days."""
    assert _rented("gcp", "l4", "on_demand", 1).days.likely == 2.0


def test_above_self_service_a_contract_is_waited_for() -> None:
    """Hyperstack lets 8 chips without a contract; a contract for 16 H100 takes at least as long as one for a year."""
    contract = _rented("hyperstack", "h100-sxm", "commit_1y", 16)
    assert _rented("hyperstack", "h100-sxm", "on_demand", 16).days.likely >= contract.days.likely > 1


def test_a_row_of_the_seller_for_larger_orders_of_the_chip_comes_before_the_contract() -> None:
    """GCP lets 8 chips of any kind at once. For TPU v5e and v6e a row has up to 512 on demand in 21 days: no contract,
    for fewer neither; from 513 on one. Of the scarcer v5p and TPU7x no row says so: they wait for the contract."""
    sizes = (8, 9, 64, 65, 512, 513)
    for chip in ("tpu-v5e", "tpu-v6e"):
        assert [_rented("gcp", chip, "on_demand", size).days.likely for size in sizes] == [2, 5, 5, 21, 21, 90]
    for chip in ("tpu-v5p", "tpu7x"):
        assert [_rented("gcp", chip, "on_demand", size).days.likely for size in sizes] == [2, 30, 30, 45, 45, 120]


def test_a_row_with_a_longer_wait_than_the_contract_s_lets_nothing_without_one() -> None:
    """Azure's hundreds of MI300X take 90 days on demand: dozens still wait the 30 of a contract."""
    assert [_rented("azure", "mi300x", "on_demand", size).days.likely for size in (9, 65)] == [30, 90]


NOTHING_LISTED = ("No listed offer", "No listed server")
KEPT = (*NOTHING_LISTED, "For chips and sellers without a row of their own")
"""Why a row is kept by which nothing waits that the catalogue lists."""


@cache
def _deciding(provider: str, chip: str, way: PurchaseModel, with_quota: bool) -> set[CapacityWait]:
    found, longest = set[CapacityWait](), [0.0, 0.0, 0.0]
    for listed in rows_by_size(CATALOGUE, provider, chip, way).values():
        rows = [row for row in listed if with_quota or row.way != "quota"]
        spans = [(row.low_days, row.likely_days, row.high_days) for row in rows]
        longest = [max(ends) for ends in zip(longest, *spans, strict=True)]
        found |= {row for row, span in zip(rows, spans, strict=True) if any(map(float.__eq__, span, longest))}
    return found


def _is_reached(row: CapacityWait) -> bool:
    """True where something listed waits by a row at one end at least, or is refused by it. A quota is asked for
    meanwhile: one that takes longer does not make a row of the capacity idle."""
    if row.seller_class == "own":
        return any(holds_for(row.chips, server.accelerator_id) for server in CATALOGUE.servers)
    if row.refused:
        return any(refused_from(CATALOGUE, *sold) == row for sold in SOLD)
    return any(row in _deciding(*sold, row.way == "quota") for sold in SOLD)


def test_every_row_is_reached_by_an_offer_or_says_why_it_is_kept() -> None:
    for row in CATALOGUE.waits:
        assert not row.note.startswith(NOTHING_LISTED) if _is_reached(row) else row.note.startswith(KEPT), row


def test_what_a_row_refuses() -> None:
    """Crusoe lets H100 as reservations only; spot in hundreds is not to be planned with."""
    never = refused_from(CATALOGUE, "crusoe", "h100-sxm", "on_demand")
    assert never is not None and never.from_chips == 1
    assert refused_from(CATALOGUE, "crusoe", "l40s", "on_demand") is None
    assert refused_from(CATALOGUE, "lambda", "h100-sxm", "on_demand") is None
    spot = refused_from(CATALOGUE, "aws", "h100-sxm", "spot")
    assert spot is not None and spot.from_chips == 65
    assert refused_from(CATALOGUE, "aws", "t4", "spot") is None


def test_classes() -> None:
    assert seller_class(CATALOGUE, OWN) == "own"
    assert seller_class(CATALOGUE, "aws") == "hyperscaler"
    assert seller_class(CATALOGUE, "a-new-cloud") == "ai_cloud"


def _with_lead_time(low: float | None, typical: float | None, high: float | None) -> Catalogue:
    row = CostInput(
        name="lead_time", scope="any", low=low, typical=typical, high=high, unit="weeks", source="T", as_of="",
        estimate=False,
    )  # fmt: skip
    rows = tuple(one for one in CATALOGUE.cost_inputs if one.name != "lead_time")
    ordered = own_server("to-buy").model_copy(update={"in_house": False})
    return replace(CATALOGUE, cost_inputs=(*rows, row), servers=(own_server("there"), ordered))


def _offer(instance: str, provider: str = OWN) -> Offer:
    return CATALOGUE.offers[0].model_copy(
        update={"instance": instance, "provider": provider, "purchase_model": "owned", "accelerator_id": "trn2"}
    )


@pytest.mark.parametrize(
    ("weeks", "days"),
    [
        ((4.0, 16.0, 44.0), (28.0, 112.0, 308.0)),
        ((None, 16.0, None), (112.0, 112.0, 112.0)),
        ((0.0, 2.0, 3.0), (0.0, 14.0, 21.0)),
    ],
)
def test_bought_servers_are_delivered_first(
    weeks: tuple[float | None, float | None, float | None], days: tuple[float, float, float]
) -> None:
    wait = wait_of(_with_lead_time(*weeks), _offer("to-buy"), 8).days
    assert (wait.low, wait.likely, wait.high) == days


def test_what_is_in_the_house_is_there() -> None:
    book = _with_lead_time(4.0, 16.0, 44.0)
    assert wait_of(book, _offer("there"), 64) == wait_of(book, _offer("unknown"), 64) == NO_WAIT


def test_a_chip_with_a_row_of_its_own_is_delivered_by_it() -> None:
    """RTX 5090 in 21 days; hundreds of H100 in 300 days and 25 of testing."""
    assert _bought("rtx5090", 8).days.likely == 21.0
    assert _bought("h100-sxm", 128).days.likely == 325.0
