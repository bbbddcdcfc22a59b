"""Profiles that keep every bound and make no sense are answered, in finite numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.cli import program as cli
from tests.repository_files import ROOT

SPOT_ALONE = {"purchase_models": ["spot"]}
ABSURD: dict[str, dict[str, dict[str, Any]]] = {
    "a spot run that never ends": {
        "job": {"checkpoint_interval_h": 0, "n_tokens": 1e16, "spot_stops_per_day": 1000},
        "limits": {"start_date": "9999-12-30", "deadline_days": None, "budget_usd": None},
        "places": SPOT_ALONE,
    },
    "a state saved without end": {"job": {"checkpoint_interval_h": 1e-300}, "places": SPOT_ALONE},
    "less than a token": {"job": {"n_tokens": 1e-300}, "limits": {"start_date": "0001-01-01"}},
}


@pytest.mark.parametrize("name", ABSURD)
def test_it_is_answered_in_finite_numbers(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = json.loads((ROOT / "profiles" / "llama3-8b-pretraining.json").read_text(encoding="utf-8"))
    for part, values in ABSURD[name].items():
        profile[part] = profile.get(part, {}) | values
    path = tmp_path / "absurd.json"
    path.write_text(json.dumps(profile), encoding="utf-8")
    assert cli.main(["compare", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert told["candidates"]
    for one in told["candidates"]:
        hours = one["time_h"]
        assert hours["low"] <= hours["likely"] <= hours["high"]
