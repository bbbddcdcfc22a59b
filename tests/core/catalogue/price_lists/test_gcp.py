"""GCP: a machine is its VM and its accelerators; TPU rows cover a slice."""

from collections.abc import Callable

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.price_lists.gcp import ANOTHER_PRICE, FLEX_DOUBT, NO_MACHINE, NO_PART, accelerators_of
from core.catalogue.price_lists.hosts import ODD_CORES
from core.catalogue.price_lists.offers import PLACEHOLDER
from core.catalogue.price_lists.price_list import PriceList
from core.catalogue.price_lists.quote import NO_ACCELERATOR

Read = Callable[..., PriceList]

HEADER = (
    "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n"
)
PAGE = HEADER + (
    "a2-highgpu-1g,12.0,85.0,,,,us-central1,us-central1-a,0.73948,0.38812\n"
    ",,,A100,1,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]},us-central1,us-central1-a,2.93391,1.5399\n"
    ",,,tpu-v5litepod-8,1,tpu-v5litepod-8,us-west4,us-west4-a,9.6,4.2029\n"
    ",,,tpu-v6e-8,1,tpu-v6e-8,us-east5,us-east5-a,21.6,10.206\n"
)


def _prices(price_list: PriceList) -> dict[tuple[str, str, str], float]:
    return {(o.instance, o.region, o.purchase_model): pytest.approx(o.usd_per_host_hour) for o in price_list.offers}


def _reasons(price_list: PriceList) -> dict[int, str]:
    return {row.row: row.reason for row in price_list.skipped}


def test_rows_of_the_formats_page(read: Read) -> None:
    price_list = read(PAGE, "gcp")
    assert _prices(price_list) == {
        ("a2-highgpu-1g", "us-central1", "on_demand"): 0.73948 + 2.93391,
        ("a2-highgpu-1g", "us-central1", "spot"): 0.38812 + 1.5399,
        ("ct5lp-hightpu-8t", "us-west4", "on_demand"): 9.6,
        ("ct5lp-hightpu-8t", "us-west4", "spot"): 4.2029,
        ("ct6e-standard-8t", "us-east5", "on_demand"): 21.6,
        ("ct6e-standard-8t", "us-east5", "spot"): 10.206,
    }
    assert {o.instance: o.usd_per_chip_hour for o in price_list.offers if o.purchase_model == "on_demand"} == {
        "a2-highgpu-1g": pytest.approx(3.67339),
        "ct5lp-hightpu-8t": pytest.approx(1.2),
        "ct6e-standard-8t": pytest.approx(2.7),
    }
    assert (price_list.skipped, price_list.hosts, price_list.n_taken) == ((), (), 4)


def test_rows_of_the_page_agree_with_the_shipped_catalogue(read: Read) -> None:
    shipped = {offer.id: offer.usd_per_host_hour for offer in load_catalogue().offers}
    told = [offer for offer in read(PAGE, "gcp").offers if offer.id in shipped]
    assert len(told) == 6
    for offer in told:
        assert shipped[offer.id] == pytest.approx(offer.usd_per_host_hour, rel=1e-4)


def test_a3_machine_agrees_with_the_shipped_catalogue(read: Read) -> None:
    text = (
        "a3-highgpu-8g,208,1872,,,,us-east4,us-east4-a,9.46006,3.68077\n"
        ",,,H100,8,,us-east4,us-east4-a,78.37241,30.4792\n"
    )
    price_list = read(HEADER + text, "gcp")
    shipped = {offer.id: offer.usd_per_host_hour for offer in load_catalogue().offers}
    assert [shipped[offer.id] for offer in price_list.offers] == [
        pytest.approx(offer.usd_per_host_hour, rel=1e-5) for offer in price_list.offers
    ]
    assert price_list.flags == ()


@pytest.mark.parametrize(
    ("machine", "chip", "place", "usd"),
    [
        ("a3-highgpu-8g", "H100", "asia-northeast1", (12.14861, 33.60609)),
        ("a3-highgpu-8g", "H100", "europe-west9", (10.97367, 33.60609)),
        ("a3-ultragpu-8g", "H200", "us-east5", (13.81519, 36.60258)),
        ("a3-megagpu-8g", "H100-MEGA", "us-east5", (10.65487, 35.39149)),
        ("a2-ultragpu-8g", "A100-80GB", "us-east4", (9.90664, 16.63498)),
        ("a4-highgpu-8g", "B200", "us-west3", (0.0, 64.44)),
        ("a4-highgpu-8g", "B200", "us-south1", (0.0, 90.216)),
    ],
)
def test_flex_start_and_calendar_prices_of_real_lists_are_flagged(
    read: Read, machine: str, chip: str, place: str, usd: tuple[float, float]
) -> None:
    text = f"{machine},208,1872,,,,{place},{place}-a,{usd[0]},\n,,,{chip},8,,{place},{place}-a,{usd[1]},\n"
    price_list = read(HEADER + text, "gcp")
    assert [offer.quality for offer in price_list.offers] == ["suspect"]
    assert any("another way to pay?" in flag.reason for flag in price_list.flags)


