"""Files, folders and zips of logs: names, refusals, limits."""

import gzip
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.logs import sources as module
from core.logs.sources import sources
from tests.repository_files import ROOT

LOG = (ROOT / "tests" / "data" / "logs" / "maxtext-v5p.log").read_bytes()


def _zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_folder_gives_its_files_by_name_and_no_hidden_ones(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "b.log").write_bytes(LOG)
    (folder / "a.log.gz").write_bytes(gzip.compress(LOG))
    (folder / ".hidden").write_bytes(LOG)
    (folder / "link").symlink_to(folder / "deep" / "b.log")
    read = [one.log_file() for one in sources([folder])]
    assert [one.file for one in read] == ["run/a.log.gz", "run/deep/b.log"]
    assert [record.file for one in read for record in one.records] == ["run/a.log.gz", "run/deep/b.log"]


def test_the_members_of_a_zip_are_called_by_both_names(tmp_path: Path) -> None:
    members = {"deep/train.log": LOG, "note.txt": b"the command failed\n", "__MACOSX/x": b"x", ".DS_Store": b"x"}
    first, second = sources([_zip(tmp_path / "logs.zip", members)])
    assert first.log_file().records[0].file == "logs.zip/deep/train.log"
    assert second.shown == str(tmp_path / "logs.zip") + "/note.txt"
    with pytest.raises(InputError, match=r"^logs\.zip/note\.txt: found 'the command failed'"):
        second.log_file()


@pytest.mark.parametrize(
    "damage", [lambda content: content[: len(content) // 2], lambda content: b"PK\3\4" + b"x" * 50]
)
def test_a_damaged_zip_is_refused(tmp_path: Path, damage: object) -> None:
    path = _zip(tmp_path / "logs.zip", {"train.log": LOG})
    assert callable(damage)
    path.write_bytes(damage(path.read_bytes()))
    (one,) = sources([path])
    with pytest.raises(InputError, match="a damaged zip"):
        one.log_file()


def test_nothing_to_read_and_too_many_files_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 2)
    empty, full = tmp_path / "empty", tmp_path / "full"
    for folder in (empty, full):
        folder.mkdir()
    for name in "abc":
        (full / name).write_bytes(LOG)
    _zip(tmp_path / "empty.zip", {})
    given = [empty, tmp_path / "empty.zip", full, tmp_path / "none.log"]
    reasons = [str(one.reason) for one in sources(given) if one.reason is not None]
    assert [words in reason for words, reason in zip(
        ("a folder without files", "a zip without files", "more than 2 files", "no such file"), reasons, strict=True
    )] == [True] * 4  # fmt: skip
