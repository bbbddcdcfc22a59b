"""Files dropped together are read one after the other; what cannot be read does not keep the others out."""

import gzip
import hashlib
import shutil
import zipfile
from pathlib import Path

import pytest

from core.breath import heard_by
from core.errors import InputError
from core.logs import sources
from core.logs.drop import read_drop
from core.logs.mapping.model import MappedColumn, TableMapping
from tests.repository_files import ROOT

LOGS = ROOT / "tests" / "data" / "logs"


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    (folder / "deep").mkdir(parents=True)
    shutil.copy(LOGS / "maxtext-v5p.log", folder / "deep" / "train.log")
    (folder / "a.csv.gz").write_bytes(gzip.compress((LOGS / "h100-node07.csv").read_bytes()))
    (folder / "notes.txt").write_text("nothing to see\n")
    (folder / ".hidden").write_text("nothing to see\n")
    return folder


def test_a_folder_is_read_with_what_is_in_it_and_every_file_has_its_hash(tmp_path: Path) -> None:
    folder, shares = _folder(tmp_path), list[float]()
    with heard_by(shares.append):
        told = read_drop([folder])
    assert [one.log_file.file for one in told.read] == [f"{folder.name}/a.csv.gz", f"{folder.name}/deep/train.log"]
    assert told.read[1].sha256 == hashlib.sha256((LOGS / "maxtext-v5p.log").read_bytes()).hexdigest()
    assert ["notes.txt" in str(error) for error in told.refused] == [True]
    assert shares == sorted(shares) and shares[0] >= 0.0 and shares[-1] <= 1.0


def test_the_one_file_that_cannot_be_read_is_refused_and_so_is_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to see"):
        read_drop([_folder(tmp_path) / "notes.txt"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="a folder without files"):
        read_drop([tmp_path / "empty"])


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_FILES", 2)
    assert ["more than 2 files" in str(error) for error in read_drop([_folder(tmp_path)]).refused] == [False, True]


def test_a_zip_is_read_with_what_is_in_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "logs.zip", "w") as archive:
        archive.write(LOGS / "maxtext-v5p.log", "run/train.log")
        archive.writestr("notes.txt", "nothing to see\n")
    told = read_drop([tmp_path / "logs.zip"])
    assert [one.log_file.records[0].file for one in told.read] == ["logs.zip/run/train.log"]
    assert told.read[0].sha256 == hashlib.sha256((LOGS / "maxtext-v5p.log").read_bytes()).hexdigest()
    assert [error.where for error in told.refused if isinstance(error, InputError)] == ["logs.zip/notes.txt"]


def test_a_table_of_no_known_format_is_read_as_the_plan_remembers_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("seconds;draw of the card\n" + "".join(f"{i};{300 + i}\n" for i in range(9)))
    with pytest.raises(InputError):
        read_drop([path])
    columns = (
        MappedColumn(name="seconds", meaning="time", unit="s"),
        MappedColumn(name="draw of the card", meaning="power_w", unit="W"),
    )
    (one,) = read_drop([path], [TableMapping(delimiter=";", columns=columns)]).read
    assert one.log_file.records[0].quantities["power_w"].mean == pytest.approx(304.0)
