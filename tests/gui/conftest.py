"""A window on prepared results."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.throughput.correction import Corrections
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Profile
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.settings import Settings
from gui.window.main_window import MainWindow
from tests.gui.engine_guard import close_doors
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import themes


@pytest.fixture(scope="session", autouse=True)
def engine_guard() -> None:
    """The window never enters the engine on the GUI thread, whatever a test does."""
    close_doors()


def prepared(profile: Profile, _: Catalogue, __: Corrections, ___: Callable[[], bool]) -> ResultSet:
    """Results in the right proportions for a workload, at once."""
    return replace(sample_results(serving=isinstance(profile.job, OnlineServing)), profile=profile)


@pytest.fixture
def by_hand() -> Iterator[None]:
    """The collector comes only when it is called, and passes over what was there before, as every count here does. It
    does so for good: to look through all that tests before have left in caches takes seconds."""
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()


WindowMaker = Callable[[Plan], MainWindow]


@pytest.fixture
def open_window(qtbot: QtBot) -> Iterator[WindowMaker]:
    """Makes windows, shown and with results, and closes them without a question."""
    windows: list[MainWindow] = []

    def made(plan: Plan) -> MainWindow:
        session = PlanSession(plan, load_catalogue(), prepared)
        settings = Settings(theme="light")
        window = MainWindow(session, FileSession(session, settings), themes(), settings)
        windows.append(window)
        if plan.profiles:
            with qtbot.waitSignal(session.results_changed, timeout=30_000):
                window.show()
        else:
            window.show()
        qtbot.waitExposed(window)
        return window

    yield made
    for window in windows:
        window.session.undo_stack.setClean()
        window.close()
        window.deleteLater()


@pytest.fixture
def window(open_window: WindowMaker) -> MainWindow:
    """A window on the sample plan."""
    return open_window(sample_plan())
