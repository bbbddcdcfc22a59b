"""The ``logs`` command: text, JSON, refusals and exit status."""

import argparse
import json
from pathlib import Path

import pytest

from core.cli import logs as cli_logs
from tests.repository_files import ROOT

DATA = ROOT / "tests" / "data" / "logs"


def _run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    cli_logs.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["logs", *words])
    return int(arguments.run(arguments))


def test_json_lists_records_skipped_and_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.txt").write_text("the command failed\n")
    assert _run(str(DATA / "h100-node07.csv"), str(DATA / "maxtext-v5p.log"), str(tmp_path / "note.txt"), "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert [r["format"] for r in shown["records"]] == ["nvidia-smi-csv", "maxtext"]
    assert set(shown["records"][0]["quantities"]["power_w"]) == {"unit", "n", "mean", "p50", "max", "p90", "p99"}
    assert shown["skipped"] == [{"file": "maxtext-v5p.log", "lines": 3, "reason": "not a step line"}]
    assert shown["refused"][0]["file"].endswith("note.txt")


def test_text_names_chip_count_and_refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.txt").write_text("the command failed\n")
    assert _run(str(DATA / "h100-node07.csv"), str(tmp_path / "note.txt")) == 0
    shown = capsys.readouterr()
    assert "8 × h100-sxm" in shown.out
    assert "note.txt: not read." in shown.err


def test_status_is_one_when_nothing_could_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(str(tmp_path / "missing.csv")) == 1
    assert "no such file" in capsys.readouterr().err
