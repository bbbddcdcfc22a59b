"""The form, driven like a person would: typing, choosing, undoing."""

from __future__ import annotations

from itertools import pairwise
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.missing import missing_facts
from core.plan.fields import fields
from core.plan.plan import Plan, Scenario
from core.workload.jobs.kinds import FineTuning, OnlineServing, PreTraining
from core.workload.library import load_profiles, more_profiles
from core.workload.models.known import networks
from core.workload.profile import Profile
from gui.forms.field_link import words_of
from gui.forms.field_row import FieldRow
from gui.forms.known_values import known_values
from gui.forms.workload_form import _ORDER, WorkloadForm
from gui.session.plan_session import PlanSession
from gui.tabs.describe.field_hints import hints
from tests.gui.sample_session import themes


def find(form: WorkloadForm, kind: type[QWidget], name: str) -> QWidget:
    found = form.findChild(kind, name)
    assert found is not None, name
    return cast(QWidget, found)


def line(form: WorkloadForm, path: str) -> QLineEdit:
    return cast(QLineEdit, find(form, QLineEdit, f"field-{path}"))


def retype(qtbot: QtBot, field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)


def profile(session: PlanSession) -> Profile:
    assert session.profile is not None
    return session.profile


def tokens(session: PlanSession) -> float:
    job = profile(session).job
    assert isinstance(job, PreTraining)
    return job.n_tokens


def test_every_field_of_the_profile_has_an_editor_with_a_name(form: WorkloadForm) -> None:
    assert {"job.kind", "model", "job.n_tokens", "stack.maturity", "places.providers"} <= set(form.links)
    for link in form.links.values():
        assert link.row.editor.target().accessibleName()


def test_typing_edits_the_plan_at_each_key_and_undoes_as_one_step(
    qtbot: QtBot, session: PlanSession, form: WorkloadForm
) -> None:
    before = tokens(session)
    retype(qtbot, line(form, "job.n_tokens"), "15T")
    assert tokens(session) == 15e12
    assert session.undo_stack.count() == 1
    session.undo_stack.undo()
    assert tokens(session) == before


def test_leaving_a_field_writes_the_number_with_its_scale(
    qtbot: QtBot, session: PlanSession, form: WorkloadForm
) -> None:
    field = line(form, "job.n_tokens")
    retype(qtbot, field, "15T")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "15"
    retype(qtbot, field, "16")
    assert tokens(session) == 16e12
    assert session.undo_stack.count() == 2


def test_text_that_is_no_number_stays_and_changes_nothing_else(
    qtbot: QtBot, session: PlanSession, form: WorkloadForm
) -> None:
    retype(qtbot, line(form, "job.n_tokens"), "2T")
    retype(qtbot, line(form, "job.sequence_length"), "abc")
    retype(qtbot, line(form, "stack.custom_kernels"), "7")
    field = line(form, "job.sequence_length")
    assert field.text() == "abc"
    assert field.property("state") == "error"
    assert "number" in form.links["job.sequence_length"].row.message
    assert [p.path for p in session.problems if p.severity == "error"] == [session.path("job.sequence_length")]
    assert tokens(session) == 2e12
    retype(qtbot, field, "4096")
    assert form.links["job.sequence_length"].row.message == ""
    assert not [p for p in session.problems if p.severity == "error"]


