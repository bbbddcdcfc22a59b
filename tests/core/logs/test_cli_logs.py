"""The ``logs`` command: text, JSON, refusals and exit status."""

import argparse
import json
import zipfile
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
    assert shown["skipped"] == [
        {"file": "maxtext-v5p.log", "lines": 3, "reason": "start-up step, left out of the summary"},
        {"file": "maxtext-v5p.log", "lines": 3, "reason": "not part of a record"},
    ]
    assert shown["refused"][0]["file"].endswith("note.txt") and shown["refused"][0]["line"] is None
    told = {name: shown["records"][1][name] for name in ("subject", "first_line", "facts")}
    assert told == {"subject": "training", "first_line": 4, "facts": {"framework": "MaxText"}}


def test_text_names_chip_count_and_refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.txt").write_text("the command failed\n")
    assert _run(str(DATA / "h100-node07.csv"), str(tmp_path / "note.txt")) == 0
    shown = capsys.readouterr()
    assert "8 × h100-sxm" in shown.out
    assert "note.txt: not read." in shown.err


def test_text_tells_facts_and_lines_that_belong_to_no_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(str(DATA / "maxtext-v5p.log")) == 0
    shown = capsys.readouterr().out
    assert "maxtext, training, line 4, 40 lines" in shown and "  Software: MaxText\n" in shown
    assert "maxtext-v5p.log: 3 lines not part of a record\n" in shown


def test_a_part_of_a_file_is_refused_by_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    step = "completed step: 3, seconds: 2.0, TFLOP/s/device: 300.0, Tokens/s/device: 4096, total_weights: 8, loss: 2\n"
    (tmp_path / "run.log").write_text(step + "{'loss': 2.5, 'learning_rate': 5e-05, 'epoch': 0.5}\n")
    assert _run(str(tmp_path / "run.log"), "--json") == 0
    (refused,) = json.loads(capsys.readouterr().out)["refused"]
    assert (refused["file"], refused["line"]) == (str(tmp_path / "run.log"), 2)
    assert "losses without the time of the run" in refused["reason"]


def test_a_folder_is_unfolded_and_what_cannot_be_read_does_not_fail_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "note.txt").write_text("the command failed\n")
    with zipfile.ZipFile(folder / "logs.zip", "w") as archive:
        archive.write(DATA / "maxtext-v5p.log", "deep/train.log")
    assert _run(str(folder), "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert [one["file"] for one in shown["records"]] == ["runs/logs.zip/deep/train.log"]
    assert [one["file"] for one in shown["refused"]] == [f"{folder}/note.txt"]


def test_status_is_one_when_nothing_could_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(str(tmp_path / "missing.csv")) == 1
    assert "no such file" in capsys.readouterr().err
