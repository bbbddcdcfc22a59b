"""A user's text is shown as text, wherever it stands: nothing in it is read, opened or obeyed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QCoreApplication, QPoint, QSizeF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel, QMenu, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.own.book_file import book_path, save_book
from core.catalogue.own.layers import PriceBook
from core.plan import store
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.report.document import PAGES
from gui.charts.figure.figure import Figure
from gui.charts.view.export import save
from gui.dialogs.command_palette import CommandPalette, palette_entries
from gui.dialogs.comments import ask_comments
from gui.dialogs.files import ask_unsaved
from gui.dialogs.prices.import_dialog import ImportPricesDialog
from gui.pdf.writer import write_pdf
from gui.theme.plain import as_text
from gui.window.main_window import MainWindow
from tests.gui.hostile.hostile_plan import (
    BAIT,
    MARKUP,
    hostile,
    hostile_book,
    hostile_plan,
    hostile_price_list,
)
from tests.gui.hostile.reading import misread
from tests.gui.hostile.watched_folder import WatchedFolder
from tests.gui.person import answer, reject
from tests.gui.sample_session import themes
from tests.gui.whole_window import OF_EACH_WORKLOAD, ONCE, PATIENCE_MS, settled, show_list, shown_texts, shown_window
from tests.text_fields import NO_WORDS, holding, text_fields

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which files are opened")
SEEN = {
    "planname", "workload0", "workload1", "worknote0", "scenario", "chip", "short", "seller", "place", "instance",
    "server", "source", "note", "logfile.csv", "skipped",
}  # fmt: skip
"""What the window tells of somewhere, of all that was typed."""


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WatchedFolder]:
    """The working folder, with a picture in it that nobody has a reason to open."""
    picture = QImage(8, 8, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    picture.save(str(tmp_path / BAIT))
    monkeypatch.chdir(tmp_path)
    with WatchedFolder(tmp_path) as folder:
        yield folder


@pytest.fixture
def window(qtbot: QtBot, watched: WatchedFolder, tmp_path: Path) -> Iterator[MainWindow]:
    save_book(hostile_book(), book_path())
    with shown_window(qtbot, hostile_plan(tmp_path), 1600, 1000) as made:
        yield made


class Visit:
    """Goes from place to place and notes what is wrong and what is read there."""

    def __init__(self, qtbot: QtBot, window: MainWindow, watched: WatchedFolder) -> None:
        self.qtbot, self.window, self.watched = qtbot, window, watched
        self.wrong: dict[str, list[str]] = {}
        self.texts: set[str] = set()

    def see(self, place: str, show: Callable[[], object] = lambda: None, root: QWidget | None = None) -> None:
        show()
        settled(self.qtbot, self.window)
        (root or self.window).grab()
        self.texts.update(shown_texts(root or self.window))
        wrong = misread() + [f"{name} was opened" for name in self.watched.opened() if name == BAIT]
        if wrong:
            self.wrong[place] = sorted(set(wrong))


def test_the_bait_is_opened_by_who_reads_it(qtbot: QtBot, watched: WatchedFolder) -> None:
    """Else the other tests could not fail."""
    bare = QLabel(hostile("any"))
    qtbot.addWidget(bare)
    bare.show()
    QCoreApplication.processEvents()
    assert watched.opened() == {BAIT}


def test_every_text_of_a_plan_is_hostile(tmp_path: Path) -> None:
    """So a field that is added later is named here until it is put into the hostile plan, or into those without words;
    and the plan is one that a file can hold."""
    plan = hostile_plan(tmp_path)
    free = (text_fields(Plan) | text_fields(PriceBook)) - NO_WORDS.keys()
    assert free - holding(plan, "R&D") - holding(hostile_book(), "R&D") == set()
    assert NO_WORDS.keys() - text_fields(Plan) - text_fields(PriceBook) == set(), "not there any more"
    store.save(plan, tmp_path / "plan.roofplan")
    assert store.load(tmp_path / "plan.roofplan").phases == plan.phases


def test_every_place_of_the_window_shows_texts_as_texts(
    qtbot: QtBot, window: MainWindow, watched: WatchedFolder
) -> None:
    visit = Visit(qtbot, window, watched)
    for number in range(2):
        window.session.show_profile(number)
        settled(qtbot, window)
        for name, show in (OF_EACH_WORKLOAD if number else ONCE | OF_EACH_WORKLOAD).items():
            visit.see(f"{number}: {name}", partial(show, window))
    for entries in ("chips", "offers", "hosts", "servers", "places"):
        visit.see(f"own {entries}", partial(show_own, window, entries))
    window.session.set_scenario("mine")
    visit.see("scenario")
    visit.see("a log", partial(window.incoming.show_log, "log-1"))
    visit.see("a message", partial(window.say, f"Could not read {hostile('file')}", "Again"))
    assert visit.wrong == {}
    told = " ".join(visit.texts)
    assert {tag for tag in SEEN if f" {tag}" not in told} == set()


def show_own(window: MainWindow, entries: str) -> None:
    """The user's own entry of a list, written out."""
    show_list(window, entries)
    panel: Any = window.tabs.content.currentWidget()
    panel.head.compare.setChecked(False)
    panel.head.search.setText("R&D")
    panel.table.selectRow(0)


