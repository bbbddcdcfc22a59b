"""The catalogue command prints what the catalogue holds."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalogue.loading import load_catalogue
from core.cli.catalogue import add_parser, run
from core.errors import InputError
from core.paths import resources

Call = Callable[..., tuple[int, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs the command; status and what it printed."""

    def command(*words: str) -> tuple[int, str]:
        parser = argparse.ArgumentParser()
        add_parser(parser.add_subparsers())
        status = run(parser.parse_args(["catalogue", *words]))
        return status, capsys.readouterr().out

    return command


def test_list_prints_a_row_a_chip(call: Call) -> None:
    status, text = call("list")
    assert status == 0
    for chip in load_catalogue().accelerators:
        assert f"\n{chip.id} " in text


def test_list_json_has_source_date_and_mark_on_every_entry(call: Call) -> None:
    status, text = call("list", "--json")
    record = json.loads(text)
    assert status == 0
    for table in ("accelerators", "hosts", "offers", "regions", "servers", "price_history", "parts", "conflicts"):
        assert record[table]
        assert all({"source", "as_of", "estimate"} <= entry.keys() for entry in record[table])
        assert all(id in record["sources"] for entry in record[table] for id in entry["source"].split("+"))


def test_show_finds_by_id_and_short_name(call: Call) -> None:
    assert call("show", "h100-sxm") == call("show", "H100 SXM")
    record = json.loads(call("show", "tpu-v5p", "--json")[1])
    assert record["accelerator"]["torus_dims"] == 3
    assert {offer["accelerator_id"] for offer in record["offers"]} == {"tpu-v5p"}


def test_show_marks_estimated_figures(call: Call) -> None:
    [line] = [line for line in call("show", "tpu-v4")[1].splitlines() if line.startswith("tdp_w ")]
    assert line.endswith("(estimate)")


def test_show_of_unknown_chip_offers_near_names(call: Call) -> None:
    with pytest.raises(InputError, match="h100-sxm"):
        call("show", "h100sxm")


def test_show_offers_each_chip_that_is_called_so_once(call: Call) -> None:
    with pytest.raises(InputError) as refused:
        call("show", "H100")
    near = refused.value.expected.removeprefix("one of ").split(", ")
    assert {"h100-sxm", "h100-pcie", "h100-nvl"} <= set(near) and len(near) == len(set(near))
    assert all(one.startswith("h100") for one in near)


def test_check_of_the_shipped_catalogue_is_clean(call: Call) -> None:
    status, text = call("check", "--json")
    record = json.loads(text)
    assert status == 0
    assert record["errors"] == []
    assert record["tables"]["accelerators"] == {"entries": 66, "estimates": 16}
    assert record["oldest_price"]["as_of"].startswith("2024")
    assert record["reconciled"]["prices"]["listed"] == 2078
    assert record["tables"]["hosts"]["entries"] == record["reconciled"]["hosts"]["all"]
    assert record["tables"]["offers"]["entries"] == 2011 + 7
    text = call("check")[1]
    assert "Errors: 0" in text
    assert "Prices: 2078 listed = 2011 rentable + 34 of parts + 19 of the past + 14 left out" in text
    assert record["doubts"] == []


def test_check_tells_prices_to_look_at_without_calling_them_errors(call: Call, tmp_path: Path) -> None:
    for file in (resources() / "catalogue").iterdir():
        text = file.read_text(encoding="utf-8")
        (tmp_path / file.name).write_text(
            text.replace(",18.1597,", ",160.0,").replace(",2.269963,", ",20.0,"), encoding="utf-8"
        )
    status, text = call("check", "--catalogue", str(tmp_path))
    assert status == 0
    assert "Look at aws_p5.48xlarge_us-east-1_spot (spot above on demand): spot 20 is above on demand 6.88" in text
    assert "Look at aws_p5.48xlarge_us-east-1_spot (host price for a chip?)" in text


def test_check_reports_every_error(call: Call, tmp_path: Path) -> None:
    for file in (resources() / "catalogue").iterdir():
        text = file.read_text(encoding="utf-8")
        (tmp_path / file.name).write_text(text.replace(",DRECEIPT,", ",LOST,"), encoding="utf-8")
    status, text = call("check", "--catalogue", str(tmp_path))
    assert status == 1
    entries = (*load_catalogue().offers, *load_catalogue().hosts)
    assert text.count("found 'LOST'") == sum(entry.source == "DRECEIPT" for entry in entries) > 1


def test_check_of_no_catalogue_is_an_error_not_a_crash(call: Call, tmp_path: Path) -> None:
    status, text = call("check", "--catalogue", str(tmp_path))
    assert status == 1
    assert "no such file" in text