def test_a_number_out_of_bounds_says_the_bounds(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    retype(qtbot, line(form, "stack.custom_kernels"), "5000")
    assert form.links["stack.custom_kernels"].row.message == "Expected a whole number from 0 to 1\u202f000"
    assert profile(session).stack.custom_kernels <= 1000


def test_a_doubtful_length_is_repaired_with_one_click(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    retype(qtbot, line(form, "job.sequence_length"), "8200")
    row = form.links["job.sequence_length"].row
    assert "128" in row.message
    assert [p.severity for p in session.problems] == ["warning"]
    qtbot.mouseClick(find(form, QPushButton, "repair-job.sequence_length"), Qt.MouseButton.LeftButton)
    assert profile(session).job.model_dump()["sequence_length"] == 8192
    assert row.message == ""
    assert session.problems == ()
    assert line(form, "job.sequence_length").text() == "8\u202f192"


def test_a_misspelt_region_is_told_beside_its_field(session: PlanSession, form: WorkloadForm) -> None:
    session.edit(session.path("places.region_prefixes"), ("europe-wset4",))
    form.refresh()
    row = form.links["places.region_prefixes"].row
    assert row.message.startswith("europe-wset4 is not known here") and "europe-west4" in row.message
    assert [p.severity for p in session.problems] == ["warning"]
    session.edit(session.path("places.region_prefixes"), ("europe-west4",))
    form.refresh()
    assert (row.message, session.problems) == ("", ())


def test_an_archived_engine_gives_way_with_one_click(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    session.edit(session.path("job"), OnlineServing(engine="jetstream"))
    form.refresh()
    row = form.links["job.engine"].row
    assert row.message == "JetStream runs on no chip of the catalogue; take vLLM through tpu-inference."
    qtbot.mouseClick(find(form, QPushButton, "repair-job.engine"), Qt.MouseButton.LeftButton)
    assert profile(session).job.serving_engine == "vllm"
    assert (row.message, session.problems) == ("", ())


def test_reset_returns_to_the_default(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    retype(qtbot, line(form, "stack.custom_kernels"), "9")
    row = form.links["stack.custom_kernels"].row
    assert row.is_changed
    qtbot.mouseClick(find(form, QToolButton, "reset-stack.custom_kernels"), Qt.MouseButton.LeftButton)
    assert profile(session).stack.custom_kernels == 0
    assert line(form, "stack.custom_kernels").text() == "0"
    assert not row.is_changed


def test_how_much_work_there_is_has_no_usual_amount_to_go_back_to(
    qtbot: QtBot, session: PlanSession, form: WorkloadForm
) -> None:
    """A click on its arrow answered a plan of a trillion samples that nobody had asked for."""
    retype(qtbot, line(form, "job.n_tokens"), "2T")
    row = form.links["job.n_tokens"].row
    assert profile(session).job.training is not None and not row.is_changed
    assert not find(form, QToolButton, "reset-job.n_tokens").isVisible()


def test_fields_of_a_known_model_are_compared_with_it(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    """Sixteen fields of Whisper stood as changed from a ResNet, one click away from its figures."""
    session.edit("profiles.0.model", networks()["Whisper large v3"].model)
    paths = [path for path in form.links if path.startswith("model.")]
    assert len(paths) > 8 and not any(form.links[path].row.is_changed for path in paths)
    width = next(path for path in paths if path.endswith("params_millions"))
    session.edit(f"profiles.0.{width}", 2000.0)
    assert form.links[width].row.is_changed
    qtbot.mouseClick(find(form, QToolButton, f"reset-{width}"), Qt.MouseButton.LeftButton)
    assert profile(session).model == networks()["Whisper large v3"].model


def test_a_changed_field_names_what_it_would_mean_empty(session: PlanSession, form: WorkloadForm) -> None:
    """Not every field that may be empty is a limit."""
    for path, before in (("job.ramp_from_sequences", "the same"), ("limits.budget_usd", "no limit")):
        info = next(info for info in fields(profile(session)) if info.path == path)
        assert words_of(info, None) == before


def test_a_long_name_is_read_from_its_beginning(session: PlanSession, form: WorkloadForm) -> None:
    form.open_at("name")
    session.edit("profiles.0.name", "A name that is a good deal longer than the field in which it stands")
    assert line(form, "name").cursorPosition() == 0


def test_a_scenario_is_compared_with_base(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    plan = session.plan.model_copy(update={"scenarios": (*session.plan.scenarios, Scenario(id="more", name="More"))})
    session.replace_plan(plan, "Add scenario")
    session.set_scenario("more")
    assert not any(link.is_changed for link in form.links.values())
    retype(qtbot, line(form, "stack.custom_kernels"), "9")
    assert [path for path, link in form.links.items() if link.is_changed] == ["stack.custom_kernels"]
    assert session.plan.profiles[0].stack.custom_kernels == 0 != profile(session).stack.custom_kernels


def test_another_kind_of_job_asks_other_fields_and_keeps_the_combo(
    qtbot: QtBot, session: PlanSession, form: WorkloadForm
) -> None:
    combo = cast(QComboBox, find(form, QComboBox, "field-job.kind"))
    combo.setFocus()
    index = combo.findData("online_serving")
    combo.setCurrentIndex(index)
    combo.activated.emit(index)
    assert isinstance(profile(session).job, OnlineServing)
    assert "job.peak_requests_per_s" in form.links
    assert "job.n_tokens" not in form.links
    assert find(form, QComboBox, "field-job.kind") is combo
    session.undo_stack.undo()
    assert "job.n_tokens" in form.links
    assert combo.currentData() == "pretraining"


def test_a_batch_that_grows_is_asked_for_where_it_counts_alone(session: PlanSession, form: WorkloadForm) -> None:
    session.edit("profiles.0.job.ramp_from_sequences", 32)
    ramp = {"job.ramp_from_sequences", "job.ramp_tokens"}
    assert ramp <= set(form.links)
    session.edit("profiles.0.job.kind", "reinforcement_learning")
    assert not ramp & set(form.links)
    session.edit("profiles.0.job.kind", "finetuning")
    assert ramp <= set(form.links) and form.links["job.ramp_from_sequences"].is_changed


def test_padding_is_entered_in_percent(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    session.edit("profiles.0.job.kind", "finetuning")
    form.open_at("job.padding_share")
    retype(qtbot, line(form, "job.padding_share"), "30")
    job = profile(session).job
    assert isinstance(job, FineTuning) and job.padding_share == 0.3
    assert words_of(form.links["job.padding_share"].row.info, 0.3) == "30"
    retype(qtbot, line(form, "job.padding_share"), "96")
    assert "from 0 to 95" in form.links["job.padding_share"].row.message


def test_fields_that_are_asked_no_more_are_gone_before_new_ones_are_painted(
    session: PlanSession, form: WorkloadForm
) -> None:
    """Before the event loop turns: until then deleted widgets are still there."""
    before = [row for row in form.findChildren(FieldRow) if row.isVisible()]
    headings = [label for label in form.findChildren(QLabel) if label.property("kind") == "section"]
    session.edit(session.path("job"), OnlineServing())
    left = [row for row in before if row not in [link.row for link in form.links.values()]]
    assert left and not [row.info.path for row in left if row.isVisible()]
    assert headings and not [label.text() for label in headings if not label.isHidden() and label.isVisible()]


def test_a_box_of_a_choice_taken_back_is_gone_at_once(qtbot: QtBot, form: WorkloadForm, session: PlanSession) -> None:
    session.edit(session.path("places.providers"), ("vast",))
    box = find(form, QCheckBox, "field-places.providers-vast")
    qtbot.waitUntil(box.isVisible)
    session.edit(session.path("places.providers"), ())
    assert not box.isVisible()


def test_a_known_model_is_chosen_as_one_step(session: PlanSession, form: WorkloadForm) -> None:
    combo = cast(QComboBox, find(form, QComboBox, "field-model"))
    combo.setCurrentIndex(0)
    combo.activated.emit(0)
    assert profile(session).model.name == combo.itemData(0)
    assert session.undo_stack.count() == 1


def test_providers_none_means_any(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    any_box = cast(QCheckBox, find(form, QCheckBox, "field-places.providers-any"))
    gcp = cast(QCheckBox, find(form, QCheckBox, "field-places.providers-gcp"))
    assert any_box.isChecked()
    gcp.click()
    assert profile(session).places.providers == ("gcp",)
    assert not any_box.isChecked()
    any_box.click()
    assert profile(session).places.providers == ()
    assert not gcp.isChecked()


@pytest.mark.parametrize(("typed", "counts"), [("80", 80), ("150", 50), ("8x", 50), (" ", 50)])
def test_a_slider_stands_where_the_plan_does_and_its_keys_go_on_from_there(
    qtbot: QtBot, session: PlanSession, form: WorkloadForm, typed: str, counts: int
) -> None:
    """A weight was typed, its slider stayed behind, and the next arrow key took the typed weight back."""
    slider = cast(QSlider, find(form, QSlider, "slider-weights.cost"))
    session.edit(session.path("weights.cost"), 50.0)
    session.end_step()
    retype(qtbot, line(form, "weights.cost"), typed)
    qtbot.keyClick(line(form, "weights.cost"), Qt.Key.Key_Tab)
    assert (profile(session).weights.cost, slider.value()) == (counts, counts)
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert (profile(session).weights.cost, slider.value()) == (counts + 1, counts + 1)
    assert line(form, "weights.cost").text() == str(counts + 1)


def test_segments_and_keyboard(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    qtbot.mouseClick(find(form, QPushButton, "field-stack.maturity-frozen"), Qt.MouseButton.LeftButton)
    assert profile(session).stack.maturity == "frozen"


def test_changes_from_elsewhere_are_shown_and_typed_text_of_others_stays(
    qtbot: QtBot, session: PlanSession, form: WorkloadForm
) -> None:
    retype(qtbot, line(form, "job.n_tokens"), "oops")
    session.edit(session.path("stack.custom_kernels"), 4)
    assert line(form, "stack.custom_kernels").text() == "4"
    assert line(form, "job.n_tokens").text() == "oops"


def test_more_fields_open_at_a_hidden_field(session: PlanSession, form: WorkloadForm) -> None:
    row = form.open_at("team.engineers")
    assert row is not None
    assert row.isVisible()
    assert row.editor.target().hasFocus()
    assert form.open_at("no.such.field") is None


@pytest.fixture
def empty(qtbot: QtBot) -> PlanSession:
    return PlanSession(Plan(id="new", profiles=(Profile(),)), load_catalogue())


def test_what_was_never_entered_is_empty_and_a_default_may_be_entered(qtbot: QtBot, empty: PlanSession) -> None:
    form = WorkloadForm(empty, themes(), known_values(empty.catalogue), hints)
    qtbot.addWidget(form)
    form.show()
    qtbot.waitExposed(form)
    combo = cast(QComboBox, find(form, QComboBox, "field-model"))
    assert line(form, "job.n_tokens").text() == ""
    assert combo.currentIndex() == -1
    retype(qtbot, line(form, "job.sequence_length"), "4096")
    assert missing_facts(profile(empty)) == ("Model", "Tokens")
    retype(qtbot, line(form, "job.n_tokens"), "1T")
    assert missing_facts(profile(empty)) == ("Model",)
    own = combo.findData("own")
    combo.setCurrentIndex(own)
    combo.activated.emit(own)
    assert missing_facts(profile(empty)) == ()
    with qtbot.waitSignal(empty.results_changed, timeout=15_000):
        pass
    empty.close()
    assert empty.results is not None
    assert empty.results.missing == ()


def test_tab_goes_down_the_form(qtbot: QtBot, form: WorkloadForm) -> None:
    form.set_more(True)
    start = form.links["job.kind"].row.editor.target()
    seen, widget = [start], start.nextInFocusChain()
    while widget is not start:
        if form.isAncestorOf(widget) and widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            seen.append(widget)
        widget = widget.nextInFocusChain()
    tops = [one.mapTo(form, QPoint(0, one.height() // 2)).y() for one in seen]
    assert len(seen) > 60
    assert all(below >= above - 12 for above, below in pairwise(tops))


def test_tab_goes_down_a_form_that_a_page_took_in(qtbot: QtBot, form: WorkloadForm) -> None:
    """The first Tab went from the top of Describe to "More fields" at its end."""
    page = QWidget()
    qtbot.addWidget(page)
    QVBoxLayout(page).addWidget(form)
    page.show()
    qtbot.waitExposed(page)
    test_tab_goes_down_the_form(qtbot, form)


def test_undo_keys_are_left_to_the_window(qtbot: QtBot, session: PlanSession, form: WorkloadForm) -> None:
    field = line(form, "job.n_tokens")
    retype(qtbot, field, "2T")
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == "2T"
    session.undo_stack.undo()
    assert field.text() != "2T"
    assert session.undo_stack.canRedo()


def test_fields_come_and_go_with_what_gives_them_meaning(form: WorkloadForm, session: PlanSession) -> None:
    assert "stack.training_stack" in form.links and "job.engine" not in form.links
    assert "model.q_latent_rank" not in form.links and "model.n_shared_experts" not in form.links
    session.edit(session.path("model.kv_latent_rank"), 512)
    session.edit(session.path("model.n_experts"), 64)
    assert "model.q_latent_rank" in form.links and "model.n_shared_experts" in form.links
    assert "model.dense_d_ff" not in form.links
    session.edit(session.path("model.n_dense_layers"), 3)
    assert "model.dense_d_ff" in form.links
    session.edit(session.path("job"), OnlineServing())
    assert "stack.training_stack" not in form.links and "job.engine" in form.links
    assert "stack.software_year" in form.links


@pytest.mark.parametrize("width_px", [522, 620])
def test_no_name_of_a_field_is_cut(form: WorkloadForm, width_px: int) -> None:
    form.set_more(True)
    form.resize(width_px, form.sizeHint().height())
    QApplication.processEvents()
    names = [(row.findChild(QLabel), row) for row in form.findChildren(FieldRow) if row.isVisible()]
    assert len(names) > 40
    assert [row.info.title for name, row in names if name.height() < name.heightForWidth(name.width())] == []


def test_every_group_has_its_place_in_the_form() -> None:
    profiles = (load_profiles() | more_profiles()).values()
    assert {info.group for profile in profiles for info in fields(profile)} <= set(_ORDER)
