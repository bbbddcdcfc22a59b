"""``roofplan export`` with prices of one's own: they count, masked if the plan says so; so does a price book."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from core.catalogue.loading import load_catalogue
from core.catalogue.own.book_file import book_path, save_book
from core.catalogue.own.layers import Discount, PriceBook
from core.catalogue.own.stand_ins import NOTE
from core.cli import program as cli
from core.paths import profiles
from core.plan.drafts.offer import OfferDraft, offer_entries
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.plan.store import save
from core.report.blocks import Document

OFFER = OfferDraft(
    provider="Harbour Racks", place="user-tyo", purchase_model="dedicated_monthly", instance="8x H100",
    accelerator_id="h100-sxm", n_chips=8, per="chip_hour", amount_usd=0.3, source="Quote", as_of=date(2026, 11, 3),
)  # fmt: skip


BOOK = PriceBook(discounts=(Discount(provider="lambda", percent=40, source="x"),))


def plan_of_one() -> Plan:
    """The sample with its service alone: half the work."""
    plan = sample_plan()
    return plan.model_copy(update={"profiles": plan.profiles[1:], "scenarios": plan.scenarios[:1]})


def exported(folder: Path, masks: bool, *words: str, **changes: Any) -> Document:
    """The document that the command hands to the writer."""
    plan = plan_of_one().model_copy(
        update={"own": offer_entries(OFFER, load_catalogue()), "masks_private_prices": masks, **changes}
    )
    save(plan, folder / "plan.roofplan")
    written: list[Document] = []
    asked = ["export", str(folder / "plan.roofplan"), "--pdf", str(folder / "p.pdf"), "--preset", "one-page", *words]
    assert cli.main(asked, pdf_writer=lambda document, _: written.append(document)) == 0
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


def test_they_are_masked_when_the_plan_says_so_or_the_command_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for document in (exported(tmp_path, masks=True), exported(tmp_path, False, "--masked")):
        told = texts(document.sections)
        assert NOTE in told
        assert "Harbour" not in told and "Quote" not in told


def test_the_book_counts_where_the_plan_uses_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As in the window: no number is silently another one."""
    without = texts(exported(tmp_path, masks=False).sections)
    assert capsys.readouterr().err == ""
    save_book(BOOK, book_path())
    own = texts(exported(tmp_path, masks=False).sections)
    assert own != without
    assert "With the price book" in capsys.readouterr().err
    assert texts(exported(tmp_path, masks=False, uses_price_book=False).sections) == without


def test_a_book_that_is_named_counts_and_one_that_lacks_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without = texts(exported(tmp_path, False, had_price_book=True).sections)
    told = capsys.readouterr().err
    assert "none is here" in told
    assert all(f"{profile.name}" in told for profile in plan_of_one().profiles), "which numbers lack it"
    save_book(BOOK, tmp_path / "theirs.json")
    assert texts(exported(tmp_path, False, "--book", str(tmp_path / "theirs.json")).sections) != without


@pytest.mark.parametrize("name", ["sample-plan.json", "chat-serving-8b.json"])
def test_the_sample_and_shipped_profiles_are_exported_as_plans_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    written: list[Document] = []
    words = ["export", str(profiles() / name), "--pdf", str(tmp_path / "p.pdf"), "--preset", "one-page"]
    assert cli.main(words, pdf_writer=lambda document, _: written.append(document)) == 0
    assert [section.id for section in written[0].sections] == ["plan" if name == "sample-plan.json" else "decision"]


def test_compare_opens_the_sample_as_export_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compare", str(profiles() / "sample-plan.json"), "--top", "1"]) == 0
    assert capsys.readouterr().out.startswith("Whole plan:")


def test_a_workbook_is_written_without_a_pdf_writer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan, file = str(profiles() / "chat-serving-8b.json"), tmp_path / "w.xlsx"
    assert cli.main(["export", plan, "--xlsx", str(file), "--top", "3"]) == 0
    assert str(file) in capsys.readouterr().out
    book = load_workbook(file)
    assert (book.sheetnames[0], book["Candidates"].max_row) == ("Verdict", 4)


def test_a_slide_is_made_of_the_first_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written: list[tuple[Document, Path]] = []
    words = ["export", str(profiles() / "chat-serving-8b.json"), "--slide", str(tmp_path / "s.png")]
    assert cli.main(words, slide_writer=lambda *one: written.append(one)) == 0
    assert [section.id for section in written[0][0].sections] == ["decision"] and written[0][1] == tmp_path / "s.png"
    assert cli.main([*words[:-1], "s.pptx"], slide_writer=lambda *_: None) == 2
    assert ".pdf or .png" in capsys.readouterr().err


def test_export_must_be_told_what_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["export", str(profiles() / "sample-plan.json")]) == 1
    assert "--pdf FILE" in capsys.readouterr().err


def test_what_is_neither_plan_nor_profile_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.json").write_text("[1]")
    for path in (tmp_path / "list.json", tmp_path / "none.json"):
        assert cli.main(["export", str(path), "--pdf", str(tmp_path / "p.pdf")], pdf_writer=lambda *_: None) == 1
        assert path.name in capsys.readouterr().err


@pytest.mark.parametrize("shape", [["--json"], ["--csv"], []])
def test_compare_masks_a_profile_with_a_book(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: list[str]
) -> None:
    save_book(BOOK, tmp_path / "b.json")
    words = [
        "compare",
        str(profiles() / "chat-serving-8b.json"),
        "--top",
        "400",
        "--book",
        str(tmp_path / "b.json"),
        *shape,
    ]
    assert cli.main(words) == 0
    openly = capsys.readouterr().out
    assert cli.main([*words, "--masked"]) == 0
    masked = capsys.readouterr().out
    assert "stand-in" in masked and "stand-in" not in openly
    assert "price book" not in masked and ",book," not in masked and '"book"' not in masked


def test_compare_masks_a_plan_that_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exported(tmp_path, masks=True)
    capsys.readouterr()
    assert cli.main(["compare", str(tmp_path / "plan.roofplan"), "--json", "--top", "9"]) == 0
    told = capsys.readouterr().out
    assert NOTE in told and "Harbour" not in told
