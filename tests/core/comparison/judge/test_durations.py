"""Time of runs: interruptions of spot on top of failures, at the catalogue's rate, its half and its double."""

from __future__ import annotations

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.sellers.waits import wait_of
from core.comparison.evaluate import evaluate
from core.comparison.judge.durations import SPOT_SPREAD, _reversed, _spot_rates, _triple, _waiting_days
from core.comparison.judge.goodput import interruptions
from core.comparison.result import CandidateResult
from core.comparison.search.options import options
from core.comparison.search.pool import build_pool, kinds_of
from core.ranges import Range
from core.throughput.chips.links import n_slices
from core.workload.profile import Places, Profile


def _both_ways(profile: Profile, catalogue: Catalogue) -> list[tuple[CandidateResult, CandidateResult]]:
    """Results on spot, each with one on demand on as many chips of the same kind and host."""
    places = Places(purchase_models=("spot", "on_demand"))
    results = evaluate(profile.model_copy(update={"places": places}), catalogue).results
    fitting = [result for result in results if result.throughput.fits and result.losses is not None]
    by_way: dict[str, dict[tuple[str, int, int], CandidateResult]] = {"spot": {}, "on_demand": {}}
    for result in fitting:
        candidate = result.candidate
        key = (candidate.accelerator.id, candidate.n_chips, candidate.offer.chips_per_host)
        by_way.setdefault(candidate.offer.purchase_model, {}).setdefault(key, result)
    return [(spot, by_way["on_demand"][key]) for key, spot in by_way["spot"].items() if key in by_way["on_demand"]]


def test_spot_stops_more_often_by_the_catalogues_rate_as_it_is(profile: Profile, catalogue: Catalogue) -> None:
    pairs = _both_ways(profile, catalogue)
    assert pairs
    for spot, rented in pairs:
        parts = spot.candidate.n_hosts, n_slices(spot.throughput.system)
        rate = interruptions(catalogue, spot.candidate.offer).of_job(*parts)
        assert spot.losses is not None and rented.losses is not None
        assert spot.losses.stops_per_day - rented.losses.stops_per_day == pytest.approx(24 * rate)


def test_each_slice_of_a_spot_job_on_tpus_adds_its_own_stops(profile: Profile, catalogue: Catalogue) -> None:
    """TPU v5e has slices of up to 256: one at 256 chips and four at 1,024, at 0.15 a slice and day."""
    added = {}
    for n_chips in (256, 1024):
        limits = profile.limits.model_copy(update={"exact_chips": n_chips, "max_chips": n_chips, "deadline_days": None})
        pairs = _both_ways(profile.model_copy(update={"limits": limits}), catalogue)
        spot, rented = next(pair for pair in pairs if pair[0].candidate.accelerator.id == "tpu-v5e")
        assert spot.losses is not None and rented.losses is not None
        added[n_chips] = spot.losses.stops_per_day - rented.losses.stops_per_day
    assert added == pytest.approx({256: 0.15, 1024: 0.6})


def test_parts_of_one_pool_may_be_taken_all_at_once(profile: Profile, catalogue: Catalogue) -> None:
    """Sixteen hosts: stopped as often as one at the low end, halved, and sixteen times as often at the others."""
    kinds = kinds_of(profile, catalogue, options(catalogue))
    pool = build_pool(catalogue, kinds, [None] * len(kinds.options))
    rates = _spot_rates(catalogue, pool, None)
    chips = np.array([system.n_chips for system in pool.systems])[pool.system_of]
    rows = [
        row
        for row, number in enumerate(pool.option_of.tolist())
        if (offer := pool.options[number].offer).purchase_model == "spot"
        and (offer.accelerator_id, offer.chips_per_host, chips[row]) == ("h100-sxm", 8, 128)
    ]
    one = interruptions(catalogue, pool.options[int(pool.option_of[rows[0]])].offer).per_h
    assert rates[rows[0]] == pytest.approx([0.5 * one, 16 * one, 32 * one])
    assert np.all(np.diff(_spot_rates(catalogue, pool, 0.7), axis=1) == 0)


def test_a_typed_rate_of_stops_has_no_range_and_the_catalogues_a_half_and_a_double(
    profile: Profile, catalogue: Catalogue
) -> None:
    assert SPOT_SPREAD.tolist() == [0.5, 1.0, 2.0]
    typed = profile.model_copy(update={"job": profile.job.model_copy(update={"spot_stops_per_day": 0.0})})
    pairs = _both_ways(typed, catalogue)
    assert pairs
    for spot, rented in pairs:
        assert spot.losses is not None and rented.losses is not None
        assert spot.losses.stops_per_day == pytest.approx(rented.losses.stops_per_day)


def test_times_rise_where_speeds_fall_and_nothing_divides_by_zero() -> None:
    assert _triple(Range(1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)
    assert _reversed(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 5.0]])).tolist() == [[3.0, 2.0, 1.0], [5.0, 1e-9, 1e-9]]


def test_pairs_wait_as_long_as_their_offer_and_size_do(catalogue: Catalogue) -> None:
    """Own servers that are in the house already wait for nothing, bought ones and large orders long."""
    profile = Profile()
    kinds = kinds_of(profile, catalogue, options(catalogue))
    pool = build_pool(catalogue, kinds, [None] * len(kinds.options))
    units = np.arange(pool.n_pairs) % 3 * 500 + 1
    n_chips = [pool.systems[system].n_chips * units[pair] for pair, system in enumerate(pool.system_of)]
    told = [
        _triple(wait_of(catalogue, pool.options[option].offer, int(count)).days)
        for option, count in zip(pool.option_of, n_chips, strict=True)
    ]
    assert len(set(told)) > 5
    assert _waiting_days(pool, units).tolist() == [list(days) for days in told]
