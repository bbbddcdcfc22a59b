"""How many replicas a load takes: the fewest that keep the limits, never fewer for more load."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.evaluate import evaluate
from core.comparison.judge.durations import units_needed
from core.comparison.result import ResultSet
from core.workload.jobs.kinds import OnlineServing
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Places, Profile

MODEL_70B = TransformerModel(name="Llama 3 70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)


def _serve(catalogue, **job: object) -> ResultSet:
    places = Places(providers=("aws", "gcp"), purchase_models=("on_demand",))
    limits = Limits(max_chips=100_000)
    return evaluate(
        Profile(job=OnlineServing.model_validate(job), model=MODEL_70B, places=places, limits=limits), catalogue
    )


@pytest.mark.parametrize("percentile", ["p50", "p99"])
def test_latencies_at_the_peak_keep_the_limits(catalogue, percentile: str) -> None:
    found = _serve(catalogue, peak_requests_per_s=50, latency_percentile=percentile, ttft_limit_ms=2000.0)
    feasible = [result for result in found.results if result.feasible]
    assert feasible
    for result in feasible:
        speed = result.throughput
        assert speed.latency and speed.load
        assert speed.latency.ttft_ms(percentile) <= 2000 and speed.latency.tpot_ms(percentile) <= 50
        assert speed.load.max_requests_per_s >= 50


@given(carried=st.floats(0.1, 1e4), peak=st.floats(0.01, 1e5))
def test_one_unit_less_would_not_carry_the_peak(carried: float, peak: float) -> None:
    job = OnlineServing(peak_requests_per_s=peak, output_tokens=100)
    units = int(units_needed(Profile(job=job), np.array([carried * 100]))[0])
    assert units * carried >= peak * (1 - 1e-9)
    assert units == 1 or (units - 1) * carried < peak * (1 + 1e-9)


def test_more_load_never_takes_fewer_chips(catalogue) -> None:
    chips: dict[str, list[int]] = {}
    for peak in (5, 20, 80, 320):
        best: dict[str, int] = {}
        for result in _serve(catalogue, peak_requests_per_s=peak).results:
            if result.feasible:
                key = f"{result.candidate.accelerator.id} {result.candidate.offer.id}"
                best[key] = min(best.get(key, result.candidate.n_chips), result.candidate.n_chips)
        for key, count in best.items():
            chips.setdefault(key, []).append(count)
    assert any(len(counts) == 4 for counts in chips.values())
    assert all(counts == sorted(counts) for counts in chips.values())


def test_limits_for_more_requests_never_take_fewer_chips(catalogue) -> None:
    half, nearly_all = (
        _serve(catalogue, peak_requests_per_s=100, latency_percentile=percentile, ttft_limit_ms=2000.0)
        for percentile in ("p50", "p99")
    )
    cheapest = [min(r.cost.total.likely for r in found.results if r.feasible) for found in (half, nearly_all)]
    assert cheapest[0] <= cheapest[1]


def test_without_limits_replicas_still_keep_room(catalogue) -> None:
    found = _serve(catalogue, peak_requests_per_s=100, ttft_limit_ms=None, tpot_limit_ms=None)
    for result in found.results:
        if result.feasible:
            load = result.throughput.load
            assert load and load.max_requests_per_s >= 100
            assert load.max_requests_per_s <= 0.95 * load.replicas * load.requests_per_s[-1] * (1 + 1e-9)
