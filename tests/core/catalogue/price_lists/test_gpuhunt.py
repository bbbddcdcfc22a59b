"""gpuhunt: a row a machine, place and way to pay, in two layouts, alone or in a zip."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.price_lists.files import sources_of
from core.catalogue.price_lists.gpuhunt import NO_WAY_TO_PAY
from core.catalogue.price_lists.hosts import NOT_WHOLE, OTHERWISE, UNKNOWN_CHIP
from core.catalogue.price_lists.price_list import IN_ANOTHER_TABLE, PriceList
from core.catalogue.price_lists.quote import FREE, NO_ACCELERATOR, NO_PRICE, NOT_A_PRICE
from core.catalogue.price_lists.read import read_price_list
from core.errors import InputError

Read = Callable[..., PriceList]

V1 = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor\n"
V2 = V1.strip() + ",flags,cpu_arch,provider_data\n"
OLD = V1.replace(",gpu_vendor", "")
VERDA = (
    "1H100.80S.32V,FIN-02,2.29,32,185.0,1,H100,80.0,False,,nvidia\n"
    "1H100.80S.32V,FIN-02,0.8015,32,185.0,1,H100,80.0,True,,nvidia\n"
)
LAMBDA = "gpu_8x_b200_sxm6,us-east-1,53.52,208,2900.0,8,B200,180.0,False,,nvidia\n"
GCP = "v6e-8,us-east5-a,21.6,180,1440.0,8,v6e,32.0,False,,google\n"


def _later(rows: str) -> str:
    """Rows of the later layout: flags, processor kind, the provider's own data."""
    return "".join(f'{row},spot reserved,x86,"{{""zone"": ""a,b""}}"\n' for row in rows.splitlines())


def _told(price_list: PriceList) -> list[tuple[str, str, str, str, float]]:
    return [(o.instance, o.accelerator_id, o.region, o.purchase_model, o.usd_per_host_hour) for o in price_list.offers]


WANTED = {
    "verda": [
        ("1H100.80S.32V", "h100-sxm", "FIN-02", "on_demand", 2.29),
        ("1H100.80S.32V", "h100-sxm", "FIN-02", "spot", 0.8015),
    ],
    "lambda": [("gpu_8x_b200_sxm6", "b200-sxm", "us-east-1", "on_demand", 53.52)],
    "gcp": [("ct6e-standard-8t", "tpu-v6e", "us-east5", "on_demand", 21.6)],
}
TEXT = {"verda": VERDA, "lambda": LAMBDA, "gcp": GCP}


@pytest.mark.parametrize("provider", WANTED)
@pytest.mark.parametrize("layout", [1, 2])
def test_rows_of_the_formats_page(read: Read, provider: str, layout: int) -> None:
    text = V1 + TEXT[provider] if layout == 1 else V2 + _later(TEXT[provider])
    price_list = read(text, provider, f"{provider}.csv")
    assert _told(price_list) == WANTED[provider]
    assert (price_list.skipped, price_list.hosts) == ((), ())
    assert {offer.source for offer in price_list.offers} == {f"file:{provider}.csv"}


def test_provider_is_the_name_of_the_file(read: Read) -> None:
    assert _told(read(V1 + LAMBDA, "", "lambdalabs.csv")) == WANTED["lambda"]


def test_tpu_without_a_column_for_makers(read: Read) -> None:
    text = OLD + "v5p-8,us-east5-a,16.8,208,448.0,4,tpu-v5p,95.0,False,\n"
    assert _told(read(text, "gcp")) == [("ct5p-hightpu-4t", "tpu-v5p", "us-east5", "on_demand", 16.8)]


def test_row_without_maker_is_nvidia(read: Read) -> None:
    text = OLD + "p5.48xlarge,us-east-1,55.04,192,2048,8,H100,80,False,\n"
    assert _told(read(text, "aws")) == [("p5.48xlarge", "h100-sxm", "us-east-1", "on_demand", 55.04)]


def test_memory_tells_a100_apart_and_the_instance_the_form(read: Read) -> None:
    rows = (
        "box-40,here,1.5,12,85,1,A100,40.0,False,,nvidia\nbox-80,here,2.5,12,85,1,A100,80.0,False,,nvidia\n"
        "box-80-pcie,here,2.0,12,85,1,A100,80.0,False,,nvidia\ngpu_4x_a100_sxm4,here,9,48,400,4,A100,40.0,False,,nvidia\n"
    )
    price_list = read(V1 + rows, "crusoe", "crusoe.csv")
    assert {host.instance: host.accelerator_id for host in price_list.hosts} == {
        "box-40": "a100-sxm-40",
        "box-80": "a100-sxm-80",
        "box-80-pcie": "a100-pcie-80",
        "gpu_4x_a100_sxm4": "a100-sxm-40",
    }
    assert {host.instance for host in price_list.hosts if host.estimated_fields} == {"box-40", "box-80"}
    guessed = {flag.offer_id for flag in price_list.flags if "which form" in flag.reason}
    assert guessed == {"crusoe_box-40_here_on_demand", "crusoe_box-80_here_on_demand"}


