"""The input pipeline: worked by hand, laws that hold for any, and whole predictions held to it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.throughput.input_pipeline import (
    Hosts,
    InputPipeline,
    InputSample,
    hosts_of,
    input_pipeline_of,
    input_sample_of,
    input_sample_of_network,
    read_bytes_per_s,
)
from core.throughput.parameters import shipped_parameters
from core.throughput.predict import predict
from core.throughput.types import Throughput
from core.workload.jobs.kinds import PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import LLAMA_3_8B, system

VISION = TransformerModel(
    name="ViT-B/16", n_layers=12, d_model=768, n_heads=12, n_kv_heads=12, d_head=64, d_ff=3072, vocab_size=1000,
    gated_mlp=False,
)  # fmt: skip
SLOW = {"data_kind": "images", "sample_kb": 1000.0, "storage_gb_per_s": 2.0, "preprocess_ms_per_sample": 0.0}
SHORT = {"sequence_length": 256, "global_batch_sequences": 4096}
TWO_HOSTS = Hosts(*(np.array([value]) for value in (2.0, 100.0, 100.0, 1e9, 50e9)))


def _one(n_chips: int = 64, chip: str = "h100-sxm", model: TransformerModel = VISION, **job: object) -> Throughput:
    profile = Profile(model=model, job=PreTraining.model_validate(SHORT | job))
    return predict(profile, [system(chip, n_chips)])[0]


def test_a_feed_worked_by_hand() -> None:
    job = PreTraining(global_batch_sequences=1000)
    pipeline = input_pipeline_of(job, InputSample(2e6, 0.01, 5e6), TWO_HOSTS, np.array([16.0]))
    assert pipeline.storage_s == pytest.approx([1000 * 2e6 / (2 * 1e9)])
    assert pipeline.processor_s == pytest.approx([1000 * 0.01 / 200])
    assert pipeline.copy_s == pytest.approx([1000 / 16 * 5e6 / 50e9])
    assert pipeline.total_s == pytest.approx([1.0])


def test_hosts_of_one_model_copy_read_the_same_samples() -> None:
    job, sample = PreTraining(global_batch_sequences=1000), InputSample(2e6, 0.01, 0.0)
    one_copy, many = (input_pipeline_of(job, sample, TWO_HOSTS, np.array([ranks])) for ranks in (1.0, 8.0))
    assert one_copy.storage_s == pytest.approx(2 * many.storage_s)
    assert one_copy.processor_s == pytest.approx(2 * many.processor_s)


def test_a_rate_of_the_storage_is_shared_by_all_hosts() -> None:
    job = PreTraining(global_batch_sequences=1000, storage_gb_per_s=0.5)
    pipeline = input_pipeline_of(job, InputSample(1e6, 0.0, 0.0), TWO_HOSTS, np.array([16.0]))
    assert pipeline.storage_s == pytest.approx([2.0])


def test_waits_go_to_the_slower_side_and_are_only_what_shows() -> None:
    """Of two that are alike to storage."""
    processor_s, copy_s = np.array([1.0, 4.0, 1.0, 3.0]), np.full(4, 0.5)
    pipeline = InputPipeline(np.array([3.0, 1.0, 1.0, 3.0]), processor_s, copy_s)
    on_input, on_host = pipeline.waits_s(np.full(4, 2.0))
    assert on_input.tolist() == [1.0, 0.0, 0.0, 1.0]
    assert on_host.tolist() == [0.0, 2.0, 0.0, 0.0]


@given(
    step_s=st.floats(1e-4, 100), storage_s=st.floats(0, 100), processor_s=st.floats(0, 100), copy_s=st.floats(0, 100)
)
def test_step_and_waits_are_the_longest_of_all(
    step_s: float, storage_s: float, processor_s: float, copy_s: float
) -> None:
    pipeline = InputPipeline(*(np.array([seconds]) for seconds in (storage_s, processor_s, copy_s)))
    on_input, on_host = pipeline.waits_s(np.array([step_s]))
    assert step_s + on_input[0] + on_host[0] == pytest.approx(max(step_s, storage_s, processor_s, copy_s))


@pytest.mark.parametrize(("vocab_size", "width"), [(32_000, 2), (128_256, 4)])
def test_prepared_tokens_take_two_or_four_bytes(vocab_size: int, width: int) -> None:
    sample = input_sample_of(PreTraining(sequence_length=8192), vocab_size)
    assert (sample.stored_bytes, sample.processor_s) == (width * 8192, 0.0)


def test_the_kind_of_data_sets_the_sample_unless_it_is_entered() -> None:
    table = shipped_parameters("host")
    usual = input_sample_of(PreTraining(data_kind="images"), 1000)
    entered = input_sample_of(PreTraining(data_kind="images", sample_kb=50.0, preprocess_ms_per_sample=0.0), 1000)
    assert usual.stored_bytes == pytest.approx(table["image_kb"] * 1e3)
    assert usual.processor_s == pytest.approx(table["image_decode_ms"] / 1e3)
    assert (entered.stored_bytes, entered.processor_s) == (50e3, 0.0)
    assert input_sample_of(PreTraining(data_kind="text"), 1000).processor_s > 0


def test_a_host_gives_what_its_network_and_cores_can() -> None:
    one = system("h100-sxm", 8)
    table = shipped_parameters("host")
    by_network = one.network_gbit_per_s / 8 * 1e9
    limit = table["object_read_gb_per_s_per_host"] * 1e9
    assert read_bytes_per_s(one, PreTraining()) == min(limit, by_network * table["network_share_for_storage"])
    assert read_bytes_per_s(one, PreTraining(storage_gb_per_s=1.0)) == by_network
    hosts = hosts_of([one], PreTraining())
    n_vcpu = one.host.n_vcpu if one.host and one.host.n_vcpu else 8 * table["least_vcpus_per_chip"]
    assert hosts.vcpus == pytest.approx([n_vcpu * table["vcpu_share_for_input"]])


@pytest.mark.parametrize("chip", ["h100-sxm", "tpu-v5e", "a100-sxm-80"])
def test_text_jobs_do_not_wait(chip: str) -> None:
    for model in (LLAMA_3_8B, VISION):
        answer = _one(chip=chip, model=model, sequence_length=4096, global_batch_sequences=512)
        assert answer.step_terms_s["input"] == 0 and answer.bottleneck != "input"
        assert not any("Waits" in note for note in answer.notes)


def test_heavy_images_on_slow_storage_run_at_the_pace_of_the_storage() -> None:
    answer = _one(**SLOW)
    assert answer.bottleneck == "input"
    assert answer.samples_per_s == pytest.approx(2e9 / 1e6)
    assert answer.tokens_per_s.likely == pytest.approx(256 * 2e9 / 1e6)
    assert answer.step_time_s == pytest.approx(4096 / 2000)
    assert sum(answer.step_terms_s.values()) == pytest.approx(answer.step_time_s)
    assert answer.tokens_per_s.low < answer.tokens_per_s.likely < answer.tokens_per_s.high
    assert any("Waits for storage" in note for note in answer.notes)


def test_heavy_preparation_runs_at_the_pace_of_the_processors() -> None:
    answer = _one(data_kind="images", preprocess_ms_per_sample=500.0)
    hosts = hosts_of([answer.system], PreTraining())
    assert answer.bottleneck == "host"
    assert answer.samples_per_s == pytest.approx(float(hosts.n_hosts[0] * hosts.vcpus[0]) / 0.5)
    assert any("processors" in note for note in answer.notes)
    assert not any("not published" in note for note in answer.notes)


def test_cores_that_nobody_tells_are_told_and_may_be_as_many_as_usual() -> None:
    """Six sellers of one machine were told 3,200 pictures a second as a fact, where its like gave 20,800."""
    known = system("h100-sxm", 8)
    bare, table = replace(known, host=None), shipped_parameters("host")

    def one(**job: object) -> Throughput:
        profile = Profile(model=VISION, job=PreTraining.model_validate(SHORT | job))
        return predict(profile, [bare])[0]

    answer = one(data_kind="images", preprocess_ms_per_sample=100.0)
    assert any("not published: 32 a host are taken, 192 are usual" in note for note in answer.notes)
    assert answer.tokens_per_s.likely == pytest.approx(answer.tokens_per_s.low * np.exp(table["feed_spread"]))
    usual = table["vcpus_per_chip"] / table["least_vcpus_per_chip"] * np.exp(table["feed_spread"])
    free = one().tokens_per_s.high
    assert answer.tokens_per_s.high == pytest.approx(min(usual * answer.tokens_per_s.likely, free))


def test_waiting_lowers_use_with_the_speed() -> None:
    free, held = _one(), _one(**SLOW)
    share = held.tokens_per_s.likely / free.tokens_per_s.likely
    assert held.mfu == pytest.approx(free.mfu * share)
    assert held.roofline[0][2] == pytest.approx(free.roofline[0][2] * share)


@settings(max_examples=30, deadline=None)
@given(
    field=st.sampled_from(["sample_kb", "preprocess_ms_per_sample", "storage_gb_per_s"]),
    start=st.floats(0.1, 2000),
    factor=st.floats(1.01, 50),
)
def test_a_slower_feed_never_speeds_up(field: str, start: float, factor: float) -> None:
    slower = start / factor if field == "storage_gb_per_s" else start * factor
    fast = _one(**({"data_kind": "images"} | {field: start}))
    slow = _one(**({"data_kind": "images"} | {field: slower}))
    for end in ("low", "likely", "high"):
        assert getattr(slow.tokens_per_s, end) <= getattr(fast.tokens_per_s, end) * (1 + 1e-9)


@settings(max_examples=15, deadline=None)
@given(sample_kb=st.floats(1, 1e5), rate=st.floats(0.01, 100))
def test_chips_never_take_more_bytes_than_the_storage_gives(sample_kb: float, rate: float) -> None:
    answer = _one(data_kind="images", sample_kb=sample_kb, storage_gb_per_s=rate)
    assert answer.samples_per_s * sample_kb * 1e3 <= rate * 1e9 * (1 + 1e-9)


def test_networks_read_what_their_family_reads() -> None:
    table = shipped_parameters("host")
    for family in ("vision", "diffusion"):
        assert input_sample_of_network(PreTraining(), family).stored_bytes == pytest.approx(table["image_kb"] * 1e3)
    clips = input_sample_of_network(PreTraining(data_kind="video"), "vision")
    assert clips.stored_bytes == pytest.approx(table["video_kb"] * 1e3)
    rows = input_sample_of_network(PreTraining(), "recommender")
    assert rows.stored_bytes < 0.1 * table["image_kb"] * 1e3
    assert input_sample_of_network(PreTraining(sample_kb=7.0), "recommender").stored_bytes == 7e3


def test_a_file_system_is_shared_by_very_many_hosts() -> None:
    many = Hosts(*(np.array([value]) for value in (10_000.0, 100.0, 100.0, 6e9, 50e9)))
    job = PreTraining(global_batch_sequences=10_000, storage="filesystem")
    total = shipped_parameters("host")["filesystem_total_gb_per_s"] * 1e9
    assert input_pipeline_of(job, InputSample(1e9, 0.0, 0.0), many, np.array([80_000.0])).storage_s == pytest.approx(
        [1e13 / total]
    )
