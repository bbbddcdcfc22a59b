"""Where a check of the catalogue begins to refuse: the last value that passes and the first that does not."""

from __future__ import annotations

import pytest

from core.catalogue.checks.consistency import ROW_CHECKS
from core.catalogue.entries import Entry
from core.catalogue.loading import load_catalogue

CATALOGUE = load_catalogue()


def _complained_of(table: str, entry: Entry, **cells: object) -> list[str]:
    """The fields that are named where a shipped row has other values."""
    return [field for field, _, _ in ROW_CHECKS[table](entry.model_copy(update=cells), CATALOGUE)]


@pytest.mark.parametrize(
    ("table", "column", "passes", "refused"),
    [
        ("accelerators", "memory_gb", (0.5, None), (0.0,)),
        ("accelerators", "tdp_w", (1.0, None), (0.0, -1.0)),
        ("hosts", "n_vcpu", (0, 1, None), (-1,)),
        ("hosts", "ram_gb", (0.0, 0.5, None), (-0.5,)),
        ("hosts", "network_gbit_per_s", (0.0, None), (-1.0,)),
        ("servers", "n_chips", (1,), (0,)),
        ("servers", "power_kw", (0.0, 0.5, None), (-0.5,)),
        ("parts", "usd_per_hour", (0.01,), (0.0, 1e6)),
        ("price_spread", "lag_months", (1,), (0,)),
        ("price_spread", "log_spread", (0.01, 2.99), (0.0, 3.0)),
        ("offers", "usd_per_chip_hour", (), (0.0, 501.0)),
        ("regions", "latitude_deg", (-90.0, 90.0), (-90.5, 90.5)),
        ("regions", "longitude_deg", (-180.0, 180.0), (-180.5, 180.5)),
        ("regions", "carbon_g_per_kwh", (0.0, 2000.0, None), (-0.5, 2000.5)),
        ("regions", "pue", (1.0, 3.0, None), (0.99, 3.01)),
        ("regions", "carbon_free_share", (0.0, 1.0, None), (-0.01, 1.01)),
        ("formats", "speed_share", (0.01, 1.0, None), (0.0, 1.01)),
        ("sellers", "fabric_gbit_per_host", (0.0, None), (-0.5,)),
        ("sellers", "largest_cluster_chips", (0, None), (-1,)),
        ("sellers", "self_service_chips", (0, None), (-1,)),
        ("sellers", "min_cluster_days", (0, None), (-1,)),
        ("sellers", "sla_monthly_pct", (0.5, 100.0, None), (0.0, 100.5)),
    ],
)
def test_a_value_passes_up_to_its_edge(
    table: str, column: str, passes: tuple[object, ...], refused: tuple[object, ...]
) -> None:
    entry = getattr(CATALOGUE, table)[0]
    assert [column in _complained_of(table, entry, **{column: value}) for value in passes] == [False] * len(passes)
    assert [column in _complained_of(table, entry, **{column: value}) for value in refused] == [True] * len(refused)


def test_a_server_costs_between_its_ends() -> None:
    server = CATALOGUE.servers[0]
    usd = {"low_usd": 1.0, "typical_usd": 2.0, "high_usd": 3.0}
    for cells in (usd, {**usd, "low_usd": 0.0}, {**usd, "typical_usd": 1.0}, {**usd, "typical_usd": 3.0}):
        assert _complained_of("servers", server, **cells) == []
    for cells in ({**usd, "low_usd": -1.0}, {**usd, "typical_usd": 0.5}, {**usd, "typical_usd": 3.5}):
        assert _complained_of("servers", server, **cells) == ["typical_usd"]


def test_a_median_names_its_month_and_both_ends() -> None:
    point = next(one for one in CATALOGUE.price_history if one.seller_class)
    assert "low_usd" not in _complained_of("price_history", point)
    assert "low_usd" not in _complained_of("price_history", point, high_usd=point.low_usd)
    for cells in ({"low_usd": 0.0}, {"low_usd": None}, {"high_usd": None}, {"high_usd": 0.5 * (point.low_usd or 0)}):
        assert "low_usd" in _complained_of("price_history", point, **cells)
    assert "valid_until" in _complained_of("price_history", point, valid_until=None)
    for cells in ({"instance": "p5"}, {"region": "us"}, {"n_chips": 8}):
        assert "instance" in _complained_of("price_history", point, **cells)


def test_what_one_pays_nothing_for_is_ones_own_reservation() -> None:
    offer = CATALOGUE.offers[0].model_copy(update={"usd_per_host_hour": 0.0})
    assert _complained_of("offers", offer, usd_per_chip_hour=0.0, held_chips=8) == []
    assert _complained_of("offers", offer, usd_per_chip_hour=0.0, held_chips=None) == ["usd_per_chip_hour"]
    assert "usd_per_chip_hour" in _complained_of("offers", offer, usd_per_chip_hour=-1.0, held_chips=8)


def test_a_wait_grows_from_low_to_high_and_begins_at_a_chip() -> None:
    row = CATALOGUE.waits[0]
    days = {"low_days": 0.0, "likely_days": 0.0, "high_days": 0.0}
    assert _complained_of("waits", row, **days, from_chips=1) == []
    assert _complained_of("waits", row, from_chips=0) == ["from_chips"]
    for name, value in (("low_days", 1.0), ("likely_days", 1.0), ("low_days", -1.0)):
        assert _complained_of("waits", row, **{**days, name: value}) == ["likely_days"]
