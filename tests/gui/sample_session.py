"""A session that answers with prepared results, and the themes, for tests of panels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import cast

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.throughput.correction import Corrections
from core.workload.profile import Profile
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager


@cache
def themes() -> ThemeManager:
    """One theme manager for all tests; light unless a test asks for another."""
    return ThemeManager(cast(QApplication, QApplication.instance()), "light")


def answering(results: ResultSet) -> Callable[[Profile, Catalogue, Corrections, Callable[[], bool]], ResultSet]:
    """An evaluation that always gives these results, for whatever profile is asked."""

    def evaluate(profile: Profile, _catalogue: Catalogue, _found: Corrections, _stop: Callable[[], bool]) -> ResultSet:
        return replace(results, profile=profile)

    return evaluate


def sample_session(qtbot: QtBot, results: ResultSet) -> PlanSession:
    """A session whose results have arrived."""
    plan = Plan(id="test", profiles=(results.profile,))
    session = PlanSession(plan, load_catalogue(), answering(results))
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        session.start()
    return session
