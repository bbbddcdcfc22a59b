"""Where the limits of packed files begin: at the limit is read, a byte beyond is not, and the limit is told in MB."""

from __future__ import annotations

import gzip
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.reading import gzips, zips
from core.reading.limits import MIB
from core.reading.pace import TooMuchError


def _unpacked(path: Path, most_bytes: int) -> int:
    with gzips.opened_unpacked(path, "a log", most_bytes) as (file, share):
        n_bytes = len(file.read())
        assert share() == 1.0
    return n_bytes


def _n_members(path: Path, limits: zips.ZipLimits) -> int:
    with path.open("rb") as file:
        return len(zips.Zip(file, path.name, lambda name: name.endswith(".csv"), "prices", limits).members)


@pytest.mark.parametrize(("n_bytes", "is_read"), [(2 * MIB, True), (2 * MIB + 1, False)])
def test_a_gzip_may_unpack_to_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_bytes: int, is_read: bool
) -> None:
    monkeypatch.setattr(gzips, "MOST_RATIO", 1e9)
    path = tmp_path / "a.log.gz"
    path.write_bytes(gzip.compress(bytes(n_bytes)))
    if is_read:
        assert _unpacked(path, 2 * MIB) == n_bytes
        return
    with pytest.raises(TooMuchError, match=r"unpacks to far too much.*at most 2 MB"):
        _unpacked(path, 2 * MIB)


@pytest.mark.parametrize(("n_bytes", "is_read"), [(MIB, True), (MIB + 65_536, False)])
def test_what_packs_very_well_is_refused_only_where_it_is_large(tmp_path: Path, n_bytes: int, is_read: bool) -> None:
    """Zeros pack a thousand times: a megabyte of them is read from either kind of file, more is not."""
    packed, zipped = tmp_path / "a.log.gz", tmp_path / "a.zip"
    packed.write_bytes(gzip.compress(bytes(n_bytes)))
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", bytes(n_bytes))
    if is_read:
        assert _unpacked(packed, 9 * MIB) == n_bytes
        assert _n_members(zipped, zips.TABLES) == 1
        return
    with pytest.raises(TooMuchError, match="more than 200 times"):
        _unpacked(packed, 9 * MIB)
    with pytest.raises(TooMuchError, match="more than 200 times"):
        _n_members(zipped, zips.TABLES)


@pytest.mark.parametrize(("n_files", "is_read"), [(3, True), (4, False)])
def test_a_zip_may_hold_so_many_files_and_bytes(tmp_path: Path, n_files: int, is_read: bool) -> None:
    path, limits = tmp_path / "a.zip", replace(zips.TABLES, members=3)
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(n_files):
            archive.writestr(f"{number}.csv", "a" * 10)
    for tried in (limits, replace(limits, members=9, unpacked_bytes=30)):
        if is_read:
            assert _n_members(path, tried) == 3
            continue
        with pytest.raises(TooMuchError, match="at most "):
            _n_members(path, tried)
