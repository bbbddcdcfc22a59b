"""Where sources disagree, both values are kept and hang on the row that they are about."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.catalogue.checks.consistency import problems
from core.catalogue.conflicts import conflicts_of, live_conflicts
from core.catalogue.loading import load_catalogue, read_catalogue
from core.catalogue.own.layers import OwnEntries, layered
from tests.core.own_samples import faster

Put = Callable[[str, int, str, str], None]


@pytest.mark.parametrize(
    ("table", "row", "field", "used", "other"),
    [
        ("accelerators", "tpu-v5p", "link_gbps_one_way", "100", "90"),
        ("accelerators", "tpu-v6e", "link_gbps_one_way", "100", "90"),
        ("accelerators", "tpu7x", "link_gbps_one_way", "100", "90"),
        ("accelerators", "tpu-v5e", "link_gbps_one_way", "50", "45"),
        ("accelerators", "tpu-v3", "bf16_tflops", "123", "140"),
        ("accelerators", "tpu-v5p", "memory_bandwidth_gbps", "2765", "2460"),
        ("accelerators", "b200-sxm", "memory_gb", "180", "192"),
        ("accelerators", "b200-sxm", "memory_bandwidth_gbps", "8000", "7700"),
        ("accelerators", "b300-sxm", "int8_tops", "153.5", "4500"),
        ("accelerators", "gb300", "int8_tops", "165", "5000"),
        ("accelerators", "b300-sxm", "fp4_tflops", "14000", "12600"),
        ("accelerators", "gaudi3", "bf16_tflops", "1677", "1835"),
        ("accelerators", "mi325x", "memory_gb", "256", "288"),
        ("accelerators", "mi300x", "memory_bandwidth_gbps", "5300", "10300"),
        ("accelerators", "mi250x", "int8_tops", "383", "766"),
        ("accelerators", "trn2", "memory_bandwidth_gbps", "2900", "3000"),
        ("accelerators", "trn3", "memory_bandwidth_gbps", "4900", "4700"),
        ("offers", "aws_p5.48xlarge_us-east-1_on_demand", "usd_per_host_hour", "55.04", "80 to 98"),
        ("offers", "gcp_ct6e-standard-1t_us-east5_on_demand", "usd_per_chip_hour", "2.7", "700"),
        ("offers", "gcp_a4-highgpu-8g_us-east4_flex_start", "purchase_model", "flex_start", "calendar"),
        ("offers", "hyperstack_n3-h100-sxm5x8_us-1_on_demand", "usd_per_host_hour", "25.6", "19.2"),
        ("regions", "gcp asia-east2", "carbon_g_per_kwh", "505", "435"),
        ("regions", "gcp us-east5", "latitude_deg", "39.96", "Nebraska"),
        ("hosts", "azure Standard_ND96isr_H100_v5", "n_chips", "8", "12"),
        ("offers", "gcp_ct4p-hightpu-4t_us-central2_spot", "usd_per_chip_hour", "0.9215", "per host"),
        ("cost_inputs", "egress_internet runpod", "typical", "0", "0.09"),
    ],
)
def test_both_values_are_kept(table: str, row: str, field: str, used: str, other: str) -> None:
    found = [one for one in conflicts_of(load_catalogue(), table, row) if one.field == field]
    assert any(one.used.startswith(used) and other in one.other for one in found), found


def test_every_conflict_names_the_figure_in_use() -> None:
    catalogue = load_catalogue()
    assert live_conflicts(catalogue) == catalogue.conflicts
    assert all(one.used != one.other for one in catalogue.conflicts)


@pytest.mark.parametrize(
    ("column", "text", "field"),
    [
        ("table", "wheels", "table"),
        ("row", "h900", "row"),
        ("field", "beauty", "field"),
        ("used", "7 GB", "used"),
        ("used", "many GB", "used"),
    ],
)
def test_conflict_about_nothing_is_named(folder: Path, put: Put, column: str, text: str, field: str) -> None:
    put("conflicts", 2, column, text)
    assert [problem.where for problem in problems(read_catalogue(folder))] == [f"conflicts.csv, row 2, field {field}"]


def test_a_correction_of_ones_own_settles_the_conflict() -> None:
    shipped = load_catalogue()
    own = OwnEntries(accelerators=(faster(shipped, "b200-sxm"),))
    assert conflicts_of(shipped, "accelerators", "b200-sxm")
    assert conflicts_of(layered(shipped, own), "accelerators", "b200-sxm") == ()
    assert conflicts_of(layered(shipped, own), "accelerators", "b300-sxm")


def test_a_conflict_about_a_row_that_changed_is_over() -> None:
    shipped = load_catalogue()
    offers = tuple(offer for offer in shipped.offers if offer.id != "aws_p5.48xlarge_us-east-1_on_demand")
    left = live_conflicts(replace(shipped, offers=offers))
    assert len(left) == len(shipped.conflicts) - 1
