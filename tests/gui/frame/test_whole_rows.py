"""The whole plan's rows under the workloads: figures, dots while nobody knows them, and what has no answer."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QStandardItem, QStandardItemModel
from pytestqt.qtbot import QtBot

from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.plan.sample_plan import sample_plan
from core.units import DASH, date_text, usd
from gui.frame.project_delegate import ROW, ProjectDelegate, right_edge_px
from gui.frame.project_rows import WORKING, Row, whole_rows
from gui.frame.verdict_text import whole_words
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import themes

PLAN = sample_plan()


def answer(n_without: int = 0) -> PlanAnswer:
    sets = [replace(sample_results(), profile=profile) for profile in PLAN.profiles]
    nobody = replace(sets[-1].recommendation, choice=None, headline="Nothing fits.")
    sets[len(sets) - n_without :] = [replace(one, recommendation=nobody) for one in sets[len(sets) - n_without :]]
    made = answer_of(sets)
    assert made is not None
    return made


def notes(*asked) -> dict[str, str]:
    return {row.text: row.note for row in whole_rows(*asked)}


def test_one_workload_has_no_line_of_its_own() -> None:
    alone = PLAN.model_copy(update={"profiles": PLAN.profiles[:1]})
    assert whole_rows(alone, None, True) == ()


def test_dots_stand_for_what_is_being_worked_out() -> None:
    assert set(notes(PLAN, None, True).values()) == {WORKING}
    assert all(row.is_waiting for row in whole_rows(PLAN, None, True))


def test_nothing_known_and_nothing_on_its_way_is_told() -> None:
    assert notes(PLAN, None, False) == {"Whole plan": "no answer", "Ready": DASH, "Limits": DASH}


def test_figures_stay_while_new_ones_are_worked_out_and_are_marked() -> None:
    made = answer()
    shown = notes(PLAN, made, False)
    assert (shown["Whole plan"], shown["Ready"]) == (usd(made.printed_usd), date_text(made.done))
    assert notes(PLAN, made, True) == shown
    assert [row.is_waiting for row in whole_rows(PLAN, made, True)] == [True] * len(shown)
    assert whole_words(made, True) == f"{whole_words(made, False)}\u2026"
    assert whole_words(None, True) == ""


def test_a_workload_without_an_answer_is_counted_and_named() -> None:
    rows = whole_rows(PLAN, answer(n_without=1), False)
    assert (rows[-1].text, rows[-1].note) == ("Answered", f"{len(PLAN.profiles) - 1} of {len(PLAN.profiles)}")
    assert f"Not in it: {PLAN.profiles[-1].name}, which has no pick (Nothing fits)." in rows[0].detail


def test_a_note_gives_its_edge_away_before_a_name_is_cut() -> None:
    assert [right_edge_px(160, needed) for needed in (100, 130, 136, 150)] == [16, 14, 8, 2]


def test_notes_of_all_rows_end_in_one_line(qtbot: QtBot) -> None:
    """Beside a bar to scroll with "$1.68 M" ran out of the column of the others."""
    delegate, model = ProjectDelegate(themes()), QStandardItemModel()
    for text, note in (("Whole plan", "$1.68\u202fM"), ("Limits", "50 of 100")):
        item = QStandardItem()
        item.setData(Row("whole", text, text, note=note), ROW)
        model.appendRow(item)
    one, both = delegate.most_needed_px(model), QStandardItemModel()
    assert one > delegate.most_needed_px(both) == 0
    model.removeRow(0)
    assert 0 < delegate.most_needed_px(model) < one
