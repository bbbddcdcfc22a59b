"""Numbers typed key by key: the plan holds what was typed when it is whole and valid, else what it held before."""

from __future__ import annotations

import random
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.plan.edit import get_value
from core.plan.plan import Plan
from core.plan.scenario import BASE, edit_in
from core.workload.profile import Profile
from gui.forms.known_values import known_values
from gui.forms.line_edit import UnitLineEdit
from gui.forms.number_text import typed_number
from gui.forms.workload_form import WorkloadForm
from gui.session.plan_session import PlanSession
from gui.tabs.describe.field_hints import hints
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes

N_EDITS = 500
SEED = 20261122
TYPED = (
    "job.n_tokens",
    "job.sequence_length",
    "stack.custom_kernels",
    "limits.deadline_days",
    "limits.budget_usd",
)
SCALES = {"trillion": 1e12, "billion": 1e9, "million": 1e6}
JUNK = ("abc", "--3", "12 x", "1e", "3..5", "7 apples", "", "1e4O", "-", "e5")


def line(form: WorkloadForm, path: str) -> UnitLineEdit:
    return cast(UnitLineEdit, form.findChild(QLineEdit, f"field-{path}"))


def value(session: PlanSession, path: str) -> object:
    return get_value(session.plan, session.path(path))


def retype(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def number_text(rng: random.Random) -> str:
    """A number as people write it: plain, with a suffix, with an exponent, far out of bounds, or junk."""
    digits = str(
        rng.choice((rng.randint(0, 9), rng.randint(10, 999), rng.randint(1000, 99999), 128 * rng.randint(1, 99)))
    )
    return rng.choice(
        (
            digits,
            f"{digits}.{rng.randint(0, 99)}",
            f"{digits}{rng.choice('kMTG')}",
            f"{digits} {rng.choice(('million', 'billion', 'trillion'))}",
            f"{rng.randint(1, 9)}e{rng.randint(0, 14)}",
            f"{rng.randint(1, 9)}e{rng.randint(20, 99)}",
            f"-{digits}",
            rng.choice(JUNK),
        )
    )


def type_like_a_person(field: QLineEdit, text: str, rng: random.Random) -> None:
    """Every key by itself; now and then a wrong one that is deleted again."""
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    for letter in text:
        if rng.random() < 0.15:
            QTest.keyClicks(field, rng.choice("0e9xM"))
            QTest.keyClick(field, Qt.Key.Key_Backspace)
        QTest.keyClicks(field, letter)


def whole_plan(session: PlanSession, form: WorkloadForm, path: str, before: Plan) -> Plan:
    """The plan that text and unit of a field stand for together; the one before where they are no value."""
    field = line(form, path)
    scale = SCALES.get(field.suffix.split(" ")[0], 1.0)
    try:
        wanted = typed_number(form.links[path].row.info, field.text(), scale)
        return edit_in(before, BASE, session.path(path), wanted)
    except (ValueError, InputError):
        return before


def test_500_numbers_typed_key_by_key_leave_what_was_typed_or_what_was_before(
    session: PlanSession, form: WorkloadForm
) -> None:
    rng = random.Random(SEED)
    paths = [path for path in TYPED if path in form.links]
    elsewhere = form.links["job.kind"].row.editor.target()
    n_taken = n_refused = 0
    for number in range(N_EDITS):
        path = rng.choice(paths)
        before, n_steps = session.plan, session.undo_stack.index()
        type_like_a_person(line(form, path), number_text(rng), rng)
        expected, text = whole_plan(session, form, path, before), line(form, path).text()
        leave(line(form, path), elsewhere, by_enter=rng.random() < 0.5)
        assert session.plan == expected, (number, path, text)
        if expected == before:
            n_refused += 1
            assert session.undo_stack.index() == n_steps, (number, path, text)
            continue
        n_taken += 1
        session.undo_stack.undo()
        assert (session.plan, session.undo_stack.index()) == (before, n_steps), (number, path, text)
        session.undo_stack.redo()
        assert session.plan == expected, (number, path, text)
    assert min(n_taken, n_refused) > N_EDITS / 10


def leave(field: QLineEdit, elsewhere: QWidget, by_enter: bool) -> None:
    if by_enter:
        QTest.keyClick(field, Qt.Key.Key_Return)
    else:
        elsewhere.setFocus()


def test_a_number_that_grows_beyond_the_bound_leaves_nothing_of_itself(
    qtbot: QtBot, session: PlanSession, form: WorkloadForm
) -> None:
    before, field = session.plan, line(form, "job.n_tokens")
    retype(field, "1e4")
    assert value(session, "job.n_tokens") == 1e4
    with qtbot.waitSignal(session.results_changed):
        QTest.keyClicks(field, "0")
    assert session.plan == before
    assert field.text() == "1e40"
    assert form.links["job.n_tokens"].row.message
    assert session.undo_stack.count() == 0
    qtbot.waitUntil(lambda: session.results is not None and session.results.profile == before.profiles[0])
    assert session.stale


def test_what_is_typed_on_after_a_bad_text_is_one_step_from_the_old_value(
    session: PlanSession, form: WorkloadForm
) -> None:
    before, field = value(session, "stack.custom_kernels"), line(form, "stack.custom_kernels")
    retype(field, "50x")
    assert value(session, "stack.custom_kernels") == before
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    assert value(session, "stack.custom_kernels") == 50
    assert session.undo_stack.count() == 1
    session.undo_stack.undo()
    assert value(session, "stack.custom_kernels") == before
    assert form.links["stack.custom_kernels"].row.message == ""


def test_a_step_that_ended_is_not_taken_back_with_the_next(session: PlanSession, form: WorkloadForm) -> None:
    field = line(form, "stack.custom_kernels")
    retype(field, "12")
    QTest.keyClick(field, Qt.Key.Key_Return)
    retype(field, "3-")
    assert value(session, "stack.custom_kernels") == 12
    assert session.undo_stack.count() == 1


def test_a_bad_text_in_a_field_without_an_answer_stays_and_leaves_it_unanswered(qtbot: QtBot) -> None:
    session = sample_session(qtbot, sample_results())
    session.open_plan(Plan(id="new", profiles=(Profile(),)))
    form = WorkloadForm(session, themes(), known_values(session.catalogue), hints)
    qtbot.addWidget(form)
    form.show()
    qtbot.waitExposed(form)
    retype(line(form, "job.n_tokens"), "1e40")
    assert line(form, "job.n_tokens").text() == "1e40"
    assert "n_tokens" not in session.plan.profiles[0].job.model_fields_set
