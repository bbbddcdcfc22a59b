"""``roofplan handoff`` as a user types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import program as cli
from core.paths import profiles

PROFILE = str(profiles() / "chat-serving-8b.json")


def test_the_pick_is_handed_over_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["handoff", PROFILE, "--out", str(tmp_path / "new")]) == 0
    written = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert "chat-serving-8b-kubernetes.yaml" in written
    assert len(capsys.readouterr().out.splitlines()) == len(written)


@pytest.mark.parametrize(("option", "value"), [("--workload", "none"), ("--candidate", "b200-1x-nowhere")])
def test_what_the_plan_does_not_have_is_told(option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["handoff", PROFILE, option, value]) == 1
    assert value in capsys.readouterr().err
