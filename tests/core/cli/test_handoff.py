"""``roofplan handoff`` as a user types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.catalogue.own.layers import OwnEntries
from core.cli import program as cli
from core.paths import profiles
from core.plan.plan import Currency, Plan
from core.plan.store import save
from core.workload.library import load_profiles

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


def test_the_author_is_told_in_the_plans_own_currency(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], own_offer: OwnEntries
) -> None:
    """What a masked answer differs by was told in dollars, and stays that way for a plan in dollars."""
    plan = Plan(
        id="p",
        name="Ours",
        profiles=(load_profiles()["chat-serving-8b"],),
        own=own_offer,
        masks_private_prices=True,
    )
    told = {}
    for code, per_usd in (("USD", 1.0), ("EUR", 0.5)):
        path = tmp_path / f"{code}.roofplan"
        save(plan.model_copy(update={"currency": Currency(code=code, per_usd=per_usd)}), path)
        assert cli.main(["handoff", str(path), "--out", str(tmp_path / code)]) == 0
        told[code] = capsys.readouterr().err
    assert "$" in told["USD"] and "\u20ac" not in told["USD"]
    assert "\u20ac" in told["EUR"] and "$" not in told["EUR"]
