"""Measured rows of networks: what they ran, how they are judged, and what a fit may see."""

from __future__ import annotations

import numpy as np
import pytest

from core.calibration.measured.samples import SampleCase, is_sample_row, sample_case
from core.calibration.measured.table import MeasuredRow
from core.calibration.studies.samples import SamplesStudy, in_metric, samples_study, scored_samples
from core.calibration.studies.shipped_studies import shipped_study
from core.catalogue.loading import load_catalogue
from core.throughput.parameters import shipped_parameters


def row(**cells: object) -> MeasuredRow:
    """A row of a table with only these cells."""
    return MeasuredRow("t.csv", 2, {name: str(value) for name, value in cells.items()})


def case(work: str = "training", **cells: object) -> SampleCase:
    found = sample_case(row(**{"id": "a", "hardware": "h100-sxm", "n_chips": 8} | cells), work, load_catalogue())
    assert isinstance(found, SampleCase)
    return found


@pytest.mark.parametrize(
    ("model", "work", "expected"),
    [
        ("resnet50", "training", True),
        ("bert-large", "inference", True),
        ("bert-large", "training", False),
        ("llama3-8b", "training", False),
        ("dlrm-dcnv2", "training", True),
        ("stable-diffusion-xl", "inference", True),
    ],
)
def test_which_rows_are_in_samples(model: str, work: str, expected: bool) -> None:
    assert is_sample_row(row(model=model, date="2023-06"), work) is expected


@pytest.mark.parametrize(("date", "name"), [("2019-07", "SSD300 (ResNet-34)"), ("2023-06", "RetinaNet (ResNeXt-50)")])
def test_ssd_became_retinanet(date: str, name: str) -> None:
    assert case(model="ssd", date=date, global_batch=256).model.name == name


@pytest.mark.parametrize(
    ("hardware", "notes", "stated", "precision"),
    [
        ("a100-sxm-80", "MLPerf v3.1 closed, bert-99, Offline", "", "int8"),
        ("a100-sxm-80", "MLPerf v3.1 closed, bert-99.9, Offline", "", "fp16"),
        ("h100-sxm", "MLPerf v4.1 closed, bert-99.9, Offline", "fp16", "fp8"),
        ("h100-sxm", "TensorFlow", "fp32", "fp32"),
        ("tpu-v4", "", "", "bf16"),
    ],
)
def test_precision_that_a_row_leaves_out(hardware: str, notes: str, stated: str, precision: str) -> None:
    found = case(
        "inference", model="bert-large", hardware=hardware, notes=notes, weight_precision=stated, input_len=384
    )
    assert found.precision == precision


def test_a_benchmark_packs_tokens_and_others_pad() -> None:
    packed = case("inference", model="bert-large", notes="MLPerf Inference v3.1 closed, bert-99", input_len=384)
    padded = case("inference", model="bert-large", notes="TF", input_len=384)
    assert packed.model.forward_flops < 0.5 * padded.model.forward_flops


@pytest.mark.parametrize(("chips", "total", "batch"), [(8, 3200, 400.0), (72, 56, 1.0), (800, 80, 0.1)])
def test_fewer_samples_than_chips_split_a_sample(chips: int, total: int, batch: float) -> None:
    assert case(model="unet3d-kits19", n_chips=chips, global_batch=total).batch == pytest.approx(batch)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"hardware": "abacus"}, "hardware not in the catalogue"),
        ({"quality": "C"}, "quality C"),
        ({"n_chips": ""}, "number of chips unknown"),
    ],
)
def test_rows_that_are_not_scored_say_why(cells: dict[str, str], reason: str) -> None:
    given = {"model": "resnet50", "hardware": "h100-sxm", "n_chips": "8", "id": "a"} | cells
    assert sample_case(row(**given), "training", load_catalogue()) == reason


def test_a_rate_in_every_metric() -> None:
    found = case(model="resnet50", global_batch=3200)
    assert in_metric(found, "samples_per_s_per_chip", 800.0) == 100.0
    assert in_metric(found, "step_time_s", 800.0) == 4.0
    assert in_metric(found, "tpot_ms", 800.0) == 0.0


def test_scored_entries_hold_a_range_around_the_likely_value() -> None:
    entry = scored_samples([case(model="resnet50", global_batch=3200, step_time_s=0.056)])["a"][0]
    assert entry.predicted is not None and entry.low is not None and entry.high is not None
    assert entry.low < entry.predicted < entry.high
    assert entry.error_pct == pytest.approx(100 * (entry.predicted / 0.056 - 1))


def test_a_fit_sees_the_kept_rows_only() -> None:
    cases = [
        case(id=str(n), model="resnet50", global_batch=3200, samples_per_s_per_chip=v) for n, v in enumerate((6e3, 9e3))
    ]
    study = samples_study(cases, ("samples_per_s_per_chip",))
    slow = study.predict(study.fit(np.array([True, False])))
    fast = study.predict(study.fit(np.array([False, True])))
    assert fast[0] > slow[0]
    assert study.baseline(np.array([True, False]))[1] == pytest.approx(6e3)


@pytest.mark.parametrize(("is_media", "least", "median", "p90"), [(False, 900, 0.10, 0.35), (True, 300, 0.22, 0.75)])
def test_shipped_coefficients_stay_near_the_shipped_rows(is_media: bool, least: int, median: float, p90: float) -> None:
    """In sample: most benchmark rows within 10 and 35 %, the mixed rows of images, video and encoders within more."""
    study = shipped_study("samples")
    assert isinstance(study, SamplesStudy)
    chosen = np.array([(case.row.work == "media") == is_media for case in study.cases])
    measured = np.array([one.measured for one in study.rows])[chosen]
    errors = np.abs(study.predict(shipped_parameters("samples"))[chosen] / measured - 1)
    assert len(errors) > least
    assert np.median(errors) < median
    assert np.percentile(errors, 90) < p90


def test_a_sample_of_the_inference_benchmark_can_be_many_of_the_networks() -> None:
    scan = case("inference", model="3d-unet-99", notes="MLPerf Inference v4.1 closed, 3d-unet-99, Offline")
    window = case(model="unet3d-kits19", global_batch=56)
    assert scan.model.forward_flops == pytest.approx(75 * window.model.forward_flops)