def test_machine_takes_as_many_accelerators_as_it_has(read: Read) -> None:
    price_list = read(HEADER + "a2-highgpu-4g,48,340,,,,r1,r1-a,3,1\n,,,A100,1,,r1,r1-a,2.5,1\n", "gcp")
    assert _prices(price_list) == {("a2-highgpu-4g", "r1", "on_demand"): 13.0, ("a2-highgpu-4g", "r1", "spot"): 5.0}


def test_vm_may_be_free_where_its_accelerators_cover_it(read: Read) -> None:
    text = "a4-highgpu-8g,224,3968,,,,r1,r1-a,0.0,0.0\n,,,B200,8,,r1,r1-a,128.88,37.7464\n"
    prices = _prices(read(HEADER + text, "gcp"))
    assert prices == {("a4-highgpu-8g", "r1", "on_demand"): 128.88, ("a4-highgpu-8g", "r1", "spot"): 37.7464}
    assert read(HEADER + text.replace("128.88", "0"), "gcp").offers[0].purchase_model == "spot"


def test_row_of_several_accelerators_holds_the_price_of_all_of_them(read: Read) -> None:
    text = "a2-highgpu-4g,48,340,,,,r1,r1-a,3,1\n,,,A100,4,,r1,r1-a,10,4\n,,,A100,1,,r1,r1-a,99,99\n"
    price_list = read(HEADER + text, "gcp")
    assert _prices(price_list) == {("a2-highgpu-4g", "r1", "on_demand"): 13.0, ("a2-highgpu-4g", "r1", "spot"): 5.0}
    assert _reasons(price_list) == {4: NO_MACHINE}


def test_accelerator_of_another_zone_or_kind_is_not_added(read: Read) -> None:
    text = (
        "a2-highgpu-1g,12,85,,,,r1,r1-a,1,\na2-ultragpu-1g,12,170,,,,r1,r1-b,1,\n,,,A100,1,,r1,r1-b,3,\n"
        ",,,T4,1,,r1,r1-b,0.35,\nn1-standard-8,8,30,,,,r1,r1-b,0.38,\n"
    )
    price_list = read(HEADER + text, "gcp")
    assert price_list.offers == ()
    assert _reasons(price_list) == {2: NO_PART, 3: NO_PART, 4: NO_MACHINE, 5: NO_MACHINE, 6: NO_ACCELERATOR}


def test_mega_and_high_have_prices_of_their_own(read: Read) -> None:
    text = (
        "a3-highgpu-8g,208,1872,,,,r1,r1-a,10,\na3-megagpu-8g,208,1872,,,,r1,r1-a,10,\n"
        ",,,H100,8,,r1,r1-a,80,\n,,,H100-MEGA,8,,r1,r1-a,84,\n"
    )
    prices = _prices(read(HEADER + text, "gcp"))
    assert prices == {("a3-highgpu-8g", "r1", "on_demand"): 90.0, ("a3-megagpu-8g", "r1", "on_demand"): 94.0}


def test_second_price_of_an_accelerator_is_told(read: Read) -> None:
    text = "a2-highgpu-1g,12,85,,,,r1,r1-a,1,\n,,,A100,1,,r1,r1-a,3,\n,,,A100,1,,r1,r1-a,2,\n"
    price_list = read(HEADER + text, "gcp")
    assert [offer.usd_per_host_hour for offer in price_list.offers] == [4.0]
    assert _reasons(price_list) == {4: ANOTHER_PRICE}


def test_unknown_machine_of_a_known_family_becomes_a_host(read: Read) -> None:
    text = "a3-edgegpu-8g-nolssd,208,1872,,,,r1,r1-a,9.5,\n,,,H100,8,,r1,r1-a,80,\n"
    price_list = read(HEADER + text, "gcp")
    [host] = price_list.hosts
    assert (host.instance, host.accelerator_id, host.n_chips, host.n_vcpu, host.ram_gb) == (
        "a3-edgegpu-8g-nolssd", "h100-sxm", 8, 208, 1872.0,
    )  # fmt: skip


