"""A PDF with private prices: it asks first, and masks to the last figure when wished."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import Discount, PriceBook
from core.catalogue.own.stand_ins import NOTE
from core.comparison.evaluate import evaluate
from core.plan.drafts.offer import OfferDraft, offer_entries
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.report.masking import private_results
from core.units import Money, shown_money
from gui.dialogs.export import PdfExport
from gui.dialogs.prices.private_prices import PrivatePricesDialog, private_words
from gui.pdf.writer import write_pdf
from gui.session.plan_session import PlanSession
from gui.session.result_cache import KnownResults
from gui.window.main_window import MainWindow
from tests.core.report.masked_cases import SHIPPED

OFFER = OfferDraft(
    provider="Harbour Racks", place="user-hk", purchase_model="dedicated_monthly", instance="8x H100",
    accelerator_id="h100-sxm", n_chips=8, per="chip_hour", amount_usd=1.4713, source="Quote", as_of=date(2026, 11, 3),
)  # fmt: skip
BOOK = PriceBook(discounts=(Discount(provider="coreweave", percent=13.7, source="Contract"),))


def own_plan(masks: bool) -> Plan:
    own = offer_entries(OFFER, load_catalogue())
    return sample_plan().model_copy(update={"own": own, "masks_private_prices": masks})


@pytest.fixture(scope="module")
def session(qapp: object) -> Iterator[PlanSession]:
    made = PlanSession(own_plan(masks=True), SHIPPED, evaluate)
    made.set_book(BOOK)
    yield made
    made.close()


@pytest.fixture
def window_with(open_window: object) -> MainWindow:
    return open_window(own_plan(masks=False))  # type: ignore[operator, no-any-return]


def text_of(path: Path) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(path).pages)


def exported(qtbot: QtBot, session: PlanSession, main: MainWindow, path: Path, said: list[str] | None = None) -> str:
    said = [] if said is None else said
    export = PdfExport(session, main, lambda text, *_: said.append(text), write_pdf)
    with qtbot.waitSignal(export.written, timeout=120_000):
        export.export(path)
    return text_of(path)


def test_no_private_price_is_left_in_the_masked_pdf(
    qtbot: QtBot, session: PlanSession, window: MainWindow, tmp_path: Path
) -> None:
    said: list[str] = []
    words = exported(qtbot, session, window, tmp_path / "masked.pdf", said)
    flat = " ".join(words.split())
    assert NOTE in flat
    assert re.findall(r"Harbour|\b1\.47|\b13\.7", flat) == []
    private = private_results(session.paper().results_here_and_now())
    assert {one.candidate.offer.layer for one in private} == {"plan", "book"}
    assert all(text.startswith("Exported masked.pdf") for text in said)
    assert shown_money() == Money(), "the window shows dollars as before"


def test_an_open_pdf_shows_dollars(qtbot: QtBot, window: MainWindow, session: PlanSession, tmp_path: Path) -> None:
    before = session.plan
    update = {"masks_private_prices": False, "report_pages": ("decision", "sources")}
    session.replace_plan(before.model_copy(update=update), "Show")
    words = exported(qtbot, session, window, tmp_path / "open.pdf")
    assert "$" in words
    assert "1.47" in words
    session.undo_stack.undo()


def test_the_export_says_what_is_private_and_keeps_the_answer(
    qtbot: QtBot, window_with: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window_with.session
    monkeypatch.setattr(session.evaluations, "evaluate", evaluate)
    session.evaluations.known = KnownResults()
    asked: list[str] = []
    monkeypatch.setattr(window_with.exporter, "ask_file", lambda: asked.append("file"))
    window_with.exporter.ask_and_export()
    qtbot.waitUntil(lambda: window_with.exporter.question is not None, timeout=20_000)
    question = window_with.exporter.question
    assert question is not None
    assert question.isVisible()
    assert "Harbour Racks" in private_words(private_results(session.paper().results_here_and_now()))
    assert not question.masks.isChecked()
    question.masks.click()
    QTest.mouseClick(question.go_on, Qt.MouseButton.LeftButton)
    assert session.plan.masks_private_prices
    assert asked == ["file"]


def test_without_private_prices_nothing_is_asked(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(window.exporter, "ask_file", lambda: asked.append("file"))
    window.exporter.ask_and_export()
    assert asked == ["file"]
    assert window.exporter.question is None


def test_what_masking_does_can_be_read_to_its_end(qtbot: QtBot, window: MainWindow) -> None:
    """Its first and last lines were cut off."""
    assert window.session.results is not None
    dialog = PrivatePricesDialog(window.session, window.session.results.results[:2])
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    labels = [one for one in dialog.findChildren(QLabel) if one.wordWrap()]
    assert len(labels) == 2 and all(one.height() >= one.heightForWidth(one.width()) for one in labels)
