"""Without a folder of the user's own the app starts, works, saves plans, and says once what it will not remember."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core import paths
from core.catalogue.own.book_file import book_path, load_book, save_book
from core.catalogue.own.layers import PriceBook
from core.errors import MachineError
from tests.gui.hostile.running import driven, namespaces
from tests.repository_files import ROOT

SAYS = "cannot be written"
FORGETS = ("Settings", "recent", "recovery copies", "price book")


def expect_work_and_a_word(told: dict[str, Any]) -> None:
    assert told["saved"] and told["n"] > 0
    assert SAYS in told["said"]
    assert [word for word in FORGETS if word not in told["said"]] == []


def test_with_a_folder_nothing_is_said(tmp_path: Path) -> None:
    told = driven(tmp_path, ROOFPLAN_HOME=str(tmp_path / "home"))
    assert told["saved"] and told["said"] == told["later"] == ""


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file", encoding="utf-8")
    expect_work_and_a_word(driven(tmp_path, ROOFPLAN_HOME=str(tmp_path / "home")))
    assert (tmp_path / "home").read_text(encoding="utf-8") == "a file"


def test_no_home(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    expect_work_and_a_word(driven(tmp_path, HOME=str(tmp_path / "file" / "nobody")))


def test_a_data_folder_of_the_desktop_that_is_no_folder(tmp_path: Path) -> None:
    expect_work_and_a_word(driven(tmp_path, XDG_DATA_HOME="/dev/null/data", HOME=str(tmp_path)))


def test_a_drive_that_is_read_only(tmp_path: Path) -> None:
    """The settings that lie there count."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.json").write_text('{"theme": "dark"}', encoding="utf-8")
    bound = f'mount --bind {home} {home} && mount -o remount,bind,ro {home} && exec "$@"'
    before = [*namespaces("-rm"), "sh", "-c", bound, "sh"]
    told = driven(tmp_path, before=before, ROOFPLAN_HOME=str(home))
    expect_work_and_a_word(told)
    assert sorted(path.name for path in home.iterdir()) == ["settings.json"]
    assert (home / "settings.json").read_text(encoding="utf-8") == '{"theme": "dark"}'


def test_a_price_book_is_never_kept_aside_in_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").touch()
    monkeypatch.setenv("ROOFPLAN_HOME", str(tmp_path / "home"))
    with pytest.raises(MachineError):
        save_book(PriceBook(name="mine"), book_path())
    assert load_book(book_path()) == PriceBook(), "where no folder is, there is no book"


def test_what_lies_aside_goes_with_the_program(tmp_path: Path) -> None:
    """All but logs, which somebody may have been told of."""
    (tmp_path / "home").touch()
    code = (
        "from core import paths; folder = paths.user_data(); (folder / 'open').mkdir();"
        "(folder / 'open' / 'a').write_text('x'); print(folder)"
    )
    own = {"ROOFPLAN_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | own, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).parent == tmp_path
    assert not Path(done.stdout.strip()).exists()


def test_a_home_that_nobody_knows_is_no_folder_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROOFPLAN_HOME", raising=False)
    monkeypatch.setattr(paths.platformdirs, "user_data_dir", lambda *_, **__: "~/.local/share/roofplan")
    monkeypatch.chdir(tmp_path)
    assert paths.user_data().is_absolute()
    assert SAYS in paths.user_data_trouble()
    assert list(tmp_path.iterdir()) == []
