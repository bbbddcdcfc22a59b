"""Sections keep the widgets of what stays, and make anew only what another frame asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.frame.why.section import Put, Rule, Section, SectionBox, Title, Value, Words


def clicked() -> None:
    """Nothing follows from the click."""


def section(*texts: str, kind: str = "") -> Section:
    puts = [Put(Words(text, kind, f"line-{row}", wraps=True), row) for row, text in enumerate(texts)]
    return Section(tuple(puts), stretch=0)


@pytest.fixture
def box(qtbot: QtBot) -> SectionBox:
    made = SectionBox()
    qtbot.addWidget(made)
    made.show()
    return made


def labels(box: SectionBox) -> list[QLabel]:
    """Those that are not taken away."""
    shown = [label for label in box.findChildren(QLabel) if not label.isHidden()]
    return sorted(shown, key=lambda label: label.objectName())


def test_other_words_are_written_into_the_same_widgets(box: SectionBox) -> None:
    box.show_section(section("one", "two"))
    before = labels(box)
    box.show_section(section("one", "three"))
    assert labels(box) == before
    assert [label.text() for label in before] == ["one", "three"]


def test_further_rows_are_added_below_and_fewer_leave_the_rest(box: SectionBox) -> None:
    box.show_section(section("one", "two"))
    first, second = labels(box)
    box.show_section(section("one", "two", "three"))
    assert labels(box)[:2] == [first, second]
    box.show_section(section("one"))
    assert labels(box) == [first], "what is gone is gone at once, not when the event loop turns"


def test_another_frame_is_another_widget_from_there_on(box: SectionBox) -> None:
    box.show_section(section("one", "two"))
    first, second = labels(box)
    other = section("one", "two")
    other = replace(other, puts=(other.puts[0], replace(other.puts[1], cell=Words("two", "warn", "line-1"))))
    box.show_section(other)
    assert labels(box)[0] is first
    assert labels(box)[1] is not second
    assert labels(box)[1].property("kind") == "warn"


def test_what_comes_again_is_shown_by_the_widget_it_had_and_is_reached_in_its_turn(box: SectionBox) -> None:
    def shown(*names: str) -> Section:
        cells = (Value(name, f"value-{name}", name, "figure", True, clicked) for name in names)
        return Section(tuple(Put(cell, row) for row, cell in enumerate(cells)), stretch=0)

    box.show_section(shown("chips", "hours", "staff"))
    first = {button.text(): button for button in box.findChildren(QPushButton)}
    box.show_section(shown("chips", "staff"))
    assert first["hours"].isHidden() and not first["staff"].isHidden()
    box.show_section(shown("chips", "power", "hours", "staff"))
    later = {button.text(): button for button in box.findChildren(QPushButton)}
    assert later == {**first, "power": later["power"]}
    assert all(not button.isHidden() for button in later.values())
    order = [first["chips"]]
    while len(order) < len(later):
        order.append(order[-1].nextInFocusChain())
    assert [button.text() for button in order] == ["chips", "power", "hours", "staff"]


def test_every_cell_tells_what_is_new(box: SectionBox) -> None:
    def shown(text: str, is_open: bool) -> Section:
        value = Value(text, "value", f"spoken {text}", "figure", is_open, clicked)
        words = Words(text, name="words", tip=f"tip {text}", can_select=True, is_open=is_open)
        cells = (Title(text, f"note {text}", "title"), value, words, Rule())
        return Section(tuple(Put(cell, row) for row, cell in enumerate(cells)), stretch=0, name="why-x", spoken=text)

    box.show_section(shown("first", False))
    button, words = box.findChild(QPushButton, "value"), box.findChild(QLabel, "words")
    assert (button.text(), button.isEnabled(), words.isHidden()) == ("first", False, True)
    box.show_section(shown("second", True))
    assert box.findChild(QPushButton, "value") is button
    assert (button.text(), button.isEnabled(), button.accessibleName()) == ("second", True, "spoken second")
    assert (words.text(), words.toolTip(), words.isHidden()) == ("second", "tip second", False)
    assert box.findChild(QLabel, "title").text() == "second"
    assert "note second" in [label.text() for label in box.findChildren(QLabel)]
    assert (box.objectName(), box.accessibleName()) == ("why-x", "second")


def test_a_title_can_be_closed(qtbot: QtBot, box: SectionBox) -> None:
    closed: list[str] = []
    box.show_section(Section((Put(Title("Idle", close=lambda: closed.append("x")), 0),), stretch=0))
    button = box.findChild(QPushButton, "explained-close")
    assert button.accessibleName() == "Close Idle"
    button.click()
    assert closed == ["x"]


def test_cells_stand_where_they_are_put(box: SectionBox) -> None:
    box.show_section(
        Section((Put(Words("left"), 0), Put(Words("right"), 0, 1), Put(Words("below"), 1, 0, 2)), stretch=1)
    )
    box.resize(300, 100)
    box.layout().activate()
    at = {label.text(): label.geometry() for label in labels(box)}
    assert at["left"].right() < at["right"].left()
    assert at["below"].top() > at["left"].bottom()
    assert at["below"].width() > at["left"].width()
    assert isinstance(box, QWidget)
