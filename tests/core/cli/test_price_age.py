"""Old prices on the command line, and a plan in a currency of its own as PDF."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import paths
from core.cli import program as cli
from core.plan.plan import Currency
from core.plan.sample_plan import sample_plan
from core.plan.store import save
from core.report.blocks import Document
from core.units import shown_money

PROFILE = str(paths.profiles() / "llama3-70b-pretraining.json")


def prices(capsys: pytest.CaptureFixture[str], *more: str) -> list[dict[str, object]]:
    assert cli.main(["compare", PROFILE, "--json", *more]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["old_price_days"] == (int(more[1]) if more else 90)
    return [candidate["price"] for candidate in found["candidates"]]


def test_the_number_of_days_decides_which_prices_are_old(capsys: pytest.CaptureFixture[str]) -> None:
    usual, strict, loose = (
        prices(capsys),
        prices(capsys, "--old-price-days", "1"),
        prices(capsys, "--old-price-days", "99999"),
    )
    assert sum(price["old"] is True for price in strict) > sum(price["old"] is True for price in usual) > 0
    assert not any(price["old"] for price in loose)
    assert all((price["old"] is None) == (price["age_days"] is None) for price in usual)


def test_a_number_of_days_below_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compare", PROFILE, "--old-price-days", "0"]) != 0
    assert "old-price-days" in capsys.readouterr().err


def test_the_pdf_of_a_plan_is_in_its_currency(tmp_path: Path) -> None:
    plan = sample_plan().model_copy(update={"currency": Currency(code="HKD", per_usd=7.8, as_of="2026-11-21")})
    save(plan, tmp_path / "plan.roofplan")
    written: list[Document] = []
    words = ["export", str(tmp_path / "plan.roofplan"), "--pdf", str(tmp_path / "plan.pdf"), "--preset", "finance"]
    assert cli.main(words, pdf_writer=lambda document, _: written.append(document)) == 0
    assert written[0].footer[1].startswith("1 USD = 7.8 HKD, typed on 2026-11-21; ")
    assert "HK$" in repr(written[0].sections)
    assert "'$" not in repr(written[0].sections)
    assert shown_money().is_usd