def test_flex_start_price_is_flagged_though_the_vm_hides_it(read: Read) -> None:
    text = "a3-highgpu-8g,208,1872,,,,us-central1,us-central1-a,9.46,5.16\n,,,H100,8,,us-central1,us-central1-a,20,23\n"
    price_list = read(HEADER + text, "gcp")
    usd = {offer.purchase_model: offer.usd_per_host_hour for offer in price_list.offers}
    assert usd["spot"] < usd["on_demand"]
    flags = {(flag.offer_id.rsplit("_", 1)[1], flag.reason) for flag in price_list.flags}
    assert ("demand", FLEX_DOUBT) in flags
    assert any("of the price known" in reason for _, reason in flags)
    assert {o.purchase_model: o.quality for o in price_list.offers} == {"on_demand": "suspect", "spot": "spot moves"}


@pytest.mark.parametrize(
    ("name", "instance", "n_chips"),
    [
        ("tpu-v5litepod-1", "ct5lp-hightpu-1t", 1),
        ("tpu-v5litepod-4", "ct5lp-hightpu-4t", 4),
        ("tpu-v6e-1", "ct6e-standard-1t", 1),
        ("tpu-v2-8", "v2-8", 4),
        ("tpu-v3-8", "ct3-hightpu-4t", 4),
        ("tpu-v4-8", "ct4p-hightpu-4t", 4),
        ("tpu-v5p-8", "ct5p-hightpu-4t", 4),
        ("tpu-v6e-16", "ct6e-standard-4t", 16),
        ("tpu-v5litepod-256", "ct5lp-hightpu-4t", 256),
        ("tpu-v3-32", "ct3p-hightpu-4t", 16),
        ("tpu-v2-512", "v2-pod", 256),
        ("tpu-v5p-512", "ct5p-hightpu-4t", 256),
    ],
)
def test_tpu_names_count_chips_or_cores(read: Read, name: str, instance: str, n_chips: int) -> None:
    [offer] = read(HEADER + f",,,{name},1,{name},r1,r1-a,{n_chips * 3.0},\n", "gcp").offers
    assert (offer.instance, offer.usd_per_chip_hour) == (instance, pytest.approx(3.0))
    assert offer.usd_per_host_hour == pytest.approx(3.0 * offer.chips_per_host)


def test_tpu_with_odd_cores_is_left_out(read: Read) -> None:
    assert _reasons(read(HEADER + ",,,tpu-v5p-7,1,,r1,r1-a,9,\n", "gcp")) == {2: ODD_CORES}


def test_placeholder_is_dropped_with_its_reason(read: Read) -> None:
    text = ",,,tpu-v6e-{},1,,r1,r1-{},{},{}\n"
    rows = [(8, "a", 700.0, 700.0), (4, "b", 10.8, 700.0), (256, "c", 691.2, 1400.0), (1, "d", "700", "")]
    price_list = read(HEADER + "".join(text.format(*row) for row in rows), "gcp")
    assert _reasons(price_list) == {2: PLACEHOLDER, 5: PLACEHOLDER}
    assert [(row.row, row.reason) for row in price_list.left_out] == [(3, PLACEHOLDER), (4, PLACEHOLDER)]
    assert _prices(price_list) == {("ct6e-standard-4t", "r1", "on_demand"): 10.8}
    assert price_list.n_rows == price_list.n_taken + len(price_list.skipped)


def test_placeholder_figure_is_a_price_for_another_chip(read: Read) -> None:
    [offer] = read(HEADER + ",,,tpu-v5p-512,1,,r1,r1-a,700,\n", "gcp").offers
    assert offer.usd_per_chip_hour == pytest.approx(700 / 256)


def test_slices_of_all_sizes_share_one_price_per_chip(read: Read) -> None:
    text = ",,,tpu-v6e-4,1,,r1,r1-a,10.8,5\n,,,tpu-v6e-16,1,,r1,r1-a,43.2,20\n"
    price_list = read(HEADER + text, "gcp")
    assert _prices(price_list) == {
        ("ct6e-standard-4t", "r1", "on_demand"): 10.8,
        ("ct6e-standard-4t", "r1", "spot"): 5.0,
    }
    assert all(flag.reason != "larger slices cost otherwise per chip" for flag in price_list.flags)
    dearer = read(HEADER + text.replace("43.2", "60"), "gcp")
    assert [f.reason for f in dearer.flags if f.offer_id.endswith("demand")] == [
        "larger slices cost otherwise per chip"
    ]


def test_machine_names_agree_with_the_catalogue() -> None:
    gpus = [h for h in load_catalogue().hosts if h.provider == "gcp" and not h.accelerator_id.startswith("tpu")]
    assert len(gpus) > 25
    for host in gpus:
        found = accelerators_of(host.instance)
        assert found is not None and found.n_chips == host.n_chips, host.instance
    assert accelerators_of("n1-standard-8") is None
