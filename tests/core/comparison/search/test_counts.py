"""Chip counts: whole hosts and slice shapes, within the limit, none too many to predict."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.catalogue.formats import peak_of
from core.comparison.search.counts import (
    least_of,
    rentable_counts,
    run_size_of,
    slice_for,
    training_counts,
    unit_counts,
)
from core.comparison.search.options import options
from core.throughput.chips.run_formats import as_stated
from core.workload.jobs.kinds import FineTuning, PreTraining
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel


@pytest.fixture(scope="module")
def every(catalogue):
    return options(catalogue)


def test_gpu_counts_are_doubled_whole_hosts(every, catalogue) -> None:
    host = next(o for o in every if o.offer.instance == "a3-highgpu-8g")
    assert rentable_counts(host, catalogue, 100) == (8, 16, 32, 64)
    assert rentable_counts(host, catalogue, 7) == ()


def test_of_the_user_s_own_no_less_than_a_server_is_taken(every, catalogue) -> None:
    host = next(o for o in every if o.offer.instance == "a3-highgpu-8g")
    held = replace(host, offer=host.offer.model_copy(update={"held_chips": 24}))
    assert rentable_counts(held, catalogue, 4096) == (8, 16, 24)
    assert rentable_counts(held, catalogue, 4) == ()


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
    kept = training_counts(counts, least_of(run_size_of(profile.model, profile.job, as_stated), host), 60)
    needed = 6 * profile.model.n_params * 1e12 / (peak_of(host.accelerator, "bf16") * 60 * 86400)
    assert all(count * 2 > needed for count in kept)
    assert len(kept) <= 5
    assert set(kept) <= set(counts)


def test_an_impossible_deadline_still_leaves_the_largest(every, catalogue, profile) -> None:
    host = next(o for o in every if o.offer.instance == "a3-highgpu-8g")
    counts = rentable_counts(host, catalogue, 64)
    assert training_counts(counts, least_of(run_size_of(profile.model, profile.job, as_stated), host), 0.01) == (64,)


def test_serving_units_hold_the_weights(every, catalogue, profile) -> None:
    host = next(o for o in every if o.offer.instance == "ct5lp-hightpu-4t")
    units = unit_counts(rentable_counts(host, catalogue, 4096), 2.0 * profile.model.n_params, host)
    assert len(units) == 3
    assert units[0] * 16e9 >= 2 * profile.model.n_params


def _with_slices(catalogue, *sizes: tuple[int, ...]):
    """The catalogue with these slices of every TPU, by their dimensions, smallest first."""
    shape = next(iter(catalogue.slices_by_accelerator.values()))[0]
    shapes = tuple(shape.model_copy(update={"dims": dims, "n_chips": math.prod(dims)}) for dims in sizes)
    return SimpleNamespace(slices_by_accelerator=dict.fromkeys(catalogue.slices_by_accelerator, shapes))


@pytest.mark.parametrize(
    ("n_chips", "dims"),
    [(16, (4, 4)), (32, (4, 8)), (64, (8, 8)), (48, (4, 4)), (128, (8, 8)), (12, (2, 2)), (6, None), (2, None)],
)
def test_a_count_takes_the_most_even_slice_of_its_size_or_several_of_the_largest_that_divides_it(
    every, catalogue, n_chips, dims
) -> None:
    tpu = next(o for o in every if o.offer.instance == "ct5lp-hightpu-4t")
    few = _with_slices(catalogue, (2, 2), (2, 8), (4, 4), (2, 16), (4, 8), (4, 16), (8, 8))
    shape = slice_for(tpu, few, n_chips)
    assert (shape.dims if shape else None) == dims


def test_every_count_with_a_year_to_spare_and_none_without_room(every, catalogue, profile) -> None:
    """Without a deadline all counts that hold half of the state at least; with one, 16 times the fewest at most."""
    host = next(o for o in every if o.offer.instance == "a3-highgpu-8g")
    counts = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
    least = 10 * profile.model.n_params / (host.accelerator.memory_gb * 1e9)
    run = run_size_of(profile.model, profile.job, as_stated)
    kept = training_counts(counts, least_of(run, host), None)
    assert kept == tuple(count for count in counts if count > least / 2)
    assert training_counts(counts, least_of(run, host), 1e6) == tuple(n for n in kept if n <= 16 * kept[0])


def test_units_of_serving_are_the_smallest_that_hold_the_weights_and_two_more(every, profile) -> None:
    host = next(o for o in every if o.offer.instance == "a3-highgpu-8g")
    weight_bytes = 2.0 * profile.model.n_params
    needed = weight_bytes / (host.accelerator.memory_gb * 1e9)
    assert 1 < needed < 2
    assert unit_counts((1, 2, 4, 8, 16), weight_bytes, host) == (2, 4, 8)
    assert unit_counts((1,), weight_bytes, host) == (1,)
    assert unit_counts((1, 2), weight_bytes / needed, host) == (1, 2)


def test_the_work_of_a_run_is_all_its_passes() -> None:
    """Three forward passes of a sample; six FLOPs a weight and token, four with LoRA; as many runs as there are."""
    network = NetworkModel(name="Net", family="vision", conv_gflops=2.0, matmul_gflops=0.0, attention_gflops=0.0)
    three = PreTraining(n_tokens=1e6, n_runs=3)
    assert run_size_of(network, three, as_stated).flops == pytest.approx(3 * 2e9 * 1e6 * 3)
    model, plain = TransformerModel(), FineTuning(method="full", n_tokens=1e6)
    of_full = run_size_of(model, plain, as_stated).flops
    assert of_full == pytest.approx(6 * model.n_active_params * 1e6 * plain.n_runs)
    lora = run_size_of(model, plain.model_copy(update={"method": "lora"}), as_stated).flops
    assert lora == pytest.approx(of_full * 4 / 6)
