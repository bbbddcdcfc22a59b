"""The import action tells what a list of prices would change, and writes only when asked."""

import argparse
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalogue.loading import load_catalogue
from core.cli.catalogue import add_parser, run
from core.errors import InputError

Call = Callable[..., tuple[int, str]]

HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region\n"
LIST = HEADER + (
    "p5.48xlarge,H100,8,192,2048,50,20,us-east-1\n"
    "p5en.48xlarge,H200,8,192,2048,63.296,,us-east-1\n"
    "p99.48xlarge,H100,8,192,2048,80,80,us-east-1\n"
    "m5.large,,,2,8,0.1,,us-east-1\n"
    "m5.large,,,2,8,0.1,,us-east-2\n"
    "x1,K80,8,2,8,0.1,,us-east-1\n"
)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs the import; status and what it printed."""

    def command(*words: str | Path) -> tuple[int, str]:
        parser = argparse.ArgumentParser()
        add_parser(parser.add_subparsers())
        status = run(parser.parse_args(["catalogue", *map(str, words)]))
        return status, capsys.readouterr().out

    return command


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A list whose file was written on 2026-09-21."""
    path = tmp_path / "vms.csv"
    path.write_text(LIST, encoding="utf-8")
    os.utime(path, (1_790_000_000, 1_790_000_000))
    return path


def test_import_tells_first_and_writes_only_when_asked(call: Call, tmp_path: Path) -> None:
    book = tmp_path / "book.csv"
    book.write_text(
        "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
        "quality,source,as_of,estimate,note\n"
        "aws,p5.48xlarge,h100-sxm,8,us-east-1,on_demand,5,40,ok,contract,2026-11-30,no,\n",
        encoding="utf-8",
    )
    status, text = call("import", str(book))
    assert status == 0
    assert "changed  aws_p5.48xlarge_us-east-1_on_demand  6.8800 -> 5.0000" in text
    assert "nothing written" in text
    record = json.loads(call("import", str(book), "--into", str(tmp_path / "mine"), "--json")[1])
    assert record["changed"][0]["new"]["usd_per_host_hour"] == 40
    shown = json.loads(call("show", "h100-sxm", "--catalogue", str(tmp_path / "mine"), "--json")[1])
    assert 5.0 in [offer["usd_per_chip_hour"] for offer in shown["offers"]]


def test_older_prices_are_left_out_unless_they_are_asked_for(call: Call, prices: Path, tmp_path: Path) -> None:
    words = "import", prices, "--provider", "aws", "--as-of", "2024-05-01"
    text = call(*words, "--into", tmp_path / "kept")[1]
    assert "older    aws_p5.48xlarge_us-east-1_on_demand  6.8800 -> 6.2500 USD/chip h (-9.2 %)" in text
    assert "older than the price in use" in text and "2 older, left out: --older takes them" in text
    record = json.loads(call(*words, "--json")[1])
    assert "aws_p5.48xlarge_us-east-1_on_demand" in record["left_as_older"]
    text = call(*words, "--older", "--into", tmp_path / "taken")[1]
    assert "left out: --older" not in text
    shown = [
        json.loads(call("show", "h100-sxm", "--catalogue", tmp_path / name, "--json")[1]) for name in ("kept", "taken")
    ]
    assert [6.25 in [offer["usd_per_chip_hour"] for offer in one["offers"]] for one in shown] == [False, True]