def test_rows_that_are_left_out_say_why(read: Read) -> None:
    rows = (
        "cpu-4,here,0.1,4,16,0,,,False,,\n"
        "a,here,1,4,16,1,K80,12.0,False,,nvidia\n"
        "b,here,1,4,16,1,H100,80.0,maybe,,nvidia\n"
        "c,here,,4,16,1,H100,80.0,False,,nvidia\n"
        "d,here,cheap,4,16,1,H100,80.0,False,,nvidia\n"
        "e,here,1,4,16,0.5,H100,80.0,False,,nvidia\n"
        "f,here,0,4,16,1,H100,80.0,False,,nvidia\n"
    )
    price_list = read(V1 + rows, "crusoe")
    reasons = [NO_ACCELERATOR, UNKNOWN_CHIP, NO_WAY_TO_PAY, NO_PRICE, NOT_A_PRICE, NOT_WHOLE, FREE]
    assert [row.reason for row in price_list.skipped] == reasons
    assert [row.row for row in price_list.skipped] == list(range(2, 9))
    assert price_list.skipped[1].what == "K80"
    assert price_list.offers == ()
    assert price_list.hosts == ()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "catalog.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, rows in (("verda.csv", VERDA), ("v3/lambdalabs.csv", LAMBDA), ("gcp.csv", GCP)):
            file.writestr(zipfile.ZipInfo(name, (2026, 10, 13, 1, 2, 4)), V2 + _later(rows))
        file.writestr("version", "20261013")
        file.writestr("notes.csv", "a,b\n1,2\n")
        file.writestr("__MACOSX/gcp.csv", "junk")
    return path


def test_zip_holds_a_table_a_provider(archive: Path) -> None:
    assert [(one.name, one.provider, one.n_rows, one.day) for one in sources_of(archive)] == [
        ("verda.csv", "verda", 2, "2026-10-13"),
        ("v3/lambdalabs.csv", "lambda", 1, "2026-10-13"),
        ("gcp.csv", "gcp", 1, "2026-10-13"),
    ]


def test_zip_is_read_whole_or_by_provider_or_by_table(archive: Path) -> None:
    catalogue = load_catalogue()
    whole = read_price_list(archive, "", "2026-10", catalogue)
    assert sorted(_told(whole)) == sorted([*WANTED["verda"], *WANTED["lambda"], *WANTED["gcp"]])
    assert (whole.n_rows, whole.n_taken) == (4, 4)
    assert _told(read_price_list(archive, "lambda", "", catalogue)) == WANTED["lambda"]
    assert _told(read_price_list(archive, "", "", catalogue, ["gcp.csv", "verda.csv"])) == [
        *WANTED["verda"],
        *WANTED["gcp"],
    ]
    with pytest.raises(InputError, match="no table of azure, expected one of verda.csv"):
        read_price_list(archive, "azure", "", catalogue)


def test_zip_may_hold_a_provider_that_is_new(tmp_path: Path) -> None:
    path = tmp_path / "catalog.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("tensordock.csv", V1 + "h100-sxm5,de,2.5,32,185,1,H100,80,False,,nvidia\n")
        file.writestr("verda.csv", V1 + VERDA)
    price_list = read_price_list(path, "", "", load_catalogue())
    assert {host.provider for host in price_list.hosts} == {"tensordock"}
    assert {offer.provider for offer in price_list.offers} == {"tensordock", "verda"}


def test_newest_of_several_versions_counts(tmp_path: Path) -> None:
    path = tmp_path / "catalogs.zip"
    header = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"
    old = "p5.48xlarge,H100,8,98.32,30,us-east-1\nbox-sxm,H100,8,90,,us-east-1\n"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("catalogs/v8/aws/vms.csv", header + old)
        file.writestr("catalogs/v10/aws/vms.csv", header + "p5.48xlarge,H100,8,55.04,,us-east-1\n")
        file.writestr("catalogs/v9/aws/vms.csv", header + "box-sxm,H100,8,80,,us-east-1\n")
        file.writestr(
            "catalogs/v7/aws/vms.csv", header + "box-sxm,H100,4,40,,us-east-2\nbox-sxm,H100,8,81,,us-west-1\n"
        )
    price_list = read_price_list(path, "", "", load_catalogue())
    prices = [(offer.instance, offer.purchase_model, offer.usd_per_host_hour) for offer in price_list.offers]
    assert prices == [
        ("p5.48xlarge", "on_demand", 55.04),
        ("box-sxm", "on_demand", 80.0),
        ("p5.48xlarge", "spot", 30.0),
    ]
    assert [(row.row, row.reason, row.source) for row in price_list.skipped] == [
        (3, IN_ANOTHER_TABLE, "catalogs/v8/aws/vms.csv"),
        (3, OTHERWISE, "catalogs/v7/aws/vms.csv"),
        (2, IN_ANOTHER_TABLE, "catalogs/v7/aws/vms.csv"),
    ]
    assert [(host.instance, host.n_chips) for host in price_list.hosts] == [("box-sxm", 8)]
    assert price_list.n_rows == price_list.n_taken + len(price_list.skipped) == 6