def test_dialogs_show_texts_as_texts(qtbot: QtBot, window: MainWindow, watched: WatchedFolder, tmp_path: Path) -> None:
    visit = Visit(qtbot, window, watched)
    lists: dict[str, Callable[[], QWidget | None]] = {
        "book": window.prices.show_book,
        "offer": partial(window.prices.edit_entry, "offers", "own-offer"),
        "chip": partial(window.prices.edit_entry, "accelerators", "own-chip"),
        "have": partial(window.prices.edit_entry, "have"),
        "import": partial(imported, qtbot, window, hostile_price_list(tmp_path)),
    }
    for name, show in lists.items():
        dialog = show()
        assert dialog is not None
        visit.see(name, root=dialog)
        dialog.close()
    comments = ask_comments(window, window.session)
    visit.see("comments", root=comments)
    assert comments.of_plan.toPlainText() == hostile("plannote"), "what is edited is what was typed"
    comments.reject()
    palette = CommandPalette(palette_entries(window.commands, window.session, window.tabs.show_field), window)
    palette.show()
    visit.see("palette", root=palette)
    palette.close()
    palette.deleteLater()
    assert visit.wrong == {}
    assert {tag for tag in ("booksource", "listfile.csv") if f" {tag}" not in " ".join(visit.texts)} == set()


def imported(qtbot: QtBot, window: MainWindow, path: Path) -> ImportPricesDialog:
    """The preview of a list, which asks whose prices they are and is answered."""
    dialog = window.prices.import_prices(path)
    settled(qtbot, window)
    dialog.page.ask.providers.setEditText(hostile("typedseller"))
    dialog.read_again()
    settled(qtbot, window)
    return dialog


