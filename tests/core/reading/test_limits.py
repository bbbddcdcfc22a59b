"""Limits hold where they stand: what goes beyond ends at once and names the limit."""

from __future__ import annotations

import gzip
import os
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.calibration.measured.table import read_table
from core.catalogue.price_lists.files import is_price_list, sources_of
from core.catalogue.tables import read_header
from core.errors import InputError
from core.logs.read import read_log, read_logs
from core.logs.text import log_lines
from core.plan.price_import import is_price_file
from core.reading import csv_rows, gzips, zips
from core.reading.files import text_of
from core.reading.json_text import parsed, read_json
from core.reading.limits import MOST_LINE_CHARS, MOST_ROW_CHARS
from core.reading.pace import TooMuchError
from tests.repository_files import ROOT

HEADER = "instance_name,price,location,cpu,memory,gpu_count,gpu_name,gpu_memory,spot\n"
STEP = "completed step: {}, seconds: 5.0, tokens/s/device: 30\n"


def test_a_small_zip_of_very_many_rows(tmp_path: Path) -> None:
    """158 KB that come to 60 MB and four million rows."""
    path = tmp_path / "aws.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("aws.csv", HEADER + "p5,1,u,,,8,H100,,\n" * 100_000)
    with pytest.raises(TooMuchError, match="unpacks to more than 200 times"):
        sources_of(path)


def test_rows_are_counted_over_all_tables_of_a_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "MOST_ROWS", 7)
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("aws.csv", "gcp.csv"):
            archive.writestr(name, HEADER + "p5,1,u,,,8,H100,,\n" * 3)
    with pytest.raises(TooMuchError, match="more than 7 rows"):
        sources_of(path)


def test_a_packing_that_takes_memory_is_refused(tmp_path: Path) -> None:
    for packing in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w", packing) as archive:
            archive.writestr("aws.csv", HEADER)
        with pytest.raises(InputError, match="an unusual packing"):
            sources_of(path)


def test_a_large_zip_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "TABLES", replace(zips.TABLES, bytes=3))
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(TooMuchError, match="a zip of more than"):
        sources_of(tmp_path / "a.zip")


@pytest.mark.parametrize("row", ["," * (MOST_ROW_CHARS + 2), '"' + '","\n' * MOST_ROW_CHARS])
def test_one_endless_row(tmp_path: Path, row: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(row, encoding="utf-8")
    assert not is_price_list(path)
    for read in (read_header, read_table):
        with pytest.raises(TooMuchError, match="characters in one row"):
            read(path)


def test_bytes_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b" " * 2_000_000)
    with pytest.raises(InputError, match="found 2 MB, expected at most 1 MB"):
        text_of(path, "text", 2**20)


def test_values_of_json() -> None:
    with pytest.raises(InputError, match="more than 1.000.000 values"):
        parsed("[" + "1," * 1_000_000 + "1]", "a.json", "a list")
    assert parsed("[1, 2.5]", "a.json", "a list") == [1, 2.5]


def test_a_number_that_is_none_is_named_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text in ("NaN", "-Infinity", "1e999", "9" * 301):
        path.write_text('{"a": [1, {"b": %s}]}' % text, encoding="utf-8")  # noqa: UP031
        with pytest.raises(InputError, match=r"a.json, a.1.b: found"):
            read_json(path, "anything")
    path.write_text('{"a": NaN, "a": 1}', encoding="utf-8")
    with pytest.raises(InputError, match=r"a.json: found NaN"):
        read_json(path, "anything")


def test_a_letter_soup_of_a_step_costs_no_time(tmp_path: Path) -> None:
    """40,000 letters took 31 s; brackets and spaces of a header made the same of a row."""
    path = tmp_path / "run.log"
    soup = "completed step: 1, " + "A" * 40_000 + "\n" + "[" * 60_000 + "\n" + " " * 60_000 + "[x\n"
    path.write_text(soup * 20 + STEP.format(2), encoding="utf-8")
    assert read_logs(path).n_lines == 61


def test_a_line_that_is_too_long_is_told_and_the_next_one_read(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    long = "completed step: 1, seconds: 5.0, tokens/s/device: 30" * 5000
    path.write_text(f"{long}\n{STEP.format(2)}", encoding="utf-8")
    assert [line[:30] for line in log_lines(path)] == ["(a line of more than 65\u202f536 ch", STEP.format(2)[:30]]
    assert len(read_log(path).time_s) == 1


@pytest.mark.parametrize("ends", ["\n", "\r\n", ""])
def test_a_progress_bar_of_any_length_is_its_last_state(tmp_path: Path, ends: str) -> None:
    path = tmp_path / "run.log"
    for length in (MOST_LINE_CHARS - 1, MOST_LINE_CHARS, MOST_LINE_CHARS + 1, 3 * MOST_LINE_CHARS):
        text = "".join(f"{n:7}%\r" for n in range(length // 9 + 1))[:length] + f"\rdone{ends}"
        path.write_bytes((text + "next\n" if ends else text).encode())
        assert list(log_lines(path)) == ["done", "next"] if ends else ["done"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_packed_log_is_read_as_it_is(tmp_path: Path) -> None:
    """In one part or several, with the zeros that tapes add."""
    log = (ROOT / "tests" / "data" / "logs" / "h100-node07.csv").read_bytes()
    half = len(log) // 2
    (tmp_path / "one.csv").write_bytes(log)
    plain = read_log(tmp_path / "one.csv")
    for content in (
        gzip.compress(log),
        gzip.compress(log[:half]) + gzip.compress(b"") + gzip.compress(log[half:]) + bytes(1000),
    ):
        (tmp_path / "one.csv.gz").write_bytes(content)
        packed = read_log(tmp_path / "one.csv.gz")
        assert (packed.n_lines, packed.skipped) == (plain.n_lines, plain.skipped)
        assert packed.quantities == plain.quantities


def test_a_packed_price_list_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "gcp" / "vms.csv.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress((HEADER + "p5,1,u,,,8,H100,,\n" * 3).encode()))
    assert is_price_file(path)
    [source] = sources_of(path)
    assert (source.provider, source.n_rows) == ("gcp", 3)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (gzip.compress(STEP.encode() * 100_000), "unpacks to more than 200 times its size"),
        (gzip.compress(STEP.encode() * 100)[:-20], "a damaged gzip .it ends in the middle"),
        (gzip.compress(STEP.encode() * 100)[:20] + b"junk" * 40, "a damaged gzip"),
        (gzip.compress(STEP.encode()) * 9, "a gzip of more than 7 parts"),
        (gzip.compress(b"") * 9, "a gzip of more than 7 parts"),
        (gzip.compress(STEP.encode() * 200), "unpacks to far too much"),
    ],
    ids=["ratio", "cut", "damaged", "parts", "empty parts", "bytes"],
)
def test_what_is_packed_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, words: str) -> None:
    monkeypatch.setattr(gzips, "MOST_GZIP_MEMBERS", 7)
    path = tmp_path / "a.log.gz"
    path.write_bytes(content)
    most_bytes = 5_000 if "far too much" in words else 2**31
    with (
        pytest.raises(TooMuchError if "more than" in words else InputError, match=words),
        gzips.opened_unpacked(path, "a log", most_bytes) as (file, _),
    ):
        while file.read(4096):
            pass


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="no regular file"):
        text_of(tmp_path / "pipe", "text", 10)
