"""Contradictions between tables are found and named."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalogue.checks.consistency import problems
from core.catalogue.loading import load_catalogue, read_catalogue

Put = Callable[[str, int, str, str], None]


def test_shipped_catalogue_has_no_contradiction() -> None:
    assert list(problems(load_catalogue())) == []


@pytest.mark.parametrize(
    ("table", "row", "column", "text", "field"),
    [
        ("accelerators", 2, "source", "NOWHERE", "source"),
        ("accelerators", 2, "estimated_fields", "beauty", "estimated_fields"),
        ("accelerators", 15, "fp8_tflops", "10", "fp8_tflops"),
        ("accelerators", 15, "measured_bf16_tflops", "5000", "measured_bf16_tflops"),
        ("accelerators", 15, "memory_gb", "0", "memory_gb"),
        ("accelerators", 3, "id", "t4", "id"),
        ("hosts", 2, "accelerator_id", "h900", "accelerator_id"),
        ("hosts", 2, "n_chips", "0", "n_chips"),
        ("hosts", 3, "instance", "a2-highgpu-1g", "instance"),
        ("slices", 2, "n_chips", "7", "dims"),
        ("slices", 2, "accelerator_id", "tpu-v6e", "dims"),
        ("slices", 2, "accelerator_id", "h900", "accelerator_id"),
        ("slices", 2, "wraps", "no no", "wraps"),
        ("offers", 2, "instance", "nothing", "instance"),
        ("offers", 2, "chips_per_host", "2", "chips_per_host"),
        ("offers", 2, "accelerator_id", "h100-sxm", "accelerator_id"),
        ("offers", 2, "usd_per_chip_hour", "-1", "usd_per_chip_hour"),
        ("offers", 2, "usd_per_chip_hour", "700", "usd_per_chip_hour"),
        ("offers", 4, "usd_per_chip_hour", "12.96", "usd_per_host_hour"),
        ("regions", 3, "accelerator_ids", "l4 h900", "accelerator_ids"),
        ("frameworks", 3, "source", "ROCM+NOWHERE", "source"),
        ("cost_inputs", 2, "typical", "7", "typical"),
        ("formats", 2, "accelerator_ids", "v100-sxm2-16 h900", "accelerator_ids"),
        ("formats", 2, "accelerator_ids", "", "accelerator_ids"),
        ("formats", 2, "format", "fp6", "format"),
        ("formats", 2, "runs_in", "bf16", "runs_in"),
        ("formats", 5, "runs_in", "", "runs_in"),
        ("formats", 5, "speed_share", "1.5", "speed_share"),
        ("formats", 5, "estimate", "no", "estimate"),
        ("formats", 4, "format", "tf32", "format"),
        ("formats", 4, "source", "NOWHERE", "source"),
    ],
)
def test_contradiction_is_named(
    folder: Path, put: Put, table: str, row: int, column: str, text: str, field: str
) -> None:
    put(table, row, column, text)
    places = [problem.where for problem in problems(read_catalogue(folder))]
    assert f"{table}.csv, row {row}, field {field}" in places


def test_row_without_any_figure_is_named(folder: Path, put: Put) -> None:
    for column in ("low", "typical", "high"):
        put("cost_inputs", 2, column, "")
    [problem] = problems(read_catalogue(folder))
    assert "no figure" in str(problem)


def test_price_of_a_host_taken_for_a_chip_is_explained(folder: Path, put: Put) -> None:
    put("offers", 4, "usd_per_chip_hour", "12.96")
    [problem] = problems(read_catalogue(folder))
    assert "4 chips at 12.96 each" in problem.expected
