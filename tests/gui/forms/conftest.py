"""The form of a workload on a session whose results are there."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.forms.known_values import known_values
from gui.forms.workload_form import WorkloadForm
from gui.session.plan_session import PlanSession
from gui.tabs.describe.field_hints import hints
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


@pytest.fixture
def session(qtbot: QtBot) -> PlanSession:
    return sample_session(qtbot, sample_results())


@pytest.fixture
def form(qtbot: QtBot, session: PlanSession) -> WorkloadForm:
    made = WorkloadForm(session, themes(), known_values(session.catalogue), hints)
    qtbot.addWidget(made)
    made.resize(620, 900)
    made.show()
    qtbot.waitExposed(made)
    return made
