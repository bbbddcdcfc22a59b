"""The header of every cloud, each column found by its name; the rows are those of the formats page."""

import csv
import io
import random
from collections.abc import Callable

import pytest

from core.catalogue.price_lists.price_list import PriceList

Read = Callable[..., PriceList]

AWS = (
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone,"
    "Arch,LocalDiskType,NVMeSupported,LocalDiskSize,LocalDiskCount"
)
HEADERS = {
    "gcp": (
        "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice"
    ),
    "aws": AWS,
    "aws nightly": AWS + ",MaximumEfaInterfaces",
    "lambda": "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice",
    "nebius": "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice",
    "oci": (
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone"
    ),
    "azure": "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,Generation",
    "hyperstack": "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,Region,SpotPrice",
    "verda": (
        "InstanceType,UpstreamCloudId,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,Price,SpotPrice"
    ),
    "runpod": (
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Region,SpotPrice,Price,AvailabilityZone,GpuInfo"
    ),
}
P5 = {
    "InstanceType": "p5.48xlarge", "AcceleratorName": "H100", "AcceleratorCount": "8.0", "vCPUs": "192.0",
    "MemoryGiB": "2048.0", "Price": "55.04", "SpotPrice": "18.734000", "Region": "us-east-1",
    "AvailabilityZone": "use1-az2", "Arch": "x86_64", "LocalDiskType": "ssd", "NVMeSupported": "True",
    "LocalDiskSize": "3800.0", "LocalDiskCount": "8.0", "MaximumEfaInterfaces": "32.0",
    "GpuInfo": "{'Gpus': [{'Name': 'H100', 'Manufacturer': 'NVIDIA', 'Count': 8, 'LogicalGpuCount': 8, "
    "'GpuPartitionSize': 1.0, 'Workloads': ['ml-ai'], 'MemoryInfo': {'SizeInMiB': 81920}}], "
    "'TotalGpuMemoryInMiB': 655360}",
}  # fmt: skip
ROWS = {
    "gcp": {
        "AcceleratorName": "tpu-v6e-8", "AcceleratorCount": "1", "GpuInfo": "tpu-v6e-8", "Region": "us-east5",
        "AvailabilityZone": "us-east5-a", "Price": "21.6", "SpotPrice": "10.206",
    },
    "aws": P5,
    "aws nightly": P5,
    "lambda": {
        "InstanceType": "gpu_8x_b200_sxm6", "AcceleratorName": "B200", "AcceleratorCount": "8.0", "vCPUs": "208.0",
        "MemoryGiB": "2900.0", "Price": "53.52", "Region": "us-east-1",
        "GpuInfo": "{'Gpus': [{'Name': 'B200', 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': 184320}}], "
        "'TotalGpuMemoryInMiB': 184320}",
    },
    "nebius": {
        "InstanceType": "gpu-h100-sxm_8gpu-128vcpu-1600gb", "AcceleratorName": "H100", "AcceleratorCount": "8",
        "vCPUs": "128", "MemoryGiB": "1600", "Price": "23.6", "Region": "eu-north1", "SpotPrice": "10",
    },
    "oci": {
        "InstanceType": "BM.GPU.H100.8", "AcceleratorName": "H100", "AcceleratorCount": "8", "vCPUs": "224",
        "MemoryGiB": "2048", "Price": "80", "Region": "eu-amsterdam-1", "AvailabilityZone": "eu-amsterdam-1-AD-1",
    },
    "azure": {
        "InstanceType": "Standard_ND96isr_H100_v5", "AcceleratorName": "H100", "AcceleratorCount": "8.0",
        "vCPUs": "96.0", "MemoryGiB": "1900.0", "Price": "98.32", "SpotPrice": "40", "Region": "eastus",
        "Generation": "V2",
    },
    "hyperstack": {
        "InstanceType": "n3-H100x8", "AcceleratorName": "H100-80G-PCIe", "AcceleratorCount": "8", "vCPUs": "252",
        "MemoryGiB": "1440.0", "Price": "15.2", "Region": "CANADA-1",
        "GpuInfo": "{'Gpus': [{'Name': 'H100-80G-PCIe', 'Manufacturer': null, 'MemoryInfo': {'SizeInMiB': 81920}}]}",
    },
    "verda": {
        "InstanceType": "1H100.80S.32V", "UpstreamCloudId": "1H100.80S.32V", "vCPUs": "32.0", "MemoryGiB": "185.0",
        "AcceleratorName": "H100", "AcceleratorCount": "1.0", "Region": "FIN-02", "Price": "2.29",
        "SpotPrice": "0.8015", "GpuInfo": '{"Gpus": [{"Name": "H100", "MemoryInfo": {"SizeInMiB": 81920}}]}',
    },
    "runpod": {
        "InstanceType": "1x_A100-80GB_SECURE", "AcceleratorName": "A100-80GB", "AcceleratorCount": "1.0",
        "vCPUs": "8.0", "MemoryGiB": "117.0", "Region": "JP", "AvailabilityZone": "AP-JP-1", "Price": "1.39",
        "SpotPrice": "0.9", "GpuInfo": "{'Gpus': [{'Name': 'A100 PCIe', 'MemoryInfo': {'SizeInMiB': 80}}]}",
    },
}  # fmt: skip
WANTED = {
    "gcp": ("ct6e-standard-8t", "tpu-v6e", 8, "us-east5", 21.6, 10.206),
    "aws": ("p5.48xlarge", "h100-sxm", 8, "us-east-1", 55.04, 18.734),
    "aws nightly": ("p5.48xlarge", "h100-sxm", 8, "us-east-1", 55.04, 18.734),
    "lambda": ("gpu_8x_b200_sxm6", "b200-sxm", 8, "us-east-1", 53.52, None),
    "nebius": ("gpu-h100-sxm_8gpu-128vcpu-1600gb", "h100-sxm", 8, "eu-north1", 23.6, 10.0),
    "oci": ("BM.GPU.H100.8", "h100-sxm", 8, "eu-amsterdam-1", 80.0, None),
    "azure": ("Standard_ND96isr_H100_v5", "h100-sxm", 8, "eastus", 98.32, 40.0),
    "hyperstack": ("n3-H100x8", "h100-pcie", 8, "CANADA-1", 15.2, None),
    "verda": ("1H100.80S.32V", "h100-sxm", 1, "FIN-02", 2.29, 0.8015),
    "runpod": ("1x_A100-80GB_SECURE", "a100-pcie-80", 1, "AP-JP-1", 1.39, 0.9),
}


