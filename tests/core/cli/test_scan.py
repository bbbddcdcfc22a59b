"""``roofplan scan`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import program as cli
from core.cli.scan import weeks_words
from core.ranges import Range
from tests.golden import assert_kept
from tests.repository_files import ROOT

PLANTED = ROOT / "tests" / "data" / "readiness" / "planted"
CLEAN = ROOT / "tests" / "data" / "readiness" / "clean_jax"
REPORT = "Counter: aten::nonzero\n  Value: 12\nMetric: CompileTime\n  TotalSamples: 40\n  Accumulator: 02m\n"


def test_what_is_found_is_kept_as_text_and_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    report.write_text(REPORT, encoding="utf-8")
    assert cli.main(["scan", str(PLANTED), "--json", "--report", str(report)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert Path(found.pop("folder")).name == "planted"
    assert cli.main(["scan", str(PLANTED)]) == 0
    assert_kept("scan", {"json": found, "text": capsys.readouterr().out.splitlines()})


def test_of_many_places_the_first_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\n" + "torch.cuda.synchronize()\n" * 9, encoding="utf-8")
    (tmp_path / "test_train.py").write_text("import torch\n", encoding="utf-8")
    (tmp_path / "broken.py").write_text("import torch\ndef (:\n", encoding="utf-8")
    assert cli.main(["scan", str(tmp_path)]) == 0
    lines = [line.replace("\u202f", " ") for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "1 file, 10 lines, 1 test file left out. Nothing was run."
    places = [line for line in lines if line.startswith("    ")]
    assert "9 places" in "\n".join(lines)
    assert places[-1] == f"    and {9 - (len(places) - 1)} more"
    assert any(line.startswith("Skipped broken.py: ") for line in lines)


def test_clean_code_needs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scan", str(CLEAN)]) == 0
    out = capsys.readouterr().out
    assert out.count("nothing found that has to change") >= 1 and "left out" not in out


@pytest.mark.parametrize(
    ("weeks", "words"),
    [
        (Range(2.0, 5.0, 12.0), "5 weeks (2–12)"),
        (Range(0.5, 1.0, 2.0), "1 week (0.5–2)"),
        (Range(0.01, 0.1, 0.3), "0.1 weeks (0.01–0.3)"),
        (Range(0.01, 0.099, 0.3), "under 0.1 weeks (0.01–0.3)"),
    ],
)
def test_weeks_in_words(weeks: Range, words: str) -> None:
    assert weeks_words(weeks).replace("\u202f", " ") == words
