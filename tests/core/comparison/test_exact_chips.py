"""An exact number of chips: asked of every option, else the nearest one that is sold, turned down in words."""

from __future__ import annotations

import pytest

from core.comparison.evaluate import evaluate
from core.comparison.questions.number_of_chips import count_curve
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.search.counts import exact_unit_counts, nearest_count, slice_for
from core.comparison.search.options import options
from core.workload.library import load_profiles
from core.workload.plan_limits import Limits


def _asked(catalogue, name: str, **limits: object) -> ResultSet:
    profile = load_profiles()[name]
    changed = Limits.model_validate({**profile.limits.model_dump(), **limits})
    return evaluate(profile.model_copy(update={"limits": changed}), catalogue)


def _exact_reasons(results: ResultSet) -> dict[str, CandidateResult]:
    return {str(why.text): one for one in results.results for why in one.reasons if why.code == "exact_chips"}


def _met(results: ResultSet) -> list[CandidateResult]:
    return [one for one in results.results if one.feasible]


@pytest.fixture(scope="module")
def every(catalogue):
    return {option.offer.instance: option for option in options(catalogue)}


@pytest.mark.parametrize(
    ("instance", "asked", "nearest"),
    [
        ("a3-highgpu-8g", 20, 24), ("a3-highgpu-8g", 19, 16), ("a3-highgpu-8g", 3, 8), ("a3-highgpu-8g", 72, 72),
        ("a3-highgpu-1g", 20, 1), ("ct5lp-hightpu-4t", 64, 64), ("ct5lp-hightpu-4t", 20, 20),
        ("ct5lp-hightpu-4t", 21, 20), ("ct5lp-hightpu-8t", 16, 8),
    ],
)  # fmt: skip
def test_the_nearest_number_that_is_sold(every, catalogue, instance: str, asked: int, nearest: int) -> None:
    assert nearest_count(every[instance], catalogue, asked) == nearest


def test_a_slice_of_that_size_or_several_that_divide_it(every, catalogue) -> None:
    host = every["ct5lp-hightpu-4t"]
    for asked in (12, 64, 96, 512):
        shape = slice_for(host, catalogue, nearest_count(host, catalogue, asked))
        assert shape is not None and asked % shape.n_chips == 0


def test_serving_units_divide_the_number(every, catalogue) -> None:
    host = every["a3-highgpu-8g"]
    assert exact_unit_counts(host, catalogue, 96, 1e9) == (8, 16, 24)
    assert exact_unit_counts(host, catalogue, 96, 1.4e12) == (24, 32, 48)
    assert exact_unit_counts(host, catalogue, 20, 1e9) == (8, 24)
    assert exact_unit_counts(every["a3-highgpu-1g"], catalogue, 20, 1e9) == (1,)


@pytest.mark.parametrize("n_chips", [72, 96])
def test_all_that_fits_trains_on_that_number(catalogue, n_chips: int) -> None:
    results = _asked(catalogue, "llama3-8b-pretraining", exact_chips=n_chips, deadline_days=200)
    assert {one.candidate.n_chips for one in _met(results)} == {n_chips}
    assert {one.candidate.accelerator.kind for one in _met(results)} >= {"gpu", "tpu"}
    for words in _exact_reasons(results):
        if "do not join" not in words:
            assert n_chips % int(words.removeprefix("Sold in whole hosts of ").split(";")[0])


def test_other_numbers_are_turned_down_with_the_nearest(catalogue) -> None:
    reasons = _exact_reasons(_asked(catalogue, "llama3-8b-pretraining", exact_chips=20, deadline_days=200))
    sold = next(one for words, one in reasons.items() if words.startswith("Sold in whole hosts of 8; exactly 20 asked"))
    why = next(why for why in sold.reasons if why.code == "exact_chips")
    assert sold.candidate.n_chips == 24
    assert str(why.nearest_change).startswith(("Fits with 24 chips", "With 24 chips, and still misses"))


def test_replicas_come_to_that_number_or_are_too_few(catalogue) -> None:
    results = _asked(catalogue, "chat-serving-70b", exact_chips=24, budget_usd=1e8)
    assert {one.candidate.n_chips for one in _met(results)} == {24}
    free = _asked(catalogue, "chat-serving-70b", budget_usd=1e8)
    fewer = {one.candidate.accelerator.id for one in _met(free) if one.candidate.n_chips < 24}
    assert fewer & {one.candidate.accelerator.id for one in _met(results)}  # more replicas than the load needs
    needs = {words: one for words, one in _exact_reasons(results).items() if words.startswith("Needs ")}
    assert needs and all(one.candidate.n_chips > 24 for one in needs.values())


def test_the_mask_and_the_words_agree(catalogue) -> None:
    results = _asked(catalogue, "chat-serving-70b", exact_chips=20)
    for one in results.results:
        if one.throughput.fits:
            assert (one.candidate.n_chips != 20) == any(why.code == "exact_chips" for why in one.reasons)


def test_the_curve_over_numbers_goes_through_the_exact_one(catalogue) -> None:
    results = _asked(catalogue, "llama3-8b-pretraining", exact_chips=72, deadline_days=200)
    pick = results.choice
    assert pick is not None
    counts = [point.candidate.n_chips for point in count_curve(results, pick).points]
    assert 72 in counts and len(counts) > 3