def written(header: list[str], row: dict[str, str]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, header, restval="", extrasaction="ignore")
    writer.writeheader()
    writer.writerow(row)
    return file.getvalue()


def _told(price_list: PriceList) -> tuple[str, str, int, str, float | None, float | None]:
    [first, *_] = price_list.offers
    usd = {offer.purchase_model: offer.usd_per_host_hour for offer in price_list.offers}
    place = first.instance, first.accelerator_id, first.chips_per_host, first.region
    return *place, usd.get("on_demand"), usd.get("spot")


@pytest.mark.parametrize("cloud", HEADERS)
def test_header_of_each_cloud(read: Read, cloud: str) -> None:
    price_list = read(written(HEADERS[cloud].split(","), ROWS[cloud]), cloud.split()[0])
    assert _told(price_list) == WANTED[cloud]
    assert (price_list.skipped, price_list.left_out, price_list.hosts) == ((), (), ())
    assert (price_list.n_rows, price_list.n_taken) == (1, 1)


@pytest.mark.parametrize("cloud", HEADERS)
def test_columns_may_stand_anywhere_and_strangers_among_them(read: Read, cloud: str) -> None:
    header = [*HEADERS[cloud].split(","), "Colour", "Price2"]
    random.Random(cloud).shuffle(header)
    price_list = read(written(header, {**ROWS[cloud], "Colour": "red", "Price2": "1"}), cloud.split()[0])
    assert _told(price_list) == WANTED[cloud]


@pytest.mark.parametrize("gone", ["vCPUs", "MemoryGiB", "GpuInfo", "SpotPrice", "AvailabilityZone", "AcceleratorCount"])
def test_missing_column_is_empty(read: Read, gone: str) -> None:
    header = [name for name in AWS.split(",") if name != gone]
    told = _told(read(written(header, P5), "aws"))
    assert told == (*WANTED["aws"][:5], None if gone == "SpotPrice" else 18.734)


def test_cells_missing_at_the_end_are_empty(read: Read) -> None:
    price_list = read("InstanceType,AcceleratorName,Price,SpotPrice,Region\np5.48xlarge,H100,50\n", "aws")
    assert [(offer.usd_per_host_hour, offer.region) for offer in price_list.offers] == [(50.0, "any")]


def test_source_and_day_stand_on_every_offer(read: Read) -> None:
    price_list = read(written(AWS.split(","), P5), "aws")
    assert {(o.source, o.as_of, o.origin, o.estimate) for o in price_list.offers} == {
        ("file:aws/vms.csv", "2026-11-20", "added", False)
    }
    assert {offer.as_of for offer in read(written(AWS.split(","), P5), "aws", as_of="").offers} == {"undated"}
