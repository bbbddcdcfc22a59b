"""The plain rules beside the engine: one rate a chip, the median of other sources, never of the judged one."""

from __future__ import annotations

import pytest

from core.calibration.baseline import MIN_OTHERS, _left_out_errors, _training_value, baseline_errors_pct
from core.calibration.measured.case import MeasuredCase, case_of
from core.calibration.measured.table import MeasuredRow
from core.calibration.scored_rows import ScoredRow
from core.catalogue.loading import load_catalogue
from core.throughput.model_shape import shape_of
from core.throughput.transformer_work import model_flops_per_token
from tests.core.calibration.measured.test_training import LLAMA


def _row(name: str, source: str, hardware: str = "h100-sxm", metric: str = "step_time_s") -> ScoredRow:
    return ScoredRow(name, hardware, source, metric, 1.0, None, None, None, None, None)


def test_a_row_is_judged_by_the_median_of_other_sources_on_its_chip() -> None:
    """Ratios 2, 4, 9 of three others have the median 4: against a ratio of 8 that is half."""
    rows = [_row(name, name) for name in "abcd"]
    errors = _left_out_errors(rows, [8.0, 2.0, 4.0, 9.0])
    assert errors["a", "step_time_s"] == pytest.approx(100 * (4 / 8 - 1))
    assert errors["d", "step_time_s"] == pytest.approx(100 * (4 / 9 - 1))


def test_rows_of_the_same_source_do_not_help() -> None:
    rows = [_row(name, "one") for name in "abcd"]
    assert _left_out_errors(rows, [1.0, 1.0, 1.0, 1.0]) == {}


def test_with_few_others_on_the_chip_all_chips_together_judge() -> None:
    assert MIN_OTHERS == 3
    rows = [_row("a", "a"), _row("b", "b"), _row("c", "c"), *(_row(name, name, "a100") for name in "de")]
    errors = _left_out_errors(rows, [10.0, 1.0, 1.0, 6.0, 8.0])
    assert errors["a", "step_time_s"] == pytest.approx(100 * (3.5 / 10 - 1))  # 1, 1, 6, 8
    assert errors["d", "step_time_s"] == pytest.approx(100 * (4.5 / 6 - 1))  # 10, 1, 1, 8
    mixed = [*rows, _row("f", "f", metric="tokens_per_s_per_chip")]
    assert ("f", "tokens_per_s_per_chip") not in _left_out_errors(mixed, [10.0, 1.0, 1.0, 6.0, 8.0, 5.0])


def test_speed_at_full_peak_in_every_unit() -> None:
    """Peak over FLOPs per token; a sample is a sequence; a step is the global batch on all chips."""
    case = case_of(MeasuredRow("t.csv", 2, LLAMA | {"global_batch": "64", "seq_len": "4096"}), load_catalogue())
    assert isinstance(case, MeasuredCase)
    chip = case.system.accelerator
    assert chip.bf16_tflops is not None
    per_chip = chip.bf16_tflops * 1e12 / float(model_flops_per_token(shape_of(case.profile.model), 4096))
    values = {
        metric: _training_value(case, _row("a", "a", metric=metric))
        for metric in ("tokens_per_s_per_chip", "samples_per_s_per_chip", "step_time_s")
    }
    assert values == pytest.approx({
        "tokens_per_s_per_chip": per_chip, "samples_per_s_per_chip": per_chip / 4096,
        "step_time_s": 64 * 4096 / (per_chip * 16),
    })  # fmt: skip


def test_rows_without_a_case_are_left_out() -> None:
    assert baseline_errors_pct([], [_row(name, name) for name in "abcd"]) == {}
