"""Chip counts: whole hosts and slice shapes, within the limit, none too many to predict."""

from __future__ import annotations

import pytest

from core.catalogue.formats import peak_of
from core.comparison.search.counts import (
    rentable_counts,
    run_size_of,
    slice_for,
    training_counts,
    unit_counts,
)
from core.comparison.search.options import options
from core.throughput.chips.run_formats import as_stated


@pytest.fixture(scope="module")
def every(catalogue):
    return options(catalogue)


def test_gpu_counts_are_doubled_whole_hosts(every, catalogue) -> None:
    host = next(o for o in every if o.offer.instance == "a3-highgpu-8g")
    assert rentable_counts(host, catalogue, 100) == (8, 16, 32, 64)
    assert rentable_counts(host, catalogue, 7) == ()


def test_a_part_of_a_server_comes_alone(every, catalogue) -> None:
    part = next(o for o in every if o.offer.instance == "a3-highgpu-1g")
    assert rentable_counts(part, catalogue, 4096) == (1,)


def test_tpu_counts_are_slices_then_several_of_the_largest(every, catalogue) -> None:
    host = next(o for o in every if o.offer.instance == "ct5lp-hightpu-4t")
    counts = rentable_counts(host, catalogue, 1024)
    assert counts == (4, 16, 32, 64, 128, 256, 512, 1024)
    assert slice_for(host, catalogue, 64).n_chips == 64
    assert slice_for(host, catalogue, 1024).n_chips == 256


def test_every_tpu_count_has_a_slice_that_divides_it(every, catalogue) -> None:
    for option in every:
        if option.accelerator.kind == "tpu":
            for count in rentable_counts(option, catalogue, 4096):
                shape = slice_for(option, catalogue, count)
                assert shape is not None and count % shape.n_chips == 0


def test_counts_keep_to_the_limit(every, catalogue) -> None:
    assert all(max(rentable_counts(o, catalogue, 100), default=0) <= 100 for o in every)


def test_too_few_chips_for_memory_or_speed_are_not_predicted(every, catalogue, profile) -> None:
    host = next(o for o in every if o.offer.instance == "a3-highgpu-8g")
    counts = rentable_counts(host, catalogue, 4096)
    kept = training_counts(counts, run_size_of(profile.model, profile.job, as_stated), host, 60)
    needed = 6 * profile.model.n_params * 1e12 / (peak_of(host.accelerator, "bf16") * 60 * 86400)
    assert all(count * 2 > needed for count in kept)
    assert len(kept) <= 5
    assert set(kept) <= set(counts)


def test_an_impossible_deadline_still_leaves_the_largest(every, catalogue, profile) -> None:
    host = next(o for o in every if o.offer.instance == "a3-highgpu-8g")
    counts = rentable_counts(host, catalogue, 64)
    assert training_counts(counts, run_size_of(profile.model, profile.job, as_stated), host, 0.01) == (64,)


def test_serving_units_hold_the_weights(every, catalogue, profile) -> None:
    host = next(o for o in every if o.offer.instance == "ct5lp-hightpu-4t")
    units = unit_counts(rentable_counts(host, catalogue, 4096), 2.0 * profile.model.n_params, host)
    assert len(units) == 3
    assert units[0] * 16e9 >= 2 * profile.model.n_params