def test_help_and_about_load_nothing(
    qtbot: QtBot, window: MainWindow, watched: WatchedFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the user is a name too."""
    monkeypatch.setenv("ROOFPLAN_HOME", str(tmp_path / f"![x]({BAIT}) {MARKUP}*a*"))
    visit = Visit(qtbot, window, watched)
    visit.see("about", window.help.about)
    visit.see("help", window.help.help)
    assert visit.wrong == {}
    window.help.about()
    assert f"![x]({BAIT}) {MARKUP}*a*" in window.findChild(QWidget, "about-text").toPlainText()


def test_a_question_shows_the_plans_name_as_text(qtbot: QtBot, window: MainWindow, watched: WatchedFolder) -> None:
    wrong: list[str] = []

    def look(dialog: QWidget) -> None:
        dialog.grab()
        wrong.extend(misread())
        reject(dialog)

    answer(look)
    ask_unsaved(window, f"Save changes to {hostile('plan')}?", hostile("warning"))
    assert wrong == []
    assert BAIT not in watched.opened()


def test_menus_show_texts_as_texts(qtbot: QtBot, window: MainWindow, watched: WatchedFolder) -> None:
    wrong: list[str] = []
    for row in range(window.project.view.model().rowCount()):
        menu = window.project.menu(window.project.view.model().index(row, 0))
        if menu is not None:
            menu.popup(QPoint(0, 0))
            wrong += misread()
            menu.close()
            menu.deleteLater()
    for menu in window.findChildren(QMenu):
        menu.popup(QPoint(0, 0))
        wrong += misread()
        menu.close()
    assert wrong == []


def test_the_start_page_shows_names_as_texts(
    qtbot: QtBot, window: MainWindow, watched: WatchedFolder, tmp_path: Path
) -> None:
    path = tmp_path / f"{hostile('recent')}.roofplan"
    window.files.save_as(path)
    visit = Visit(qtbot, window, watched)
    visit.see("start", window.show_start)
    assert visit.wrong == {}
    told = " ".join(visit.texts)
    assert " recent" in told and " planname" in told


def test_tips_that_are_shown_open_nothing(qtbot: QtBot, window: MainWindow, watched: WatchedFolder) -> None:
    for tip in {widget.toolTip() for widget in window.findChildren(QWidget)}:
        if MARKUP[1:4] in tip:
            QToolTip.showText(QPoint(10, 10), tip, window)
            QCoreApplication.processEvents()
    QToolTip.hideText()
    QCoreApplication.processEvents()
    assert BAIT not in watched.opened()


def test_the_pdf_holds_names_as_text(qtbot: QtBot, window: MainWindow, watched: WatchedFolder, tmp_path: Path) -> None:
    with qtbot.waitSignal(window.session.gather(None, "Evaluating").ended, timeout=PATIENCE_MS) as ended:
        pass
    paper = window.session.paper(tuple(PAGES))
    out = paper.handed_out({one.profile.id: one for one in ended.args[0]})
    write_pdf(paper.document(out), tmp_path / "out.pdf")
    text = " ".join(page.extract_text() for page in PdfReader(tmp_path / "out.pdf").pages)
    assert {tag for tag in ("planname", "workload0", "chip", "seller") if not _stands(tag, text)} == set()
    assert re.search("[\u202a-\u202e\u200e\u200f\x07]", text) is None
    assert BAIT not in watched.opened()


def test_a_drawing_is_xml_whatever_stands_in_it(qtbot: QtBot, tmp_path: Path) -> None:
    figure = Figure(hostile("title"), summary=hostile("summary"), empty=hostile("empty"))
    save(figure, themes().theme, QSizeF(300, 200), tmp_path / "chart.svg")
    root = ElementTree.parse(tmp_path / "chart.svg").getroot()
    told = [(one.tag.rpartition("}")[2], one.text or "") for one in root.iter()]
    assert [words for tag, words in told if tag in ("title", "desc")] == [
        as_text(hostile("title")),
        as_text(hostile("summary")),
    ]
    assert [tag for tag, _ in told if tag in ("img", "image")] == []


def _stands(tag: str, text: str) -> bool:
    return tag in re.sub(r"\s", "", text) and re.sub(r"\s", "", MARKUP) in re.sub(r"\s", "", text)


def test_a_file_title_keeps_the_sign_of_unsaved_plans(window: MainWindow) -> None:
    window.session.replace_plan(sample_plan().model_copy(update={"name": "a[*]b"}), "Rename")
    assert window.windowTitle() == "a[*][*]b[*] - Roofplan", "Qt shows two as one, and the last is its own"
    assert window.isWindowModified() and Qt.WindowType.Window
