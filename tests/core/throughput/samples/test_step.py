"""The roofline of fixed-shape work: what it must do whatever the coefficients, and the planner's answers."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.throughput.parameters import shipped_parameters
from core.throughput.predict import predict
from core.throughput.samples.quantities import STACKS, SampleChips, chips_of, work_of
from core.throughput.samples.step import SampleRun, samples_per_s, step_terms
from core.throughput.types import System, Throughput
from core.workload.jobs.kinds import BatchInference, OnlineServing, PreTraining
from core.workload.models.known import networks
from core.workload.models.sized import Size, shipped_sized
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import systems

PRECISIONS = ("bf16", "int8", "fp16")
KNOWN = shipped_parameters("samples")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def system(catalogue: Catalogue, chip: str, n_chips: int = 8) -> System:
    return System(catalogue.accelerator_by_id[chip], n_chips, min(n_chips, 8), 3200.0, False)


def speed(
    one: System, name: str, precision: str, batch: float, is_training: bool = False, stack: str = "vendor"
) -> float:
    """Samples a second of one network on one system."""
    chips, work = chips_of([one], [precision]), work_of([networks()[name].model])
    run = SampleRun(
        np.array([batch]),
        np.array([float(is_training)]),
        np.array([STACKS.index(stack)]),
        np.array([2024.0]),
        np.array([0.0]),
    )
    return float(samples_per_s(step_terms(work, chips, run, KNOWN), run, chips)[0])


def answer(one: System, profile: Profile) -> Throughput:
    return predict(profile, [one])[0]


@settings(max_examples=40)
@given(st.sampled_from(sorted(networks())), st.integers(0, 9), st.booleans())
def test_a_larger_batch_is_never_slower_in_samples(name: str, power: int, is_training: bool) -> None:
    one = system(load_catalogue(), "h100-sxm")
    small, large = (speed(one, name, "bf16", 2.0**p, is_training) for p in (power, power + 1))
    assert large >= small * 0.999


def test_batch_saturates(catalogue: Catalogue) -> None:
    one = system(catalogue, "h100-sxm", 1)
    at = [speed(one, "ResNet-50", "fp16", batch) for batch in (1, 2, 256, 512)]
    assert at[1] / at[0] > 1.5
    assert at[3] / at[2] < 1.08


def test_kernel_by_kernel_is_slower_than_a_fused_graph(catalogue: Catalogue) -> None:
    one = system(catalogue, "h100-sxm", 1)
    assert speed(one, "ResNet-50", "fp16", 1, stack="eager") < 0.5 * speed(one, "ResNet-50", "fp16", 1)


def test_training_is_slower_than_answering(catalogue: Catalogue) -> None:
    one = system(catalogue, "a100-sxm-80")
    for name in ("ResNet-50", "ViT-L/16", "DLRM-DCNv2"):
        assert speed(one, name, "bf16", 256, is_training=True) < 0.5 * speed(one, name, "bf16", 256)


def test_published_speeds_of_well_known_runs_are_near(catalogue: Catalogue) -> None:
    """MLPerf Training v3.1 ResNet-50 on 8 H100 (about 7 050 images/s a chip) and v1.0 on 8 A100 (3 330)."""
    for chip, measured in (("h100-sxm", 7050.0), ("a100-sxm-80", 3400.0)):
        found = speed(system(catalogue, chip), "ResNet-50", "bf16", 400, is_training=True) / 8
        assert found == pytest.approx(measured, rel=0.25)


def test_tables_are_exchanged_over_the_slow_link(catalogue: Catalogue) -> None:
    chips = [system(catalogue, chip) for chip in ("h100-sxm", "h100-pcie")]
    shares = []
    for one in chips:
        work, facts = work_of([networks()["DLRM-DCNv2"].model]), chips_of([one], ["bf16"])
        run = SampleRun(np.array([6912.0]), np.ones(1), np.zeros(1, dtype=np.intp), np.array([2024.0]), np.zeros(1))
        terms = step_terms(work, facts, run, KNOWN)
        shares.append(float(terms["network"][0] / sum(value[0] for value in terms.values())))
    assert shares[1] > 3 * shares[0]


def test_training_answer_counts_samples(catalogue: Catalogue) -> None:
    profile = Profile(
        model=networks()["ResNet-50"].model,
        job=PreTraining(n_tokens=1e8, global_batch_sequences=3200, data_kind="images"),
    )
    found = answer(system(catalogue, "h100-sxm"), profile)
    assert found.fits
    assert found.tokens_per_s.likely == pytest.approx(found.samples_per_s)
    assert found.tokens_per_s.low < found.tokens_per_s.likely < found.tokens_per_s.high
    assert sum(found.step_terms_s.values()) == pytest.approx(found.step_time_s)
    assert found.step_time_s * found.samples_per_s == pytest.approx(3200)
    assert 0 < found.mfu < 1
    assert found.memory_gib.keys() >= {"weights", "gradients", "optimizer", "activations", "reserve"}


def test_a_batch_smaller_than_the_chips_is_refused_with_the_way_out(catalogue: Catalogue) -> None:
    profile = Profile(model=networks()["ResNet-50"].model, job=PreTraining(n_tokens=1e8, global_batch_sequences=4))
    found = answer(system(catalogue, "h100-sxm"), profile)
    assert not found.fits
    assert found.reasons[0].code == "batch"
    assert "samples" in str(found.reasons[0].text)


def test_activations_that_do_not_fit_are_cut_into_pieces(catalogue: Catalogue) -> None:
    model = networks()["RetinaNet (ResNeXt-50)"].model
    profile = Profile(model=model, job=PreTraining(n_tokens=1e7, global_batch_sequences=512))
    found = answer(system(catalogue, "l4"), profile)
    assert found.fits
    assert found.layout.micro_batch < 64
    assert sum(found.memory_gib.values()) <= found.memory_capacity_gib


def test_large_tables_need_several_chips(catalogue: Catalogue) -> None:
    profile = Profile(
        model=networks()["DLRM-DCNv2"].model, job=BatchInference(requests_per_batch=1e9, weight_precision="fp16")
    )
    one, eight = (answer(system(catalogue, "h100-sxm", n), profile) for n in (1, 8))
    assert not one.fits and one.reasons[0].code == "memory"
    assert eight.fits and eight.memory_gib["tables"] == pytest.approx(26100e6 * 4 / 8 / 2**30)


@pytest.mark.parametrize(
    ("network", "job", "change"),
    [
        ("DLRM-DCNv2", BatchInference(requests_per_batch=1e9, weight_precision="fp16"), "May fit with 2 chips"),
        ("SDXL", BatchInference(requests_per_batch=1e3, weight_precision="fp32"), "Use chips with"),
    ],
)
def test_more_chips_are_no_way_out_for_copies(
    catalogue: Catalogue, network: str, job: BatchInference, change: str
) -> None:
    """Tables are split over chips, and a training run's state; each chip that only answers holds the whole network."""
    chip = catalogue.accelerator_by_id["h100-sxm"]
    model = next(one.model for name, one in networks().items() if name.startswith(network))
    small = chip.model_copy(update={"memory_gb": 60.0 if model.table_millions else 1.5})
    found = answer(System(small, 1, 1, 3200.0, False), Profile(model=model, job=job))
    assert [one.code for one in found.reasons] == ["memory"]
    assert str(found.reasons[0].nearest_change).startswith(change)


