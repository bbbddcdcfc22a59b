"""The Report tab: pages, preview, files."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.result import Basis, ResultSet
from core.errors import InputError
from core.plan.plan import Plan
from core.report.document import PAGES, PRESETS
from core.report.masking import HandedOut
from core.throughput.correction import NO_CORRECTIONS, Corrections
from core.workload.profile import Profile
from gui.charts.paint.drawing import svg_and_texts
from gui.pdf import drawings
from gui.session.plan_session import PlanSession
from gui.tabs.report.panel import ReportPanel
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import sample_session, themes


@pytest.fixture
def session(qtbot: QtBot) -> PlanSession:
    results = replace(sample_results(), basis=Basis(load_catalogue(), NO_CORRECTIONS))
    return sample_session(qtbot, results)


@pytest.fixture
def panel(qtbot: QtBot, session: PlanSession) -> ReportPanel:
    made = ReportPanel(session, themes())
    qtbot.addWidget(made, before_close_func=lambda panel: panel.close_panel())
    made.resize(1092, 654)
    made.show()
    qtbot.waitUntil(lambda: bool(made.preview.sheets), timeout=15_000)
    return made


def message(panel: ReportPanel) -> str:
    label = panel.findChild(QLabel, "report-message")
    assert label is not None
    return label.text() if label.isVisible() else ""


def press(qtbot: QtBot, panel: ReportPanel, name: str) -> None:
    qtbot.mouseClick(panel.findChild(QPushButton, name), Qt.MouseButton.LeftButton)


def answer(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def test_all_pages_are_shown_until_the_plan_says_otherwise(panel: ReportPanel, session: PlanSession) -> None:
    assert session.plan.report_pages == ()
    assert all(box.isChecked() for box in panel.picker.boxes.values())
    assert panel.picker.presets["full"].isChecked()


def test_a_preset_is_an_undoable_choice_and_changes_the_preview(
    qtbot: QtBot, panel: ReportPanel, session: PlanSession
) -> None:
    n_full = len(panel.preview.sheets)
    press(qtbot, panel, "preset-one-page")
    qtbot.waitUntil(lambda: len(panel.preview.sheets) == 1)
    assert session.plan.report_pages == PRESETS["one-page"]
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: len(panel.preview.sheets) == n_full)
    assert panel.picker.presets["full"].isChecked()


def test_the_size_of_the_paper_is_an_undoable_choice(qtbot: QtBot, panel: ReportPanel, session: PlanSession) -> None:
    session.replace_plan(session.plan.model_copy(update={"report_pages": PRESETS["one-page"]}), "Fewer pages")
    panel.paper.activated.emit(1)
    qtbot.waitUntil(lambda: "Letter" in panel.findChild(QLabel, "page-count").text())
    sheet = panel.preview.sheets[0]
    assert session.plan.report_paper == "letter" and panel.paper.currentText() == "Letter"
    assert sheet.height() == pytest.approx(sheet.width() * 11 / 8.5, abs=2)
    session.undo_stack.undo()
    assert session.plan.report_paper == "a4"


def test_single_pages_are_chosen_in_their_order(qtbot: QtBot, panel: ReportPanel, session: PlanSession) -> None:
    press(qtbot, panel, "preset-one-page")
    panel.picker.boxes["sources"].click()
    panel.picker.boxes["cost"].click()
    assert session.plan.report_pages == ("decision", "cost", "sources")
    assert not any(button.isChecked() for button in panel.picker.presets.values())


def test_the_last_page_stays(qtbot: QtBot, panel: ReportPanel, session: PlanSession) -> None:
    press(qtbot, panel, "preset-one-page")
    panel.picker.boxes["decision"].click()
    assert session.plan.report_pages == ("decision",)
    assert panel.picker.boxes["decision"].isChecked()


def test_choosing_all_pages_is_the_default_again(panel: ReportPanel, session: PlanSession) -> None:
    panel.picker.boxes["cost"].click()
    assert session.plan.report_pages == tuple(page for page in PAGES if page != "cost")
    panel.picker.boxes["cost"].click()
    assert session.plan.report_pages == ()


def test_a_sheet_is_painted_like_paper(panel: ReportPanel) -> None:
    picture = panel.preview.sheets[0].picture()
    assert picture.pixelColor(3, 3).lightness() == 255
    assert any(picture.pixelColor(x, y).lightness() < 90 for x in range(60, 400, 2) for y in range(60, 160, 2))


def painted(panel: ReportPanel) -> list[int]:
    return [number for number, sheet in enumerate(panel.preview.sheets) if sheet.is_painted]


def test_only_sheets_in_view_or_next_to_it_keep_their_pictures(qtbot: QtBot, panel: ReportPanel) -> None:
    bar = panel.preview.verticalScrollBar()
    for place_px in range(0, bar.maximum(), panel.preview.viewport().height() // 2):
        bar.setValue(place_px)
        panel.preview.viewport().repaint()
    assert 0 not in painted(panel) and 0 < len(painted(panel)) <= 4
    panel.hide()
    assert painted(panel) == []


def test_zoom_changes_the_size_of_the_sheets(qtbot: QtBot, panel: ReportPanel) -> None:
    panel.zoom.setCurrentIndex(1)
    panel.zoom.activated.emit(1)
    small = panel.preview.sheets[0].width()
    panel.zoom.activated.emit(3)
    assert panel.preview.sheets[0].width() == pytest.approx(2 * small, abs=2)


def test_the_pdf_is_exported_with_its_path_told(
    qtbot: QtBot, panel: ReportPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, tmp_path / "plan")
    press(qtbot, panel, "preset-one-page")
    press(qtbot, panel, "export-pdf")
    qtbot.waitUntil(lambda: bool(message(panel)), timeout=15_000)
    assert (tmp_path / "plan.pdf").read_bytes().startswith(b"%PDF-")
    assert str(tmp_path / "plan.pdf") in message(panel)
    assert panel.findChild(QPushButton, "open-folder").isVisible()


def test_a_refused_file_is_told_in_words(
    qtbot: QtBot, panel: ReportPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, tmp_path / "missing" / "table.csv")
    press(qtbot, panel, "save-csv")
    qtbot.waitUntil(lambda: bool(message(panel)))
    assert "table.csv" in message(panel)
    assert "not written" in message(panel)
    assert not panel.findChild(QPushButton, "open-folder").isVisible()


@pytest.mark.parametrize(("button", "name", "start"), [("save-csv", "t.csv", b"rank,"), ("save-xlsx", "t.xlsx", b"PK")])
def test_tables_are_saved(
    qtbot: QtBot,
    panel: ReportPanel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    button: str,
    name: str,
    start: bytes,
) -> None:
    answer(monkeypatch, tmp_path / name)
    press(qtbot, panel, button)
    qtbot.waitUntil(lambda: bool(message(panel)), timeout=15_000)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_table_with_prices_of_ones_own_says_so(
    qtbot: QtBot, panel: ReportPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = panel._session
    offer = session.results.results[0].candidate.offer
    for layer, words in (
        ("catalogue", "Saved"),
        ("book", "prices of your own, unmasked"),
        ("stand-in", "stand in for"),
    ):
        offers = (offer.model_copy(update={"layer": layer}),)
        monkeypatch.setattr(type(session.results), "columns", property(lambda _, o=offers: SimpleNamespace(offers=o)))
        catalogue = replace(session.catalogue, offers=offers, is_masked=layer == "stand-in")
        panel._on_table((tmp_path / "t.csv", HandedOut(session.plan, {"p": session.results}, catalogue)))
        assert words in message(panel)
        assert ("own" in message(panel)) is (layer != "catalogue")


class Gated:
    """Evaluates one workload at a time, each when it is let through."""

    def __init__(self) -> None:
        self.gate = threading.Semaphore(1)
        self.refused = ""

    def __call__(self, profile: Profile, _: Catalogue, __: Corrections, ___: Callable[[], bool]) -> ResultSet:
        assert self.gate.acquire(timeout=20)
        if profile.name == self.refused:
            raise InputError("Model", "nothing", "a model")
        return replace(sample_results(), profile=profile)


@pytest.fixture
def engine() -> Gated:
    return Gated()


@pytest.fixture
def waiting(qtbot: QtBot, engine: Gated) -> Iterator[ReportPanel]:
    """The tab on three workloads of which only the shown one is evaluated."""
    one = sample_results().profile
    profiles = tuple(one.model_copy(update={"id": name, "name": name}) for name in ("first", "second", "third"))
    session = PlanSession(Plan(id="three", profiles=profiles), load_catalogue(), engine)
    with qtbot.waitSignal(session.results_changed):
        session.start()
    made = ReportPanel(session, themes())
    qtbot.addWidget(made, before_close_func=lambda panel: panel.close_panel())
    made.resize(1092, 654)
    made.show()
    qtbot.waitUntil(lambda: session.road.is_busy(made))
    yield made
    engine.gate.release(20)
    session.close()


def test_it_says_which_workload_is_evaluated_until_the_pages_are_there(
    qtbot: QtBot, waiting: ReportPanel, engine: Gated
) -> None:
    wait = waiting.preview.wait
    assert wait.isVisible() and wait.words.text() == "Evaluating 1 of 3 workloads…"
    engine.gate.release()
    qtbot.waitUntil(lambda: wait.words.text() == "Evaluating 2 of 3 workloads…")
    assert wait.bar.value() == 33
    engine.gate.release()
    qtbot.waitUntil(lambda: bool(waiting.preview.sheets), timeout=15_000)
    assert not wait.isVisible()
    assert set(waiting.preview.sheets[0].pages.document.keywords) == {"first", "second", "third"}


def test_a_workload_that_is_refused_is_missing_with_its_reason(
    qtbot: QtBot, waiting: ReportPanel, engine: Gated
) -> None:
    engine.refused = "third"
    engine.gate.release(2)
    qtbot.waitUntil(lambda: bool(waiting.preview.sheets), timeout=15_000)
    count = waiting.findChild(QLabel, "page-count")
    assert count is not None and "Something is missing: Model: found nothing, expected a model" in count.text()


def test_an_excel_table_has_a_sheet_for_each_workload(
    qtbot: QtBot, waiting: ReportPanel, engine: Gated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.gate.release(20)
    qtbot.waitUntil(lambda: bool(waiting.preview.sheets), timeout=15_000)
    asked: list[str] = []
    path = tmp_path / "all"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: asked.append(given[2]) or (str(path), ""))
    press(qtbot, waiting, "save-xlsx")
    qtbot.waitUntil(lambda: bool(message(waiting)), timeout=15_000)
    assert asked == [f"{waiting._session.plan.name}.xlsx"]
    book = load_workbook(path.with_suffix(".xlsx"))
    assert book.sheetnames[:4] == ["Verdict", "first", "second", "third"]
    assert {row[0].value for row in book["second"].iter_rows(min_row=2)} == {"second"}


def test_stopping_it_on_the_jobs_page_is_told_where_the_pages_would_be(qtbot: QtBot, waiting: ReportPanel) -> None:
    [work] = waiting._session.road.listed
    waiting._session.road.give_up(work.number)
    assert waiting.preview.wait.words.text() == "No pages: it was stopped"
    assert not waiting.preview.wait.bar.isVisible()


def test_an_edit_asks_for_pages_anew_and_keeps_what_was_evaluated(
    qtbot: QtBot, waiting: ReportPanel, engine: Gated
) -> None:
    engine.gate.release()
    qtbot.waitUntil(lambda: waiting.preview.wait.words.text().startswith("Evaluating 2"))
    first = waiting._session.road.listed[-1].number
    waiting.refresh()
    assert waiting._session.road.listed[-1].number > first
    engine.gate.release(2)
    qtbot.waitUntil(lambda: bool(waiting.preview.sheets), timeout=15_000)
    assert not waiting._session.road.is_busy(waiting)


def test_pages_are_whole_in_a_low_window(panel: ReportPanel, qtbot: QtBot) -> None:
    panel.resize(1092, 520)
    qtbot.waitUntil(lambda: panel.height() == 520)
    parts = [*panel.picker.findChildren(QCheckBox), *panel.picker.findChildren(QPushButton)]
    assert len(parts) > 20
    assert [one.objectName() for one in parts if one.height() < one.sizeHint().height()] == []


def test_nothing_is_made_for_pages_that_nobody_sees(qtbot: QtBot, waiting: ReportPanel, engine: Gated) -> None:
    session = waiting._session
    qtbot.waitUntil(lambda: session.road.is_busy(waiting))
    waiting.hide()
    assert not session.road.is_busy(waiting) and not waiting._settle.isActive()
    engine.gate.release(20)
    waiting.show()
    qtbot.waitUntil(lambda: bool(waiting.preview.sheets), timeout=15_000)


def test_figures_of_the_preview_are_drawn_on_the_gui_thread(
    qtbot: QtBot, panel: ReportPanel, session: PlanSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawn by a worker, they stopped the window for ever once in some whole runs of the tests."""
    threads: list[threading.Thread] = []
    monkeypatch.setattr(
        drawings, "svg_and_texts", lambda *words: (threads.append(threading.current_thread()), svg_and_texts(*words))[1]
    )
    n_full = len(panel.preview.sheets)
    press(qtbot, panel, "preset-engineering")
    qtbot.waitUntil(lambda: 0 < len(panel.preview.sheets) != n_full, timeout=15_000)
    assert set(threads) == {threading.main_thread()}


def test_an_empty_plan_offers_no_files(qtbot: QtBot) -> None:
    """Export PDF… could be used here while the toolbar's was greyed."""
    names = ("export-pdf", "save-csv", "save-xlsx")
    for results, can_use in ((sample_results(), True), (empty_results(), False)):
        session = sample_session(qtbot, results)
        made = ReportPanel(session, themes())
        qtbot.addWidget(made)
        buttons = [made.findChild(QPushButton, name) for name in names]
        assert [button.isEnabled() for button in buttons if button] == [can_use] * 3
        session.close()
