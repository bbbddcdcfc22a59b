"""``roofplan export`` with prices of one's own: they count, masked if the plan says so; the book never does."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.own.book_file import book_path, save_book
from core.catalogue.own.layers import Discount, PriceBook
from core.cli import program as cli
from core.plan.drafts.offer import OfferDraft, offer_entries
from core.plan.sample_plan import sample_plan
from core.plan.store import save
from core.report.blocks import Document

OFFER = OfferDraft(
    provider="Harbour Racks", place="user-tyo", purchase_model="dedicated_monthly", instance="8x H100",
    accelerator_id="h100-sxm", n_chips=8, per="chip_hour", amount_usd=0.3, source="Quote", as_of=date(2026, 11, 3),
)  # fmt: skip


def exported(folder: Path, masks: bool) -> Document:
    """The document that the command hands to the writer."""
    plan = sample_plan().model_copy(
        update={"own": offer_entries(OFFER, load_catalogue()), "masks_private_prices": masks}
    )
    save(plan, folder / "plan.roofplan")
    written: list[Document] = []
    words = ["export", str(folder / "plan.roofplan"), "--pdf", str(folder / "p.pdf"), "--preset", "one-page"]
    assert cli.main(words, pdf_writer=lambda document, _: written.append(document)) == 0
    return written[0]


def texts(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return "\n".join(texts(one) for one in value)
    if is_dataclass(value):
        return "\n".join(texts(getattr(value, one.name)) for one in fields(value))
    return ""


def test_own_offers_of_the_plan_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = texts(exported(tmp_path, masks=False).sections)
    assert "Harbour Racks Tokyo" in told
    assert "$" in told


def test_they_are_masked_when_the_plan_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = exported(tmp_path, masks=True)
    assert "$" not in texts(document.sections)
    assert "Private prices are masked" in texts(document.sections)


def test_the_book_of_this_machine_is_never_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = texts(exported(tmp_path, masks=False).sections)
    save_book(PriceBook(discounts=(Discount(provider="tensorwave", percent=90, source="x"),)), book_path())
    assert texts(exported(tmp_path, masks=False).sections) == before
