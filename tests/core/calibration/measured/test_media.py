"""Rows of images, video and embeddings: which network at which size, and what is refused."""

from __future__ import annotations

import pytest

from core.calibration.measured.dialect import dialect_of
from core.calibration.measured.media import audio_of_sample_s, media_network, split_of
from core.calibration.measured.samples import SampleCase, sample_case
from core.calibration.measured.table import MeasuredRow
from core.calibration.studies.samples import scored_samples
from core.catalogue.loading import load_catalogue
from core.workload.models.network import NetworkModel

HEADER = {"task", "seconds_per_item", "rtfx"}


def row(**cells: str) -> MeasuredRow:
    dialect = dialect_of(HEADER)
    assert dialect is not None
    usual = {"id": "a", "task": "image-gen", "chip": "a100-80", "n_chips": "1", "batch": "1", "model": "sdxl"}
    return MeasuredRow("t.csv", 2, dialect.read(usual | cells), dialect.work_of(cells))


def network(**cells: str) -> NetworkModel:
    found = media_network(row(**cells))
    assert isinstance(found, NetworkModel), found
    return found


def test_a_whole_picture_has_all_steps_and_a_step_its_passes_alone() -> None:
    whole = network(seconds_per_item="3", steps="30", resolution="1024x1024")
    step = network(step_time_s="0.1", resolution="1024x1024")
    assert (whole.passes, whole.passes_at_once) == (60, 2)
    assert (step.passes, step.once_gflops) == (2, 0)


def test_a_row_is_scored_by_one_of_the_ways_it_states_one_measurement() -> None:
    measured = row(seconds_per_item="3", step_time_s="0.1", iters_per_s="10").measured()
    assert measured == {"seconds_per_item": 3.0}
    assert row(step_time_s="0.1", iters_per_s="10").measured() == {"step_time_s": 0.1}


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"engine": "diffusers DeepCache I=3"}, "change the picture"),
        ({"model": "somebody's own"}, "network unknown"),
        ({"model": "hunyuanvideo-13b", "seconds_per_item": "100"}, "size of the video unknown"),
        ({"task": "encoder", "model": "deberta-v3-large"}, "sequence length unknown"),
        ({"task": "asr", "model": "fun-asr-nano"}, "network unknown"),
        ({"task": "asr-encoder", "model": "conformer"}, "part of a network"),
    ],
)
def test_what_cannot_be_told_is_refused_with_its_reason(cells: dict[str, str], reason: str) -> None:
    found = media_network(row(**cells))
    assert isinstance(found, str)
    assert reason in found


def test_chips_that_share_a_picture_exchange_tokens_in_every_layer() -> None:
    cells = {"model": "flux.1-dev", "seconds_per_item": "5", "n_chips": "4", "precision": "bf16"}
    case = sample_case(row(**cells), "media", load_catalogue())
    assert isinstance(case, SampleCase)
    assert case.batch == 0.25
    assert case.model.exchange_values == 4 * 57 * case.model.attention_tokens * 3072
    assert split_of(network(seconds_per_item="3")).exchange_values == 0


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("openai/whisper-large-v3", "Whisper large v3"), ("large-v2", "Whisper large v2"),
        ("whisper-large-v3-turbo", "Whisper large v3 turbo"),
        ("distil-whisper/distil-large-v3", "Distil-Whisper large"),
        ("distil-small.en", "Distil-Whisper small"), ("cosyvoice2-0.5b", "CosyVoice2 0.5B"),
    ],
)  # fmt: skip
def test_speech_is_known_by_the_names_people_give_it(name: str, known: str) -> None:
    assert network(task="asr", model=name, rtfx="20").name == known


def test_a_pipeline_of_windows_hears_a_third_twice_and_beams_remember_apart() -> None:
    plain, pipeline = row(task="asr", engine="faster-whisper"), row(task="asr", engine="Transformers FA2")
    assert [audio_of_sample_s(one) for one in (plain, pipeline, row(task="tts"), row())] == [30.0, 20.0, 10.0, 0.0]
    one, five = (network(task="asr", model="large-v2", engine=f"faster-whisper beam {n}") for n in (1, 5))
    assert five.remembered_millions == 5 * one.remembered_millions
    assert network(task="asr", model="large-v2", engine="TensorRT-LLM in Triton").host_ms < one.host_ms


def test_speech_is_measured_once_by_what_the_source_states() -> None:
    assert row(task="asr", rtfx="50", latency_ms="3").measured() == {"rtfx": 50.0}
    assert row(task="tts", rtf="0.1", rtfx="10", derived_fields="rtfx").measured() == {"rtf": 0.1}
    assert row(task="asr", audio_s="780", run_time_s="60").measured() == {"rtfx": 13.0}
    assert row(task="tts", rtf="0.1", concurrency="4", batch="").number("batch_or_concurrency") == 4.0


def test_a_row_of_speech_runs_alone_in_half_precision_unless_it_says_otherwise() -> None:
    case = sample_case(row(task="asr", model="large-v2", engine="faster-whisper", batch=""), "media", load_catalogue())
    assert isinstance(case, SampleCase)
    assert (case.batch, case.precision, case.stack) == (1.0, "fp16", "compiled")


@pytest.mark.parametrize(("stated", "ran"), [("FP32/TF32", "fp32"), ("TF32", "tf32"), ("FP16", "fp16")])
def test_a_column_of_two_formats_ran_in_the_first(stated: str, ran: str) -> None:
    cells = {"task": "encoder", "model": "deberta-v3-large", "engine": "TensorRT", "seq_len_tokens": "512"}
    case = sample_case(row(**cells, precision=stated, items_per_s="32"), "media", load_catalogue())
    assert isinstance(case, SampleCase)
    assert case.precision == ran


@pytest.mark.parametrize(
    ("model", "engine", "batch", "rtfx", "within"),
    [("whisper-large-v3", "Transformers FA2", "24", 91.8, 1.4), ("large-v2", "faster-whisper", "1", 16.0, 1.4)],
)
def test_published_speeds_of_transcription_on_an_a100_are_near(
    model: str, engine: str, batch: str, rtfx: float, within: float
) -> None:
    """Seconds of audio a second: README of insanely-fast-whisper, 150 minutes on one A100 80 GB, 2024-05."""
    cells = {"task": "asr", "model": model, "engine": engine, "batch": batch, "precision": "fp16"}
    case = sample_case(row(**cells, rtfx=str(rtfx), date="2024-05-27"), "media", load_catalogue())
    assert isinstance(case, SampleCase)
    [scored] = scored_samples([case])["a"]
    assert scored.predicted is not None
    assert 1 / within < scored.predicted / rtfx < within
