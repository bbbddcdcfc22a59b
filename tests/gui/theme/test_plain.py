"""Texts of users: calm, escaped where a mark would be read, and otherwise as they were typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QUrl
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtGui import QTextDocument, QTextDocumentFragment
from pytestqt.qtbot import QtBot

from gui.theme.plain import Label, Question, Reader, as_html, as_text, caption, markdown, tip

LOADED = tuple(kind for kind in QTextDocument.ResourceType if kind.value in (1, 2, 3, 4))
"""HTML, pictures, style sheets and Markdown."""
HEBREW = "\u05e9\u05dc\u05d5\u05dd"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Plain words, 50 % & <b>", "Plain words, 50 % & <b>"),
        ("two\nlines", "two\nlines"),
        ("tab\tbell\x07", "tab bell "),
        ("Caf\u00e9 \u6f22\u5b57 \U0001f680", "Caf\u00e9 \u6f22\u5b57 \U0001f680"),
        ("evil\u202egnp.\u202c\u2066\u200f", "evilgnp."),
        (f"On {HEBREW}, 12 days", f"On \u2067{HEBREW}\u2069, 12 days"),
        (f"{HEBREW} {HEBREW}-7 {HEBREW} 12", f"\u2067{HEBREW} {HEBREW}-7 {HEBREW}\u2069 12"),
        (f"{HEBREW}, {HEBREW}", f"\u2067{HEBREW}\u2069, \u2067{HEBREW}\u2069"),
        ("half \udc80", "half  "),
    ],
)
def test_what_may_stand_among_other_words(typed: str, shown: str) -> None:
    assert as_text(typed) == shown
    assert as_text(shown) == shown, "doing it twice changes nothing"


@given(st.text(alphabet=st.sampled_from(f"ab <>&;\n/'\"{HEBREW}\u202e\x07imgsrc=!-")))
def test_a_tip_reads_as_the_text(text: str) -> None:
    made = tip(text)
    read = QTextDocumentFragment.fromHtml(made).toPlainText() if GuiQt.mightBeRichText(made) else made
    assert read.replace("\u2028", "\n").strip() == as_text(text).strip()


def test_what_each_place_needs(qtbot: QtBot) -> None:
    assert caption("R&D") == "R&&D"
    assert as_html('<a "b">') == "&lt;a &quot;b&quot;&gt;"
    reader = Reader()
    qtbot.addWidget(reader)
    reader.show_markdown(f"x {markdown('![a](b.png) *c* <i> #d')}")
    assert reader.toPlainText() == "x ![a](b.png) *c* <i> #d"


def test_a_label_and_a_question_show_marks_as_they_are(qtbot: QtBot) -> None:
    label, question = Label("<b>a</b>"), Question()
    qtbot.addWidget(label)
    qtbot.addWidget(question)
    question.setText("<i>\u202e</i>")
    question.setInformativeText("<u>c</u>")
    texts = {one.text(): one.textFormat() for one in (label, *question.findChildren(type(label).__bases__[0]))}
    plain = GuiQt.TextFormat.PlainText
    assert (texts["<b>a</b>"], texts["<i></i>"], texts["<u>c</u>"]) == (plain, plain, plain)


def test_a_reader_loads_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    for kind in LOADED:
        (tmp_path / kind.name).write_text("secret", encoding="utf-8")
    reader = Reader()
    qtbot.addWidget(reader)
    given = {
        kind: reader.document().resource(kind.value, QUrl.fromLocalFile(str(tmp_path / kind.name))) for kind in LOADED
    }
    assert given.pop(QTextDocument.ResourceType.ImageResource).width() == 1, "an empty picture"
    assert set(given.values()) == {b""}
    reader.show_markdown("<img src='x'> **strong**")
    assert reader.toPlainText() == "<img src='x'> strong"
