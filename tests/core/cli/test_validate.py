"""``roofplan validate``: every group of errors as text and as JSON, and why rows were left out."""

import json
from pathlib import Path

import pytest

from core.calibration.validate import ValidationReport, validate_table
from core.catalogue.loading import load_catalogue
from core.cli.program import main
from core.cli.validate import as_text

HEADER = (
    "id,hardware,n_chips,model_family,model,params_b,n_layers,d_model,n_heads,n_kv_heads,d_ff,vocab,experts,seq_len,"
    "global_batch,micro_batch,precision,tp,pp,recompute,framework,tokens_per_s_per_chip,step_time_s,derived_fields,"
    "source_group,quality"
)
LLAMA = "llama,llama3-8b,8.03,32,4096,32,8,14336,128256,,8192,64,1,bf16,1,1,,FSDP"
ROWS = (
    f"a,h100-sxm,8,{LLAMA},9000,,,one,A",
    f"b,a100-sxm-80,8,{LLAMA},3500,7.4,,two,A",
    f"c,h100-sxm,8,{LLAMA},9000,,,three,C",
    f"d,h100-sxm,8,{LLAMA},9000,,,three,C",
    f"e,unknown-chip,8,{LLAMA},9500,,,three,A",
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text("\n".join([HEADER, *ROWS]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def report(table: Path) -> ValidationReport:
    return validate_table(table, load_catalogue())


def _groups(lines: list[str]) -> dict[str, list[str]]:
    """Lines below each heading, without the ones in between."""
    groups: dict[str, list[str]] = {}
    for line in lines:
        if line and not line.startswith(" "):
            groups[line] = []
        elif line:
            groups[list(groups)[-1]].append(line.strip())
    return groups


def test_text_has_a_line_for_each_metric_family_and_chip(report: ValidationReport) -> None:
    lines = as_text(report)
    groups = _groups(lines)
    assert lines[0].endswith(f": training, {report.summary.n} values predicted, {report.n_skipped} left out")
    assert (report.summary.n, report.n_skipped) == (3, 3)
    names = {name: [line[:32].strip() for line in rows] for name, rows in groups.items()}
    assert names["By family"] == list(report.by_family)
    assert names["By chip"] == list(report.by_hardware) and set(names["By chip"]) == {"h100-sxm", "a100-sxm-80"}
    assert names[lines[0]] == [groups[lines[0]][0][:32].strip(), "all", *report.by_metric]


def test_a_line_holds_count_and_errors_with_one_digit(report: ValidationReport) -> None:
    line = next(line for line in as_text(report) if line.split()[:1] == ["all"])
    one = report.summary
    values = (one.median_abs_pct, one.p90_abs_pct, one.within_20_pct, one.interval_coverage_pct)
    assert line.split()[1:] == ["3", *(f"{value:.1f}" for value in values)]
    assert len(line) == len("  ") + 32 + 6 + 10 + 9 + 9 + 10


def test_what_was_not_judged_is_a_dash(report: ValidationReport) -> None:
    plain = next(line for line in as_text(report) if line.strip().startswith("plain rule"))
    missing = sum(
        value is None
        for value in (
            report.baseline.median_abs_pct, report.baseline.p90_abs_pct, report.baseline.within_20_pct,
            report.baseline.interval_coverage_pct,
        )
    )  # fmt: skip
    assert missing > 0 and plain.split().count("-") == missing


def test_reasons_are_counted_the_commonest_first(report: ValidationReport) -> None:
    counted = _groups(as_text(report))["Left out"]
    assert counted[0] == "2  quality C"
    assert [line.split()[0] for line in counted] == ["2", "1"]


def test_values_that_set_the_coefficients_are_told(report: ValidationReport) -> None:
    assert report.n_fitted_on == 0
    assert not any("make accuracy" in line for line in as_text(report))


def test_json_and_text_tell_the_same(table: Path, report: ValidationReport, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(table)]) == 0
    assert capsys.readouterr().out.splitlines() == as_text(report)
    assert main(["validate", str(table), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in told["rows"]] == [row.id for row in report.rows]
    assert told["summary"]["n"] == report.summary.n and told["summary"]["skipped"] == report.n_skipped
    assert set(told["summary"]["by_hardware"]) == {"h100-sxm", "a100-sxm-80"}


def test_an_empty_table_is_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.touch()
    assert main(["validate", str(path)]) == 1
    assert f"{path}: found an empty file, expected a CSV table" in capsys.readouterr().err
