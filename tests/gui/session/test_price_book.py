"""The private price book: its own file, laid under every plan, undone like any edit, never in a plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.own.book_file import book_path, load_book, save_book
from core.catalogue.own.layers import Discount, PriceBook
from core.errors import MachineError
from core.plan.sample_plan import sample_plan
from core.plan.store import load
from gui.frame.project_rows import rows_of
from gui.session.file_session import FileSession
from gui.session.layers import Layers
from gui.session.plan_session import PlanSession
from gui.session.price_book import ASIDE, BookKeeper
from gui.settings import Settings
from gui.window.main_window import MainWindow
from gui.window.price_actions import LOST_BOOK
from tests.gui.conftest import WindowMaker
from tests.gui.sample_results import sample_results

BOOK = PriceBook(discounts=(Discount(provider="coreweave", percent=20, source="Contract", as_of="2026-10-01"),))
OTHER = PriceBook(discounts=(Discount(provider="coreweave", percent=30, source="Contract", as_of="2026-11-01"),))


@pytest.fixture
def files(qapp: object) -> Iterator[FileSession]:
    session = PlanSession(sample_plan(), load_catalogue(), lambda *_: sample_results())
    made = FileSession(session, Settings())
    yield made
    made.close()
    session.close()


@pytest.fixture
def keeper(files: FileSession) -> BookKeeper:
    return BookKeeper(files.session)


def price(session: PlanSession) -> float:
    """A price that the discount holds for."""
    return next(one.usd_per_chip_hour for one in session.catalogue.offers if one.provider == "coreweave")


def test_a_book_is_loaded_and_laid_under_the_plan(files: FileSession, keeper: BookKeeper) -> None:
    before = price(files.session)
    save_book(BOOK, book_path())
    keeper.load()
    assert price(files.session) == pytest.approx(0.8 * before)
    assert not files.session.undo_stack.canUndo(), "loading is no edit"


def test_a_change_is_saved_at_once_and_can_be_undone(files: FileSession, keeper: BookKeeper) -> None:
    before = price(files.session)
    keeper.replace(BOOK, "Change price book")
    assert load_book(book_path()) == BOOK
    assert price(files.session) == pytest.approx(0.8 * before)
    files.session.undo_stack.undo()
    assert price(files.session) == before
    assert load_book(book_path()) == PriceBook()
    files.session.undo_stack.redo()
    assert load_book(book_path()) == BOOK


def test_a_change_of_the_book_makes_no_plan_unsaved(files: FileSession, keeper: BookKeeper) -> None:
    keeper.replace(BOOK, "Change price book")
    assert not files.is_dirty
    files.session.edit("profiles.0.limits.deadline_days", 41)
    assert files.is_dirty
    files.session.undo_stack.undo()
    assert not files.is_dirty
    files.session.undo_stack.undo()
    assert not files.is_dirty


def test_the_same_book_is_no_step(files: FileSession, keeper: BookKeeper) -> None:
    keeper.replace(PriceBook(), "Change price book")
    assert not files.session.undo_stack.canUndo()


def test_a_saved_plan_holds_a_mark_and_no_price(files: FileSession, keeper: BookKeeper, tmp_path: Path) -> None:
    keeper.replace(BOOK, "Change price book")
    files.save_as(tmp_path / "mine.roofplan")
    assert load(tmp_path / "mine.roofplan").had_price_book
    assert b"coreweave" not in (tmp_path / "mine.roofplan").read_bytes()
    assert not files.session.plan.had_price_book, "the plan on screen is not changed by saving it"
    files.session.replace_plan(files.session.plan.model_copy(update={"uses_price_book": False}), "Do without")
    files.save()
    assert not load(tmp_path / "mine.roofplan").had_price_book


def test_a_disk_that_refuses_leaves_the_book_as_it_was(files: FileSession, keeper: BookKeeper, tmp_path: Path) -> None:
    keeper._path = tmp_path / "file"
    keeper._path.mkdir()
    before = price(files.session)
    with pytest.raises(MachineError):
        keeper.replace(BOOK, "Change price book")
    assert price(files.session) == before
    assert not files.session.undo_stack.canUndo()


def test_undo_goes_on_when_the_disk_refuses(
    files: FileSession, keeper: BookKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper.replace(BOOK, "Change price book")
    told: list[str] = []
    keeper.failed.connect(told.append)

    def refuse(*_: object) -> None:
        raise MachineError("save the book", "the disk is full")

    monkeypatch.setattr("gui.session.price_book.save_book", refuse)
    files.session.undo_stack.undo()
    assert keeper.is_empty
    assert "the disk is full" in told[0]


def test_a_damaged_book_is_told_and_never_overwritten(files: FileSession, keeper: BookKeeper) -> None:
    book_path().write_text("{ not json", encoding="utf-8")
    keeper.load()
    assert "could not be read" in keeper.trouble
    assert keeper.is_empty
    keeper.replace(BOOK, "Change price book")
    assert load_book(book_path()) == BOOK
    assert book_path().with_name(f"{book_path().name}{ASIDE}").read_text(encoding="utf-8") == "{ not json"


def test_a_plan_whose_book_is_not_here_says_so(open_window: WindowMaker) -> None:
    window = open_window(sample_plan().model_copy(update={"had_price_book": True}))
    assert window.message.text.text() == LOST_BOOK
    window.message.hide()
    window.files.open_copy(sample_plan())
    assert window.message.isHidden()
    window.files.open_copy(sample_plan().model_copy(update={"had_price_book": True}))
    assert window.message.text.text() == LOST_BOOK


def test_a_plan_whose_book_is_here_says_nothing(open_window: WindowMaker) -> None:
    save_book(BOOK, book_path())
    window = open_window(sample_plan().model_copy(update={"had_price_book": True}))
    assert window.message.isHidden()


def test_the_dock_tells_of_the_book(window: MainWindow) -> None:
    def note() -> str:
        rows = rows_of(window.session.plan, window.session.catalogue, window.session.layers.book)
        return next(row.note for row in rows if row.kind == "book")

    assert note() == "empty"
    window.prices.keeper.replace(BOOK, "Change price book")
    assert note() == "1 entry"
    window.session.replace_plan(window.session.plan.model_copy(update={"uses_price_book": False}), "x")
    assert note() == "not used"


def test_layers_are_laid_once_and_told_apart() -> None:
    plan, layers = sample_plan(), Layers(load_catalogue())
    first, number = layers.catalogue(plan), layers.number(plan)
    layers.book = BOOK
    assert layers.catalogue(plan) is not first
    assert layers.number(plan) != number
    again = layers.catalogue(plan)
    layers.book = None
    assert (layers.catalogue(plan), layers.number(plan)) == (first, number)
    layers.book = OTHER
    assert layers.catalogue(plan) is not again
