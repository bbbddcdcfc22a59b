"""``roofplan diff`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import program as cli
from core.paths import profiles
from core.report.blocks import Document

PROFILE = str(profiles() / "chat-serving-8b.json")


def test_two_files_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = json.loads(Path(PROFILE).read_text(encoding="utf-8"))
    content["job"]["peak_requests_per_s"] = 3.25
    other = tmp_path / "other.json"
    other.write_text(json.dumps(content), encoding="utf-8")
    assert cli.main(["diff", PROFILE, str(other), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["field"] for one in told["inputs"]] == ["job.peak_requests_per_s"]
    written: list[Document] = []
    words = ["diff", PROFILE, PROFILE, "--pdf", str(tmp_path / "d.pdf")]
    assert cli.main(words, pdf_writer=lambda document, _: written.append(document)) == 0
    assert written[0].sections[1].title == "No input differs"
