"""No row is lost: each is in an offer or left out with its number and a reason."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.catalogue.checks.consistency import offer_problems
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import OwnEntries, layered
from core.catalogue.price_lists.changes import changes, entries_of, taken_over
from core.catalogue.price_lists.hosts import NO_COUNT, NO_MACHINE_NAME, NOT_WHOLE, OTHERWISE, UNKNOWN_CHIP
from core.catalogue.price_lists.offers import IMPLAUSIBLE
from core.catalogue.price_lists.price_list import PriceList, by_reason
from core.catalogue.price_lists.quote import FREE, NO_ACCELERATOR, NO_PRICE, NOT_A_PRICE
from core.catalogue.price_lists.read import REPEATED, read_price_list
from core.catalogue.price_lists.skypilot import _nvme_tb
from core.errors import InputError

Read = Callable[..., PriceList]

COLUMNS = (
    "InstanceType", "AcceleratorName", "AcceleratorCount", "vCPUs", "MemoryGiB", "GpuInfo", "Region",
    "AvailabilityZone", "Price", "SpotPrice",
)  # fmt: skip
CELLS = {
    "InstanceType": [
        "",
        "p5.48xlarge",
        "a2-highgpu-4g",
        "a3-highgpu-8g",
        "box",
        "crate-sxm",
        "n1-standard-8",
        "TPU-VM",
    ],
    "AcceleratorName": [
        "",
        "H100",
        "A100",
        "A100-80GB",
        "T4",
        "K80",
        "tpu-v6e-8",
        "tpu-v5p-8",
        "tpu-v5p-7",
        "v2-8",
        "9",
    ],
    "AcceleratorCount": ["", "1", "8.0", "4", "0.5", "12", "many", "0", "-1", "nan", "inf"],
    "vCPUs": ["", "12.0", "?"],
    "MemoryGiB": ["", "85.5", "nan"],
    "GpuInfo": ["", "tpu-v6e-8", "{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]}", "{", '{"Gpus": [{"Name": null}]}'],
    "Region": ["", "us-east5", "US-East5", "r\nn"],
    "AvailabilityZone": ["", "us-east5-a", "us-east5-b"],
    "Price": ["", "2.5", "21.6", "700.0", "55.04", "1e9", "cheap", "-3", "0", "inf", "nan"],
    "SpotPrice": ["", "1.5", "21.6", "700.0", "99"],
}
ROW = st.fixed_dictionaries({name: st.sampled_from(CELLS[name]) for name in COLUMNS})


def _text(rows: list[dict[str, str]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


@pytest.mark.parametrize("provider", ["gcp", "aws", "runpod", "cudo"])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(ROW, min_size=1, max_size=25))
def test_rows_are_those_of_offers_and_those_left_out(tmp_path: Path, provider: str, rows: list[dict[str, str]]) -> None:
    path = tmp_path / "vms.csv"
    path.write_text(_text(rows), encoding="utf-8", newline="")
    catalogue = load_catalogue()
    price_list = read_price_list(path, provider, "", catalogue)
    taken = {row for used in price_list.rows_by_offer.values() for _, row in used}
    skipped = [row.row for row in price_list.skipped]
    filled = {number for number, row in enumerate(rows, start=2) if any(map(str.strip, row.values()))}
    assert len(skipped) == len(set(skipped))
    assert taken | set(skipped) == filled
    assert not taken & set(skipped)
    assert price_list.n_rows == price_list.n_taken + len(price_list.skipped) == len(filled)
    assert all(row.reason and row.what for row in (*price_list.skipped, *price_list.left_out))
    assert set(price_list.rows_by_offer) == {offer.id for offer in price_list.offers}
    assert {flag.offer_id for flag in price_list.flags} <= set(price_list.rows_by_offer)
    after = taken_over(catalogue, changes(catalogue, price_list.offers), path.name, price_list.hosts)
    assert [str(problem) for problem in offer_problems(price_list.offers, after, path.name)] == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(prices=st.dictionaries(st.sampled_from(["r1", "r2", "r3", "r4"]), st.floats(0.01, 199), min_size=1))
def test_prices_come_back_as_they_were_written(tmp_path: Path, prices: dict[str, float]) -> None:
    path = tmp_path / "vms.csv"
    row = dict.fromkeys(COLUMNS, "") | {"InstanceType": "box", "AcceleratorName": "L4", "AcceleratorCount": "1"}
    path.write_text(_text([{**row, "Region": region, "Price": repr(usd)} for region, usd in prices.items()]), "utf-8")
    price_list = read_price_list(path, "cudo", "2026-11-01", load_catalogue())
    assert {offer.region: offer.usd_per_host_hour for offer in price_list.offers} == prices


HEADER = ",".join(COLUMNS) + "\n"


def test_each_reason_has_its_rows(read: Read) -> None:
    text = HEADER + (
        "m5.large,,,2,8,,r,r-a,0.1,\n"
        "x,K80,1,4,61,,r,r-a,0.9,0.3\n"
        "p5.48xlarge,H100,8,192,2048,,r,r-a,,\n"
        "p5.48xlarge,H100,8,192,2048,,r,r-b,cheap,-1\n"
        "p5.48xlarge,H100,8,192,2048,,r,r-c,1e9,\n"
        "y,H100,0.5,4,61,,r,r-a,1,\n"
        "y,H100,,4,61,,r,r-b,1,\n"
        ",H100,8,4,61,,r,r-b,1,\n"
        "x,K80,1,4,61,,r,r-a,0.9,0.3\n"
    )
    price_list = read(text, "aws")
    assert [(row.row, row.reason) for row in price_list.skipped] == [
        (2, NO_ACCELERATOR), (3, UNKNOWN_CHIP), (4, NO_PRICE), (5, NOT_A_PRICE), (6, IMPLAUSIBLE), (7, NOT_WHOLE),
        (8, NO_COUNT), (9, NO_MACHINE_NAME), (10, REPEATED),
    ]  # fmt: skip
    assert price_list.skipped[-1].what == "row 3"
    assert by_reason(price_list.skipped)[0][1] == 1
    assert (UNKNOWN_CHIP, 1, ("K80",)) in by_reason(price_list.skipped)


def test_unknown_machine_becomes_a_host_as_most_rows_say(read: Read) -> None:
    row = "p9.48xlarge,{},{},192.0,2048.0,,{},,50,\n"
    header = HEADER.strip() + ",LocalDiskType,LocalDiskSize,LocalDiskCount\n"
    rows = [("B200", "8.0", "r1"), ("B200", "12", "r2"), ("B200", "8", "r3")]
    price_list = read(header + "".join(row.format(*one).strip() + ",ssd,3800.0,8.0\n" for one in rows), "aws")
    [host] = price_list.hosts
    assert (host.accelerator_id, host.n_chips, host.n_vcpu, host.ram_gb) == ("b200-sxm", 8, 192, 2048.0)
    assert (host.local_nvme_tb, host.source, host.as_of, host.origin) == (
        30.4,
        "file:aws/vms.csv",
        "2026-11-20",
        "added",
    )
    assert "calls its accelerator B200" in host.note
    assert [(r.row, r.reason) for r in price_list.skipped] == [(3, OTHERWISE)]
    assert {offer.region for offer in price_list.offers} == {"r1", "r3"}


SIZED = (
    "2x-A100_SXM4,A100,2,32,64.0,\"{{'Gpus': [{{'Count': 2, 'MemoryInfo': {{'SizeInMiB': {}}}}}]}}\",{},0.00,\"{}\"\n"
)
VAST = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region\n" + "".join(
    SIZED.format(*one) for one in ((163840, 1.87, "Oslo, NO"), (81920, 1.8, ", DE, EU"), (163840, 1.9, ", US, NA"))
)


def test_machines_of_one_name_and_several_chips_are_told_apart(read: Read) -> None:
    price_list = read(VAST, "vast")
    assert {host.instance: (host.accelerator_id, host.n_chips) for host in price_list.hosts} == {
        "2x-A100_SXM4": ("a100-sxm-80", 2),
        "2x-A100_SXM4 A100 40 GB SXM": ("a100-sxm-40", 2),
    }
    assert {offer.region: offer.accelerator_id for offer in price_list.offers} == {
        "Oslo, NO": "a100-sxm-80",
        "US, NA": "a100-sxm-80",
        "DE, EU": "a100-sxm-40",
    }
    assert {row.reason for row in price_list.left_out} == {FREE}
    assert {flag.reason for flag in price_list.flags if "accelerator" in flag.reason} == set()


def test_list_read_again_over_what_it_gave_changes_nothing(read: Read, tmp_path: Path) -> None:
    first = read(VAST, "vast")
    after = layered(load_catalogue(), entries_of(changes(load_catalogue(), first.offers), first.hosts))
    again = read_price_list(tmp_path / "vms.csv", "vast", "2026-11-20", after)
    assert again.hosts == ()
    found = changes(after, again.offers)
    assert (found.new, found.changed, found.n_same) == ((), (), 3)


def test_chip_that_the_user_added_is_found_by_its_name(read: Read, tmp_path: Path) -> None:
    text = HEADER + "p2.xlarge,K80,1,4,61,,r,r-a,0.9,0.3\n"
    assert [row.what for row in read(text, "aws").skipped] == ["K80"]
    chip = (
        load_catalogue().accelerator_by_id["t4"].model_copy(update={"id": "my-k80", "short_name": "K80", "name": "K80"})
    )
    mine = layered(load_catalogue(), OwnEntries(accelerators=(chip,)))
    price_list = read_price_list(tmp_path / "vms.csv", "aws", "", mine)
    assert {offer.accelerator_id for offer in price_list.offers} == {"my-k80"}
    assert price_list.skipped == ()


def test_zones_become_the_middle_price_that_a_zone_asks(read: Read) -> None:
    row = "p5.48xlarge,H100,8,192,2048,,r,r-{},{},{}\n"
    prices = [("a", 60, 20), ("b", 60, 30), ("c", 60, 21), ("d", 60, "")]
    price_list = read(HEADER + "".join(row.format(*one) for one in prices), "aws")
    usd = {offer.purchase_model: (offer.usd_per_host_hour, offer.note) for offer in price_list.offers}
    assert usd == {
        "on_demand": (60.0, "The same in 4 zones."),
        "spot": (21.0, "The middle of 3 prices, 20 to 30 USD: the cheapest zone may be full."),
    }
    assert [len(rows) for rows in price_list.rows_by_offer.values()] == [4, 3]


def test_day_is_checked(read: Read) -> None:
    for day in ("2026-11-20", "2026-11", "", "unknown"):
        read(HEADER, "aws", as_of=day)
    for day in ("yesterday", "20.11.2026", "2026-13-01", "2026-02-30", "2026"):
        with pytest.raises(InputError, match="day of the prices"):
            read(HEADER, "aws", as_of=day)


@pytest.mark.parametrize(
    ("size", "count", "kind", "nvme_tb"),
    [("960", "8", "NVMe", 7.68), ("375", "2", "ssd", 0.75), ("960", "8", "hdd", None), ("", "8", "ssd", None),
     ("960", "", "ssd", None), ("0", "8", "ssd", None), ("960", "8", "", None)],
)  # fmt: skip
def test_flash_of_a_host_is_that_of_all_its_disks(size: str, count: str, kind: str, nvme_tb: float | None) -> None:
    assert _nvme_tb({"LocalDiskSize": size, "LocalDiskCount": count, "LocalDiskType": kind}) == nvme_tb
