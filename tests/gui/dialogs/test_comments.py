"""Comments of the plan and its workloads: typed in many lines, one undo step."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QScrollArea
from pytestqt.qtbot import QtBot

from core.plan.workloads import MOST_LETTERS
from gui.dialogs.comments import CommentsDialog, ask_comments
from gui.session.plan_session import PlanSession
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session

HOSTILE = "<b>bold</b>\n=1+1 \u202e\U0001f680"


@pytest.fixture
def session(qtbot: QtBot) -> PlanSession:
    return sample_session(qtbot, sample_results())


def test_what_is_typed_is_one_undo_step(qtbot: QtBot, session: PlanSession) -> None:
    before = session.plan
    dialog = CommentsDialog(before)
    qtbot.addWidget(dialog)
    dialog.of_plan.setPlainText(HOSTILE)
    next(iter(dialog.of_workloads.values())).setPlainText("Second\nline")
    session.replace_plan(dialog.commented(session.plan), "Change comments")
    assert (session.plan.note, session.plan.profiles[0].note) == (HOSTILE, "Second\nline")
    session.undo_stack.undo()
    assert session.plan == before
    session.close()


def test_the_button_takes_them(qtbot: QtBot, session: PlanSession) -> None:
    dialog = ask_comments(None, session)  # type: ignore[arg-type]
    dialog.of_plan.setPlainText("Ours")
    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert (session.plan.note, session.undo_stack.undoText()) == ("Ours", "Change comments")
    session.close()


def test_a_comment_that_is_too_long_is_told(qtbot: QtBot, session: PlanSession) -> None:
    dialog = CommentsDialog(session.plan)
    qtbot.addWidget(dialog)
    dialog.of_plan.setPlainText("x" * (MOST_LETTERS + 1))
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled() and dialog.trouble.text()
    session.close()


def test_no_room_is_kept_for_a_trouble_that_there_is_not(qtbot: QtBot, session: PlanSession) -> None:
    dialog = CommentsDialog(session.plan)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    area, layout = dialog.findChild(QScrollArea), dialog.layout()
    assert area is not None and layout is not None
    assert dialog.buttons.y() - area.geometry().bottom() - 1 == layout.spacing()
    dialog.of_plan.setPlainText("x" * (MOST_LETTERS + 1))
    assert dialog.trouble.isVisible()
    session.close()
