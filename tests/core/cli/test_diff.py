"""``roofplan diff`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.catalogue.own.layers import OwnEntries
from core.cli import program as cli
from core.paths import profiles
from core.plan.plan import Currency, Plan
from core.plan.scenario import Scenario
from core.plan.store import save
from core.report.blocks import Document
from core.workload.library import load_profiles

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


def test_where_one_plan_masks_its_private_prices_both_are_masked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], own_offer: OwnEntries
) -> None:
    """The other plan held the same offer openly, and the scenario's name the seller's."""
    plan = Plan(
        id="p",
        name="Ours",
        profiles=(load_profiles()["chat-serving-8b"],),
        own=own_offer,
        scenarios=(Scenario(id="base", name="Base"), Scenario(id="deal", name="Harbour Racks signs")),
    )
    save(plan, tmp_path / "open.roofplan")
    save(plan.model_copy(update={"masks_private_prices": True}), tmp_path / "masked.roofplan")
    files = [str(tmp_path / f"{name}.roofplan") for name in ("open", "masked")]
    assert cli.main(["diff", *files, "--scenario-b", "deal"]) == 0
    assert "Harbour" not in capsys.readouterr().out


def test_a_scenario_that_is_not_there_is_told_with_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--scenario", "--scenario-b"):
        assert cli.main(["diff", PROFILE, PROFILE, option, "nope"]) == 1
        assert f"{option}, a scenario of {PROFILE}: found 'nope', expected one of base" in capsys.readouterr().err


def test_the_mark_of_what_differs_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = json.loads(Path(PROFILE).read_text(encoding="utf-8"))
    content["job"]["peak_requests_per_s"] = 40
    other = tmp_path / "other.json"
    other.write_text(json.dumps(content), encoding="utf-8")
    assert cli.main(["diff", PROFILE, str(other)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("* ")][-1] == "* differs: A | B"
    assert cli.main(["diff", PROFILE, PROFILE]) == 0
    assert "*" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ((0.8637, "EUR"), (0.9, "EUR"), "EUR (1 USD = 0.8637 EUR); Second is kept in EUR (1 USD = 0.9 EUR)."),
        ((0.8637, "EUR"), (1.0, "USD"), "EUR (1 USD = 0.8637 EUR); Second is kept in USD."),
        ((1.0, "USD"), (0.9, "EUR"), "USD; Second is kept in EUR (1 USD = 0.9 EUR)."),
        ((0.9, "EUR"), (0.9, "EUR"), ""),
    ],
)
def test_plans_of_two_currencies_say_which_is_shown(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    first: tuple[float, str],
    second: tuple[float, str],
    words: str,
) -> None:
    files = []
    for name, (per_usd, code) in (("First", first), ("Second", second)):
        plan = Plan(id=name, name=name, profiles=(load_profiles()["chat-serving-8b"],))
        files.append(str(tmp_path / f"{name}.roofplan"))
        save(plan.model_copy(update={"currency": Currency(code=code, per_usd=per_usd)}), Path(files[-1]))
    assert cli.main(["diff", *files]) == 0
    told = capsys.readouterr().out
    assert (f"Amounts of both are shown in {words}" in told) if words else ("are shown in" not in told)
    assert cli.main(["diff", *files, "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)["after"]["currency"]
    assert kept == {"code": second[1], "per_usd": second[0], "as_of": None}
