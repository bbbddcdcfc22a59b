"""Phases in the document: saved, edited by path, undone with the plan, and old files that know none."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from core.plan.difference import differences
from core.plan.edit import set_value
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.plan.scenario import add_scenario, edit_in, resolve
from core.plan.schema import plan_of, rows_of
from core.plan.store import load, save
from core.plan.workloads import remove_workload
from core.report.plan_hash import plan_hash
from core.workload.phase_templates import TEMPLATES, Template, phases_from, template


@pytest.fixture(scope="module")
def phased() -> Plan:
    plan = sample_plan()
    return plan.model_copy(update={"phases": phases_from(template("gpu-then-tpu"), plan.profiles)})


def test_phases_are_saved_and_read(phased: Plan, tmp_path: Path) -> None:
    edited = set_value(phased, "phases_deadline", date(2027, 5, 14))
    save(edited, tmp_path / "a.roofplan")
    assert load(tmp_path / "a.roofplan").phases == edited.phases
    assert load(tmp_path / "a.roofplan").phases_deadline == date(2027, 5, 14)


def test_a_file_without_phases_loads_and_keeps_its_hash() -> None:
    plan = sample_plan()
    rows = rows_of(plan)
    rows["meta"] = [row for row in rows["meta"] if not row["name"].startswith("phases")]
    old = plan_of(rows, "old.roofplan")
    assert old.phases == () and old.phases_deadline is None
    assert plan_hash(old) == plan_hash(plan)


def test_phases_are_part_of_the_hash(phased: Plan) -> None:
    longer = set_value(phased, "phases.0.days", 70.0)
    assert len({plan_hash(one) for one in (sample_plan(), phased, longer)}) == 3


def test_a_phase_is_edited_by_path_and_checked(phased: Plan) -> None:
    assert set_value(phased, "phases.2.measures.0.threshold", 90.0).phases[2].measures[0].threshold == 90.0
    with pytest.raises(InputError, match=r"Length.*0 days"):
        set_value(phased, "phases.0.days", 0.0)
    with pytest.raises(InputError, match=r"Chips of.*Best GPU"):
        set_value(phased, "phases.0.platform", "abacus")


def test_a_scenario_has_phases_of_its_own(phased: Plan) -> None:
    plan = add_scenario(phased, "Longer")
    new = plan.scenarios[-1].id
    plan = edit_in(plan, new, "phases.0.days", 80.0)
    assert resolve(plan, new).phases[0].days == 80.0
    assert plan.phases[0].days == 56.0


def test_a_whole_edited_in_a_scenario_takes_the_place_of_edits_within_it(phased: Plan) -> None:
    plan = add_scenario(sample_plan(), "Other")
    new = plan.scenarios[-1].id
    plan = edit_in(plan, new, "phases", phased.phases)
    plan = edit_in(plan, new, "phases.0.days", 80.0)
    plan = edit_in(plan, new, "phases", resolve(plan, new).phases[1:])
    assert [(one.id, one.days) for one in resolve(plan, new).phases][0] == ("port", None)


def test_what_differs_is_told_by_phase(phased: Plan) -> None:
    told = differences(phased, set_value(phased, "phases.0.days", 70.0))
    assert [(one.title, one.before, one.after) for one in told] == [("Explore, Length", "56 days", "70 days")]
    assert differences(sample_plan(), phased)[0].after == "Explore"


def test_phases_of_a_workload_go_with_it(phased: Plan) -> None:
    assert [one.id for one in remove_workload(phased, 0).phases] == ["serve"]


@pytest.mark.parametrize("one", TEMPLATES, ids=lambda one: one.id)
def test_templates_are_made_of_the_plans_workloads(one: Template) -> None:
    phases = phases_from(one, sample_plan().profiles)
    assert len({phase.id for phase in phases}) == len(phases)
    assert [phase.stage for phase in phases][-3:] == ["pilot", "scale", "serve"]
    assert phases[-1].workload == "chat-serving-70b"
    assert phases_from(template("all-gpu"), ()) == ()
