"""Files that are damaged, endless or absurd end in one sentence and status 1, never in a trace."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from core.cli import program as cli
from tests.repository_files import ROOT

DEEP = "[" * 100_000 + "]" * 100_000
DIGITS = "9" * 5000
LONG_CELL = "x" * 140_000
PROFILE = ROOT / "profiles" / "llama3-8b-pretraining.json"
BOOK = '{"kind": "roofplan price book", "format": 1, "name": %s}'
SKYPILOT = "InstanceType,Price,AcceleratorName,AcceleratorCount,MemoryGiB,GpuInfo\n"


def _lzma_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("aws.csv", "instance_name,price\n" + "a,1\n" * 3000)
    damaged = bytearray(path.read_bytes())
    damaged[60:90] = bytes(255 - one for one in damaged[60:90])
    path.write_bytes(damaged)


def _of_one_row(path: Path) -> None:
    path.write_text("InstanceType,Price" + ",x" * 5_000_000, encoding="utf-8")


TEXTS: dict[str, tuple[str, list[str], str]] = {
    "deep profile": (DEEP, ["compare", "FILE"], "nested"),
    "deep object": ('{"a":' * 100_000 + "1" + "}" * 100_000, ["compare", "FILE"], "nested"),
    "deep, but not too deep to parse": ("[" * 400 + "]" * 400, ["compare", "FILE"], "nested"),
    "digits": (f'{{"id": {DIGITS}}}', ["compare", "FILE"], "5 000 digits"),
    "infinity": ('{"job": {"kind": "pretraining", "n_tokens": Infinity}}', ["compare", "FILE"], "Infinity"),
    "beyond every float": ('{"job": {"kind": "pretraining", "n_tokens": 1e999}}', ["compare", "FILE"], "1e999"),
    "half a character": ('{"name": "a\\ud800b"}', ["compare", "FILE"], "half a character"),
    "a list": ("[1, 2]", ["compare", "FILE"], "a list"),
    "deep calibration": (DEEP, ["compare", str(PROFILE), "--calibration", "FILE"], "nested"),
    "calibration of digits": (DIGITS, ["compare", str(PROFILE), "--calibration", "FILE"], "5 000 digits"),
    "one calibration, no list": ("5", ["compare", str(PROFILE), "--calibration", "FILE"], "file.csv: found 5"),
    "deep book": (BOOK % DEEP, ["compare", str(PROFILE), "--book", "FILE"], "nested"),
    "book of digits": (BOOK % DIGITS, ["compare", str(PROFILE), "--book", "FILE"], "5 000 digits"),
    "long cell of a table": (
        f"id,hardware,n_chips,model,ttft_ms\na,h100-sxm,8,{LONG_CELL},1\n", ["validate", "FILE"], "131 072",
    ),
    "long cell of an offer": (
        f"provider,instance,region,purchase_model,usd_per_chip_hour\naws,{LONG_CELL},u,spot,1\n",
        ["catalogue", "import", "FILE"], "131 072",
    ),
    "long cell of a list": (
        f"{SKYPILOT}p5,{LONG_CELL},H100,8,,\n", ["catalogue", "import", "FILE", "--provider", "aws"], "131 072",
    ),
    "chips of an offer in digits": (
        "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
        f"quality,source,as_of,estimate,note\naws,p5,h100-sxm,{DIGITS},us-east-1,on_demand,5,40,ok,c,2026-11,no,\n",
        ["catalogue", "import", "FILE"], "chips_per_host",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_one_sentence_and_status_1(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, words, said = TEXTS[name]
    path = tmp_path / "file.csv"
    path.write_text(text, encoding="utf-8")
    status = cli.main([str(path) if word == "FILE" else word for word in words])
    told = capsys.readouterr()
    assert status == cli.WRONG_INPUT, told.err
    assert said in told.err.replace("\u202f", " ")
    assert told.err.count("\n") == 1
    assert len(told.err) < 1000


@pytest.mark.parametrize("make", [_lzma_zip, _of_one_row])
def test_a_price_list_that_cannot_be_read(make, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "aws.zip"
    make(path)
    assert cli.main(["catalogue", "import", str(path), "--provider", "aws"]) == cli.WRONG_INPUT
    assert capsys.readouterr().err.count("\n") == 1


def test_absurd_figures_of_a_list_are_skipped_each_with_its_reason(tmp_path, capsys) -> None:
    memory = "{'Gpus': [{'Name': 'H100', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 1e400}}]}"
    path = tmp_path / "vms.csv"
    path.write_text(
        f'{SKYPILOT}p9.big,1e308,H100,8,1e308,\np8.b,5,H100,1e308,,\np8.c,5,H100,8,1e999,"{memory}"\n'
        f"p8.d,5,tpu-v5p-{DIGITS},8,,\np8.e,{DIGITS},H100,{DIGITS},{DIGITS},\n",
        encoding="utf-8",
    )
    assert cli.main(["catalogue", "import", str(path), "--provider", "aws", "--json"]) == 0
    told = capsys.readouterr().out
    assert json.loads(told, parse_constant=pytest.fail)["rows"] == 5


def test_what_is_no_file_is_refused(capsys) -> None:
    for words in (["compare", "/dev/zero"], ["logs", "/dev/zero"], ["validate", "/dev/zero"]):
        assert cli.main(words) == cli.WRONG_INPUT
        assert "no regular file" in capsys.readouterr().err
    assert cli.main(["catalogue", "import", "/dev/zero"]) == cli.WRONG_INPUT


def test_a_catalogue_with_a_damaged_record_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "catalogue"
    shutil.copytree(ROOT / "resources" / "catalogue", folder)
    for text, said in ((DEEP, "nested"), ('{"format": 1, "date": "9999-99-99"}', "a day such as")):
        (folder / "catalogue.json").write_text(text, encoding="utf-8")
        assert cli.main(["compare", str(PROFILE), "--catalogue", str(folder)]) == cli.WRONG_INPUT
        assert said in capsys.readouterr().err


def test_a_measurement_beyond_all_reason_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("id,hardware,n_chips,model,ttft_ms\na,h100-sxm,1e300,llama-3-8b,5\n", encoding="utf-8")
    assert cli.main(["validate", str(path)]) == cli.WRONG_INPUT
    assert "row 2, field n_chips" in capsys.readouterr().err


def test_a_name_longer_than_any_file_has(capsys) -> None:
    name = "n" * 300
    assert cli.main([name]) == cli.USAGE
    for words in (["compare", name], ["compare", str(PROFILE), "--book", name], ["validate", name]):
        assert cli.main(words) == cli.WRONG_INPUT
