"""No command writes over what it reads, whatever it is called there, and each file ends as its kind does."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalogue.own.book_file import save_book
from core.catalogue.own.layers import PriceBook
from core.cli import program as cli
from core.cli.outputs import keep_apart
from core.errors import InputError
from core.paths import profiles
from core.plan.plan import Plan
from core.plan.store import save
from core.workload.library import load_profiles

PROFILE = profiles() / "chat-serving-8b.json"


def never(*_: object) -> None:
    raise AssertionError("nothing may be written")


def refused(words: list[str], capsys: pytest.CaptureFixture[str], status: int = 1) -> str:
    """What a command says that writes nothing."""
    assert cli.main(words, pdf_writer=never, slide_writer=never) == status
    return capsys.readouterr().err


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A plan whose name is not of the usual kind, as one that was saved under a typed name."""
    path = tmp_path / "plan.pdf"
    save(Plan(id="p", name="Ours", profiles=(load_profiles()["chat-serving-8b"],)), path)
    return path


@pytest.mark.parametrize("option", ["--pdf", "--slide"])
def test_the_plan_is_not_exported_over_itself(plan: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = plan.read_bytes()
    told = refused(["export", str(plan), option, str(plan)], capsys)
    assert f"{option} {plan}: found the same file as the plan, expected another file" in told
    assert plan.read_bytes() == before


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_links_to_the_plan_are_the_plan(
    plan: Path, link: Callable[[Path, Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    other = plan.with_name("paper.pdf")
    link(plan, other)
    assert "the same file as the plan" in refused(["export", str(plan), "--pdf", str(other)], capsys)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["export", "b.roofplan", "--pdf", "b.roofplan"], "--pdf"),
        (["export", "b.roofplan", "--xlsx", "b.roofplan"], "--xlsx"),
        (["export", "b.roofplan", "--slide", "b.roofplan"], "--slide"),
        (["diff", "a.roofplan", "b.roofplan", "--pdf", "b.docx"], "--pdf"),
        (["compare", "m.json", "--out", "m.txt"], "--out"),
    ],
)
def test_every_output_ends_as_its_kind_does(words: list[str], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(words, capsys, status=2)
    assert f"argument {name}: '{words[-1]}' does not end in ." in told


def test_endings_may_be_capitals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "ANSWER.JSON"
    assert cli.main(["compare", str(PROFILE), "--top", "1", "--out", str(out)]) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["candidates"]


def test_the_difference_is_not_written_over_either_plan(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "the same file as A" in refused(["diff", str(plan), str(PROFILE), "--pdf", str(plan)], capsys)
    assert "the same file as B" in refused(["diff", str(PROFILE), str(plan), "--pdf", str(plan)], capsys)


def test_compare_keeps_profile_book_calibration_and_catalogue(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, book, learnt, tables = (tmp_path / name for name in ("m.json", "b.json", "c.json", "tables"))
    mine.write_bytes(PROFILE.read_bytes())
    save_book(PriceBook(), book)
    learnt.write_text("[]")
    tables.mkdir()
    (tables / "offers.csv").write_text("id\n")
    words = ["compare", str(mine), "--book", str(book), "--calibration", str(learnt), "--catalogue", str(tables)]
    assert "same file as the profile" in refused([*words, "--out", str(mine)], capsys)
    assert "same file as --book" in refused([*words, "--out", str(tmp_path / "tables" / ".." / "b.json")], capsys)
    assert "same file as --calibration" in refused([*words, "--out", str(learnt)], capsys)
    assert "same file as --catalogue" in refused([*words, "--out", str(tables / "offers.csv")], capsys)
    assert mine.read_bytes() == PROFILE.read_bytes() and (tables / "offers.csv").read_text() == "id\n"


def test_two_outputs_are_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "one.pdf"
    told = refused(["export", str(PROFILE), "--pdf", str(file), "--slide", f"{tmp_path}/./one.pdf"], capsys)
    assert "found the same file as --pdf, expected a file of its own" in told
    assert not file.exists()


def test_handoff_goes_to_a_folder_and_leaves_the_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "m.json"
    mine.write_bytes(PROFILE.read_bytes())
    assert "found a file, expected a folder" in refused(["handoff", str(mine), "--out", str(mine)], capsys)
    assert cli.main(["handoff", str(mine), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    script = next((tmp_path / "out").glob("*.yaml"))
    script.unlink()
    save(Plan(id="p", name="Ours", profiles=(load_profiles()["chat-serving-8b"],)), script)
    told = refused(["handoff", str(script), "--out", str(tmp_path / "out")], capsys)
    assert f"--out {script}: found the same file as the plan" in told


def test_a_file_that_only_has_a_like_name_is_another_one(tmp_path: Path) -> None:
    keep_apart({"--out": tmp_path / "a.json"}, {"the profile": tmp_path / "b.json", "--book": None})
    with pytest.raises(InputError, match="the same file as the profile"):
        keep_apart({"--out": tmp_path / "a.json"}, {"the profile": tmp_path / "x" / ".." / "a.json"})
