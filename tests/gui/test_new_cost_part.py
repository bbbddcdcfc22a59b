"""A cost part that no other file names is drawn, explained and printed as those that are shipped."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.document import PRESETS, build
from core.units import THIN, usd
from core.workload.library import load_profiles
from gui.charts.kinds.cost_bars import cost_bars
from gui.charts.paint.picture import paint_figure
from gui.frame.why.explained import explained
from gui.frame.why.section import SectionBox
from gui.frame.why.time_and_cost import cost_chain
from gui.pdf.typeset import pdf_bytes
from gui.theme.theme import theme
from tests.gui.sample_session import themes
from tests.new_part import DARK, LIGHT, USD, new_part


@cache
def evaluated() -> ResultSet:
    """Asked for first while the part is known."""
    return evaluate(load_profiles()["chat-serving-70b"], load_catalogue())


@pytest.fixture
def results(qtbot: QtBot, tmp_path: Path) -> Iterator[ResultSet]:
    themes()
    with new_part(tmp_path, "is_unused=True,"):
        yield evaluated()


def pixels(results: ResultSet, name: str) -> set[str]:
    """Names of all colours of the picture."""
    image = QImage(1000, 500, QImage.Format.Format_RGB32)
    image.fill(theme(name).color("bg"))
    with QPainter(image) as painter:
        paint_figure(painter, QRectF(0, 0, 1000, 500), cost_bars(results), theme(name))
    return {QColor(image.pixel(x, y)).name().upper() for x in range(0, 1000) for y in range(0, 500, 3)}


def test_it_stands_in_the_legend_and_in_every_bar_in_its_own_colour(results: ResultSet) -> None:
    figure = cost_bars(results)
    entry = next(entry for entry in figure.legend if entry.text == "Insurance")
    assert entry.swatch == "hatch"
    assert [theme(name).part_colour(entry.colour.removeprefix("part:")) for name in ("light", "dark")] == [LIGHT, DARK]
    bars = [bar for bar in figure.bars if bar.part == "insurance"]
    assert len(bars) == len(figure.rows)
    assert all(bar.end - bar.start == pytest.approx(USD) and bar.hatched for bar in bars)
    assert "insurance_usd" in figure.table[0]


@pytest.mark.parametrize(("name", "colour"), [("light", LIGHT), ("dark", DARK)])
def test_it_is_painted_in_its_own_colour(results: ResultSet, name: str, colour: str) -> None:
    assert colour in pixels(results, name)


def test_why_explains_it_and_adds_it_up(qtbot: QtBot, results: ResultSet) -> None:
    assert results.choice is not None
    section = explained(results, results.choice, "part:insurance", lambda: None)
    assert section is not None
    box = SectionBox()
    qtbot.addWidget(box)
    box.show_section(section)
    words = [label.text() for label in box.findChildren(QLabel)]
    assert {"Insurance", usd(USD), "= the premium"} <= set(words)
    lines = {line.key: line for line in cost_chain(results.profile, results.choice).lines}
    assert lines["insurance"].number == USD and lines["insurance"].words.startswith("Insurance")


def test_it_stands_in_the_tables_of_the_pdf(results: ResultSet) -> None:
    plan = Plan(id="p", name="P", profiles=(results.profile,))
    document = build(plan, {results.profile.id: results}, load_catalogue(), date(2026, 11, 21), PRESETS["full"])
    pages = PdfReader(BytesIO(pdf_bytes(document))).pages
    text = " ".join(" ".join(page.extract_text() for page in pages).replace(THIN, " ").split())
    assert "the premium" in text
    assert f"Insurance the premium Premium {usd(USD).replace(THIN, ' ')} the policy estimate {USD / 1e3:.0f}" in text