def test_a_time_limit_lowers_the_batch_and_the_speed(catalogue: Catalogue) -> None:
    job = OnlineServing(peak_requests_per_s=100, weight_precision="int8")
    model = networks()["ResNet-50"].model
    free, tight = (
        answer(system(catalogue, "l4", 1), Profile(model=model, job=job.model_copy(update={"ttft_limit_ms": limit})))
        for limit in (None, 3.0)
    )
    assert tight.layout.max_batch < free.layout.max_batch
    assert tight.latency is not None and tight.latency.ttft_p50_ms <= 3.0
    assert tight.samples_per_s <= free.samples_per_s


def test_a_limit_that_nothing_keeps_is_told(catalogue: Catalogue) -> None:
    job = OnlineServing(peak_requests_per_s=1, weight_precision="fp8", ttft_limit_ms=100)
    found = answer(system(catalogue, "h100-sxm", 1), Profile(model=networks()["Stable Diffusion XL"].model, job=job))
    assert not found.fits
    assert found.reasons[0].code == "latency"


CLIP = shipped_sized()["Wan 14B"].at(Size(832, 480, 81, 50))


def test_chips_share_a_clip_where_one_alone_is_too_slow(catalogue: Catalogue) -> None:
    """Before, eight chips were refused what one could not do in time; without a limit each works for itself."""
    job = OnlineServing(peak_requests_per_s=1, weight_precision="bf16", ttft_limit_ms=240_000)
    alone, together, free, silent = (
        answer(system(catalogue, "h100-sxm", n_chips), Profile(model=model, job=job.model_copy(update=change)))
        for n_chips, model, change in (
            (1, CLIP, {}),
            (8, CLIP, {}),
            (8, CLIP, {"ttft_limit_ms": None}),
            (8, CLIP.model_copy(update={"shared_values": 0.0}), {}),
        )
    )
    assert not alone.fits and not silent.fits
    assert together.fits and together.layout.shared in (4, 8)
    assert together.layout.replicas * together.layout.shared == 8 and together.layout.max_batch == 1
    assert together.notes[0].startswith(f"One video on {together.layout.shared} chips")
    assert together.step_terms_s["network"] > 0
    assert (free.layout.shared, free.step_terms_s["network"]) == (1, 0)
    assert 0.6 * free.samples_per_s < together.samples_per_s < free.samples_per_s


def test_a_power_limited_board_is_slower_than_its_peak_says(catalogue: Catalogue) -> None:
    chips = chips_of([system(catalogue, "h100-pcie"), system(catalogue, "h100-sxm")], ["bf16", "bf16"])
    assert chips.power_share[0] < 0.7 < chips.power_share[1]


def test_scaling_out_keeps_most_of_the_speed(catalogue: Catalogue) -> None:
    one = system(catalogue, "h100-sxm", 8)
    many = replace(one, n_chips=64)
    per_chip = [speed(s, "ResNet-50", "bf16", 400, is_training=True) / s.n_chips for s in (one, many)]
    assert 0.8 < per_chip[1] / per_chip[0] <= 1.0


def test_chips_of_many_systems_are_those_of_each_alone() -> None:
    """What a chip alone decides is asked once a chip and format, whatever stands beside it."""
    clusters = systems(["h100-sxm", "tpu-v5e", "l4", "h100-sxm"], [1, 8])
    precisions = [PRECISIONS[number % 3] for number in range(len(clusters))]
    together = chips_of(clusters, precisions)
    for row, (system, precision) in enumerate(zip(clusters, precisions, strict=True)):
        alone = chips_of([system], [precision])
        for one in fields(SampleChips):
            assert getattr(together, one.name)[row] == getattr(alone, one.name)[0], one.name
