"""Who may sell, in the form: chosen, changed, undone; names that nothing knows are refused where they are typed."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit
from pytestqt.qtbot import QtBot

from gui.forms.multi_choice_editor import PlacesEditor
from gui.session.plan_session import PlanSession
from gui.tabs.describe.panel import DescribePanel
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes


@pytest.fixture
def session(qtbot: QtBot) -> PlanSession:
    return sample_session(qtbot, sample_results(serving=True))


@pytest.fixture
def panel(qtbot: QtBot, session: PlanSession) -> DescribePanel:
    made = DescribePanel(session, themes())
    qtbot.addWidget(made)
    made.resize(1092, 900)
    made.form.set_more(True)
    made.show()
    qtbot.waitExposed(made)
    return made


def box(panel: DescribePanel, name: str) -> QCheckBox:
    found = panel.form.findChild(QCheckBox, f"field-{name}")
    assert found is not None
    return found


def test_kinds_of_sellers_are_ticked_told_as_changed_and_undone(
    panel: DescribePanel, session: PlanSession, qtbot: QtBot
) -> None:
    qtbot.keyClick(box(panel, "places.seller_classes-hyperscaler"), Qt.Key.Key_Space)
    qtbot.keyClick(box(panel, "places.seller_classes-own"), Qt.Key.Key_Space)
    assert session.profile is not None
    assert session.profile.places.seller_classes == ("hyperscaler", "own")
    link = panel.form.link("places.seller_classes")
    assert link is not None and link.is_changed
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert session.profile.places.seller_classes == ()
    assert not link.is_changed and not box(panel, "places.seller_classes-own").isChecked()


def test_papers_can_be_confirmed_once_some_are_asked_for(panel: DescribePanel, session: PlanSession) -> None:
    assert panel.form.link("places.confirmed_sellers") is None
    session.edit(session.path("places.certificates"), ("hipaa",))
    link = panel.form.link("places.confirmed_sellers")
    assert link is not None
    editor = cast(PlacesEditor, link.row.editor)
    assert box(panel, "places.confirmed_sellers-any").text() == "Nobody yet"
    menu = editor.menu()
    groups = {part.text(): [one.text() for one in part.menu().actions()] for part in menu.actions()}
    assert "AWS" in groups["Hyperscalers"] and "Lambda" in groups["Specialised clouds"]
    assert "Own servers" not in [name for names in groups.values() for name in names]
    menu.deleteLater()
    editor.toggle("lambda")
    assert session.profile is not None
    assert session.profile.places.confirmed_sellers == ("lambda",)


def test_a_misspelt_place_is_refused_and_the_last_good_one_stays(
    panel: DescribePanel, session: PlanSession, qtbot: QtBot
) -> None:
    line = panel.form.findChild(QLineEdit, "field-places.region_prefixes")
    assert line is not None
    QTest.keyClicks(line, "europe-")
    session.end_step()
    assert session.profile is not None
    assert session.profile.places.region_prefixes == ("europe-",)
    QTest.keyClicks(line, "wset")
    link = panel.form.link("places.region_prefixes")
    assert link is not None
    assert link.row.message.startswith("europe-wset is not known here; perhaps europe-west")
    assert session.profile.places.region_prefixes == ("europe-",)
    assert line.text() == "europe-wset"
    assert [problem.severity for problem in session.problems] == ["error"]
    for _ in "wset":
        qtbot.keyClick(line, Qt.Key.Key_Backspace)
    assert link.row.message == ""
    assert not session.problems and session.profile.places.region_prefixes == ("europe-",)


def test_limits_stand_under_a_heading_of_their_own(panel: DescribePanel) -> None:
    paths = [path for path, link in panel.form.links.items() if link.row.info.group == "Who may sell"]
    assert paths == [
        "places.seller_classes", "places.min_sellers", "places.certificates", "places.min_sla_pct",
        "limits.max_wait_days",
    ]  # fmt: skip
    for path in paths:
        link = panel.form.link(path)
        assert link is not None and link.row.info.help
