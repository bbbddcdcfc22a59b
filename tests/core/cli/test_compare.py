"""``roofplan compare`` and ``roofplan export`` as a user types them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from openpyxl import load_workbook

from core import paths
from core.cli import program as cli
from core.plan.plan import Choice, Plan
from core.plan.store import load, save
from core.workload.actuals import Baseline, Tracked
from core.workload.library import load_profiles, more_profiles
from core.workload.phase_templates import phases_from, template
from core.workload.phases import Phase
from core.workload.portfolio import Portfolio
from tests.repository_files import ROOT

PROFILE = str(paths.profiles() / "llama3-70b-pretraining.json")


def test_default_output_is_a_verdict_and_a_table(capsys) -> None:
    assert cli.main(["compare", PROFILE]) == 0
    out = capsys.readouterr().out
    assert "fits best of what has a proved price, yet keeps its limits in only 67 of 100 draws" in out.splitlines()[0]
    assert "candidate" in out and "Rejected:" in out


def test_json_is_one_object(capsys) -> None:
    assert cli.main(["compare", PROFILE, "--json", "--top", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["profile"]["kind"] == "pretraining"
    assert [candidate["rank"] for candidate in found["candidates"]][:3] == [1, 2, 3]
    assert len(found["candidates"]) == 5
    # with $1.5 million and 60 days prices that nobody attests lead: the pick is the first that can be had
    pick = next(one for one in found["candidates"] if one["obtainable"] in ("attested", "plausible"))
    assert found["recommendation"]["choice"] == pick["id"]
    assert found["advice"]


def test_the_pick_is_told_however_few_are_asked_for(capsys) -> None:
    """The first by rank is a price per card that nobody attests as a cluster: a lead, and the pick stands below it."""
    profile = str(paths.profiles() / "llama3-70b-finetune.json")
    assert cli.main(["compare", profile, "--json", "--top", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    first, pick = found["candidates"]
    assert (first["rank"], first["obtainable"]) == (1, "on paper")
    assert pick["id"] == found["recommendation"]["choice"] and pick["rank"] > 1
    assert first["id"] in [lead["id"] for lead in found["recommendation"]["leads"]]


def test_csv_has_a_header_and_rows(capsys) -> None:
    assert cli.main(["compare", PROFILE, "--csv", "--top", "3"]) == 0
    assert len(list(csv.DictReader(io.StringIO(capsys.readouterr().out)))) == 3


@pytest.mark.parametrize("name", ["out.json", "out.csv", "out.xlsx", "out.roofplan"])
def test_out_writes_the_kind_that_the_name_says(tmp_path, capsys, name) -> None:
    file = tmp_path / name
    assert cli.main(["compare", PROFILE, "--out", str(file), "--top", "4"]) == 0
    assert capsys.readouterr().out.endswith(f"Written to {file}\n")
    readers = {
        ".json": lambda: len(json.loads(file.read_text(encoding="utf-8"))["candidates"]) == 4,
        ".csv": lambda: len(file.read_text(encoding="utf-8").splitlines()) == 5,
        ".xlsx": lambda: len(list(load_workbook(file)["Candidates"].values)) == 5,
        ".roofplan": lambda: load(file).profiles[0].id == "llama3-70b-pretraining",
    }
    assert readers[file.suffix]()


def test_pdf_goes_through_the_given_writer(tmp_path) -> None:
    written = []
    file = tmp_path / "plan.pdf"
    assert cli.main(["compare", PROFILE, "--out", str(file)], pdf_writer=lambda *given: written.append(given)) == 0
    ((document, path),) = written
    assert path == file and document.sections[0].title.startswith("Choose ")


def test_pdf_without_a_writer_is_told(tmp_path, capsys) -> None:
    assert cli.main(["compare", PROFILE, "--out", str(tmp_path / "plan.pdf")]) == 1
    assert "PDF needs" in capsys.readouterr().err


def test_wrong_profile_is_one_line(tmp_path, capsys) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"id": "x", "name": "X", "job": {"kind": "pretraining", "n_tokens": -5}}', encoding="utf-8")
    assert cli.main(["compare", str(bad)]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "n_tokens" in told and str(bad) in told


def test_a_misspelt_place_is_refused_at_entry(tmp_path, capsys) -> None:
    bad = tmp_path / "bad.json"
    record = json.loads(Path(PROFILE).read_text(encoding="utf-8"))
    bad.write_text(json.dumps(record | {"places": {"region_places": ["asia/jp/tokio"]}}), encoding="utf-8")
    assert cli.main(["compare", str(bad)]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "asia/jp/tokio" in told and "asia/jp/tokyo" in told


def test_a_chip_without_the_format_is_rejected_with_its_code(capsys) -> None:
    assert cli.main(["compare", str(paths.profiles() / "chat-serving-8b.json"), "--json"]) == 0
    candidates = json.loads(capsys.readouterr().out)["candidates"]
    refused = {one["accelerator"]: one["reasons"][0] for one in candidates if one["reasons"]
               and one["reasons"][0]["code"] == "format"}  # fmt: skip
    assert {"v100-sxm2-16", "t4"} <= set(refused)
    assert "does not serve in BF16 with vLLM" in refused["t4"]["text"]
    assert refused["t4"]["nearest_change"] == "Take FP16, which runs there"


def test_an_emulated_format_is_told_with_its_candidate(capsys) -> None:
    assert cli.main(["compare", str(paths.profiles() / "resnet50-training.json"), "--json"]) == 0
    candidates = json.loads(capsys.readouterr().out)["candidates"]
    v100 = next(one for one in candidates if one["accelerator"] == "v100-sxm2-16")
    assert (v100["runs_in"], v100["evidence"]) == ("fp32", "estimate")
    assert "has no BF16: computed in FP32" in v100["speed_notes"][0]


@pytest.mark.parametrize("arguments", [["--top", "0"], ["--out", "x.docx"], ["--json", "--csv"]])
def test_wrong_options_are_usage(arguments, capsys) -> None:
    assert cli.main(["compare", PROFILE, *arguments]) == 2
    assert "usage:" in capsys.readouterr().err


def _accepted(factor: float) -> dict[str, object]:
    return {
        "log_id": "log-1",
        "profile_id": "llama3-70b-pretraining",
        "accelerator_id": "h100-sxm",
        "n_chips": 64,
        "work": "training",
        "measured_tokens_per_s": 1000 * factor,
        "predicted_tokens_per_s": 1000,
        "factor": factor,
        "spread": 0.05,
        "window_s": [0, 100],
        "how": "tokens per second of a log",
    }


def test_a_calibration_moves_the_prediction(tmp_path, capsys) -> None:
    file = tmp_path / "calibrations.json"
    file.write_text(json.dumps([_accepted(0.5)]), encoding="utf-8")

    def h100() -> dict[str, dict[str, float]]:
        found = json.loads(capsys.readouterr().out)
        return {c["id"]: c["throughput"]["tokens_per_s"] for c in found["candidates"] if c["accelerator"] == "h100-sxm"}

    assert cli.main(["compare", PROFILE, "--json"]) == 0
    before = h100()
    assert cli.main(["compare", PROFILE, "--json", "--calibration", str(file)]) == 0
    after = h100()
    both = [name for name in before if name in after and before[name] > 0]
    assert both and all(after[name] == pytest.approx(0.5 * before[name], rel=0.02) for name in both)


@pytest.mark.parametrize("content", ["no json", '[{"factor": 1}]', '{"other": 1}'])
def test_a_file_without_calibrations_is_refused(tmp_path, capsys, content) -> None:
    file = tmp_path / "c.json"
    file.write_text(content, encoding="utf-8")
    assert cli.main(["compare", PROFILE, "--calibration", str(file)]) == 1
    told = capsys.readouterr().err
    assert "calibrations" in told and "None" not in told


def test_a_profile_is_no_calibration(capsys) -> None:
    assert cli.main(["compare", PROFILE, "--calibration", PROFILE]) == 1
    assert "found JSON without calibrations, expected a plan (.roofplan) or JSON of" in capsys.readouterr().err


def test_an_unknown_catalogue_folder_is_refused(tmp_path, capsys) -> None:
    assert cli.main(["compare", PROFILE, "--catalogue", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.startswith("roofplan: ")


def test_export_writes_every_workload_of_a_plan(tmp_path) -> None:
    from core.workload.library import read_profile

    plan = tmp_path / "p.roofplan"
    save(Plan(id="p", name="Two", profiles=(read_profile(Path(PROFILE)),)), plan)
    written = []
    arguments = ["export", str(plan), "--pdf", str(tmp_path / "p.pdf"), "--preset", "finance"]
    assert cli.main(arguments, pdf_writer=lambda *given: written.append(given)) == 0
    ((document, _),) = written
    assert [section.id for section in document.sections] == [
        "decision", "candidates", "finance", "risk", "sums", "sources",
    ]  # fmt: skip


def test_export_of_an_empty_plan_is_refused(tmp_path, capsys) -> None:
    plan = tmp_path / "p.roofplan"
    save(Plan(id="p", name="Empty"), plan)
    assert cli.main(["export", str(plan), "--pdf", str(tmp_path / "p.pdf")], pdf_writer=lambda *given: None) == 1
    assert "no workload" in capsys.readouterr().err


def test_a_reader_that_stops_early_is_no_bug(own_user_folder) -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "core.cli.program", "compare", PROFILE, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        text=True,
        encoding="utf-8",
    )
    assert program.stdout is not None and program.stderr is not None
    program.stdout.readline()
    program.stdout.close()
    told = program.stderr.read()
    program.stderr.close()
    assert (program.wait(timeout=60), told) == (0, "")


def test_the_program_itself_answers(own_user_folder) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "core.cli.program", "compare", PROFILE, "--json", "--top", "1"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["candidates"][0]["rank"] == 1


def test_a_plan_is_answered_as_a_whole(tmp_path: Path, capsys) -> None:
    shipped = load_profiles()
    names = ("resnet50-training", "chat-serving-8b")
    file = tmp_path / "two.roofplan"
    profiles = tuple(shipped[name] for name in names)
    base = Baseline(
        frozen_on=date(2026, 12, 1), candidate="x", name="8 × H100", place="Lambda", n_chips=8, usd_per_chip_hour=5.0,
        amount=100.0, work_begins=date(2027, 1, 1), work_days=10.0, rate_low=9.0, rate_high=11.0, cost_usd=10.0,
        cost_low_usd=9.0, cost_high_usd=12.0,
    )  # fmt: skip
    actuals = (Tracked(workload=profiles[0].id, baseline=base),)
    phases = phases_from(template("all-gpu"), profiles)
    noted = tuple(one.model_copy(update={"note": note}) for one, note in zip(profiles, ("Ours", ""), strict=True))
    chosen = Choice(profile_id=names[1], candidate_id="gone", reason="A contract")
    save(
        Plan(
            id="p", name="Two", note="For the board", profiles=noted, phases=phases, actuals=actuals, choices=(chosen,),
            had_price_book=True, portfolio=Portfolio(shared_chips=8),
        ),
        file,
    )  # fmt: skip
    assert cli.main(["compare", str(file), "--json", "--top", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["workload"] for one in found["actuals"]] == [names[0]]
    assert [found["comment"], *(one["comment"] for one in found["workloads"])] == ["For the board", "Ours", None]
    told = {"choice": "gone", "reason": "A contract", "left_out": None}
    assert [one["chosen_by_hand"] for one in found["workloads"]] == [None, told]
    assert "every cost, rank, chance and pick" in found["price_book_missing"], "as page 1 and the workbook say"
    schemes = found["portfolio"]["schemes"]
    assert [one["id"] for one in schemes] == ["own", "split", "peak", "base", "shared"]
    for one in schemes:
        due = sum(round(100 * quarter["usd"]) for quarter in one["cash_by_quarter"])
        assert due == round(100 * one["total_usd"]["likely"])
    own = found["phases"]["ways"][0]
    assert (own["title"], [one["id"] for one in own["phases"]]) == ("All-GPU", ["explore", "pilot", "scale", "serve"])
    plan, choices = found["plan"], [one["recommendation"]["choice"] for one in found["workloads"]]
    assert [one["choice"] for one in plan["picks"]] == choices
    costs = [one["cost_usd"]["likely"] for one in plan["picks"]] + [one["usd"] for one in plan["moving"]]
    assert plan["total_usd"]["likely"] == pytest.approx(sum(costs), abs=0.001)
    assert sum(one["usd"] for one in plan["cash_by_quarter"]) == pytest.approx(plan["total_usd"]["likely"], abs=0.001)
    assert 0 <= plan["chance_in_limits"] <= 1 and plan["done"] == max(one["ready"] for one in plan["picks"])
    assert cli.main(["compare", str(file), "--top", "1"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Whole plan: $") and "Phases: All-GPU" in text
    assert f"Portfolio: {found['portfolio']['line']}" in text
    assert cli.main(["compare", str(file), "--csv"]) == 1


def test_a_way_through_the_phases_that_breaks_hard_limits_is_told_below_the_best(tmp_path, capsys) -> None:
    bank, file = more_profiles()["bank-on-premises"], tmp_path / "bank.roofplan"
    serve = Phase(id="s", name="Serve", stage="serve", workload=bank.id)
    save(Plan(id="bank", name="Bank", profiles=(bank,), phases=(serve,)), file)
    assert cli.main(["compare", str(file), "--top", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Phases: All-GPU fits best: $"))
    assert lines[at + 1].startswith("All-TPU breaks 2 hard limits: ") and lines[at + 1].endswith("not allowed.")


def test_the_reach_of_a_budget_is_told_on_request(capsys) -> None:
    profile = str(paths.profiles() / "llama3-8b-pretraining.json")
    assert cli.main(["compare", profile, "--top", "1", "--budget-reach", "200k"]) == 0
    assert "$200\u202fk trains 1.9" in capsys.readouterr().out
    assert cli.main(["compare", profile, "--top", "1", "--json", "--budget-reach"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["budget_reach"]["budget_usd"] == 150_000 and told["budget_reach"]["largest_model"]["params"] > 8e9
    assert cli.main(["compare", profile, "--top", "1", "--json"]) == 0
    assert "budget_reach" not in json.loads(capsys.readouterr().out)
    assert cli.main(["compare", profile, "--budget-reach", "much"]) == 2


def test_without_a_pick_no_reach_of_a_budget_is_told(tmp_path: Path, capsys) -> None:
    profile = load_profiles()["llama3-8b-pretraining"]
    limits = profile.limits.model_copy(update={"budget_usd": 1.0})
    (tmp_path / "p.json").write_text(profile.model_copy(update={"limits": limits}).model_dump_json(), encoding="utf-8")
    assert cli.main(["compare", str(tmp_path / "p.json"), "--json", "--top", "1", "--budget-reach"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["recommendation"]["choice"], told["budget_reach"]) == (None, None)
