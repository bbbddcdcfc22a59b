"""What is copied from a screen with private prices that the plan masks: none of it."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from core.catalogue.own.layers import Discount, PriceBook
from core.report.masking import KEPT
from gui.tabs.catalogue.panel import CataloguePanel
from gui.tabs.compare.panel import ComparePanel
from gui.window.main_window import MainWindow

BOOK = PriceBook(discounts=(Discount(provider="coreweave", percent=13.7, source="Contract"),))


def copied(window: MainWindow) -> list[str]:
    """What the candidates, the catalogue and a chart leave on the clipboard."""
    compare = cast(ComparePanel, window.tabs.panel("compare"))
    catalogue = cast(CataloguePanel, window.tabs.panel("catalogue"))
    texts = []
    for copy in (
        lambda: compare.table.copy("Copy table"),
        lambda: catalogue.table.copy("Copy table"),
        compare.map.copy,
    ):
        QGuiApplication.clipboard().clear()
        copy()
        texts.append(QGuiApplication.clipboard().text())
    return texts


def test_a_masking_plan_keeps_its_screen(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    session = window.session
    for tab in ("catalogue", "compare"):
        window.tabs.show_tab(tab)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: pytest.fail("a chart was to be saved"))
    session.replace_plan(session.plan.model_copy(update={"masks_private_prices": True}), "Mask")
    assert session.may_leave(), "there is nothing private yet"
    assert KEPT not in copied(window)
    session.set_book(BOOK)
    assert copied(window) == [KEPT] * 3
    cast(ComparePanel, window.tabs.panel("compare")).map.ask_and_save()
    session.replace_plan(session.plan.model_copy(update={"masks_private_prices": False}), "Show")
    assert KEPT not in copied(window)
