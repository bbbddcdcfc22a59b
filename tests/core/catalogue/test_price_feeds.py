"""Price files of other tools: what is known is read by name, the rest is counted with its reason."""

from pathlib import Path

import pytest

from core.catalogue.checks import offer_problems
from core.catalogue.load import load_catalogue
from core.catalogue.price_feeds import Feed, is_feed, read_feed
from core.errors import InputError

SKYPILOT = """\
Region,InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,AvailabilityZone
here-1,p5.48xlarge,H100,8.0,60,20,a
here-1,p5.48xlarge,H100,8.0,60,30,b
here-1,p5.48xlarge,H100,12,60,,c
here-1,m5.large,,,0.1,0.05,a
here-1,p9.huge,X100,8,500,,a
here-1,p5en.48xlarge,H200,8,9000,,a
there-2,p5en.48xlarge,H200,8,,25.5,a
there-2,p5e.48xlarge,H200,8,cheap,,a
"""
SKYPILOT_GCP = """\
InstanceType,AcceleratorName,AcceleratorCount,Region,AvailabilityZone,Price,SpotPrice
,tpu-v6e-8,1,us-east5,us-east5-a,16,8
,tpu-v5litepod-4,1,us-east5,us-east5-a,4,
,tpu-v5p-8,1,us-east5,us-east5-a,14,
,tpu-v5p-512,1,us-east5,us-east5-a,900,
a2-highgpu-1g,,,us-east5,us-east5-a,0.7,0.3
,A100,1,us-east5,us-east5-a,2.9,1.5
"""
GPUHUNT = """\
instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor
1H100.80S.32V,FIN-02,2.5,32,185,1,H100,80,False,,nvidia
1H100.80S.32V,FIN-02,0.9,32,185,1,H100,80,True,,nvidia
CPU.4V,FIN-02,0.1,4,16,0,,,False,,
"""


def _read(tmp_path: Path, text: str, provider: str) -> Feed:
    path = tmp_path / "prices.csv"
    path.write_text(text, encoding="utf-8")
    assert is_feed(path)
    return read_feed(path, provider, "2026-11-20", load_catalogue())


def _prices(feed: Feed) -> dict[tuple[str, str, str], float]:
    return {(one.instance, one.region, one.purchase_model): one.usd_per_host_hour for one in feed.offers}


def test_skypilot_zones_become_a_region_and_the_rest_is_counted(tmp_path: Path) -> None:
    feed = _read(tmp_path, SKYPILOT, "aws")
    assert _prices(feed) == {
        ("p5.48xlarge", "here-1", "on_demand"): 60,
        ("p5.48xlarge", "here-1", "spot"): 25,
        ("p5en.48xlarge", "there-2", "spot"): 25.5,
    }
    assert feed.skipped == {
        "another number of chips than the host has": 1,
        "no accelerator": 2,
        "host unknown to the catalogue": 1,
        "no plausible price": 1,
        "price or count is no number": 1,
    }


def test_tpu_names_count_chips_or_cores(tmp_path: Path) -> None:
    feed = _read(tmp_path, SKYPILOT_GCP, "gcp")
    assert _prices(feed) == {
        ("ct6e-standard-8t", "us-east5", "on_demand"): 16,
        ("ct6e-standard-8t", "us-east5", "spot"): 8,
        ("ct5lp-hightpu-4t", "us-east5", "on_demand"): 4,
        ("ct5p-hightpu-4t", "us-east5", "on_demand"): 14,
    }
    assert feed.skipped["accelerator priced apart from its machine"] == 2
    assert feed.skipped["no accelerator"] == 2


def test_gpuhunt_rows(tmp_path: Path) -> None:
    feed = _read(tmp_path, GPUHUNT, "verda")
    assert _prices(feed) == {("1H100.80S.32V", "FIN-02", "on_demand"): 2.5, ("1H100.80S.32V", "FIN-02", "spot"): 0.9}
    assert all(one.as_of == "2026-11-20" and one.source == "file:prices.csv" for one in feed.offers)


@pytest.mark.parametrize(("text", "provider"), [(SKYPILOT, "aws"), (SKYPILOT_GCP, "gcp"), (GPUHUNT, "verda")])
def test_what_is_found_fits_the_catalogue(tmp_path: Path, text: str, provider: str) -> None:
    offers = _read(tmp_path, text, provider).offers
    assert list(offer_problems(offers, load_catalogue(), "prices.csv")) == []


def test_unknown_provider_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found '', expected one of akash, aws, azure"):
        _read(tmp_path, SKYPILOT, "")
