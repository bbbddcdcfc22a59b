"""What is printed reaches every kind of output: each character as it is, plainly, or as an escape."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from core.cli.output import json_text, print_what_can_be
from tests.repository_files import ROOT

PLAINLY = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
OUTPUTS = [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}, PLAINLY]


def _printed(words: list[str], environment: dict[str, str]) -> bytes:
    command = [sys.executable, "-m", "core.cli.program", *words]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("environment", OUTPUTS, ids=str)
def test_every_output_takes_an_answer(environment: dict[str, str]) -> None:
    printed = _printed(["compare", "profiles/chat-serving-8b.json", "--top", "3"], environment)
    assert b"\\u202f" not in printed, "a narrow space has a plain one"
    assert b" x " in printed or "\u00d7".encode("cp1252") in printed


def test_json_stays_json_and_says_the_same_in_ascii() -> None:
    words = ["compare", "profiles/chat-serving-8b.json", "--top", "1", "--json"]
    texts = [json.loads(_printed(words, {"PYTHONIOENCODING": name})) for name in ("ascii", "utf-8")]
    for one in texts:
        one.pop("seconds", None)
    assert texts[0] == texts[1]


def test_characters_without_a_plain_form_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    print_what_can_be()
    print("5\u202fh \u2212 3 \u00d7 \u4e2d\U0001f600 \u20ac \udcff")
    out.flush()
    assert out.buffer.getvalue().decode() == "5 h - 3 x \\u4e2d\\ud83d\\ude00 \\u20ac \\udcff\n"


def test_a_stream_that_cannot_be_set_up_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    print_what_can_be()


def test_numbers_that_are_none_are_null() -> None:
    record = {"a": float("inf"), "b": [float("nan"), 1.5, (float("-inf"),)], "c": "\u00d7"}
    assert json.loads(json_text(record), parse_constant=pytest.fail) == {
        "a": None,
        "b": [None, 1.5, [None]],
        "c": "\u00d7",
    }


def test_a_name_that_is_no_text_is_escaped() -> None:
    record = {"file": "a\udcffb", "bound": float("inf")}
    assert json.loads(json_text(record)) == {"file": "a\udcffb", "bound": None}
    assert json_text(record).isascii()
