"""Several models on machines that are not joined: each machine holds some of them, all machines together hold all."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.portfolio.demand import replicas_apart
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.search.counts import apart_counts, machines_apart
from core.comparison.search.options import Option, options
from core.throughput.chips.fleet import fleet_of
from core.throughput.serving.arrangements import serving_rows
from core.throughput.types import System
from core.workload.jobs.kinds import OnlineServing
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Places, Profile

MODEL_70B = TransformerModel(name="Llama 3 70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)


@lru_cache
def _serve(n_models: int, precision: str, peak: float = 1.0, exact: int | None = None, **job: Any) -> ResultSet:
    wanted = {"peak_requests_per_s": peak, "n_models": n_models, "weight_precision": precision}
    times = {"ttft_limit_ms": 3000.0, "tpot_limit_ms": 100.0}
    places, limits = Places(purchase_models=("on_demand",)), Limits(max_chips=64, exact_chips=exact)
    serving = OnlineServing.model_validate(wanted | times | job)
    return evaluate(Profile(job=serving, model=MODEL_70B, places=places, limits=limits), load_catalogue())


def _singles(results: ResultSet, chip: str) -> list[CandidateResult]:
    """Candidates of single cards that do not join."""
    listed = [one for one in results.results if one.candidate.accelerator.id == chip]
    return [one for one in listed if one.candidate.n_hosts == one.candidate.n_chips and "single" in one.candidate.id]


def _fitting(results: ResultSet, chip: str) -> list[CandidateResult]:
    return [one for one in _singles(results, chip) if one.feasible]


def _single(chip: str) -> Option:
    return next(
        one
        for one in options(load_catalogue())
        if one.accelerator.id == chip and one.chips_per_host == 1 and not one.grows and one.offer.held_chips is None
    )


@pytest.mark.parametrize(
    ("chip", "precision", "n_models"),
    [("b200-sxm", "bf16", 2), ("b200-sxm", "bf16", 5), ("h200-sxm", "fp8", 2), ("h200-sxm", "fp8", 5)],
)
def test_single_machines_hold_a_model_each(chip: str, precision: str, n_models: int) -> None:
    """No number of single B200 was offered for two models of 70B: each machine had to hold both."""
    found = _fitting(_serve(n_models, precision), chip)
    assert found
    for one in found:
        layout, load = one.throughput.layout, one.throughput.load
        assert one.candidate.n_chips % n_models == 0 and layout.models == 1 == layout.replica_chips
        assert load is not None and load.max_requests_per_s >= 1.0
        assert not one.obtainable.is_joined, "machines side by side need no network"
    eights = [
        one for one in _serve(n_models, precision).results
        if one.feasible and one.candidate.accelerator.id == chip and one.candidate.offer.chips_per_host == 8
    ]  # fmt: skip
    assert min(one.cost.total.likely for one in found) < min(one.cost.total.likely for one in eights)


def test_a_model_that_one_chip_cannot_hold_fits_on_no_number_of_single_ones() -> None:
    singles = _singles(_serve(2, "bf16"), "h100-sxm")
    assert not any(one.feasible for one in singles)
    assert all(one.reasons and one.reasons[0].code == "memory" for one in singles if not one.throughput.runs)


def test_as_many_machines_of_eight_hold_as_before() -> None:
    eights = [
        one for one in _serve(2, "bf16").results
        if one.feasible and one.candidate.accelerator.id == "b200-sxm" and one.candidate.offer.chips_per_host == 8
    ]  # fmt: skip
    assert eights and all(one.candidate.n_chips % 8 == 0 for one in eights)


def test_more_load_takes_whole_sets_of_machines() -> None:
    few, many = (
        min(one.candidate.n_chips for one in _fitting(_serve(2, "bf16", peak), "b200-sxm")) for peak in (1, 30)
    )
    assert few == 2 < many and many % 2 == 0
    carried = [one.throughput.load for one in _fitting(_serve(2, "bf16", 30), "b200-sxm")]
    assert all(load is not None and load.max_requests_per_s >= 30 for load in carried)


def test_four_single_machines_can_be_asked_for() -> None:
    four = _singles(_serve(2, "bf16", exact=4), "b200-sxm")
    assert four and all(one.candidate.n_chips == 4 and one.throughput.fits for one in four)


def test_prompts_on_chips_of_their_own_need_joined_machines() -> None:
    assert not _fitting(_serve(2, "bf16", pools="on"), "b200-sxm")


@pytest.mark.parametrize(
    ("n_models", "most", "chips"), [(1, 64, (1,)), (5, 64, (1, 2, 3, 5)), (5, 3, (1, 2, 3)), (4, 64, (1, 2, 4))]
)
def test_machines_take_models_in_equal_shares(n_models: int, most: int, chips: tuple[int, ...]) -> None:
    assert machines_apart(_single("b200-sxm"), n_models, most) == chips


def test_few_numbers_are_worth_predicting() -> None:
    option = _single("b200-sxm")
    gb = option.accelerator.memory_gb * 1e9
    assert apart_counts(option, 20, 64, 3.5 * gb) == (4, 5, 20)
    assert apart_counts(option, 5, 64, 9.0 * gb) == (1,), "not held by any: one machine says so"


def test_a_replica_never_spans_machines_that_are_apart() -> None:
    chip = load_catalogue().accelerator_by_id["h100-sxm"]
    system = System(chip, 16, 4, 100.0, False)
    joined = serving_rows(fleet_of([system], "bf16"), MODEL_70B, n_models=4, weight_bytes=700e9)
    apart = serving_rows(
        fleet_of([system], "bf16"), MODEL_70B, n_models=4, weight_bytes=700e9, machine_chips=np.array([4.0])
    )
    assert (joined.tp * joined.pp).max() > 4 == (apart.tp * apart.pp).max()


def test_machines_that_hold_different_models_are_not_held_one_by_one() -> None:
    [one, *_] = _fitting(_serve(2, "bf16"), "b200-sxm")
    load = one.throughput.load
    assert load is not None and load.replicas == 2 * load.units
    assert replicas_apart(OnlineServing(n_models=2), one, load) == load.units
