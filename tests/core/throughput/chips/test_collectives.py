"""Collectives: laws that hold for any size and number of ranks, tori, slices, and the links they run on."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.entries import SliceShape
from core.catalogue.loading import load_catalogue
from core.throughput.chips.collectives import all_reduce_inner_s, all_to_all_s, gather_inner_s, gather_wide_s, send_s
from core.throughput.chips.fleet import Fleet, fleet_of
from core.throughput.chips.links import inner_link, outer_bytes_per_s, slice_chips
from core.throughput.types import System
from tests.core.throughput.fleet_samples import system

SWITCHED = ["a100-sxm-80", "h100-sxm", "b200-sxm", "gb200", "mi300x", "l40s"]
RANKS = [1, 2, 4, 8, 16, 64, 512]
SIZE = st.floats(1e3, 1e11)


def _fleet(chip: str, n_chips: int = 512) -> Fleet:
    return fleet_of([system(chip, n_chips)], "bf16")


def _times(fleet: Fleet, n: float, size: float) -> dict[str, float]:
    ranks, moved = np.array([float(n)]), np.array([size])
    inner = np.minimum(ranks, fleet.domain_chips)
    found = {
        "all-reduce": all_reduce_inner_s(fleet, ranks, moved),
        "gather": gather_wide_s(fleet, ranks, inner, moved),
        "all-to-all": all_to_all_s(fleet, ranks, inner, moved),
    }
    return {name: float(time[0]) for name, time in found.items()}


@given(chip=st.sampled_from([*SWITCHED, "tpu-v5p", "tpu-v6e"]), n=st.sampled_from(RANKS), size=SIZE)
def test_more_bytes_never_take_less_and_one_rank_takes_nothing(chip: str, n: int, size: float) -> None:
    fleet = _fleet(chip)
    for name, time in _times(fleet, n, size).items():
        assert time <= _times(fleet, n, 2.0 * size)[name], name
        assert (time == 0.0) == (n == 1), name


@given(chip=st.sampled_from(SWITCHED), step=st.integers(1, len(RANKS) - 1), size=SIZE)
def test_more_ranks_never_take_less_on_a_switch(chip: str, step: int, size: float) -> None:
    fleet = _fleet(chip)
    for name, time in _times(fleet, RANKS[step - 1], size).items():
        assert time <= _times(fleet, RANKS[step], size)[name] * (1 + 1e-9), name


@given(
    n=st.sampled_from(RANKS[1:]), size=SIZE, factor=st.floats(1.1, 8.0),
    field=st.sampled_from(["inner_bytes_per_s", "outer_bytes_per_s"]),
)  # fmt: skip
def test_faster_links_never_take_longer(n: int, size: float, factor: float, field: str) -> None:
    fleet = _fleet("h100-sxm")
    faster = replace(fleet, **{field: getattr(fleet, field) * factor})
    assert all(_times(faster, n, size)[name] <= time for name, time in _times(fleet, n, size).items())


@given(size=st.floats(1e9, 1e11), n=st.sampled_from([2, 4, 8]))
def test_large_collectives_run_at_the_rate_of_the_link(size: float, n: int) -> None:
    """``(n-1)/n size / W``, twice for an all-reduce (NCCL's bus bandwidth)."""
    fleet = _fleet("h100-sxm", 8)
    rate = float(fleet.inner_bytes_per_s[0])
    ideal = (n - 1) / n * size / rate
    assert float(gather_inner_s(fleet, np.array([float(n)]), np.array([size]))[0]) == pytest.approx(ideal, rel=0.02)
    assert _times(fleet, n, size)["all-reduce"] == pytest.approx(2 * ideal, rel=0.02)


def test_beyond_the_domain_every_rank_carries_its_share_over_its_own_card() -> None:
    fleet, size = _fleet("h100-sxm", 64), 1e10
    card, link = float(fleet.outer_bytes_per_s[0]), float(fleet.inner_bytes_per_s[0])
    ideal = max(7 / 8 * size / link, 7 / 8 * size / 8 / card)  # pieces pass through both at once
    assert _times(fleet, 64, size)["gather"] == pytest.approx(ideal, rel=0.02)


def _slice(wraps: bool, dims: tuple[int, ...], chip: str) -> System:
    shape = SliceShape(
        source="test", as_of="", estimate=False, accelerator_id=chip, slice_name="test", dims=dims,
        n_chips=int(np.prod(dims)), wraps=(wraps,) * len(dims),
    )  # fmt: skip
    return replace(system(chip, shape.n_chips), slice=shape)


@given(
    chip=st.sampled_from([("tpu-v5p", (8, 8, 8)), ("tpu-v6e", (16, 16)), ("tpu-v5e", (8, 8))]),
    n=st.sampled_from([2, 4, 8, 16, 64]), size=SIZE,
)  # fmt: skip
def test_a_torus_that_closes_is_never_slower(chip: tuple[str, tuple[int, ...]], n: int, size: float) -> None:
    open_one, closed = (fleet_of([_slice(wraps, chip[1], chip[0])], "bf16") for wraps in (False, True))
    for name, time in _times(closed, n, size).items():
        assert time <= _times(open_one, n, size)[name] * (1 + 1e-9), name


def test_closing_all_axes_doubles_the_rate_of_the_whole_slice() -> None:
    size = 1e11
    open_one, closed = (fleet_of([_slice(wraps, (8, 8, 8), "tpu-v5p")], "bf16") for wraps in (False, True))
    assert _times(open_one, 512, size)["gather"] == pytest.approx(2 * _times(closed, 512, size)["gather"], rel=0.02)


def test_all_to_all_on_a_ring_takes_a_quarter_of_a_gather_of_all() -> None:
    """How to scale your model, sharding: ``V / (4 W)`` on one closed axis against ``V / W`` for the gather."""
    fleet = fleet_of([_slice(True, (16, 1), "tpu-v6e")], "bf16")
    each = 1e9
    gather = float(gather_inner_s(fleet, np.array([16.0]), np.array([16 * each]))[0])
    assert _times(fleet, 16, each)["all-to-all"] == pytest.approx(gather / 4 / (15 / 16), rel=0.02)


def test_slices_are_joined_by_the_network_of_their_hosts() -> None:
    catalogue = load_catalogue()
    largest = max(catalogue.slices_by_accelerator["tpu-v5e"], key=lambda shape: shape.n_chips)
    four = replace(system("tpu-v5e", 4 * largest.n_chips), slice=largest)
    assert slice_chips(four) == largest.n_chips == inner_link(four).chips
    fleet = fleet_of([four], "bf16")
    n, inner, size = np.array([1024.0]), np.array([256.0]), np.array([1e10])
    alone = float(gather_wide_s(fleet, inner, inner, size)[0])
    assert float(gather_wide_s(fleet, n, inner, size)[0]) > alone
    assert float(send_s(fleet, np.array([256.0]), size)[0]) > float(send_s(fleet, np.array([1.0]), size)[0])


def test_domains_follow_the_hardware() -> None:
    reach = {("h100-sxm", 512): 8, ("gb200", 144): 72, ("gb200", 256): 64, ("h100-nvl", 8): 2, ("l40s", 8): 8}
    assert {key: inner_link(system(*key)).chips for key in reach} == reach


def test_cards_of_one_host_without_a_switch_meet_over_pcie() -> None:
    pairs = system("h100-nvl", 4)
    pairs = replace(pairs, n_chips=pairs.chips_per_host)
    assert outer_bytes_per_s(pairs) >= pairs.accelerator.pcie_gbps * 1e9 * 0.4
