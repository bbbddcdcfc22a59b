"""Labels of published runs: what ran did run, in the next format that its chip has."""

import pytest

from core.calibration.measured.formats import as_run, as_sampled, as_trained
from core.catalogue.entries import Accelerator
from core.catalogue.loading import load_catalogue


def _chip(chip_id: str) -> Accelerator:
    return load_catalogue().accelerator_by_id[chip_id]


@pytest.mark.parametrize(
    ("chip", "label", "served", "trained", "sampled"),
    [
        ("h100-sxm", "bf16", "bf16", "bf16", "bf16"),
        ("v100-sxm2-32", "bf16", "fp16", "fp16", "fp16"),
        ("a100-sxm-80", "fp8", "int8", "bf16", "int8"),
        ("tpu-v5e", "fp8", "int8", "int8", "int8"),
        ("h100-sxm", "fp4", "fp8", "fp8", "fp8"),
        ("b200-sxm", "mxfp4", "fp4", "fp4", "fp4"),
        ("h100-sxm", "int4", "bf16", "bf16", "bf16"),
        ("b300-sxm", "int8", "int8", "int8", "fp8"),
        ("tpu-v4", "tf32", "bf16", "bf16", "bf16"),
    ],
)
def test_the_format_behind_a_label(chip: str, label: str, served: str, trained: str, sampled: str) -> None:
    runs = [as_run(_chip(chip), label), as_trained(_chip(chip), label), as_sampled(_chip(chip), label)]
    assert [run.products for run in runs] == [served, trained, sampled]
    assert all(run.peak_flops > 0 and run.refusal is None for run in runs)


def test_a_chip_without_any_peak_is_not_scored() -> None:
    bare = _chip("tpu8t").model_copy(update={"fp4_tflops": None})
    refusal = as_run(bare, "bf16").refusal
    assert refusal is not None and refusal.code == "unknown"


def test_the_open_block_format_is_shown_where_the_other_is_missing() -> None:
    assert (as_run(_chip("mi355x"), "fp4").shown, as_run(_chip("b200-sxm"), "fp4").shown) == ("mxfp4", "fp4")
