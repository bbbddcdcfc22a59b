"""Two scenarios, or this plan and another file, compared in the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.plan.edit import set_value
from core.plan.plan import Plan, Scenario
from core.plan.scenario import BASE
from core.plan.store import save
from core.report.blocks import Document
from gui.session.plan_session import PlanSession
from gui.tabs.report.plan_diff import OTHER, PlanDiffDialog
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session

LONGER = Scenario(id="longer", name="Longer run", overrides={"profiles.0.limits.deadline_days": 99.0})


class Opened:
    """A dialog on a plan, and what it had written."""

    def __init__(self, qtbot: QtBot, plan: Plan) -> None:
        self.session: PlanSession = sample_session(qtbot, sample_results())
        self.session.replace_plan(plan, "Test")
        self.written: list[tuple[Document, Path]] = []
        self.dialog = PlanDiffDialog(self.session, lambda document, path: self.written.append((document, path)))
        self.dialog.show()

    def close(self) -> None:
        """As its button does."""
        self.dialog.close()
        self.session.close()


Opener = Callable[[Plan], Opened]


@pytest.fixture
def open_on(qtbot: QtBot) -> Iterator[Opener]:
    """Dialogs that are closed whatever a test comes to."""
    made: list[Opened] = []

    def opened(plan: Plan) -> Opened:
        made.append(Opened(qtbot, plan))
        return made[-1]

    yield opened
    for one in made:
        one.close()


def plan_of(**update: object) -> Plan:
    return Plan(id="test", name="Mine", profiles=(sample_results().profile,)).model_copy(update=update)


def with_scenario() -> Plan:
    plan = plan_of()
    return plan.model_copy(update={"scenarios": (*plan.scenarios, LONGER)})


def test_two_scenarios_are_compared_at_once_and_saved(qtbot: QtBot, open_on: Opener, tmp_path: Path) -> None:
    opened = open_on(with_scenario())
    dialog = opened.dialog
    qtbot.waitUntil(lambda: bool(dialog.preview.sheets), timeout=15_000)
    assert len(dialog.preview.sheets) <= 2
    with qtbot.waitSignal(dialog.written):
        dialog.export(tmp_path / "both")
    (document, path), *_ = opened.written
    assert (path.name, document.sections[1].title) == ("both.pdf", "1 input differs")
    assert document.header[1] == "Mine and Mine, Longer run"


def test_another_file_is_read_and_a_namesake_told_apart(
    qtbot: QtBot, open_on: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(set_value(plan_of(), "profiles.0.limits.deadline_days", 77.0), tmp_path / "theirs.roofplan")
    opened = open_on(plan_of())
    dialog = opened.dialog
    assert not dialog.save.isEnabled() and dialog.after.currentText() == OTHER
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "theirs.roofplan"), ""))
    with qtbot.waitSignal(dialog.shown):
        dialog.after.activated.emit(dialog.after.count() - 1)
    assert dialog.after.currentText() == "theirs.roofplan" and dialog.save.isEnabled()
    dialog.export(tmp_path / "b.pdf")
    qtbot.waitUntil(lambda: bool(opened.written))
    assert opened.written[0][0].header[1] == "Mine (first) and Mine (second)"


def test_a_file_that_is_no_plan_is_told(qtbot: QtBot, open_on: Opener, tmp_path: Path) -> None:
    (tmp_path / "no.roofplan").write_text("no plan", encoding="utf-8")
    opened = open_on(plan_of())
    with qtbot.waitSignal(opened.dialog.refused):
        opened.dialog.open_file(opened.dialog.after, tmp_path / "no.roofplan")
    assert "no.roofplan" in opened.dialog.preview.wait.words.text()


def test_both_are_masked_where_one_is(open_on: Opener) -> None:
    opened = open_on(with_scenario())
    masked = opened.dialog.before.itemData(0)
    other = type(masked)(masked.plan.model_copy(update={"masks_private_prices": True}), BASE)
    papers = opened.dialog._papers([masked, other])
    assert [one.plan.masks_private_prices for one in papers] == [True, True]
