"""Actuals in the document: saved, told in a comparison of plans, and old files that know none."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from core.plan.difference import differences
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.plan.schema import plan_of, rows_of
from core.plan.store import load, save
from core.plan.workloads import remove_workload
from core.report.plan_hash import plan_hash
from core.workload.actuals import Baseline, Entry, Tracked, with_tracked


@pytest.fixture(scope="module")
def followed() -> Plan:
    base = Baseline(
        frozen_on=date(2026, 12, 1), candidate="x", name="8 × H100", place="Lambda", n_chips=8, usd_per_chip_hour=5.0,
        amount=100.0, work_begins=date(2027, 1, 1), work_days=10.0, rate_low=9.0, rate_high=11.0, cost_usd=10.0,
        cost_low_usd=9.0, cost_high_usd=12.0,
    )  # fmt: skip
    plan = sample_plan()
    entry = Entry(day=date(2027, 1, 3), done=20.0, spend_usd=2.0)
    one = Tracked(workload=plan.profiles[0].id, baseline=base, entries=(entry,))
    return plan.model_copy(update={"actuals": (one,)})


def test_actuals_are_saved_and_read(followed: Plan, tmp_path: Path) -> None:
    save(followed, tmp_path / "a.roofplan")
    assert load(tmp_path / "a.roofplan").actuals == followed.actuals


def test_a_file_without_actuals_loads_and_keeps_its_hash(followed: Plan) -> None:
    plan = sample_plan()
    rows = rows_of(plan)
    rows["meta"] = [row for row in rows["meta"] if row["name"] != "actuals"]
    old = plan_of(rows, "old.roofplan")
    assert old.actuals == () and plan_hash(old) == plan_hash(plan) != plan_hash(followed)


def test_they_go_with_their_workload_and_are_told(followed: Plan) -> None:
    assert remove_workload(followed, 0).actuals == ()
    told = differences(sample_plan(), followed)
    assert [one.after for one in told] == ["1 entry against the plan of 2026-12-01"]


def test_tracking_anew_takes_the_place_of_before(followed: Plan) -> None:
    one = followed.actuals[0].model_copy(update={"entries": ()})
    assert with_tracked(followed.actuals, one) == (one,)
    other = one.model_copy(update={"workload": "other"})
    assert with_tracked((one,), other) == (one, other)
