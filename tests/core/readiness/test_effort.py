"""Findings as weeks, and as fields of the workload."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.loading import load_catalogue
from core.errors import InputError
from core.flexibility.porting import framework_weeks, port_of, porting_estimate
from core.ranges import Range
from core.readiness.effort import NO_WEEKS, efforts, total_weeks
from core.readiness.finding import Finding
from core.readiness.kinds import KINDS, Side
from core.readiness.proposal import proposed
from core.readiness.scan import scan
from core.readiness.xla_report import report_findings
from core.workload.profile import Profile
from core.workload.stack import Stack, span_of

REPORT = """Metric: CompileTime
  TotalSamples: {programs}
  Accumulator: 02m21s
Counter: aten::nonzero
  Value: 120
Counter: aten::_local_scalar_dense
  Value: {fetched}
Counter: xla::add
  Value: 900
"""


def some(kind: str, n: int) -> tuple[Finding, ...]:
    return tuple(Finding(kind, "a.py", line, "") for line in range(1, n + 1))


@given(st.sampled_from(sorted(KINDS)), st.integers(1, 40), st.sampled_from(Side))
def test_more_places_never_take_less(kind: str, n: int, side: Side) -> None:
    few, more = (total_weeks(efforts(some(kind, count), side)) for count in (n, n + 1))
    assert few.low <= more.low and few.likely <= more.likely and few.high <= more.high
    assert few.low <= few.likely <= few.high


def test_weeks_add_up_by_hand() -> None:
    """Two kernels at 1, 2 and 4 weeks; three selections at 0.2, 0.5, 1.5 and two fifths of that for each further."""
    weeks = total_weeks(efforts((*some("triton-kernel", 2), *some("nonzero", 3)), Side.TPU))
    expected = (2 + 0.2 * 1.8, 4 + 0.5 * 1.8, 8 + 1.5 * 1.8)
    assert (weeks.low, weeks.likely, weeks.high) == pytest.approx(expected)


def test_a_habit_is_not_counted_without_end() -> None:
    assert total_weeks(efforts(some("nonzero", 10), Side.TPU)) == total_weeks(efforts(some("nonzero", 400), Side.TPU))


def test_what_runs_on_rocm_takes_nothing_there() -> None:
    assert total_weeks(efforts(some("nonzero", 5), Side.ROCM)) == NO_WEEKS


def test_an_extension_is_not_counted_beside_its_kernels() -> None:
    kernels = some("cuda-source", 2)
    assert efforts((*kernels, *some("cpp-extension", 1)), Side.TPU) == efforts(kernels, Side.TPU)
    assert total_weeks(efforts(some("cpp-extension", 1), Side.TPU)).likely == 2.0


def test_fields_follow_from_the_findings(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "import torch\nimport flash_attn\nimport triton\n@triton.jit\ndef k(x): pass\n"
        "def f(x: torch.Tensor):\n    return torch.nonzero(x)\n"
    )
    values = {one.field: one.value for one in proposed(scan(tmp_path), Stack(framework="jax"))}
    assert values == {
        "framework": "pytorch", "custom_kernels": 1, "dynamic_shapes": "some", "libraries": ("flash-attention",)
    }  # fmt: skip


def test_a_kernel_for_tpu_is_no_kernel_that_a_tpu_asks_to_be_rewritten(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "from jax.experimental import pallas as pl\nfrom jax.experimental.pallas import tpu\npl.pallas_call(f)\n"
    )
    read = scan(tmp_path)
    assert [one.kind_id for one in read.findings] == ["tpu-pallas"]
    assert "custom_kernels" not in {one.field for one in proposed(read, Stack())}
    assert total_weeks(efforts(read.findings, Side.ROCM)) == Range(1.0, 2.0, 4.0)


def test_fields_that_are_so_already_are_not_proposed(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("import torch\n")
    assert proposed(scan(tmp_path), Stack()) == ()


def test_a_report_tells_what_fell_back_and_how_often_it_compiled(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text(REPORT.format(programs=340, fetched=12))
    told = [(one.kind_id, one.line, one.name) for one in report_findings(path)]
    assert told == [("fallback", 4, "aten::nonzero"), ("item", 6, ""), ("recompiles", 1, "")]
    path.write_text(REPORT.format(programs=3, fetched=0))
    assert [one.kind_id for one in report_findings(path)] == ["fallback"]


def test_a_file_that_is_no_report_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello\n")
    with pytest.raises(InputError, match="a metrics report"):
        report_findings(path)


@pytest.mark.parametrize(
    ("text", "weeks"),
    [("5", Range(5, 5, 5)), ("2, 5, 12", Range(2, 5, 12)), ("2 5 12", Range(2, 5, 12)), ("0", Range(0, 0, 0)),
     ("", None), ("5, 2, 12", None), ("1, 2", None), ("many", None), ("-1", None), ("2000", None), ("nan", None)],
)  # fmt: skip
def test_weeks_are_typed_as_one_number_or_three(text: str, weeks: Range | None) -> None:
    assert span_of(text) == weeks


def test_typed_weeks_stand_in_place_of_the_estimate() -> None:
    catalogue = load_catalogue()
    profile = Profile(stack=Stack(framework="pytorch", custom_kernels=9, tpu_port_weeks="2, 5, 12"))
    estimates = {chip: porting_estimate(profile, catalogue, catalogue.accelerator_by_id[chip])
                 for chip in ("tpu-v5p", "mi300x", "h100-sxm")}  # fmt: skip
    assert (estimates["tpu-v5p"].weeks, estimates["tpu-v5p"].source) == (Range(2, 5, 12), "typed")
    assert estimates["mi300x"].source != "typed" and estimates["h100-sxm"].weeks.high == 0


def test_a_scan_s_weeks_come_on_top_of_the_framework_s() -> None:
    catalogue = load_catalogue()
    chip = catalogue.accelerator_by_id["tpu-v5p"]
    bare = porting_estimate(Profile(stack=Stack(framework="pytorch")), catalogue, chip).weeks
    whole = port_of(Profile(stack=Stack(framework="pytorch", custom_kernels=4)), catalogue, chip, Range(1, 2, 4))
    assert (whole.low, whole.likely, whole.high) == (bare.low + 1, bare.likely + 2, bare.high + 4)
    assert bare.likely > 0
    assert framework_weeks(Profile(stack=Stack(framework="pytorch", custom_kernels=4)), catalogue, chip) == bare
