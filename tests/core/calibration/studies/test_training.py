"""The study of training rows: units, weights, and a fit that finds what made the rows."""

from dataclasses import replace

import numpy as np
import pytest

from core.calibration.measured.table import MeasuredRow
from core.calibration.studies.training import TrainingStudy, training_study
from core.catalogue.loading import load_catalogue
from core.throughput.parameters import Parameters

SHAPES = {
    "small": "1.24,16,2048,32,8,8192,128256", "llama3-8b": "8.03,32,4096,32,8,14336,128256",
    "llama3-70b": "70.55,80,8192,64,8,28672,128256",
}  # fmt: skip
NAMES = ("params_b", "n_layers", "d_model", "n_heads", "n_kv_heads", "d_ff", "vocab")


def _row(number: int, chip: str, model: str, n_chips: int, **more: str) -> MeasuredRow:
    cells = dict(zip(NAMES, SHAPES[model].split(","), strict=True)) | {
        "id": f"row-{number}", "hardware": chip, "n_chips": str(n_chips), "model": model, "seq_len": "4096",
        "global_batch": str(8 * n_chips), "precision": "bf16", "framework": "NeMo", "date": "2025-01",
        "source_group": "one" if number % 2 else "two", "tokens_per_s_per_chip": "1000",
    }  # fmt: skip
    return MeasuredRow("table.csv", number + 2, cells | more)


def _study() -> TrainingStudy:
    chips = ("a100-sxm-80", "h100-sxm", "b200-sxm")
    every = [(chip, model, n) for chip in chips for model in SHAPES for n in (16, 64)]
    rows = tuple(_row(number, *what) for number, what in enumerate(every))
    return training_study(rows, load_catalogue())


def _as_made_by(study: TrainingStudy, known: Parameters) -> TrainingStudy:
    return replace(study, measured=tuple(study.predict(known)))


def test_a_fit_finds_the_coefficients_that_made_the_rows() -> None:
    study = _study()
    prior = study.fit(np.zeros(len(study.rows), dtype=np.bool_) | (np.arange(len(study.rows)) < 1))
    slower = Parameters(
        tuple(replace(row, value=row.prior - 0.1) if row.name == "ln_stack_vendor" else row for row in prior.rows)
    )
    made = _as_made_by(study, slower)
    fitted = made.fit(np.ones(len(made.rows), dtype=np.bool_))
    error = np.abs(np.log(made.predict(fitted) / np.array(made.measured)))
    assert float(np.median(error)) < 0.03
    assert float(np.median(np.abs(np.log(made.predict(prior) / np.array(made.measured))))) > 2 * float(np.median(error))


def test_metrics_of_one_speed_agree() -> None:
    rows = tuple(
        _row(number, "h100-sxm", "llama3-8b", 16, **({"tokens_per_s_per_chip": ""} | {metric: value}))
        for number, (metric, value) in enumerate(
            {"tokens_per_s_per_chip": "8192", "samples_per_s_per_chip": "2", "step_time_s": "4"}.items()
        )
    )
    study = training_study(rows, load_catalogue())
    assert [row.metric for row in study.rows] == ["tokens_per_s_per_chip", "samples_per_s_per_chip", "step_time_s"]
    assert study.speeds == pytest.approx([8192, 8192, 8 * 4096 / 4])


def test_the_plain_rule_knows_only_the_kept_rows() -> None:
    study = _study()
    kept = np.array([row.hardware != "b200-sxm" for row in study.rows])
    doubled = replace(
        study, measured=tuple(value * (1 if k else 2) for value, k in zip(study.measured, kept, strict=True))
    )
    assert doubled.baseline(kept) == pytest.approx(study.baseline(kept))


def test_repeated_rows_share_weight_and_families_are_told_apart() -> None:
    once = _row(0, "h100-sxm", "llama3-8b", 16)
    rows = (once, *(replace(once, cells=once.cells | {"id": f"again-{n}"}) for n in range(7)))
    other = _row(9, "tpu-v5p", "llama3-8b", 64, source_group="three")
    study = training_study((*rows, other), load_catalogue())
    assert study.weights[:8].sum() < 3 * study.weights[8]
    assert [row.family for row in study.rows[-2:]] == ["dense", "tpu"]
