"""Prices of a day, conflicts and layers on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core import paths
from core.catalogue.loading import load_catalogue
from core.catalogue.own.book_file import save_book
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook
from core.cli import program as cli
from core.plan.plan import Plan
from core.plan.store import save
from tests.core.own_samples import PRIVATE_USD, PRIVATE_WORDS, faster, own_host, own_offer, private_book

Call = Callable[..., tuple[int, str, str]]
PROFILE = str(paths.profiles() / "llama3-8b-pretraining.json")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs a command as typed; status, output and messages."""

    def command(*words: str) -> tuple[int, str, str]:
        status = cli.main(list(words))
        found = capsys.readouterr()
        return status, found.out, found.err

    return command


@pytest.fixture
def book(tmp_path: Path) -> str:
    save_book(private_book(load_catalogue()), tmp_path / "book.json")
    return str(tmp_path / "book.json")


@pytest.mark.parametrize(
    ("day", "usd"), [("2023-07-26", 98.32), ("2025-05-01", 98.32), ("2025-06-04", 98.32), ("2025-06-05", 55.04)]
)
def test_price_of_a_day(call: Call, day: str, usd: float) -> None:
    status, text, _ = call("catalogue", "price", "aws", "p5.48xlarge", "--on", day)
    assert status == 0
    assert f"us-east-1: {usd:g} USD per host and hour on {day} (8 chips at {usd / 8:.4g}" in text
    assert "until 2025-06-04" in text and "from 2025-06-05 on" in text


def test_price_as_json_has_source_and_every_point(call: Call) -> None:
    record = json.loads(call("catalogue", "price", "aws", "p5.48xlarge", "--on", "2025-05-01", "--json")[1])
    assert record["price"]["usd_per_host_hour"] == 98.32
    assert record["usd_per_chip_hour"] == 12.29
    assert record["price"]["source"] == "AWSTRACK"
    assert [point["usd_per_host_hour"] for point in record["points"]] == [98.32, 55.04]


def test_price_of_today_is_the_default(call: Call) -> None:
    record = json.loads(call("catalogue", "price", "aws", "p5.48xlarge", "--json")[1])
    assert record["price"]["usd_per_host_hour"] == 55.04


def test_price_by_region_and_way_to_pay(call: Call) -> None:
    words = ("catalogue", "price", "gcp", "ct6e-standard-1t", "--pay", "spot", "--region", "us-east5", "--json", "--on")
    assert json.loads(call(*words, "2025-01-03")[1])["price"]["usd_per_host_hour"] == 1.89
    assert json.loads(call(*words, "2024-01-03")[1])["price"] is None
    assert "no price known" in call("catalogue", "price", "aws", "p4de.24xlarge", "--pay", "dedicated_monthly")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("awz", "p5.48xlarge"), "provider: found 'awz', expected one of"),
        (("aws", "p5"), "instance: found 'p5', expected one of"),
    ],
)
def test_unknown_host_is_named(call: Call, words: tuple[str, str], message: str) -> None:
    status, _, err = call("catalogue", "price", *words)
    assert status == cli.WRONG_INPUT
    assert message in err


def test_a_day_that_is_none_is_a_usage_error(call: Call) -> None:
    assert call("catalogue", "price", "aws", "p5.48xlarge", "--on", "May")[0] == cli.USAGE


def test_show_tells_where_sources_disagree(call: Call) -> None:
    text = call("catalogue", "show", "b200-sxm")[1]
    assert "Sources disagree:" in text
    assert "memory_gb" in text and "192 GB" in text and "180 GB" in text
    record = json.loads(call("catalogue", "show", "b200-sxm", "--json")[1])
    assert {conflict["field"] for conflict in record["conflicts"]} >= {
        "memory_gb",
        "memory_bandwidth_gbps",
        "fp4_tflops",
    }
    assert "azure Standard_ND96isr_H100_v5, n_chips" in call("catalogue", "show", "h100-sxm")[1]
    assert "Sources disagree" not in call("catalogue", "show", "a100-sxm-40")[1]


def test_list_and_show_lay_the_book_over_the_catalogue(call: Call, book: str) -> None:
    shown = json.loads(call("catalogue", "show", "h100-sxm", "--book", book, "--json")[1])
    [offer] = [offer for offer in shown["offers"] if offer["id"] == "aws_p5.48xlarge_us-east-1_on_demand"]
    assert (offer["usd_per_host_hour"], offer["layer"]) == (PRIVATE_USD, "book")
    assert "negotiated-with-x (price book)" in call("catalogue", "show", "h100-sxm", "--book", book)[1]
    assert "2.1617" not in call("catalogue", "show", "h100-sxm")[1]
    assert any(
        o["layer"] == "book" for o in json.loads(call("catalogue", "list", "--book", book, "--json")[1])["offers"]
    )


def test_show_lays_a_plans_own_entries_over_the_catalogue(call: Call, tmp_path: Path) -> None:
    host = own_host()
    own = OwnEntries(accelerators=(faster(load_catalogue()),), hosts=(host,), offers=(own_offer(host),))
    save(Plan(id="p", own=own), tmp_path / "plan.roofplan")
    shown = json.loads(call("catalogue", "show", "h100-sxm", "--plan", str(tmp_path / "plan.roofplan"), "--json")[1])
    assert shown["accelerator"]["bf16_tflops"] == 2 * 989
    assert shown["accelerator"]["layer"] == "plan"
    assert "user-hk" in {offer["region"] for offer in shown["offers"]}


def test_compare_with_a_book_takes_its_prices(call: Call, tmp_path: Path) -> None:
    cheap = PriceBook(discounts=(Discount(provider="lambda", percent=90, accelerator_id="h100-sxm"),))
    save_book(cheap, tmp_path / "book.json")
    record = json.loads(call("compare", PROFILE, "--json", "--book", str(tmp_path / "book.json"))[1])
    choice = record["recommendation"]["choice"]
    assert choice.startswith("h100-sxm") and "lambda" in choice
    plain = json.loads(call("compare", PROFILE, "--json")[1])
    assert plain["recommendation"]["choice"] != record["recommendation"]["choice"]
    assert plain.keys() == record.keys()


def test_a_plan_written_with_a_book_holds_nothing_of_it(call: Call, book: str, tmp_path: Path) -> None:
    file = tmp_path / "out.roofplan"
    assert call("compare", PROFILE, "--book", book, "--out", str(file))[0] == 0
    content = file.read_bytes()
    assert not [word for word in PRIVATE_WORDS if word.encode() in content]


@pytest.mark.parametrize("command", [("compare", PROFILE), ("catalogue", "list"), ("catalogue", "show", "h100-sxm")])
def test_a_book_that_is_missing_or_wrong_is_told(call: Call, command: tuple[str, ...], tmp_path: Path) -> None:
    assert "no such file" in call(*command, "--book", str(tmp_path / "none.json"))[2]
    save_book(PriceBook(discounts=(Discount(provider="awz", percent=5),)), tmp_path / "book.json")
    status, _, err = call(*command, "--book", str(tmp_path / "book.json"))
    assert status == cli.WRONG_INPUT
    assert "price book discount 1, provider: found 'awz'" in err
