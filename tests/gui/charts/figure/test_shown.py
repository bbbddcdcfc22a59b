"""How chips are drawn and named: by their family, and a vendor unheard of by its own name in neutral colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from core.catalogue.entries import Accelerator
from core.comparison.obtain.obtainable import Status
from core.comparison.questions.leaving import targets
from core.comparison.result import CandidateResult
from core.report.blocks import Cell, Column, Document, Section, Table
from core.report.pages.context import mark_of
from gui.charts.figure.figure import Fill
from gui.charts.figure.shown import colour_key, legend_of, legend_of_having, shape_of
from gui.charts.kinds.decision_map import decision_map
from gui.charts.paint.brush import OUTLINE_PX, Ink, colour_name
from gui.pdf.given import given
from gui.pdf.typeset import sheets
from gui.theme.chip_colours import NEUTRAL
from gui.theme.theme import theme
from tests.core.new_vendor import CHIP, FAMILY_ROW, data_with
from tests.gui.sample_results import chip, sample_results
from tests.gui.sample_session import themes


@pytest.fixture
def fresh_themes() -> Iterator[None]:
    """Themes are made again from the data of the test, and again after it."""
    theme.cache_clear()
    yield
    theme.cache_clear()


def of(accelerator: Accelerator, feasible: bool = True) -> CandidateResult:
    one = sample_results().results[0]
    return replace(one, feasible=feasible, candidate=replace(one.candidate, accelerator=accelerator))


def legend(*chips: Accelerator) -> list[tuple[str, str, str]]:
    return [(entry.text, entry.colour, entry.swatch) for entry in legend_of([of(one) for one in chips])]


def test_families_with_colours_stand_first_in_the_order_of_the_table() -> None:
    kinds = [("Google", "tpu"), ("Intel", "other"), ("AMD", "gpu"), ("NVIDIA", "gpu"), ("NVIDIA", "gpu")]
    assert legend(*(chip("X", *kind) for kind in kinds)) == [
        ("NVIDIA GPU", "nvidia_gpu", "circle"),
        ("AMD GPU", "amd_gpu", "circle"),
        ("Google TPU", "google_tpu", "square"),
        ("Intel Gaudi", NEUTRAL, "circle"),
    ]


def test_families_that_look_alike_share_an_entry() -> None:
    assert legend(chip("X", "Intel", "gpu"), chip("Y", "Intel", "gpu")) == [("Intel GPU", NEUTRAL, "circle")]
    assert legend(chip("X", "Intel", "gpu"), chip("Y", "AWS", "other")) == [("Other", NEUTRAL, "circle")]
    squares = legend(chip("X", "Huawei", "tpu"), chip("Y", "AWS", "other"))
    assert sorted(squares) == [("AWS chip", NEUTRAL, "circle"), ("Huawei TPU", NEUTRAL, "square")]


def test_hollow_marks_are_explained_in_a_colour_in_view() -> None:
    entries = legend_of([of(chip("X", "AMD", "gpu"), feasible=False)])
    assert [(entry.text, entry.colour) for entry in entries] == [("AMD GPU", "amd_gpu"), ("misses a limit", "amd_gpu")]


@pytest.mark.parametrize("family", [None, FAMILY_ROW], ids=["chip row", "family row and chip row"])
def test_a_new_vendor_is_drawn_and_named_as_itself(
    family: dict[str, object] | None, tmp_path: Path, fresh_themes: None, qtbot: QtBot
) -> None:
    themes()
    with data_with(tmp_path, family=family) as catalogue:
        own = catalogue.accelerator_by_id[CHIP]
        key = "huawei_gpu" if family else NEUTRAL
        colour = QColor("#7A3E9D" if family else theme("light").colours[NEUTRAL])
        assert (colour_key(own), shape_of(own)) == (key, "circle")
        assert legend(own) == [("Huawei GPU", key, "circle")]
        assert QColor(colour_name(theme("light"), key)) == colour == _printed_colour(mark_of(of(own)))
        assert QColor(colour_name(theme("dark"), f"{key}_label_text")) == QColor(
            "#D0B0E6" if family else theme("dark").colours["ink2"]
        )
        results = sample_results()
        figure = decision_map(replace(results, results=(of(own), *results.results[1:])))
        assert {mark.colour for mark in figure.marks if mark.id == results.results[0].id} == {key}
        assert "Huawei GPU" in [entry.text for entry in figure.legend]


def _with_mark(mark: str) -> Document:
    table = Table((Column("Chip"),), ((Cell("one", mark=mark),),))
    return Document("Plan", ("", ""), ("", ""), (Section("one", "One", (table,)),))


def _printed_colour(mark: str) -> QColor:
    """The colour of a mark in a printed table."""
    [colour] = given(_with_mark(mark))["chips"].values()
    return QColor(colour)


def _n_printed(mark: str, colour: QColor) -> int:
    """How many pixels of a page with this mark have a colour."""
    image = QImage(794, 300, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    sheets(_with_mark(mark)).paint_page(painter, 0)
    painter.end()
    return sum(image.pixelColor(x, y) == colour for x in range(40, 90) for y in range(80, 200))


def test_where_one_may_leave_to_is_named_by_its_vendor(tmp_path: Path) -> None:
    with data_with(tmp_path) as catalogue:
        results = sample_results()
        moved = replace(results, results=(of(catalogue.accelerator_by_id[CHIP]),), basis=object())  # type: ignore[arg-type]
        assert [one.title for one in targets(moved)] == ["Another seller or chip", "Huawei GPU"]


def having(status: Status, feasible: bool = True) -> CandidateResult:
    one = of(chip("X", "AMD", "gpu"), feasible)
    return replace(one, obtainable=replace(one.obtainable, status=status))


def test_the_legend_says_what_each_filling_means_as_far_as_it_is_in_view() -> None:
    every = [having("on paper"), having("plausible"), having("attested"), having("plausible", feasible=False)]
    assert [(entry.text, entry.swatch) for entry in legend_of_having(every)] == [
        ("AMD GPU", "circle"), ("attested", "circle"), ("plausible", "half"), ("on paper: ask first", "dashed"),
        ("misses a limit", "hollow"),
    ]  # fmt: skip
    assert [entry.text for entry in legend_of_having([having("plausible")])] == ["AMD GPU", "plausible"]


@pytest.mark.parametrize("shape", ["circle", "square"])
def test_marks_tell_by_their_filling_whether_an_option_can_be_had(qtbot: QtBot, shape: str) -> None:
    """Left, middle and right of the inside: all, one, or none of them in the colour of the chip."""
    series, ground = themes().theme.color("nvidia_gpu"), themes().theme.color("bg")
    wanted = {"full": (series, series), "half": (series, ground), "dashed": (ground, ground)}
    for fill, inside in wanted.items():
        image = painted(shape, fill, hollow=False)
        assert (image.pixelColor(14, 20), image.pixelColor(26, 20)) == inside, fill
        assert painted(shape, fill, hollow=True).pixelColor(14, 20) == ground
    edge = [(x, y) for x in range(41) for y in range(41)]
    whole, broken = painted(shape, "full", hollow=True), painted(shape, "dashed", hollow=False)
    n_inked = [sum(image.pixelColor(*at) == series for at in edge) for image in (whole, broken)]
    assert 0.3 * n_inked[0] < n_inked[1] < 0.8 * n_inked[0]


def test_marks_on_paper_are_filled_as_those_on_screen(qtbot: QtBot) -> None:
    themes()
    colour = QColor(colour_name(theme("light"), "amd_gpu"))
    attested, plausible, paper = (
        _n_printed(mark_of(having(one)), colour) for one in ("attested", "plausible", "on paper")
    )
    assert attested > 1.4 * plausible > 1.4 * 1.4 * paper > 0
    assert mark_of(having("plausible", feasible=False)) == "!gpu:AMD" and mark_of(having("plausible")) == "/gpu:AMD"
    assert _n_printed(mark_of(having("attested", feasible=False)), colour) < plausible


def painted(shape: str, fill: Fill, hollow: bool) -> QImage:
    image = QImage(41, 41, QImage.Format.Format_RGB32)
    image.fill(themes().theme.color("bg"))
    painter = QPainter(image)
    Ink(painter, themes().theme).glyph(20.0, 20.0, 12.0, shape, "nvidia_gpu", hollow, fill)
    painter.end()
    return image


@pytest.mark.parametrize(("shape", "half"), [("circle", 12.0), ("square", 10.8)])
def test_a_mark_is_as_wide_as_high_around_its_place(shape: str, half: float) -> None:
    """A circle reaches its radius and a square nine tenths of it, with half of the outline around."""
    image, ground = painted(shape, "full", hollow=True), themes().theme.color("bg")
    inked = [(x, y) for x in range(41) for y in range(41) if image.pixelColor(x, y) != ground]
    for along in zip(*inked, strict=True):
        assert min(along) == pytest.approx(20.0 - half - OUTLINE_PX / 2, abs=1.0)
        assert max(along) + 1 == pytest.approx(20.0 + half + OUTLINE_PX / 2, abs=1.0)
