"""Places in the form: chosen by human name, regions of the data by their provider; amounts beside their currency."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QComboBox, QMenu
from pytestqt.qtbot import QtBot

from core.catalogue.entries import Region
from core.catalogue.own.layers import OwnEntries
from core.plan.fields import field_at, value_words
from core.plan.plan import Currency
from gui.forms.line_edit import UnitLineEdit
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


def editor(panel: DescribePanel, path: str) -> PlacesEditor:
    link = panel.form.link(path)
    assert link is not None
    return cast(PlacesEditor, link.row.editor)


def actions(menu: QMenu) -> dict[str, dict[str, QAction]]:
    found = {}
    for part in menu.actions():
        inner = part.menu()
        assert isinstance(inner, QMenu)
        found[part.text()] = {action.text(): action for action in inner.actions()}
    return found


def test_a_person_ticks_tokyo_and_types_no_region_name(
    panel: DescribePanel, session: PlanSession, qtbot: QtBot
) -> None:
    box = panel.form.findChild(QCheckBox, "field-places.region_places-asia/jp/tokyo")
    assert box is not None
    assert box.text() == "Tokyo"
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert session.profile is not None
    assert session.profile.places.region_places == ("asia/jp/tokyo",)


def test_other_places_stand_in_a_menu_by_continent(panel: DescribePanel, session: PlanSession) -> None:
    menu = editor(panel, "places.region_places").menu()
    found = actions(menu)
    assert {"Asia", "Europe", "North America", "South America"} <= set(found)
    assert "All of Europe" in found["Europe"]
    found["Asia"]["Taiwan"].trigger()
    assert session.profile is not None
    assert session.profile.places.region_places == ("asia/tw/taiwan",)
    menu.deleteLater()


def test_users_are_in_cities_by_name(panel: DescribePanel, session: PlanSession) -> None:
    menu = editor(panel, "places.user_places").menu()
    found = actions(menu)
    found["Asia"]["Hong Kong"].trigger()
    found["Europe"]["Zürich"].trigger()
    assert session.profile is not None
    assert session.profile.places.user_places == ("hong-kong", "zurich")
    assert any(box.text() == "Zürich" for box in panel.form.findChildren(QCheckBox))
    menu.deleteLater()


def test_training_has_no_users_to_place(qtbot: QtBot) -> None:
    session = sample_session(qtbot, sample_results())
    made = DescribePanel(session, themes())
    qtbot.addWidget(made)
    assert made.form.link("places.user_places") is None
    assert made.form.link("places.region_places") is not None


def test_the_data_lies_in_a_region_of_its_provider(panel: DescribePanel, session: PlanSession) -> None:
    assert panel.form.link("places.data_region") is None
    session.edit(session.path("places.data_provider"), "gcp")
    combo = panel.form.findChild(QComboBox, "field-places.data_region")
    assert combo is not None
    words = [combo.itemText(number) for number in range(combo.count())]
    assert words[0] == "Not said"
    assert "Tokyo (asia-northeast1)" in words
    assert not any("ap-northeast-1" in word for word in words)
    combo.setCurrentIndex(words.index("Tokyo (asia-northeast1)"))
    combo.activated.emit(combo.currentIndex())
    assert session.profile is not None
    assert session.profile.places.data_region == "asia-northeast1"


def test_a_place_of_ones_own_can_be_chosen_once_it_is_entered(panel: DescribePanel, session: PlanSession) -> None:
    lab = Region(
        provider="own", region="osaka-lab", place="Osaka lab", country="JP", latitude_deg=34.7, longitude_deg=135.5,
        carbon_g_per_kwh=None, pue=None, accelerator_ids=(), source="as entered", as_of="2026-11-21", estimate=False,
    )  # fmt: skip
    session.replace_plan(session.plan.model_copy(update={"own": OwnEntries(regions=(lab,))}), "Add place")
    menu = editor(panel, "places.user_places").menu()
    assert "Osaka lab" in actions(menu)["Your own"]
    menu.deleteLater()


def test_places_are_told_by_name_where_a_field_is_told(session: PlanSession) -> None:
    info = field_at(session.plan, session.path("places.region_places"))
    users = field_at(session.plan, session.path("places.user_places"))
    assert info is not None
    assert users is not None
    assert value_words(info, ("asia/jp/tokyo", "north-america")) == "Tokyo, North America"
    assert value_words(users, ("hong-kong",)) == "Hong Kong"


def test_amounts_are_typed_in_us_dollars_and_told_in_the_currency(panel: DescribePanel, session: PlanSession) -> None:
    session.edit(session.path("limits.budget_usd"), 1e6)
    link = panel.form.link("limits.budget_usd")
    assert link is not None
    field = cast(UnitLineEdit, link.row.editor.target())
    assert "$" in field.suffix
    euro = Currency(code="EUR", per_usd=0.92, as_of="2026-11-21")
    session.replace_plan(session.plan.model_copy(update={"currency": euro}), "Change currency")
    link = panel.form.link("limits.budget_usd")
    assert link is not None
    assert "USD" in cast(UnitLineEdit, link.row.editor.target()).suffix
    assert "€920" in link.row._help_words
    assert link.row.info.help in link.row._help_words
    session.undo_stack.undo()
    link = panel.form.link("limits.budget_usd")
    assert link is not None
    assert "$" in cast(UnitLineEdit, link.row.editor.target()).suffix
