"""Files that are no lists of prices, damaged or meant to harm, are refused in words; good ones say whose they are."""

import os
import struct
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.price_lists.files import file_day, guess_provider, is_price_list, sources_of
from core.catalogue.price_lists.read import read_price_list
from core.errors import InputError
from core.reading import zips

HEADER = "InstanceType,AcceleratorName,AcceleratorCount,Price,Region,GpuInfo\n"
ROW = "p5.48xlarge,H100,8,55.04,us-east-1,\n"


@pytest.mark.parametrize(
    ("path", "provider"),
    [
        ("catalogs/v9/gcp/vms.csv", "gcp"),
        ("catalogs/v6/ovhcloud/vms.csv", "ovh"),
        ("C:\\lists\\v8\\runpod\\vms.csv", "runpod"),
        ("v3/lambdalabs.csv", "lambda"),
        ("datacrunch.csv", "verda"),
        ("aws-vms (1).csv", "aws"),
        ("skypilot_azure_prices.csv", "azure"),
        ("vms.csv", ""),
        ("catalog.zip", ""),
    ],
)
def test_provider_is_guessed_from_the_path(path: str, provider: str) -> None:
    assert guess_provider(path) == provider


def test_folder_names_the_provider(tmp_path: Path) -> None:
    path = tmp_path / "v9" / "aws" / "vms.csv"
    path.parent.mkdir(parents=True)
    path.write_text(HEADER + ROW, encoding="utf-8")
    assert [one.provider for one in sources_of(path)] == ["aws"]
    assert {offer.provider for offer in read_price_list(path, "", "", load_catalogue()).offers} == {"aws"}


def test_folder_that_names_nobody_known_is_no_provider(tmp_path: Path) -> None:
    path = tmp_path / "myfiles" / "vms.csv"
    path.parent.mkdir()
    path.write_text(HEADER + ROW, encoding="utf-8")
    with pytest.raises(InputError, match="provider of vms.csv: found 'myfiles', expected the name of one, such as"):
        read_price_list(path, "", "", load_catalogue())
    for name in ("own", "two words", "../x"):
        with pytest.raises(InputError, match="provider of vms.csv"):
            read_price_list(path, name, "", load_catalogue())
    assert {one.provider for one in read_price_list(path, "cudo", "", load_catalogue()).offers} == {"cudo"}


def test_day_of_a_file_is_that_of_its_writing(tmp_path: Path) -> None:
    path = tmp_path / "vms.csv"
    path.write_text(HEADER, encoding="utf-8")
    os.utime(path, (1_790_000_000, 1_790_000_000))
    assert file_day(path) == "2026-09-21"


def test_day_of_a_zip_is_that_of_its_newest_table(tmp_path: Path) -> None:
    path = tmp_path / "catalog.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(zipfile.ZipInfo("aws.csv", (2026, 3, 1, 0, 0, 0)), HEADER)
        file.writestr(zipfile.ZipInfo("gcp.csv", (2026, 5, 2, 0, 0, 0)), HEADER)
        file.writestr(zipfile.ZipInfo("oci.csv"), HEADER)
    assert file_day(path) == "2026-05-02"


def test_quoted_cell_may_run_over_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "vms.csv"
    path.write_text(f'{HEADER}p5.48xlarge,H100,8,55.04,us-east-1,"{{\n  ""Gpus"": []\n}}"\n\nx,K80,1,1,r,\n', "utf-8")
    price_list = read_price_list(path, "aws", "", load_catalogue())
    assert [offer.usd_per_host_hour for offer in price_list.offers] == [55.04]
    assert [row.row for row in price_list.skipped] == [4]


def test_byte_order_mark_and_spaces_in_the_header_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "vms.csv"
    path.write_text("\ufeff" + HEADER.replace(",", " , ") + ROW, encoding="utf-8")
    assert is_price_list(path)
    assert len(read_price_list(path, "aws", "", load_catalogue()).offers) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "an empty file"),
        (b"a,b\n1,2\n", "the columns a, b"),
        (b"AcceleratorName,Clouds\nA10,['Azure']\n", "the columns AcceleratorName, Clouds"),
        (b"<html><body>404</body></html>", "the columns <html>"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "no UTF-8 text"),
        (HEADER.encode("utf-16"), "UTF-16"),
        (HEADER.encode() + b"x" * 200_000, "a cell of more than 131.072 characters"),
        (b"PK\x03\x04 and then nothing", "a damaged zip"),
    ],
)
def test_file_of_another_kind_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "vms.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_price_list(path, "aws", "", load_catalogue())


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "no.csv", "no such file"), (tmp_path, "a folder")):
        with pytest.raises(InputError, match=words):
            sources_of(path)


def test_offers_table_is_no_feed(tmp_path: Path) -> None:
    path = tmp_path / "book.csv"
    path.write_text("provider,instance,price\n", encoding="utf-8")
    assert not is_price_list(path)


def _zipped(path: Path, content: bytes, name: str = "aws.csv") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return path


def test_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = _zipped(tmp_path / "a.zip", HEADER.encode() + b"," * 8_000_000)
    with pytest.raises(InputError, match="unpacks to more than 200 times its size"):
        sources_of(path)


def test_zip_whose_tables_are_large_together_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _zipped(tmp_path / "a.zip", (HEADER + ROW).encode())
    monkeypatch.setattr(zips, "TABLES", replace(zips.TABLES, unpacked_bytes=len(HEADER + ROW)))
    assert len(sources_of(path)) == 1
    monkeypatch.setattr(zips, "TABLES", replace(zips.TABLES, unpacked_bytes=len(HEADER + ROW) - 1))
    with pytest.raises(InputError, match="far too much, expected at most 0 MB in all"):
        sources_of(path)


def test_zip_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = _zipped(tmp_path / "a.zip", (HEADER + ROW * 100).encode())
    content = bytearray(path.read_bytes())
    true_size = struct.pack("<I", len(HEADER + ROW * 100))
    assert content.count(true_size) == 2
    path.write_bytes(bytes(content).replace(true_size, struct.pack("<I", 200)))
    with pytest.raises(InputError, match="a damaged file"):
        sources_of(path)


def test_encrypted_zip_is_refused(tmp_path: Path) -> None:
    path = _zipped(tmp_path / "a.zip", (HEADER + ROW).encode())
    content = bytearray(path.read_bytes())
    for start, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(start) + flags] |= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match="an encrypted zip, expected one without a password"):
        sources_of(path)


def test_damaged_zip_is_refused(tmp_path: Path) -> None:
    path = _zipped(tmp_path / "a.zip", (HEADER + ROW * 50).encode())
    content = bytearray(path.read_bytes())
    content[60:70] = b"0123456789"
    path.write_bytes(content)
    with pytest.raises(InputError, match="a damaged"):
        sources_of(path)
    path.write_bytes(bytes(content)[: len(content) // 2])
    with pytest.raises(InputError, match="a damaged zip"):
        sources_of(path)


def test_zip_without_prices_and_zip_of_very_many_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a zip without a table of prices"):
        sources_of(_zipped(tmp_path / "a.zip", b"hello", "readme.txt"))
    with pytest.raises(InputError, match="the columns a, b"):
        sources_of(_zipped(tmp_path / "b.zip", b"a,b\n"))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as file:
        for number in range(zips.MOST_TABLES + 1):
            file.writestr(f"{number}.csv", HEADER)
    with pytest.raises(InputError, match=f"found {zips.MOST_TABLES + 1} tables"):
        sources_of(tmp_path / "c.zip")
