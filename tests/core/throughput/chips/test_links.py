"""Links of a system worked by hand from the chip's data sheet and the shares that links reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.entries import SliceShape
from core.throughput.chips.collectives import (
    all_reduce_inner_s,
    all_to_all_s,
    gather_inner_s,
    gather_wide_s,
    ring_share,
    send_s,
)
from core.throughput.chips.fleet import fleet_of
from core.throughput.chips.links import CLOSED_CHIPS, inner_link, outer_bytes_per_s, slice_chips
from core.throughput.chips.network_coefficients import network_coefficients
from core.throughput.types import System
from tests.core.own_samples import own_host
from tests.core.throughput.fleet_samples import system

KNOWN = network_coefficients()
V5P = {"torus_dims": 3, "link_gbps_one_way": 90.0}


def _slice(dims: tuple[int, ...], wraps: tuple[bool, ...]) -> System:
    shape = SliceShape(
        source="T", as_of="", estimate=False, accelerator_id="tpu-v5p", slice_name="T", dims=dims,
        n_chips=int(np.prod(dims)), wraps=wraps,
    )  # fmt: skip
    return replace(system("tpu-v5p", shape.n_chips, **V5P), slice=shape)


@pytest.mark.parametrize(
    ("link", "share"),
    [
        ("NVLink 4", KNOWN.nvlink_efficiency),
        ("Infinity Fabric", KNOWN.xgmi_efficiency),
        ("XGMI", KNOWN.xgmi_efficiency),
        ("RoCE", KNOWN.other_link_efficiency),
    ],
)
def test_a_switch_gives_all_links_at_the_share_of_their_kind(link: str, share: float) -> None:
    one = system("h100-sxm", 8)
    named = replace(one, accelerator=one.accelerator.model_copy(update={"scaleup_link": link}))
    found = inner_link(named)
    assert found.bytes_per_s == found.narrow_bytes_per_s == pytest.approx(450e9 * share)
    assert (found.latency_s, found.axes, found.chips) == (KNOWN.scaleup_latency_us * 1e-6, 1, 8)


@pytest.mark.parametrize(("n_chips", "domain"), [(4, 4), (8, 8), (12, 6), (9, 3), (16, 8)])
def test_a_domain_divides_the_cluster_evenly(n_chips: int, domain: int) -> None:
    assert inner_link(system("h100-sxm", n_chips)).chips == domain


@pytest.mark.parametrize(("reach", "domain"), [(16, 8), (17, 16), (72, 64)])
def test_a_domain_of_more_than_sixteen_chips_leaves_the_host(reach: int, domain: int) -> None:
    """64 chips in hosts of eight; 17 reach over hosts, of which 16 divide the cluster."""
    one = replace(system("h100-sxm", 64), chips_per_host=8)
    wide = replace(one, accelerator=one.accelerator.model_copy(update={"scaleup_domain_chips": reach}))
    assert inner_link(wide).chips == domain


def test_without_a_link_chips_meet_over_pcie_within_their_host() -> None:
    cards = system("l40s", 16, scaleup_domain_chips=1)
    found, rate = inner_link(cards), cards.accelerator.pcie_gbps * 1e9 * KNOWN.pcie_efficiency
    assert found.bytes_per_s == found.narrow_bytes_per_s == pytest.approx(rate)
    assert (found.latency_s, found.chips) == (KNOWN.pcie_latency_us * 1e-6, cards.chips_per_host)
    assert inner_link(replace(cards, n_chips=2)).chips == 2


@pytest.mark.parametrize(
    ("dims", "wraps", "ways", "narrow"),
    [
        ((4, 4, 8), (True, True, True), 6, 2),
        ((4, 4, 8), (False, False, True), 4, 2),
        ((2, 2, 4), (False, False, False), 3, 2),
        ((8, 1, 1), (False, False, False), 1, 1),
        ((8, 1, 1), (True, True, True), 2, 2),  # an axis of one chip has no link
        ((1, 1, 1), (False, False, False), 1, 1),
    ],
)
def test_each_axis_of_a_slice_gives_a_link_and_two_where_it_closes(
    dims: tuple[int, ...], wraps: tuple[bool, ...], ways: int, narrow: int
) -> None:
    link, found = 90e9 * KNOWN.ici_efficiency, inner_link(_slice(dims, wraps))
    assert found.bytes_per_s == pytest.approx(ways * link)
    assert found.narrow_bytes_per_s == pytest.approx(narrow * link)
    assert (found.chips, found.axes) == (int(np.prod(dims)), max(sum(n > 1 for n in dims), 1))
    assert found.latency_s == KNOWN.ici_hop_latency_us * 1e-6


def test_a_link_that_is_not_published_is_a_quarter_of_all() -> None:
    known = inner_link(_slice((4, 4, 4), (True,) * 3))
    chip = system("tpu-v5p", 64, scaleup_gbps_one_way=360.0).accelerator
    unknown = replace(_slice((4, 4, 4), (True,) * 3), accelerator=chip.model_copy(update={"link_gbps_one_way": None}))
    assert inner_link(unknown).bytes_per_s == pytest.approx(known.bytes_per_s)


@pytest.mark.parametrize(("n_chips", "ways"), [(32, 3), (64, 6), (128, 6)])
def test_where_the_shape_is_unknown_a_torus_closes_from_a_cube_on(n_chips: int, ways: int) -> None:
    assert CLOSED_CHIPS[3] == 64
    found = inner_link(system("tpu-v5p", n_chips, **V5P))
    assert (found.bytes_per_s, found.chips) == (pytest.approx(ways * 90e9 * KNOWN.ici_efficiency), n_chips)


def test_more_chips_than_a_slice_are_joined_by_its_size() -> None:
    shape = _slice((4, 4, 4), (True,) * 3)
    assert [slice_chips(replace(shape, n_chips=n)) for n in (32, 64, 256)] == [32, 64, 64]
    assert slice_chips(system("tpu-v5p", 100, scaleup_domain_chips=64)) == 50
    assert slice_chips(system("tpu-v5p", 6, scaleup_domain_chips=0)) == 1


def test_a_chip_s_share_of_the_card() -> None:
    """400 Gbit/s a chip are 50 GB/s; eight hosts of eight chips, so that PCIe within a host plays no part."""
    one = replace(system("h100-sxm", 64), network_gbit_per_s=3200.0, chips_per_host=8, host=None)
    assert outer_bytes_per_s(one) == pytest.approx(50e9 * KNOWN.nic_efficiency)
    assert outer_bytes_per_s(replace(one, host=own_host("aws"))) == pytest.approx(50e9 * KNOWN.efa_efficiency)
    assert outer_bytes_per_s(replace(one, host=own_host("gcp"))) == pytest.approx(50e9 * KNOWN.nic_efficiency)
    usual = KNOWN.default_gbit_per_s_per_chip / 8 * 1e9 * KNOWN.nic_efficiency
    assert outer_bytes_per_s(replace(one, network_gbit_per_s=0.0)) == pytest.approx(usual)


def test_within_one_host_pcie_may_be_quicker_than_the_card() -> None:
    one = replace(system("h100-sxm", 8), network_gbit_per_s=80.0, host=None)
    pcie = one.accelerator.pcie_gbps * 1e9 * KNOWN.pcie_efficiency
    assert outer_bytes_per_s(one) == pytest.approx(pcie)
    assert outer_bytes_per_s(replace(one, n_chips=16)) == pytest.approx(1.25e9 * KNOWN.nic_efficiency)
    torus = replace(system("tpu-v5p", 4, **V5P), network_gbit_per_s=8.0, chips_per_host=4, host=None)
    assert outer_bytes_per_s(torus) == pytest.approx(0.25e9 * KNOWN.nic_efficiency)


def _by_hand():
    """Two domains of eight on links of 100 GB/s and 10 us, and a card of 10 GB/s a chip."""
    fleet = fleet_of([system("h100-sxm", 16)], "bf16")
    figures = {"inner_bytes_per_s": 100e9, "narrow_bytes_per_s": 50e9, "outer_bytes_per_s": 10e9, "domain_chips": 8.0}
    return replace(fleet, inner_latency_s=np.array([10e-6]), **{k: np.array([v]) for k, v in figures.items()})


HOP_S = KNOWN.nic_latency_us * 1e-6
FLOAT = {"rel": 1e-9}


def _one(value: float) -> np.ndarray:
    return np.array([float(value)])


def test_what_leaves_a_rank() -> None:
    assert ring_share(np.array([1.0, 2.0, 8.0])).tolist() == [0.0, 0.5, 0.875]


def test_a_gather_within_the_domain_by_hand() -> None:
    """7/8 of 1 GB at 100 GB/s and log2(9) latencies; nothing for one rank."""
    assert gather_inner_s(_by_hand(), _one(8), _one(1e9)) == pytest.approx([0.00875 + 10e-6 * np.log2(9)], **FLOAT)
    assert gather_inner_s(_by_hand(), _one(1), _one(1e9)) == pytest.approx([0.0])


def test_an_all_reduce_by_hand_inside_and_across() -> None:
    """Twice 7/8 of 1 GB and 10 us x (1 + 0.37 x 3); across, twice the ring of 1/8 GB between the two domains."""
    inside = 2 * 0.00875 + 10e-6 * (1 + 0.37 * 3)
    across = 2 * (0.5 * 0.125e9 / 10e9 + 0.25 * HOP_S)
    assert all_reduce_inner_s(_by_hand(), _one(8), _one(1e9)) == pytest.approx([inside], **FLOAT)
    assert all_reduce_inner_s(_by_hand(), _one(16), _one(1e9)) == pytest.approx([inside + across], **FLOAT)
    assert all_reduce_inner_s(_by_hand(), _one(1), _one(1e9)) == pytest.approx([0.0])


def test_a_small_message_over_many_domains_takes_the_tree() -> None:
    """64 domains: a ring has 63 quarter hops, a tree log2(65), each at its rate; the lesser counts."""
    fleet = _by_hand()
    for size in (1e3, 1e10):
        moved = 63 / 64 * size / 10e9
        ring = moved + 0.25 * HOP_S * 63
        tree = moved / KNOWN.tree_efficiency + HOP_S * np.log2(65)
        assert gather_wide_s(fleet, _one(64), _one(1), _one(size)) == pytest.approx([min(ring, tree)], **FLOAT)
        assert bool(tree < ring) is (size == 1e3)


def test_an_all_to_all_by_hand() -> None:
    """Of 16 MB, 7/16 inside at 100 GB/s, 8/16 beyond at 10 GB/s, and both latencies."""
    expected = 7e6 / 100e9 + 8e6 / 10e9 + 10e-6 + HOP_S
    assert all_to_all_s(_by_hand(), _one(16), _one(8), _one(16e6)) == pytest.approx([expected], **FLOAT)
    assert all_to_all_s(_by_hand(), _one(8), _one(8), _one(16e6)) == pytest.approx([14e6 / 100e9 + 10e-6], **FLOAT)
    assert all_to_all_s(_by_hand(), _one(4), _one(1), _one(16e6)) == pytest.approx([12e6 / 10e9 + HOP_S], **FLOAT)
    assert all_to_all_s(_by_hand(), _one(1), _one(8), _one(16e6)) == pytest.approx([0.0])


def test_sending_to_a_neighbour_takes_the_narrow_link_and_beyond_the_domain_the_card() -> None:
    near, far = 1e9 / 50e9 + 10e-6, 1e9 / 10e9 + HOP_S
    for places, seconds in ((1, near), (7, near), (8, far), (64, far)):
        assert send_s(_by_hand(), _one(places), _one(1e9)) == pytest.approx([seconds], **FLOAT)