@pytest.mark.parametrize(("mark", "name"), [(";", "semicolons"), ("\t", "tabs")])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_a_file_whose_columns_no_commas_part_says_so(
    call: Call, tmp_path: Path, mark: str, name: str, start: str
) -> None:
    """As a spreadsheet writes one where a comma parts decimals."""
    path = tmp_path / "aws.csv"
    rows = (HEADER + "p5.48xlarge,H100,8,192,2048,98.32,,us-east-1\n").replace(",", mark).replace("98.32", "98,32")
    path.write_text(start + rows, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        call("import", path, "--provider", "aws")
    told = caught.value
    assert told.where == "aws.csv, header" and told.found == f"columns parted by {name}"
    assert told.expected == "columns parted by commas, and points before decimals"


@pytest.mark.parametrize("column", ["usd_per_host_hour", "chips_per_host"])
def test_a_number_with_an_underscore_is_none(call: Call, tmp_path: Path, column: str) -> None:
    book = tmp_path / "book.csv"
    header = (
        "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
        "quality,source,as_of,estimate,note"
    )
    row = "aws,p5.48xlarge,h100-sxm,8,us-east-1,on_demand,5,40,ok,contract,2026-11-20,no,"
    cells = dict(zip(header.split(","), row.split(","), strict=True)) | {column: "4_0"}
    book.write_text(f"{header}\n{','.join(cells.values())}\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"book.csv, row 2, field {column}: found '4_0', expected a number"):
        call("import", book)


@pytest.mark.parametrize("day", ["2999-11-01", "2999-11"])
def test_a_day_to_come_is_refused(call: Call, prices: Path, day: str) -> None:
    words = f"day of the prices: found '{day}', a day to come, expected today or a day before, or nothing"
    with pytest.raises(InputError, match=words):
        call("import", prices, "--provider", "aws", "--as-of", day)


def test_a_row_of_a_day_to_come_is_one_to_look_at(call: Call, tmp_path: Path) -> None:
    book = tmp_path / "book.csv"
    book.write_text(
        "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
        "quality,source,as_of,estimate,note\n"
        "aws,p5.48xlarge,h100-sxm,8,us-east-1,on_demand,5,40,ok,contract,2099-11-30,no,\n",
        encoding="utf-8",
    )
    assert "look at  1: a day to come (aws_p5.48xlarge_us-east-1_on_demand: of 30 Nov 2099" in call("import", book)[1]


def test_what_a_list_would_change_is_told(call: Call, prices: Path) -> None:
    status, text = call("import", prices, "--provider", "aws", "--as-of", "2026-11-20")
    assert status == 0
    lines = text.splitlines()
    assert lines[0] == "Prices as of 2026-11-20."
    assert "changed  aws_p5.48xlarge_us-east-1_on_demand  6.8800 -> 6.2500 USD/chip h (-9.2 %)" in lines
    assert "new      aws_p99.48xlarge_us-east-1_on_demand  10.0000 USD/chip h" in lines
    assert "host     aws p99.48xlarge: 8 x h100-sxm, the form of its accelerator is a guess" in lines
    assert "skipped  2: no accelerator (m5.large us-east-1, m5.large us-east-2)" in lines
    assert "skipped  1: an accelerator that the catalogue does not have (K80)" in lines
    assert any(line.startswith("look at  1: the spot price is the same as on demand") for line in lines)
    assert lines[-1].endswith("nothing written (use --into FOLDER)")


def test_flags_stand_together_by_kind_and_unknown_chips_are_all_named(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "vms.csv"
    odd = "".join(f"x{n},CHIP{n},8,2,8,1,,us-east-1\n" for n in range(6))
    path.write_text(HEADER + "".join(f"p5.48xlarge,H100,8,192,2048,{n},,r-{n}\n" for n in range(20, 30)) + odd, "utf-8")
    lines = call("import", path, "--provider", "aws")[1].splitlines()
    [line] = [line for line in lines if line.startswith("look at")]
    assert line.startswith("look at  10: far below the provider's other places (aws_p5.48xlarge_r-20_on_demand: ")
    names = ", ".join(f"CHIP{n}" for n in range(6))
    assert f"skipped  6: an accelerator that the catalogue does not have ({names})" in lines


def test_list_without_a_day_is_undated_and_says_so_in_one_line(call: Call, prices: Path) -> None:
    text = call("import", prices, "--provider", "aws")[1]
    assert text.splitlines()[0] == (
        "The file has no date: its prices are marked undated. Give --as-of DAY, or --as-of file for 2026-09-21, "
        "the day on which the file was written."
    )
    record = json.loads(call("import", prices, "--provider", "aws", "--json")[1])
    assert {offer["as_of"] for offer in record["new"]} == {"undated"}


def test_day_of_the_file_may_be_accepted(call: Call, prices: Path) -> None:
    text = call("import", prices, "--provider", "aws", "--as-of", "file")[1]
    assert text.startswith("Prices as of 2026-09-21.\n")
    with pytest.raises(InputError, match="day of the prices: found 'soon'"):
        call("import", prices, "--provider", "aws", "--as-of", "soon")


def test_record_counts_every_row(call: Call, prices: Path) -> None:
    record = json.loads(call("import", prices, "--provider", "aws", "--as-of", "2026-11-20", "--json")[1])
    assert (record["rows"], record["rows_taken"], len(record["skipped"])) == (6, 3, 3)
    assert record["skipped"][0] == {
        "row": 5, "what": "m5.large us-east-1", "reason": "no accelerator", "source": "vms.csv",
    }  # fmt: skip
    moves = {one["new"]["instance"]: one["percent"] for one in record["changed"]}
    assert moves["p5.48xlarge"] == pytest.approx(100 * (50 / 55.04 - 1), abs=1e-3)
    assert list(moves.values()) == sorted(moves.values(), key=abs, reverse=True)
    assert record["as_of"] == "2026-11-20"


def test_copy_with_new_hosts_can_be_loaded(call: Call, prices: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    call("import", prices, "--provider", "aws", "--as-of", "2026-11-20", "--into", folder)
    mine = load_catalogue(folder)
    assert mine.host_by_instance["aws", "p99.48xlarge"].estimated_fields == ("accelerator_id",)
    assert {offer.as_of for offer in mine.offers if offer.source == "file:aws/vms.csv"} == {"2026-11-20"}


def test_long_lists_are_cut_unless_asked_for(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "vms.csv"
    path.write_text(HEADER + "".join(f"p5.48xlarge,H100,8,192,2048,50,,r-{n}\n" for n in range(30)), "utf-8")
    short = call("import", path, "--provider", "aws")[1].splitlines()
    assert sum(line.startswith("new ") for line in short) == 20
    assert "         and 10 more (--all prints them)" in short
    full = call("import", path, "--provider", "aws", "--all")[1].splitlines()
    assert sum(line.startswith("new ") for line in full) == 30


def test_zip_of_several_providers(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "catalog.zip"
    header = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor\n"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("verda.csv", header + "1H100.80S.32V,FIN-02,2.5,32,185,1,H100,80,False,,nvidia\n")
        file.writestr("gcp.csv", header + "v6e-8,us-east5-a,22,180,1440,8,v6e,32,False,,google\n")
    text = call("import", path, "--as-of", "2026-11-20")[1]
    assert "\nverda: 0 new, 1 changed" in text
    assert "\ngcp: 0 new, 1 changed" in text
    assert "\ngcp:" not in call("import", path, "--provider", "verda", "--as-of", "2026-11-20")[1]


def test_list_of_nobody_asks_for_its_provider(call: Call, prices: Path) -> None:
    with pytest.raises(InputError, match="provider of vms.csv"):
        call("import", prices)
